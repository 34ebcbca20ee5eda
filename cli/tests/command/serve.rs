//! `dicec serve`: for the same question, the server answers with the document that the command
//! prints with `--json`.

use super::dicec;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// A script with options, arguments, statistics and lines.
const DUEL: &str = r#"
defroll "Duel" duel(bonus: int, ac: int) {
    let total = roll(d20 + bonus);
    if (userOption("Bless?")) { total += roll(d4); }
    if (userOption("Inspire?")) { total += roll(d6); }
    note("total", total);
    output("Attack: " + total);
    return total >= ac;
}
"#;

/// The command that serves, and its address.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has ended already if that fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Servers that answer by themselves and by processes of their own.
fn serve() -> [Served; 2] {
    [start(&[]), start(&["--isolate"])]
}

fn start(flags: &[&str]) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicec"))
        .args(["serve", "--port", "0"])
        .args(flags)
        .env("DICEC_CONFIG", "")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command");
    let output = child.stdout.take().expect("a pipe");
    let mut line = String::new();
    let read = BufReader::new(output).read_line(&mut line);
    read.expect("its first line");
    let address = line.trim().trim_start_matches("dicec is at ").to_owned();
    Served { child, address }
}

/// What the server answers.
fn ask(served: &Served, endpoint: &str, body: &Value) -> (u16, Value) {
    let agent = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = agent.build().into();
    let url = format!("{}api/{endpoint}", served.address);
    let mut answer = agent.post(url).send(body.to_string()).expect("an answer");
    let text = answer.body_mut().read_to_string().expect("text");
    let document = serde_json::from_str(&text).expect("a document");
    (answer.status().as_u16(), document)
}

/// What the command prints: a document, or an error's.
fn printed(args: &[&str]) -> Value {
    let output = dicec(&[args, &["--json"]].concat(), b"").expect("the command");
    let text = match output.status.success() {
        true => output.stdout,
        false => output.stderr,
    };
    let text = String::from_utf8(text).expect("text");
    // Each row of a sweep is a line. Notes are lines of their own, and no part of an answer.
    let lines = text.lines().map(serde_json::from_str);
    let mut lines: Vec<Value> = lines.collect::<Result<_, _>>().expect("JSON");
    lines.retain(|line| line.get("note").is_none());
    match lines.len() {
        1 => lines.remove(0),
        _ => Value::Array(lines),
    }
}

/// A document without what a clock says, and without advice, which names flags or members.
fn plain(mut document: Value) -> Value {
    strip(&mut document);
    document
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for name in ["elapsed_ns", "trials_per_second", "help", "file"] {
                members.remove(name);
            }
            members.values_mut().for_each(strip);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip),
        _ => {}
    }
}

/// The server's answer and the command's are the same document.
fn same(served: &[Served; 2], endpoint: &str, body: Value, args: &[&str]) {
    let printed = plain(printed(args));
    for served in served {
        let (_, answered) = ask(served, endpoint, &body);
        assert_eq!(plain(answered), printed, "{endpoint}: {body}");
    }
}

#[test]
fn rules_are_answered_as_the_command_does() {
    let served = serve();
    let check = "1d20 + [Attack] >= [Target AC]";
    let given = json!({"Attack": 5, "Target AC": 15});
    let flags = ["-r", "Attack=5", "-t", "AC=15"];
    same(&served, "check", json!({"rule": check}), &["check", check]);
    same(
        &served,
        "check",
        json!({"rule": "2d6 +"}),
        &["check", "2d6 +"],
    );
    same(
        &served,
        "odds",
        json!({"rule": check, "set": given}),
        &[&["odds", check], &flags[..]].concat(),
    );
    same(&served, "odds", json!({"rule": check}), &["odds", check]);
    same(
        &served,
        "odds",
        json!({"rule": "8d6 + [Bonus]", "set": {"Bonus": "1d4"}, "ge": [30], "le": [20], "eq": [28],
            "between": [[20, 30]], "quantile": [0.9], "rational": true}),
        &[
            "odds",
            "8d6 + [Bonus]",
            "-r",
            "Bonus=1d4",
            "--ge",
            "30",
            "--le",
            "20",
            "--eq",
            "28",
            "--between",
            "20..30",
            "--quantile",
            "0.9",
            "--rational",
        ],
    );
    same(
        &served,
        "odds",
        json!({"rule": "3d6>=2", "dialect": "notation", "summary": true}),
        &["odds", "3d6>=2", "--dialect", "notation", "--summary"],
    );
    same(
        &served,
        "odds",
        json!({"rule": "2d6+3", "compare": ["1d12+3", "3d4"]}),
        &["odds", "2d6+3", "--compare", "1d12+3", "--compare", "3d4"],
    );
    same(
        &served,
        "odds",
        json!({"rule": "2d6", "compare": ["2d6>7"]}),
        &["odds", "2d6", "--compare", "2d6>7"],
    );
    same(
        &served,
        "sim",
        json!({"rule": "10d6", "trials": 200000, "seed": 7, "ge": [40]}),
        &["sim", "10d6", "-n", "200000", "--seed", "7", "--ge", "40"],
    );
    same(
        &served,
        "sim",
        json!({"rule": "1d20+7 >= 15", "precision": 0.01, "max_trials": 100_000, "seed": 7}),
        &[
            "sim",
            "1d20+7 >= 15",
            "--precision",
            "0.01",
            "--max-trials",
            "100000",
            "--seed",
            "7",
        ],
    );
    same(
        &served,
        "roll",
        json!({"rule": "4d6kh3", "seed": 3}),
        &["roll", "4d6kh3", "--seed", "3"],
    );
    // A compound rule, step by step.
    let compound = "let a = 2d6; a >= 7 ? a + 1d4 : 0";
    same(
        &served,
        "roll",
        json!({"rule": compound, "seed": 3}),
        &["roll", compound, "--seed", "3"],
    );
}

#[test]
fn sweeps_are_the_rows_that_the_command_prints() {
    let served = serve();
    let hit = "1d20+7 >= [AC]";
    same(
        &served,
        "odds",
        json!({"rule": hit, "sweep": {"AC": "10..14"}}),
        &["odds", hit, "--sweep", "AC=10..14"],
    );
    same(
        &served,
        "odds",
        json!({"rule": "1d20 + [A]", "compare": ["2d10 + [A]"], "sweep": {"A": "1..3"}, "ge": [10]}),
        &[
            "odds",
            "1d20 + [A]",
            "--compare",
            "2d10 + [A]",
            "--sweep",
            "A=1..3",
            "--ge",
            "10",
        ],
    );
    same(
        &served,
        "odds",
        json!({"rule": hit, "sweep": {"DC": "10..14"}}),
        &["odds", hit, "--sweep", "DC=10..14"],
    );
}

/// A file with the script, which is removed with this.
static SCRIPT: LazyLock<(tempfile::TempDir, String)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("duel.dice");
    fs::write(&path, DUEL).expect("a file");
    let path = path.display().to_string();
    (folder, path)
});

#[test]
fn scripts_are_answered_as_the_command_does() {
    let served = serve();
    let file = SCRIPT.1.as_str();
    let arguments = json!({"bonus": 5, "ac": 15});
    let args = ["--args", r#"{"bonus": 5, "ac": 15}"#];
    same(&served, "check", json!({"script": DUEL}), &["check", file]);
    same(
        &served,
        "describe",
        json!({"script": DUEL}),
        &["describe", file],
    );
    same(
        &served,
        "odds",
        json!({"script": DUEL, "arguments": arguments, "options": {"Bless?": "always"}}),
        &[&["odds", file, "--option", "Bless?=always"], &args[..]].concat(),
    );
    same(
        &served,
        "sim",
        json!({"script": DUEL, "arguments": arguments, "trials": 100_000, "seed": 2}),
        &[&["sim", file, "-n", "100000", "--seed", "2"], &args[..]].concat(),
    );
    same(
        &served,
        "odds",
        json!({"script": DUEL, "arguments": {"bonus": 5}, "sweep": {"ac": "10..12"}}),
        &["odds", file, "--set", "bonus=5", "--sweep", "ac=10..12"],
    );
    same(
        &served,
        "odds",
        json!({"script": DUEL, "arguments": {"bonus": 5}}),
        &["odds", file, "--set", "bonus=5"],
    );
    let wrong = "defroll \"x\" x() { return y; }";
    let path = SCRIPT.0.path().join("wrong.dice");
    fs::write(&path, wrong).expect("a file");
    let path = path.display().to_string();
    same(
        &served,
        "check",
        json!({"script": wrong}),
        &["check", &path],
    );
}

#[test]
fn choices_leave_the_other_dice() {
    let served = serve();
    let file = SCRIPT.1.as_str();
    let body = |choices: Value| json!({"script": DUEL, "arguments": {"bonus": 5, "ac": 15}, "seed": 4, "choices": choices});
    let flags = [
        "roll", file, "--set", "bonus=5", "--set", "ac=15", "--seed", "4",
    ];
    same(&served, "roll", body(json!({})), &flags);
    let one = [&flags[..], &["--choose", "Bless?=true"]].concat();
    same(&served, "roll", body(json!({"Bless?": true})), &one);
    let two = [&one[..], &["--choose", "Inspire?=true"]].concat();
    same(
        &served,
        "roll",
        body(json!({"Bless?": true, "Inspire?": true})),
        &two,
    );
    let (_, before) = ask(&served[0], "roll", &body(json!({})));
    let (_, after) = ask(&served[0], "roll", &body(json!({"Inspire?": true})));
    assert_eq!(before["rolls"][0]["dice"], after["rolls"][0]["dice"]);
    let wrong = [&flags[..], &["--choose", "Curse?=true"]].concat();
    same(&served, "roll", body(json!({"Curse?": true})), &wrong);
}

#[test]
fn encounters_are_answered_as_the_command_does() {
    let served = serve();
    let sides = "2 Guard vs 3 Goblin";
    let fixed = ["-n", "20000", "--seed", "1"];
    let encounter =
        |more: &[&'static str]| -> Vec<&str> { [&["encounter", sides], more, &fixed[..]].concat() };
    same(
        &served,
        "encounter",
        json!({"sides": sides, "trials": 20000, "seed": 1}),
        &encounter(&[]),
    );
    same(
        &served,
        "encounter",
        json!({"sides": sides, "trials": 20000, "seed": 1, "compare": "3 Guard vs 3 Goblin"}),
        &encounter(&["--compare", "3 Guard vs 3 Goblin"]),
    );
    same(
        &served,
        "encounter",
        json!({"sides": sides, "trials": 20000, "seed": 1, "target": "random", "hp": "rolled",
            "initiative": "kinds", "rounds": 5, "plain": true}),
        &encounter(&[
            "--target",
            "random",
            "--hp",
            "rolled",
            "--initiative",
            "kinds",
            "--rounds",
            "5",
            "--plain",
        ]),
    );
    same(
        &served,
        "encounter",
        json!({"sides": "2 Guard", "find": "N Goblin", "win": 0.5, "trials": 20000, "seed": 1}),
        &[
            "encounter",
            "2 Guard",
            "--find",
            "N Goblin",
            "--win",
            "50%",
            "-n",
            "20000",
            "--seed",
            "1",
        ],
    );
    same(
        &served,
        "encounter",
        json!({"sides": sides, "tell": true, "seed": 3}),
        &["encounter", sides, "--tell", "--seed", "3"],
    );
    same(
        &served,
        "encounter",
        json!({"sides": "2 Guard vs 3 Gobblin", "seed": 1}),
        &["encounter", "2 Guard vs 3 Gobblin", "--seed", "1"],
    );
    let (_, ablated) = ask(
        &served[0],
        "encounter",
        &json!({"sides": "1 Knight vs 2 Wolf", "ablate": true,
        "trials": 20000, "seed": 1}),
    );
    let by_command = printed(&[
        "encounter",
        "1 Knight vs 2 Wolf",
        "--ablate",
        "-n",
        "20000",
        "--seed",
        "1",
    ]);
    assert_eq!(plain(ablated)["without"], plain(by_command)["without"]);
}

#[test]
fn tables_are_answered_as_the_command_does() {
    let served = serve();
    let table = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/encounters.csv"
    ));
    let table = table.expect("the example");
    let rule = "hit=1d20 + [Attack] >= [Target Defense]";
    let encoded = "hit%3D1d20%20%2B%20%5BAttack%5D%20%3E%3D%20%5BTarget%20Defense%5D";
    for format in ["csv", "tsv", "json", "jsonl"] {
        let url = format!("{}api/batch?e={encoded}&format={format}", served[0].address);
        let mut answer = ureq::post(url).send(&table[..]).expect("an answer");
        let text = answer.body_mut().read_to_string().expect("text");
        let args = ["batch", "-", "-e", rule, "--format", format];
        let printed = dicec(&args, &table).expect("the command");
        assert_eq!(text, String::from_utf8_lossy(&printed.stdout), "{format}");
    }
}

#[test]
fn anydice_programs_are_answered_as_the_command_does() {
    let served = serve();
    let program = "N: 4 output [highest 3 of Nd6] named \"best\" output d{}";
    let args = ["odds", "-d", "anydice", program];
    same(&served, "odds", json!({"rule": program}), &args);
    same(
        &served,
        "odds",
        json!({"rule": program, "dialect": "anydice", "set": {"N": 3}, "ge": [15], "summary": true}),
        &[&args[..], &["--set", "N=3", "--ge", "15", "--summary"]].concat(),
    );
    let wrong = "output 3 + BONUS";
    same(
        &served,
        "odds",
        json!({"rule": wrong}),
        &["odds", "-d", "anydice", wrong],
    );
    for (endpoint, body) in [
        ("sim", json!({"rule": program, "dialect": "anydice"})),
        ("odds", json!({"rule": program, "compare": ["2d6"]})),
        ("odds", json!({"rule": program, "set": {"N": "2d6"}})),
    ] {
        for served in &served {
            let (status, answer) = ask(served, endpoint, &body);
            let code = answer["error"]["code"].as_str();
            assert_eq!((status, code), (400, Some("D0540")), "{body}");
        }
    }
    let (_, checked) = ask(&served[0], "check", &json!({"rule": program}));
    let expected = json!({"ok": true, "kind": "anydice", "variables": ["N"], "resources": []});
    assert_eq!(checked, expected);
}

#[test]
fn sweeps_of_anydice_programs_are_the_rows_that_the_command_prints() {
    let served = serve();
    let two = "N: 4 T: 5 output [highest 3 of Nd6] named \"best\" output Nd6 >= T";
    let one = "N: 4 output [highest 3 of Nd6] named \"best of [N]\"";
    for (program, body, flags) in [
        (
            two,
            json!({"sweep": {"N": "3..5"}}),
            &["--sweep", "N=3..5"][..],
        ),
        (
            one,
            json!({"sweep": {"N": "3..5"}, "ge": [15]}),
            &["--sweep", "N=3..5", "--ge", "15"],
        ),
        (
            two,
            json!({"sweep": {"N": "1,2"}, "set": {"T": 3}}),
            &["--sweep", "N=1,2", "--set", "T=3"],
        ),
        (two, json!({"sweep": {"M": "1..3"}}), &["--sweep", "M=1..3"]),
        (
            two,
            json!({"sweep": {"N": "1..3"}, "set": {"N": 3}}),
            &["--sweep", "N=1..3", "--set", "N=3"],
        ),
    ] {
        let mut body = body;
        body["rule"] = json!(program);
        let args = ["odds", "-d", "anydice", program];
        same(&served, "odds", body, &[&args[..], flags].concat());
    }
}
