//! Enums and `match`.

use dicec_compiler::answer::Exactness;
use dicec_compiler::{Program, ScriptSession, Simulation, Step};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::checked::found;
use dicec_tests::programs::{first, refuses, script};
use dicec_tests::stages;
use serde_json::{Value, json};

const MODES: &str = "enum mode { single, semi, full } enum moon { new, half, full } \
                     deftype gun { how: mode = full, modes: mode list } ";

/// What a script without dice shows and returns.
fn played(program: &Program, args: &Value) -> (Vec<String>, i64) {
    let roll = first(program, args);
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let lines = played.steps.iter().filter_map(|step| match step {
        Step::Line(line) => Some(line.clone()),
        _ => None,
    });
    let result = played.result.map_or(-1, |result| result.to_cell());
    (lines.collect(), result)
}

fn lines(definitions: &str, body: &str) -> Vec<String> {
    let text = format!("{MODES}{definitions} defroll \"R\" r() {{ {body} return 0; }}");
    played(&script(&text), &json!({})).0
}

#[test]
fn a_constant_needs_no_prefix_where_its_type_is_known() {
    for (body, expected) in [
        ("x = semi; output(x);", "semi"),
        ("x = mode.full; output(x);", "full"),
        ("x = semi; x = full; output(x == full);", "true"),
        ("x = moon.full; output(x != full);", "false"),
        ("output(full == moon.full);", "true"),
        ("g = gun{ how: full }; output(g.how == full);", "true"),
        (
            "g = gun{}; g.how = single; g.how = full; output(g.how);",
            "full",
        ),
        (
            "g = gun{ modes: [full, single] }; output(g.modes[0]);",
            "full",
        ),
        (
            "g = gun{}; append(g.modes, full); output(g.modes[0] == mode.full);",
            "true",
        ),
        ("output(f(full));", "full!"),
        ("output(f(m: full));", "full!"),
        ("x = semi; y = 1 > 2 ? x : full; output(y);", "full"),
        ("x = [semi, full]; output(contains(x, full));", "true"),
        (
            "m = moon.new; output(match (m) { new: 1, half: 2, full: 3 });",
            "1",
        ),
        // Names of the script win, and a prefix means what it says next to a variable.
        ("full = 3; output(full + 1);", "4"),
        ("mode = semi; output(mode == mode.semi);", "true"),
        ("output(HALF);", "3"),
        ("x = moon.half; output(x == moon.half);", "true"),
    ] {
        let definitions = "const HALF = 3; const M = mode.full; \
                           deffun f(m: mode, n: mode = full) { return m + \"!\"; }";
        assert_eq!(lines(definitions, body), [expected], "{body}");
    }
}

/// Degrees may share names with constants, too.
#[test]
fn degrees_are_told_from_constants() {
    let definitions = "enum outcome { success, failure }";
    for (body, expected) in [
        ("x = outcome.success; output(x == success);", "true"),
        ("x = 20 vs 10; output(x == success);", "false"),
        ("x = degree.success; output(x);", "Success"),
        ("x = criticalSuccess; output(x > success);", "true"),
    ] {
        assert_eq!(lines(definitions, body), [expected], "{body}");
    }
    let text = format!("{definitions} defroll \"R\" r() {{ x = success; return 1; }}");
    assert_eq!(found(&text), [(Code::AmbiguousName, "success")]);
}

#[test]
fn a_match_is_a_chain_of_ifs() {
    let text = format!(
        "{MODES} defroll \"R\" r(m: mode, n: int, t: string, b: bool) {{ \
            match (m) {{ single: {{ output(\"one\"); }} semi, full: {{ output(\"more\"); }} }} \
            match (n) {{ ..0: {{ output(\"none\"); }} 1..4, 6: {{ output(\"few\"); }} 100+: {{ output(\"many\"); }} else: {{}} }} \
            output(match (t) {{ \"a\", \"b\": \"known\", else: t }}); \
            return match (b) {{ true: match (m) {{ full: 1, else: 2 }}, false: 3 }}; }}"
    );
    let program = script(&text);
    for (args, expected, result) in [
        (
            json!({"m": "single", "n": 0, "t": "b", "b": true}),
            &["one", "none", "known"][..],
            2,
        ),
        (
            json!({"m": "full", "n": 6, "t": "c", "b": true}),
            &["more", "few", "c"][..],
            1,
        ),
        (
            json!({"m": "semi", "n": 5, "t": "a", "b": false}),
            &["more", "known"][..],
            3,
        ),
        (
            json!({"m": "semi", "n": 1000, "t": "a", "b": false}),
            &["more", "many", "known"][..],
            3,
        ),
    ] {
        assert_eq!(
            played(&program, &args),
            (expected.iter().map(ToString::to_string).collect(), result),
            "{args}"
        );
    }
}

#[test]
fn an_arm_may_begin_with_a_block() {
    let text = "defroll \"R\" r() { x = 2; \
        match (x) { 1: { if (x > 3) { } } 2: { match (x) { 1: {} else: { for (i : 1..x) { } } } } \
        3: { repeat (x) { } } else: { repeat (2) { } } } \
        return match (1) { 1: {1d1, 1d1}kh1, else: { 2d1 }kl1 }; }";
    assert_eq!(played(&script(text), &json!({})).1, 1);
}

/// The subject is evaluated once; its dice and those of the arms are at paths of `if`s.
#[test]
fn the_subject_is_evaluated_once() {
    let text = "defroll \"R\" r() { \
        x = match (roll(d4)) { 1: roll(d6), 2..3: roll(d8), else: 0 }; \
        match (roll(d2)) { 1: { x += roll(d6); } else: { x += roll(d8); } } return x; }";
    let roll = first(&script(text), &json!({}));
    for seed in 0..8 {
        let played = roll.play(&mut ScriptSession::new(seed)).expect("no trap");
        let paths: Vec<&str> = played.rolls.iter().map(|roll| &*roll.path).collect();
        assert!(paths.starts_with(&[""]), "{paths:?}");
        assert!((3..=4).contains(&paths.len()), "{paths:?}");
    }
}

#[test]
fn results_have_their_names() {
    let text = format!(
        "{MODES} defroll \"R\" r(g: gun) {{ \
            if (roll(d4) == 1) {{ return g.how; }} return match (roll(d6)) {{ 1..5: semi, else: mode.single }}; }}"
    );
    let program = script(&text);
    let roll = first(&program, &json!({"g": {"modes": []}}));
    assert_eq!(roll.kind(), Some(Kind::Label));
    let answer = roll.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let odds = answer.expect("it is small").result.expect("it returns");
    let shares = odds.probabilities();
    let shares = shares.map(|(outcome, share)| (odds.name(outcome).expect("a name"), share));
    let expected = [("single", 0.125), ("semi", 0.625), ("full", 0.25)];
    for ((name, share), (wanted, chance)) in shares.zip(expected) {
        assert_eq!(name, wanted);
        assert!((share - chance).abs() < 1e-12, "{name}: {share}");
    }
    let sampled = roll.simulate(&Simulation::trials(1000).seed(3));
    assert!(sampled.is_ok());
    let played = roll.play(&mut ScriptSession::new(5)).expect("no trap");
    assert!(
        played
            .label
            .is_some_and(|label| ["single", "semi", "full"].contains(&&*label))
    );
}

/// Enums of known arguments are known; a choice between constants runs in lanes.
#[test]
fn choices_run_in_lanes() {
    let text = format!(
        "{MODES} defroll \"R\" r(m: mode) {{ \
            hits = match (m) {{ single: 1, semi: 2, full: 3 }}; \
            x = roll(d6) > 3 ? mode.full : single; \
            match (x) {{ full: {{ hits += roll(d4); }} single, semi: {{ hits += 1; }} }} return hits; }}"
    );
    let roll = first(&script(&text), &json!({"m": "semi"}));
    assert!(stages::form(&roll, true).is_some());
}

#[test]
fn arguments_are_names() {
    let text = format!(
        "{MODES} defroll \"R\" r(m: mode = semi, g: gun = gun{{ modes: [full,] }}) {{ return m; }}"
    );
    let program = script(&text);
    let roll = program.roll("r").expect("it is there");
    for good in [
        json!({}),
        json!({"m": "full"}),
        json!({"g": {"how": "single", "modes": ["semi"]}}),
    ] {
        assert!(roll.arguments(&good).is_ok(), "{good}");
    }
    for (bad, path, help) in [
        (json!({"m": "ful"}), "m", Some("did you mean full?")),
        (json!({"m": 1}), "m", None),
        (json!({"m": "new"}), "m", None),
        (
            json!({"g": {"modes": ["semi", "Full"]}}),
            "g.modes[1]",
            Some("did you mean full?"),
        ),
    ] {
        refuses(&roll, &bad, path, help);
    }
    let described = serde_json::to_value(program.describe()).expect("it is JSON");
    assert_eq!(
        described["$defs"]["mode"],
        json!({"enum": ["single", "semi", "full"]})
    );
    let arguments = &described["rolls"][0]["arguments"]["properties"];
    assert_eq!(
        arguments["m"],
        json!({"$ref": "#/$defs/mode", "default": "semi"})
    );
    assert_eq!(described["rolls"][0]["result"], "mode");
}

/// The new words are names, too.
#[test]
fn words_are_not_reserved() {
    let text = "deffun match(enum: int) { return enum + 1; } deftype else1 { match: int } \
                defroll \"R\" r(match: int = 2) { enum = match(match); x = else1{ match: enum }; \
                match = match(enum) + x.match; return match; }";
    assert_eq!(played(&script(text), &json!({})).1, 7);
}

#[test]
fn mistakes() {
    for (body, expected) in [
        (
            "match (m) { single: {} semi: {} }",
            vec![(Code::MissingArm, "match (m")],
        ),
        (
            "x = match (m) { single: 1, semi: 2 };",
            vec![(Code::MissingArm, "match (m")],
        ),
        (
            "x = match (m) { singel: 1, semi: 2, else: 3 };",
            vec![(Code::UnknownName, "singel")],
        ),
        (
            "x = match (m) { single: 1, semi: 2, ful: 3 };",
            vec![(Code::UnknownName, "ful")],
        ),
        (
            "x = match (m) { single, semi: 1, semi, full: 3 };",
            vec![(Code::SecondArm, "semi")],
        ),
        (
            "x = match (m) { single, semi: 1, full: 3, else: 4 };",
            vec![(Code::Unreachable, "else: 4")],
        ),
        (
            "x = match (m) { else: 1, full: 2 };",
            vec![(Code::Misplaced, "else: 1")],
        ),
        ("x = match (m) { };", vec![(Code::MissingArm, "match (m")]),
        (
            "x = match (n) { 1..4: 1, 4..5: 2, else: 3 };",
            vec![(Code::SecondArm, "4..5")],
        ),
        (
            "x = match (n) { 1..4: 1, 6: 2 };",
            vec![(Code::MissingArm, "match (n")],
        ),
        (
            "x = match (n) { 4..1: 1, else: 2 };",
            vec![(Code::MissingArm, "4..1")],
        ),
        (
            "x = match (n) { single: 1, else: 2 };",
            vec![(Code::WrongType, "single")],
        ),
        (
            "x = match (n) { 1: 1, else: true };",
            vec![(Code::WrongType, "match (n) { 1: 1, else: true }")],
        ),
        (
            "x = match (m) { 1: 1, else: 2 };",
            vec![(Code::WrongType, "1")],
        ),
        (
            "x = match (f) { 1: 1, else: 2 };",
            vec![(Code::WrongType, "match (f")],
        ),
        ("x = full;", vec![(Code::AmbiguousName, "full")]),
        ("x = m + 1;", vec![(Code::WrongType, "m")]),
        ("m = new;", vec![(Code::WrongType, "new")]),
        ("m = 1;", vec![(Code::WrongType, "1")]),
        ("x = mode.ful;", vec![(Code::UnknownName, "ful")]),
        ("m.hp = 3;", vec![(Code::WrongType, "m")]),
        ("x = mode{ full: 1 };", vec![(Code::WrongType, "mode")]),
        ("if (m) { }", vec![(Code::WrongType, "m")]),
        (
            "x = m == moon.full;",
            vec![(Code::WrongType, "m == moon.full")],
        ),
    ] {
        let text = format!("{MODES} defroll \"R\" r(m: mode, n: int, f: float) {{ {body} }}");
        assert_eq!(found(&text), expected, "{body}");
    }
    for (text, expected) in [
        ("enum mode { a, b, a }", vec![(Code::DefinedTwice, "a")]),
        ("enum mode { }", vec![(Code::Expected, "mode")]),
        ("enum int { a }", vec![(Code::DefinedTwice, "int")]),
        (
            "enum mode { a } deftype mode { x: int }",
            vec![(Code::DefinedTwice, "mode")],
        ),
        ("Enum mode { a }", vec![(Code::Misspelt, "Enum")]),
        ("enmu mode { a }", vec![(Code::Misspelt, "enmu")]),
        (
            "deftype c { m: mod } enum mode { a }",
            vec![(Code::UnknownType, "mod")],
        ),
        (
            "deftype c { m: mode = aa } enum mode { ab, bc }",
            vec![(Code::NotConstant, "aa")],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}
