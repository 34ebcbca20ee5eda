//! Sets of flags.

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

const TYPES: &str = "flags condition { prone, poisoned, stunned } \
                     flags sign { red, high, a, b, c, prone } enum mode { high, low } \
                     deftype creature { name: string = \"orc\", conditions: condition = [stunned, prone], sign: sign } ";

/// The lines of a script without dice.
fn played(program: &Program, args: &Value) -> Vec<String> {
    let roll = first(program, args);
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let lines = played.steps.iter().filter_map(|step| match step {
        Step::Line(line) => Some(line.clone()),
        _ => None,
    });
    lines.collect()
}

fn lines(definitions: &str, body: &str) -> Vec<String> {
    let text = format!("{TYPES}{definitions} defroll \"R\" r() {{ {body} return 0; }}");
    played(&script(&text), &json!({}))
}

#[test]
fn a_set_has_flags() {
    for (body, expected) in [
        ("output(poisoned);", "poisoned"),
        ("output(stunned + poisoned);", "poisoned, stunned"),
        ("output(condition.prone + poisoned - poisoned);", "prone"),
        ("output(creature{}.conditions);", "prone, stunned"),
        ("output(creature{}.sign);", "none"),
        (
            "output(\"is \" + (poisoned - poisoned) + \"!\");",
            "is none!",
        ),
        (
            "c = creature{ conditions: [] }; output(c.conditions == []);",
            "true",
        ),
        (
            "c = creature{}; c.conditions += poisoned; output(c.conditions);",
            "prone, poisoned, stunned",
        ),
        (
            "c = creature{}; c.conditions -= [prone, stunned]; output(c.conditions);",
            "none",
        ),
        (
            "c = creature{}; c.conditions = prone; output(c.conditions == prone);",
            "true",
        ),
        (
            "c = creature{}; c.sign += [high, prone]; output(c.sign);",
            "high, prone",
        ),
        (
            "c = creature{}; c.sign = a + b + c2(); output(c.sign);",
            "a, b, c",
        ),
        (
            "c = creature{}; c.sign = high + prone; output(c.sign);",
            "high, prone",
        ),
        (
            "c = creature{}; output(contains(c.conditions, stunned));",
            "true",
        ),
        (
            "c = creature{}; output(contains(c.conditions, prone + stunned));",
            "true",
        ),
        (
            "c = creature{}; output(contains(c.conditions, [prone, poisoned]));",
            "false",
        ),
        (
            "c = creature{}; output(contains(c.conditions, []));",
            "true",
        ),
        (
            "x = poisoned; y = 1 > 2 ? x : [stunned, poisoned]; output(y);",
            "poisoned, stunned",
        ),
        (
            "x = poisoned; x = 1 < 2 ? [] : [prone,]; output(x != []);",
            "false",
        ),
        (
            "output(f(prone) + f(c: [poisoned, prone]));",
            "prone, poisoned",
        ),
        ("output(g());", "prone, stunned"),
        (
            "output(BAD + \" \" + BOTH + \" \" + (BAD == BOTH));",
            "poisoned, stunned stunned false",
        ),
        (
            "x = [poisoned, stunned]; output(len(x) + \" \" + x[1]);",
            "2 stunned",
        ),
        (
            "x = [poisoned, stunned]; output(contains(x, stunned));",
            "true",
        ),
        (
            "output(match (low) { low: stunned + poisoned, else: poisoned });",
            "poisoned, stunned",
        ),
        // Names of the script win.
        (
            "poisoned = 3; output(poisoned + \"\" + condition.poisoned);",
            "3poisoned",
        ),
    ] {
        let definitions = "const BAD = poisoned + stunned; const BOTH = BAD - poisoned; \
                           deffun c2() { return sign.c; } \
                           deffun f(c: condition) { return c; } \
                           deffun g(c: condition = [stunned, prone]) : condition { return c; }";
        assert_eq!(lines(definitions, body), [expected], "{body}");
    }
}

#[test]
fn results_have_their_written_form() {
    let text = format!(
        "{TYPES} defroll \"R\" r(c: condition) {{ \
            if (roll(d4) == 1) {{ c += stunned; }} if (roll(d4) == 1) {{ c -= prone; }} return c; }}"
    );
    let roll = first(&script(&text), &json!({"c": ["prone"]}));
    assert_eq!(roll.kind(), Some(Kind::Label));
    let answer = roll.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let odds = answer.expect("it is small").result.expect("it returns");
    let shares: Vec<(&str, f64)> = odds
        .outcomes()
        .iter()
        .map(|outcome| (odds.name(outcome.value).expect("a name"), outcome.p))
        .collect();
    let expected = [
        ("none", 0.1875),
        ("prone", 0.5625),
        ("stunned", 0.0625),
        ("prone, stunned", 0.1875),
    ];
    assert_eq!(shares.len(), expected.len());
    for ((name, share), (wanted, chance)) in shares.into_iter().zip(expected) {
        assert_eq!(name, wanted);
        assert!((share - chance).abs() < 1e-12, "{name}: {share}");
    }
    let (flags, shares) = odds.shares_by_name();
    assert_eq!(&*flags, ["prone", "poisoned", "stunned"]);
    for (share, chance) in shares.iter().zip([0.75, 0.0, 0.25]) {
        assert!((share - chance).abs() < 1e-12, "{share}");
    }
    let report = roll
        .simulate(&Simulation::trials(100_000).seed(3))
        .expect("no trap");
    let sampled = roll.sampled(report).result.expect("it returns");
    for (one, other) in sampled.outcomes().iter().zip(odds.outcomes()) {
        assert_eq!(sampled.name(one.value), odds.name(other.value));
        assert!((one.p - other.p).abs() < 0.01, "{one:?}");
    }
    let played = roll.play(&mut ScriptSession::new(5)).expect("no trap");
    assert!(played.label.is_some());
}

#[test]
fn sets_run_in_lanes() {
    let text = format!(
        "{TYPES} defroll \"R\" r(c: creature) {{ hits = 0; \
            if (roll(d20) > 14) {{ c.conditions += poisoned; }} \
            if (roll(d20) > 14) {{ c.conditions -= [prone, stunned]; }} \
            if (contains(c.conditions, [prone, poisoned])) {{ hits += roll(d6); }} \
            output(\"It is \" + c.conditions); \
            return hits; }}"
    );
    let roll = first(&script(&text), &json!({"c": {"sign": []}}));
    assert!(stages::form(&roll, true).is_some());
}

#[test]
fn arguments_are_lists_of_names() {
    let text = format!(
        "{TYPES} defroll \"R\" r(c: condition = [prone, stunned], o: creature = creature{{}}) {{ \
            output(c + \"; \" + o.conditions); return 0; }}"
    );
    let program = script(&text);
    for (args, expected) in [
        (json!({}), "prone, stunned; prone, stunned"),
        (json!({"c": []}), "none; prone, stunned"),
        (
            json!({"c": ["stunned", "stunned"]}),
            "stunned; prone, stunned",
        ),
        (
            json!({"c": "poisoned, prone"}),
            "prone, poisoned; prone, stunned",
        ),
        (
            json!({"c": "none", "o": {"conditions": "", "sign": ""}}),
            "none; none",
        ),
    ] {
        assert_eq!(played(&program, &args), [expected], "{args}");
    }
    let roll = program.roll("r").expect("it is there");
    for (bad, path, help) in [
        (
            json!({"c": ["stuned"]}),
            "c[0]",
            Some("did you mean stunned?"),
        ),
        (json!({"c": "prone, red"}), "c", None),
        (
            json!({"c": 1}),
            "c",
            Some("there are: prone, poisoned, stunned"),
        ),
        (json!({"c": [1]}), "c[0]", None),
    ] {
        refuses(&roll, &bad, path, help);
    }
    let described = serde_json::to_value(program.describe()).expect("it is JSON");
    assert_eq!(
        described["$defs"]["condition"],
        json!({"type": "array", "items": {"enum": ["prone", "poisoned", "stunned"]}, "uniqueItems": true})
    );
    let arguments = &described["rolls"][0]["arguments"]["properties"];
    assert_eq!(
        arguments["c"],
        json!({"$ref": "#/$defs/condition", "default": ["prone", "stunned"]})
    );
}

/// The new word is a name, too.
#[test]
fn words_are_not_reserved() {
    let text = "deffun flags(flags: int) { return flags + 1; } \
                defroll \"R\" r() { flags = flags(2); output(flags); return 0; }";
    assert_eq!(played(&script(text), &json!({})), ["3"]);
}

#[test]
fn mistakes() {
    for (body, expected) in [
        ("c += 1;", vec![(Code::WrongType, "1")]),
        ("c *= prone;", vec![(Code::WrongType, "c *= prone;")]),
        (
            "x = c * c;",
            vec![(Code::WrongType, "c"), (Code::WrongType, "c")],
        ),
        ("c = low;", vec![(Code::WrongType, "low")]),
        ("c += high;", vec![(Code::UnknownName, "high")]),
        ("c = [prone, high];", vec![(Code::UnknownName, "high")]),
        ("c = [poisoned, 1];", vec![(Code::WrongType, "1")]),
        ("c = [prone];", vec![(Code::WrongType, "[prone]")]),
        ("x = c < prone;", vec![(Code::WrongType, "c < prone")]),
        ("if (c) { }", vec![(Code::WrongType, "c")]),
        ("for (x : c) { }", vec![(Code::WrongType, "c")]),
        ("x = contains(c, 1);", vec![(Code::WrongType, "1")]),
        ("x = contains(3, 1);", vec![(Code::WrongType, "3")]),
        ("x = c + 1;", vec![(Code::WrongType, "1")]),
        ("x = prone;", vec![(Code::AmbiguousName, "prone")]),
        (
            "x = match (c) { prone: 1, else: 2 };",
            vec![(Code::WrongType, "match (c")],
        ),
        ("stat(\"c\", c);", vec![(Code::WrongType, "c")]),
        (
            "x = condition{ prone: 1 };",
            vec![(Code::WrongType, "condition")],
        ),
    ] {
        let text = format!("{TYPES} defroll \"R\" r(c: condition) {{ {body} }}");
        assert_eq!(found(&text), expected, "{body}");
    }
    let names = |count: usize, length: usize| {
        let names = (0..count).map(|place| format!("f{place:0>length$}"));
        names.collect::<Vec<_>>().join(", ")
    };
    for (text, expected) in [
        ("flags x { }".to_owned(), vec![(Code::Expected, "x")]),
        (
            "flags x { a, a }".to_owned(),
            vec![(Code::DefinedTwice, "a")],
        ),
        ("Flags x { a }".to_owned(), vec![(Code::Misspelt, "Flags")]),
        (
            format!("flags x {{ {} }}", names(63, 2)),
            vec![(Code::TooLargeType, "f62")],
        ),
        (
            format!("flags x {{ {} }}", names(62, 100)),
            vec![(Code::TooLargeType, "x")],
        ),
        (
            format!(
                "flags x {{ {} }} defroll \"R\" r(x: x) {{ return x; }}",
                names(17, 2)
            ),
            vec![(Code::WrongType, "r")],
        ),
        (
            "flags x { a, b } const A = a < b;".to_owned(),
            vec![(Code::WrongType, "a < b")],
        ),
        (
            "flags x { a, b } const A = a * b;".to_owned(),
            vec![(Code::WrongType, "a * b")],
        ),
    ] {
        assert_eq!(found(&text), expected, "{text}");
    }
    let many = format!(
        "flags x {{ {} }} defroll \"R\" r(x: x) {{ output(x); return contains(x, f61); }}",
        names(62, 2)
    );
    assert_eq!(
        played(&script(&many), &json!({"x": "f61, f00"})),
        ["f00, f61"]
    );
}
