//! Dice as values: the type `dice`.

use dicec_compiler::answer::Exactness;
use dicec_compiler::unstable::Sampling;
use dicec_compiler::{Program, ScriptSession, Simulation};
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::checked::found;
use dicec_tests::programs::{first, script};
use dicec_tests::stages;
use serde_json::{Value, json};

/// The exact odds of a script's only roll.
fn odds(program: &Program, args: &Value) -> Vec<(i64, f64)> {
    let roll = first(program, args);
    let answer = roll.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let odds = answer.expect("it is small").result.expect("it returns");
    odds.probabilities().collect()
}

/// Each way to give dice has the odds of the dice that are written.
#[test]
fn a_value_is_rolled_as_its_dice() {
    for (value, text, written) in [
        ("2d6 + 5", "2d6+5", "2d6 + 5"),
        ("d8", "d8", "1d8"),
        ("2d20kh1 - 1d4", "2d20kh1 - 1d4", "2d20kh1 - 1d4"),
        ("4d6dl1", "4d6dl1", "4d6kh3"),
        (
            "-(1d4 - 2) + 3d4kl2",
            "-(1d4-2)+3d4kl2",
            "-1d4 + 3d4kl2 + 2",
        ),
        ("1d1 - 3", "1d1-3", "1d1 - 3"),
    ] {
        let plain = script(&format!("defroll \"R\" r() {{ return roll({value}); }}"));
        let expected = odds(&plain, &json!({}));
        let given = format!(
            "deftype w {{ d: dice = {value} }} const C = {value}; deffun f(d: dice) {{ return roll(d); }} "
        );
        for (params, body) in [
            ("d: dice", "roll(d)"),
            ("w: w = w{}", "roll(w.d)"),
            ("", "roll(C)"),
            ("", "roll(w{}.d)"),
            ("", &format!("f({value})")),
            ("", &format!("roll(w{{ d: {value} }}.d)")),
            ("w: w = w{}", "roll(w.d + 2) - 2"),
            ("w: w = w{}", "roll(w.d - 2) + 2"),
            ("w: w = w{}", "roll(2 + w.d) - 2"),
            ("w: w = w{}", &format!("roll([w.d, {value}][1])")),
        ] {
            let program = script(&format!(
                "{given} defroll \"R\" r({params}) {{ return {body}; }}"
            ));
            let args = match params {
                "d: dice" => json!({"d": text}),
                _ => json!({}),
            };
            let found = odds(&program, &args);
            assert_eq!(found.len(), expected.len(), "{value}: {body}");
            for ((number, chance), (wanted, likely)) in found.into_iter().zip(&expected) {
                assert_eq!(number, *wanted, "{value}: {body}");
                assert!((chance - likely).abs() < 1e-12, "{value}: {body}");
            }
        }
        let program = script(&format!(
            "{given} defroll \"R\" r(d: dice = {value}) {{ return roll(d); }}"
        ));
        let described = serde_json::to_value(program.describe()).expect("it is JSON");
        let arguments = &described["rolls"][0]["arguments"]["properties"];
        assert_eq!(
            arguments["d"],
            json!({"type": "string", "default": written})
        );
        assert_eq!(
            described["$defs"].as_object().map(|defs| defs.len()),
            Some(1)
        );
    }
}

#[test]
fn criticals_extremes_and_means() {
    let text = "deftype w { damage: dice = 2d6 + 3, none: dice } const KEPT = 2d20kh1 - 1d4 + 1; \
        defroll \"R\" r(d: dice, n: int) { k = w{}; \
            stat(\"a\", maximum(d)); stat(\"b\", average(d)); stat(\"c\", maximum(critical(d))); \
            stat(\"d\", average(critical(k.damage))); stat(\"e\", maximum(KEPT)); stat(\"f\", average(KEPT)); \
            stat(\"g\", average(k.none)); stat(\"h\", maximum(1d6 + n)); stat(\"i\", roll(k.none)); \
            stat(\"j\", average(n > 3 ? 1d6 : 1d8)); \
            return roll(critical(k.damage)); }";
    let program = script(text);
    let roll = first(&program, &json!({"d": "3d8 - 1d4 + 5", "n": 10}));
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let stats = played.stats.iter().map(|stat| format!("{stat:?}"));
    let stats: Vec<String> = stats.collect();
    assert_eq!(stats.len(), 10, "{stats:?}");
    let answer = roll.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let answer = answer.expect("it is small");
    let means: Vec<f64> = answer
        .stats
        .iter()
        .map(|stat| stat.odds.as_ref().expect("noted").mean())
        .collect();
    let expected = [28.0, 16.0, 51.0, 17.0, 20.0, 12.325, 0.0, 16.0, 0.0, 3.5];
    for (mean, wanted) in means.iter().zip(expected) {
        assert!((mean - wanted).abs() < 1e-9, "{means:?}");
    }
    let mean = answer.result.expect("it returns").mean();
    assert!((mean - 17.0).abs() < 1e-9, "{mean}");
}

/// Known dice are dice that are written: they run in lanes.
#[test]
fn known_values_run_in_lanes() {
    let text = "deftype w { name: string, damage: dice } \
        defroll \"R\" r(w: w, ac: int) { hits = 0; face = roll(d20); \
            if (face == 20) { hits = roll(critical(w.damage)); } \
            else if (face + 5 >= ac) { hits = roll(w.damage); } return hits; }";
    let roll = first(
        &script(text),
        &json!({"w": {"name": "axe", "damage": "1d8 + 1d6 + 3"}, "ac": 15}),
    );
    assert!(stages::form(&roll, true).is_some());
    let module = stages::module(&roll, true, Sampling::Faithful).to_string();
    assert!(!module.contains("= fuel"), "{module}");
    assert!(roll.simulate(&Simulation::trials(10_000).seed(3)).is_ok());
}

#[test]
fn arguments_are_texts() {
    let program = script(
        "deftype w { d: dice } defroll \"R\" r(d: dice, ds: dice list = [], w: w = w{}) { \
            return maximum(d) + sum(maximum(x) for x : ds) + maximum(w.d); }",
    );
    for (args, expected) in [
        (json!({"d": "2d6+5"}), 17),
        (json!({"d": 5}), 5),
        (
            json!({"d": "7", "ds": ["1d4", "2d8", "-1d4"]}),
            7 + 4 + 16 - 1,
        ),
        (json!({"d": "0d6", "w": {"d": "d%"}}), 100),
    ] {
        assert_eq!(odds(&program, &args), [(expected, 1.0)], "{args}");
    }
    let roll = program.roll("r").expect("it is there");
    for (bad, path) in [
        (json!({"d": "2d6!"}), "d"),
        (json!({"d": "2d6 * 2"}), "d"),
        (json!({"d": "[Str]d6"}), "d"),
        (json!({"d": "d{1,2}"}), "d"),
        (json!({"d": "1000d6kh3"}), "d"),
        (json!({"d": "fire"}), "d"),
        (json!({"d": ""}), "d"),
        (json!({"d": 1.5}), "d"),
        (json!({"d": {"count": 2}}), "d"),
        (json!({"d": "1d4", "ds": ["d4", "d"]}), "ds[1]"),
    ] {
        let errors = roll.arguments(&bad).expect_err("it is wrong").0;
        assert_eq!(errors.len(), 1, "{bad}");
        assert_eq!(errors[0].path, path, "{bad}");
        assert!(errors[0].help.is_some(), "{bad}");
    }
}

/// The names of the functions and the type belong to the script, if it wants them.
#[test]
fn names_are_not_reserved() {
    let text = "deftype dice { n: int } deffun average(x: int) { return x + 1; } \
                defroll \"R\" r() { d = dice{ n: average(1) }; return d.n; }";
    assert_eq!(odds(&script(text), &json!({})), [(2, 1.0)]);
}

#[test]
fn mistakes() {
    for (body, expected) in [
        ("x = roll(n);", vec![(Code::NothingRolled, "n")]),
        ("x = roll(n > 1);", vec![(Code::NothingRolled, "n > 1")]),
        ("x = maximum(n);", vec![(Code::NothingRolled, "n")]),
        (
            "x = average(roll(2d6));",
            vec![(Code::NothingRolled, "roll(2d6)")],
        ),
        ("x = maximum(2d6!);", vec![(Code::NotDiceValue, "2d6!")]),
        (
            "x = maximum(2d6 + roll(d4));",
            vec![(Code::NotDiceValue, "roll(d4)")],
        ),
        (
            "x = maximum(2d6 * 2);",
            vec![(Code::NothingRolled, "2d6 * 2")],
        ),
        ("d = roll(2d6);", vec![(Code::WrongType, "roll(2d6)")]),
        ("d = \"2d6\";", vec![(Code::WrongType, "\"2d6\"")]),
        ("x = d * 2;", vec![(Code::WrongType, "d")]),
        ("x = 1 - d;", vec![(Code::WrongType, "d")]),
        (
            "x = roll(2d6 + roll(d));",
            vec![(Code::RollInRoll, "roll(d)")],
        ),
        ("x = roll(d) vs 15;", vec![(Code::RollInRoll, "roll(d)")]),
        ("x = d == d;", vec![(Code::WrongType, "d == d")]),
        ("x = \"\" + d;", vec![(Code::WrongType, "d")]),
        ("x = d.count;", vec![(Code::UnknownName, "count")]),
        ("x = roll(2d6 + d);", vec![(Code::WrongType, "d")]),
    ] {
        let text = format!("defroll \"R\" r(d: dice, n: int) {{ {body} }}");
        let found: Vec<_> = found(&text)
            .into_iter()
            .filter(|(code, _)| *code != Code::Unused)
            .collect();
        assert_eq!(found, expected, "{body}");
    }
    for (text, expected) in [
        ("const A = 2d6!;", vec![(Code::NotDiceValue, "2d6!")]),
        ("const A = [Str]d6;", vec![(Code::NotDiceValue, "[Str]d6")]),
        (
            "deftype w { d: dice = 2d6 + \"a\" }",
            vec![(Code::NotDiceValue, "\"a\"")],
        ),
        (
            "deftype w { d: dice = \"2d6\" }",
            vec![(Code::WrongType, "\"2d6\"")],
        ),
        (
            "deftype w { d: int = 2d6 }",
            vec![(Code::NotConstant, "2d6")],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}
