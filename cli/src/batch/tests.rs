//! Whole runs over tables in a temporary folder: the same bytes for any number of threads, the
//! numbers of the library, and files that survive what goes wrong.

use super::args::BatchArgs;
use super::source::{Row, Source};
use super::{ask_roll, batch, run};
use crate::cli::{Cli, Command};
use crate::error::CliError;
use crate::loaded::Loaded;
use clap::Parser;
use dicec_compiler::hir::{CHANCE_SIDES, Policy};
use dicec_compiler::{Backend, Compiler, Sampling, Simulation};
use dicec_runtime::control::Control;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with a table.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new(table: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("table.csv"), table).expect("space for a table");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `dicec batch table.csv -o out.csv` with more flags.
    fn run(&self, flags: &[&str]) -> Result<(), CliError> {
        self.run_to(&self.path("out.csv"), flags)
    }

    fn run_to(&self, output: &Path, flags: &[&str]) -> Result<(), CliError> {
        let mut line = vec!["dicec".to_owned(), "batch".to_owned()];
        line.push(self.path("table.csv").display().to_string());
        line.extend(["-o".to_owned(), output.display().to_string()]);
        line.extend(flags.iter().map(|flag| (*flag).to_owned()));
        run(&parse(line))
    }

    fn output(&self) -> String {
        fs::read_to_string(self.path("out.csv")).expect("an output")
    }

    /// The files of the folder, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn parse(line: Vec<String>) -> BatchArgs {
    match Cli::try_parse_from(line).expect("good flags").command {
        Some(Command::Batch(args)) => args,
        _ => unreachable!("the second word is batch"),
    }
}

/// Distinct tuples, repeated ones, bad cells and several blocks.
fn long_table(rows: usize) -> String {
    let mut table = "Attack,Damage,Target Defense\n".to_owned();
    for row in 0..rows {
        let attack = match row % 97 {
            96 => "none".to_owned(),
            _ => (row % 1000).to_string(),
        };
        let dice = 1 + row % 7;
        writeln!(table, "{attack},{dice}d6+[Attack],{}", row % 31).expect("memory");
    }
    table
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let exact = [
        "-e",
        "hit=1d20 + [Attack] >= [Target Defense]",
        "--expr-column",
        "Damage",
        "--on-error",
        "null",
    ];
    let sampled = [
        "-e",
        "hurt=([Attack] / 100)d6 + [Attack]",
        "-n",
        "70000",
        "--seed",
        "7",
        "--on-error",
        "skip",
    ];
    for (flags, rows) in [(&exact[..], 3000), (&sampled[..], 60)] {
        let case = Case::new(&long_table(rows));
        let outputs = ["1", "2", "3"].map(|threads| {
            let flags = [flags, &["--threads", threads]].concat();
            case.run(&flags).expect("odds");
            case.output()
        });
        assert!(outputs[0].lines().count() > rows / 2);
        assert_eq!(outputs[0], outputs[1]);
        assert_eq!(outputs[0], outputs[2]);
    }
}

/// `dicec sim` specialises a rule on its resources, a batch does not: the draws have to be the same
/// all the same.
#[test]
fn sampled_rows_are_what_a_simulation_gives() {
    let rule = "([Count])d6 + 3d4 + (2)d[Sides]";
    let rows: [[i64; 2]; 3] = [[3, 8], [0, 1], [7, 100]];
    let mut table = "Count,Sides\n".to_owned();
    for [count, sides] in rows {
        writeln!(table, "{count},{sides}").expect("memory");
    }
    let case = Case::new(&table);
    let program = Compiler::new().rule(rule).expect("a good rule");
    for (flag, backend, sampling) in [
        ("--jit", Backend::Jit, Sampling::Fused),
        ("--interp", Backend::Interp, Sampling::Faithful),
    ] {
        case.run(&["-e", rule, flag, "-n", "2000", "--seed", "11"])
            .expect("odds");
        for (line, values) in case.output().lines().skip(1).zip(&rows) {
            let simulation = Simulation::trials(2000)
                .seed(11)
                .threads(1)
                .backend(backend)
                .sampling(sampling);
            let simulated = program
                .bind_values(values)
                .expect("its resources")
                .simulate(&simulation);
            let tally = simulated.expect("no trap");
            let tally = tally.tally().expect("outcomes are kept");
            let mean: f64 = line
                .split(',')
                .nth(2)
                .expect("a mean")
                .parse()
                .expect("a number");
            assert_eq!(Some(mean), tally.mean(), "{flag}: {line}");
        }
    }
}

#[test]
fn a_failed_run_leaves_the_old_file_and_no_other() {
    let case = Case::new("Attack\n5\ntwelve\n");
    fs::write(case.path("out.csv"), "old").expect("space");
    assert!(case.run(&["-e", "1d20+[Attack]"]).is_err());
    assert!(case.run(&["-e", "1d20+[Attack]", "-e", "1d20+"]).is_err());
    assert!(
        case.run(&["-e", "1d20+[Attack]", "-e", "1d[Attack]"])
            .is_err()
    );
    assert_eq!(case.output(), "old");
    assert_eq!(case.files(), ["out.csv", "table.csv"]);
    case.run(&["-e", "1d20+[Attack]", "--on-error", "skip"])
        .expect("odds");
    assert!(case.output().starts_with("Attack,expr_mean,"));
    assert_eq!(case.files(), ["out.csv", "table.csv"]);
}

#[test]
fn a_table_can_replace_itself() {
    let case = Case::new("Attack\r\n5\r\n7\r\n");
    case.run_to(&case.path("table.csv"), &["-e", "1d20+[Attack]>=15"])
        .expect("odds");
    let text = fs::read_to_string(case.path("table.csv")).expect("a table");
    assert_eq!(text, "Attack,expr_p\n5,0.55\n7,0.65\n");
}

#[test]
fn what_cannot_be_written_is_told() {
    let case = Case::new("Attack\n5\n");
    let output = case.path("no/such/folder.csv");
    let error = case.run_to(&output, &["-e", "1d6"]).expect_err("no folder");
    assert_eq!(error.findings[0].code, "D0506");
}

#[cfg(unix)]
#[test]
fn a_new_file_can_be_read_by_others_and_an_old_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new("Attack\n5\n");
    let mode = |name: &str| {
        let found = fs::metadata(case.path(name)).expect("a file");
        found.permissions().mode() & 0o777
    };
    case.run(&["-e", "1d6"]).expect("odds");
    assert_eq!(mode("out.csv"), mode("table.csv"));
    let private = fs::Permissions::from_mode(0o640);
    fs::set_permissions(case.path("out.csv"), private).expect("our own file");
    case.run(&["-e", "1d6"]).expect("odds");
    assert_eq!(mode("out.csv"), 0o640);
}

/// A roll with everything: a result, a statistic, lines with names in them, an option and a
/// resource.
const SCRIPT: &str = r#"
    deftype fighter { name: string, ac: int, blows: int list }
    defroll "Fight" fight(who: fighter, rounds: int) {
        hits = 0;
        for (blow : who.blows) {
            hits += roll(d20) + blow + [Luck] >= who.ac ? 1 : 0;
        }
        stat("damage", d(rounds, 6));
        if (userOption("Boast?")) {
            line = who.name + " boasts";
            output(line);
        }
        return hits;
    }
"#;

const SCRIPT_FLAGS: [&str; 6] = [
    "--args",
    r#"{"who": {"name": "Ayla", "ac": 12, "blows": [1, 2]}, "rounds": 2}"#,
    "--option",
    "Boast?=0.5",
    "-r",
    "Luck=1",
];

impl Case {
    /// A folder with a table and with [`SCRIPT`].
    fn with_script(table: &str) -> Self {
        let case = Self::new(table);
        fs::write(case.path("fight.dice"), SCRIPT).expect("space for a script");
        case
    }

    /// Runs `dicec batch table.csv fight.dice` with more flags; the lines of the output.
    fn run_script(&self, flags: &[&str]) -> Vec<String> {
        let script = self.path("fight.dice").display().to_string();
        let flags = [&[script.as_str()], &SCRIPT_FLAGS[..], flags].concat();
        self.run(&flags).expect("odds");
        self.output().lines().map(str::to_owned).collect()
    }
}

#[test]
fn a_script_gives_the_same_bytes_on_any_number_of_threads() {
    let mut table = "who.ac,rounds,who.name\n".to_owned();
    for row in 0..600 {
        let rounds = match row % 50 {
            49 => "many".to_owned(),
            _ => (row % 3).to_string(),
        };
        let name = ["Bo", ""][row % 2];
        writeln!(table, "{},{rounds},{name}", row % 17).expect("memory");
    }
    let case = Case::with_script(&table);
    for how in [&["--seed", "3"][..], &["-n", "3000", "--seed", "3"]] {
        let outputs = ["1", "2", "3"].map(|threads| {
            let flags = [how, &["--threads", threads, "--on-error", "skip"]].concat();
            case.run_script(&flags)
        });
        assert_eq!(outputs[0].len(), 1 + 588);
        assert_eq!(outputs[0], outputs[1]);
        assert_eq!(outputs[0], outputs[2]);
    }
}

/// Whatever rows stand around it.
#[test]
fn sampled_rows_of_a_script_are_what_a_simulation_gives() {
    let case = Case::with_script("who.ac,who.blows,Luck\n10,,\n15,\"[3, -1, 4]\",2\n10,,0\n10,,\n");
    let script = Compiler::new().script(SCRIPT).expect("a good script");
    let roll = script.roll("fight").expect("it is defined");
    let rows = [
        (10, vec![1, 2], 1),
        (15, vec![3, -1, 4], 2),
        (10, vec![1, 2], 0),
        (10, vec![1, 2], 1),
    ];
    for (flag, backend, sampling) in [
        ("--jit", Backend::Jit, Sampling::Fused),
        ("--interp", Backend::Interp, Sampling::Faithful),
    ] {
        let lines = case.run_script(&[flag, "-n", "2000", "--seed", "11"]);
        let titles: Vec<&str> = lines[0].split(',').collect();
        for (line, (ac, blows, luck)) in lines[1..].iter().zip(&rows) {
            let who = json!({"name": "Ayla", "ac": ac, "blows": blows});
            let args = roll
                .arguments(&json!({"who": who, "rounds": 2}))
                .expect("they fit");
            let mut table = ResourceTable::new();
            table.set(ResourceName::parse("Luck"), *luck);
            let bound = roll.bind(args, &table).expect("all resources");
            let simulation = Simulation::trials(2000)
                .seed(11)
                .threads(1)
                .backend(backend)
                .sampling(sampling);
            let bound = bound.with_policy("Boast?", Policy::Chance(CHANCE_SIDES / 2));
            let bound = bound.expect("it is an option");
            let got = bound.simulate(&simulation).expect("no trap");
            // From the right, for a list in a cell has commas.
            let cells: Vec<&str> = line.rsplit(',').collect();
            let cell = |title: &str| {
                let place = titles.iter().rev().position(|name| *name == title);
                cells[place.expect(title)].parse::<f64>().expect("a number")
            };
            assert_eq!(
                Some(cell("fight_mean")),
                got.tally().expect("kept").mean(),
                "{flag}: {line}"
            );
            assert_eq!(Some(cell("fight_sd")), got.tally().expect("kept").sd());
            assert_eq!(Some(cell("damage_mean")), got.events.stats()[0].mean());
            let boasts: u64 = got.events.lines().map(|(_, times)| times).sum();
            assert_eq!(cell("Ayla boasts"), boasts as f64 / 2000.0);
        }
        assert_eq!(
            lines[1].split(',').skip(3).collect::<Vec<_>>(),
            lines[4].split(',').skip(3).collect::<Vec<_>>()
        );
    }
}

#[test]
fn equal_rows_are_worked_out_once() {
    let case = Case::with_script(
        "who.ac,who.name,note,Luck\n,Ayla,a,1\n12,,b,\n+12.0,\"\"\"Ayla\"\"\",c, 1\n13,,d,\n",
    );
    let script = case.path("fight.dice").display().to_string();
    let line = [
        "dicec",
        "batch",
        &case.path("table.csv").display().to_string(),
        &script,
    ];
    let line = line.into_iter().chain(SCRIPT_FLAGS).map(str::to_owned);
    let args = parse(line.collect());
    let loaded = Loaded::script(&case.path("fight.dice"), &args.roll, &args.shared).expect("good");
    let mut source = Source::open(&args.table, args.delimiter).expect("a good table");
    let mut batch = batch(&args, &source, &Control::default()).expect("threads");
    ask_roll(&args, &loaded, &source, &mut batch).expect("columns that fit");
    let mut row = Row::default();
    let mut tuples = Vec::new();
    while source.read(&mut row).expect("a good table") {
        assert!(batch.push(&row));
        tuples.push(batch.remembered());
    }
    assert_eq!(tuples, [1, 1, 1, 2]);
}

#[test]
fn lines_that_come_late_do_not_break_the_table() {
    let mut table = "who.name\n".to_owned();
    for row in 0..400 {
        let name = if row == 300 { "Zed" } else { "Ayla" };
        writeln!(table, "{name}").expect("memory");
    }
    let lines = Case::with_script(&table).run_script(&[]);
    assert!(
        lines[0].ends_with(",damage_mean,damage_sd,Ayla boasts"),
        "{}",
        lines[0]
    );
    assert!(lines[300].ends_with(",0.5") && lines[301].ends_with(",0"));
    let cells = |line: &String| line.split(',').count();
    assert!(lines.iter().all(|line| cells(line) == cells(&lines[0])));
}

/// The columns of these names, row by row.
fn cells<'t>(output: &'t str, names: &[&str]) -> Vec<Vec<&'t str>> {
    let mut lines = output
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let places: Vec<usize> = names
        .iter()
        .map(|name| header.iter().position(|column| column == name))
        .collect::<Option<_>>()
        .expect("all columns");
    let row = |line: Vec<&'t str>| places.iter().map(|&place| line[place]).collect();
    lines.map(row).collect()
}

/// The same trials, of which other things are kept: exact rows, sampled ones, those of texts and of
/// scripts.
#[test]
fn a_summary_has_the_same_figures() {
    let case = Case::with_script("Bonus,Rule,who.ac\n0,2d6,5\n7,1d20>=11,9\n-2000,20d100,12\n");
    let script = case.path("fight.dice").display().to_string();
    let rule = ["-e", "x=(1d20 + [Bonus]) * 3 + 3d100"];
    let texts = ["--expr-column", "Rule", "--as", "x"];
    let roll = [&[script.as_str()], &SCRIPT_FLAGS[..], &["--as", "x"]].concat();
    for asked in [&rule[..], &texts, &roll] {
        let sampled = ["-n", "5000", "--seed", "4"];
        for how in [&[][..], &sampled, &["-n", "200000", "--seed", "4"]] {
            let flags = [asked, how].concat();
            let output = |more: &[&str]| {
                case.run(&[&flags[..], more].concat()).expect("odds");
                case.output()
            };
            let (whole, short) = (output(&[]), output(&["--summary"]));
            let (sampled, all) = (!how.is_empty(), ["x_mean", "x_sd", "x_se"]);
            let same = if sampled { &all[..] } else { &all[..2] };
            assert_eq!(cells(&short, same), cells(&whole, same), "{flags:?}");
            assert!(!short.contains("x_p50") && whole.contains("x_p50"));
            assert_eq!(cells(&short, &["x_min", "x_max"]).len(), 3);
        }
    }
}
