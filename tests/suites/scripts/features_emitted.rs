//! Features as scripts (issue 16, 1): what is written compiles, and gives what the evaluator of
//! expressions gives.

use dicec_compiler::Compiler;
use dicec_games::features::{
    Area, Code, CodeKind, Noun, Place, Query, Value, Values, World, Writer, evaluate,
    feature_script, kind_of, read_expression, read_features,
};
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{first, script};
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::Path;

fn values(given: &[(&str, &str)]) -> Values {
    let mut values = Values::default();
    for (name, value) in given {
        values.give(name, value).expect("a value");
    }
    values
}

/// The script of an example.
fn emitted(name: &str, given: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/features");
    let text = fs::read_to_string(folder.join(name)).expect("an example");
    let (features, found) = read_features(&text);
    assert!(!found.has_errors(), "{name}: {found}");
    feature_script(&features[0], &values(given)).expect("short enough")
}

/// The probability of each result of a roll of a script.
fn odds(text: &str, result: i64) -> f64 {
    let bound = first(&script(text), &json!({}));
    let odds = bound.distribution(&Limits::default()).expect("odds");
    odds.probability(result)
}

#[test]
fn every_example_becomes_a_script() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/features");
    let names = fs::read_dir(folder).expect("the examples");
    let names = names.map(|entry| entry.expect("a readable folder").file_name());
    let names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    assert!(names.len() >= 9);
    for name in names {
        let text = emitted(&name, &[]);
        if let Err(found) = Compiler::new().script(&text) {
            panic!("{name}: {found}\n{text}");
        }
    }
}

/// The damage and the saving throw of `gore.json`: 2d6 after a run of 20 feet, and prone after a
/// failed DC 8 + 2 + 3 Strength saving throw, of creatures only.
#[test]
fn a_hit_after_a_run_knocks_down() {
    let given = [
        ("V0", "20"),
        ("V1", "tusk"),
        ("V2", "2"),
        ("V3", "6"),
        ("V4", "slashing"),
    ];
    let part = emitted("gore.json", &given);
    for (run, object, prone, hurt) in [(20, -1, 0.6, 1.0), (15, -1, 0.0, 0.0), (25, 0, 0.0, 1.0)] {
        let roll = |result: &str| {
            format!(
                "{part}\ndefroll \"Hit\" hit() {{
    boar = combatant{{ id: 1, strength: 3, prof: 2, movedStraight: {run}, attackedWith: \"tusk\" }};
    wolf = combatant{{ id: 2, hp: 20, objectType: {object} }};
    gore(boar, wolf);
    return {result};
}}\n"
            )
        };
        let is_prone = odds(&roll("wolf.prone == 1 ? 1 : 0"), 1);
        assert!(
            (is_prone - prone).abs() < 1e-12,
            "{run} {object}: {is_prone}"
        );
        // Two dice are 7 in six of 36 cases.
        let seven = odds(&roll("20 - wolf.hp"), 7);
        assert!(
            (seven - hurt / 6.0).abs() < 1e-12,
            "{run} {object}: {seven}"
        );
    }
}

/// `bile_jet.json` hurts those who are in its line, half if they save, and not while it grapples
/// nobody may: `self.GRAPPLED,!`.
#[test]
fn a_jet_hurts_all_in_its_line() {
    let given = [("V0", "30"), ("V1", "5"), ("V2", "1"), ("V3", "2")];
    let part = emitted("bile_jet.json", &given);
    let roll = |grappled: i64| {
        format!(
            "{part}\ndefroll \"Jet\" jet() {{
    worm = combatant{{ id: 1, constitution: 1, prof: 1, grappled: {grappled} }};
    near = combatant{{ id: 2, isInArea: true }};
    far = combatant{{ id: 3 }};
    bileJet(worm, list(near, far));
    return -10 * near.hp - far.hp;
}}\n"
        )
    };
    // DC 10: 0.55 save and take 0 of 1 or 1 of 2; the others take 1 or 2.
    assert!((odds(&roll(0), 0) - 0.275).abs() < 1e-12);
    assert!((odds(&roll(0), 10) - 0.5).abs() < 1e-12);
    assert!((odds(&roll(0), 20) - 0.225).abs() < 1e-12);
    assert!((odds(&roll(7), 0) - 1.0).abs() < 1e-12);
}

/// `sour_ground.json` makes the ground difficult by a postfix effect, until its turn starts: then
/// it is what it was before.
#[test]
fn what_a_postfix_effect_stores_is_reverted() {
    let part = emitted("sour_ground.json", &[("V0", "10")]);
    let roll = |then: &str| {
        format!(
            "{part}\ndefroll \"Ground\" ground() {{
    worm = combatant{{ id: 1 }};
    swamp = combatant{{ id: 2 }};
    before = swamp.terrainIsDifficult;
    sourGround1(worm, swamp);
    {then}
    return swamp.terrainIsDifficult ? 1 : 0;
}}\n"
        )
    };
    assert!((odds(&roll(""), 1) - 1.0).abs() < 1e-12);
    let reverted = roll("sourGround1Over1(swamp, before);");
    assert!((odds(&reverted, 0) - 1.0).abs() < 1e-12);
}

/// A world of variables: those of the attributes that expressions below read.
struct Variables;

impl World for Variables {
    fn attribute(&mut self, place: &Place) -> Code {
        let (name, kind) = match place.attribute.to_string().as_str() {
            "NV1" => ("nv1", CodeKind::Decimal),
            "HP" => ("hp", kind_of(place.attribute)),
            "SIZE" => ("size", kind_of(place.attribute)),
            "FLYING" => ("flying", kind_of(place.attribute)),
            "GRAPPLED" => ("grappled", kind_of(place.attribute)),
            other => panic!("no expression below reads {other}"),
        };
        Code::closed(name, kind)
    }

    fn noun(&mut self, _: &Noun) -> Code {
        Code::closed("1", CodeKind::Id)
    }

    fn variable(&mut self, _: u32, _: bool) -> Code {
        Code::closed("5", CodeKind::Whole)
    }

    fn result(&mut self) -> Code {
        Code::closed("\"\"", CodeKind::Text)
    }

    fn query(&mut self, _: Query, _: &[Noun], _: &[Code]) -> Code {
        Code::closed("10", CodeKind::Whole)
    }

    fn save(&mut self, _: &Noun, _: &str) -> Code {
        Code::closed("0", CodeKind::Whole)
    }

    fn is_in(&mut self, _: &Noun, _: &Area) -> Code {
        Code::closed("true", CodeKind::Truth)
    }
}

/// A number below `most` that follows from a state (splitmix64).
fn next(state: &mut u64, most: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word ^ (word >> 31)) % most
}

/// A postfix text whose operators have enough values before them.
fn generated(state: &mut u64) -> String {
    const ZEROARY: [&str; 12] = [
        "0", "1", "2", "-3", ".5", "7", "HP", "SIZE", "FLYING", "GRAPPLED", "NV1", "V0",
    ];
    const UNARY: [&str; 5] = ["!", "duplicate", "2,/", "NV1,store", "2,^"];
    const BINARY: [&str; 14] = [
        "+",
        "-",
        "*",
        "min",
        "max",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "&",
        "|",
        "consume,1,+",
        "+",
    ];
    let mut words: Vec<&str> = Vec::new();
    let mut depth = 0;
    for _ in 0..4 + next(state, 14) {
        let pick = |state: &mut u64, words: &[&'static str]| {
            words[next(state, words.len() as u64) as usize]
        };
        match (next(state, 8), depth) {
            (0..=3, _) | (_, 0) => {
                words.push(pick(state, &ZEROARY));
                depth += 1;
            }
            (4, _) => {
                let word = pick(state, &UNARY);
                depth += i32::from(word == "duplicate");
                words.push(word);
            }
            (7, 3..) => {
                words.push("ifelse");
                depth -= 2;
            }
            (_, 2..) => {
                words.push(pick(state, &BINARY));
                depth -= 1;
            }
            _ => {}
        }
    }
    words.extend((1..depth).map(|_| "+"));
    words.join(",")
}

/// How many expressions a script has, and how many scripts there are.
const CASES: usize = 100;
const SCRIPTS: u64 = 4;

#[test]
fn expressions_agree_with_the_evaluator() {
    let given = values(&[
        ("HP", "6"),
        ("SIZE", "2.5"),
        ("FLYING", "true"),
        ("GRAPPLED", "3"),
        ("NV1", "1.5"),
        ("V0", "5"),
    ]);
    for mut state in 0..SCRIPTS {
        let (mut functions, mut calls) = (String::new(), String::new());
        let mut count = 0;
        while count < CASES {
            let Some(function) = case(count, &generated(&mut state), &given) else {
                continue;
            };
            functions += &function;
            count += 1;
            writeln!(calls, "if (!case{}()) {{ wrong = {count}; }}", count - 1)
                .expect("writing to a String cannot fail");
        }
        let roll = format!("defroll \"All\" all() {{\nwrong = 0;\n{calls}return wrong;\n}}\n");
        let right = odds(&format!("{functions}\n{roll}"), 0);
        assert!((right - 1.0).abs() < 1e-12, "a case differs:\n{functions}");
    }
}

/// A function that says whether an expression gives and stores what the evaluator says. `None` for
/// one that has no value.
fn case(index: usize, text: &str, given: &Values) -> Option<String> {
    // Some do not fit together, such as a sum of creatures.
    let expr = read_expression(text).0?;
    let expected = evaluate(&expr, given).ok()?;
    let Value::Number(value) = expected.value else {
        panic!("{text} gives a word");
    };
    let stored = match expected.stored.get("NV1") {
        Some(Value::Number(number)) => *number,
        _ => 1.5,
    };
    // The script writes numbers without exponents.
    if value.abs() > 1e9 || stored.abs() > 1e9 {
        return None;
    }
    let mut world = Variables;
    let mut writer = Writer::new(&mut world);
    let code = writer.number(&expr).operand();
    let before: Vec<String> = writer
        .before
        .lines
        .iter()
        .map(ToString::to_string)
        .collect();
    let before = before.join("\n");
    Some(format!(
        "// {text}\ndeffun case{index}() : bool {{\nhp = 6;\nsize = 2.5;\nflying = true;\n\
         grappled = 3;\nnv1 = 1.5;\n{before}\nvalue = 1.0 * {code};\nuses = hp + grappled;\n\
         return uses == 9 && flying && size == 2.5 && abs(value - ({value:.9})) < 0.000001 && \
         abs(nv1 - ({stored:.9})) < 0.000001;\n}}\n"
    ))
}
