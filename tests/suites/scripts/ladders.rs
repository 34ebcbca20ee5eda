//! Ladders of degrees that a script defines: `enum level { miss, hit } succeeds from hit`, with the
//! rules of three d100 games.

use dicec_compiler::answer::{Answer, Exactness, figures};
use dicec_compiler::{Bound, ScriptSession, Simulation};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::checked::found;
use dicec_tests::programs::{first, script};
use dicec_tests::{engines, fit};
use serde_json::json;

fn answer(bound: &Bound) -> Answer {
    let limits = Limits::default();
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    answer.expect("it is small")
}

/// Holds the odds of a ladder to its rule, counted over all faces: the names of the rungs with
/// their shares out of 100, and the chance of a success.
fn holds(text: &str, target: i64, rungs: &[(&str, u32)], successes: u32) {
    let bound = first(&script(text), &json!({ "target": target }));
    assert!(matches!(bound.kind(), Some(Kind::Level(_))), "{text}");
    let answer = answer(&bound);
    let odds = answer.result.as_ref().expect("it returns a level");
    let outcomes = odds.outcomes();
    assert_eq!(outcomes.len(), rungs.len());
    for (outcome, (name, share)) in outcomes.iter().zip(rungs) {
        assert_eq!(odds.name(outcome.value), Some(*name), "{target}");
        let expected = f64::from(*share) / 100.0;
        assert!(
            (outcome.p - expected).abs() < 1e-12,
            "{name}: {}",
            outcome.p
        );
    }
    let told = figures(odds, None);
    assert!(told.ends_with(&format!(" = {successes} %")), "{told}");
    engines::check(&bound, 3, 300, &text);
    fit::check(&bound, &Simulation::trials(50_000), 1.0);
}

/// Roll-under by margin: each full ten between roll and target is a level.
#[test]
fn levels_by_margin() {
    let text = "enum level { badly, narrowly, barely, well, superbly } succeeds from barely \
        deffun byMargin(roll: int, target: int) : level { \
            margin = target - roll; \
            return match (margin) { ..-30: badly, -29..-1: narrowly, 0..9: barely, 10..29: well, 30..: superbly }; } \
        defroll \"R\" r(target: int) { return byMargin(roll(d100), target); }";
    let rungs = [
        ("badly", 26),
        ("narrowly", 29),
        ("barely", 10),
        ("well", 20),
        ("superbly", 15),
    ];
    holds(text, 45, &rungs, 45);
}

/// Doubles are critical, and 100 is 00.
#[test]
fn levels_by_doubles() {
    let text = "enum result { fumble, miss, hit, critical } succeeds from hit \
        deffun byDoubles(roll: int, target: int) : result { \
            double = roll % 11 == 0 || roll == 100; \
            if (roll <= target) { return double ? critical : hit; } \
            return double ? fumble : miss; } \
        defroll \"R\" r(target: int) { return byDoubles(roll(d100), target); }";
    holds(
        text,
        45,
        &[("fumble", 6), ("miss", 49), ("hit", 41), ("critical", 4)],
        45,
    );
}

/// The halves and fifths of Call of Cthulhu, which are in the library.
#[test]
fn levels_of_halves_and_fifths() {
    let text = "import std.percentile; \
        defroll \"R\" r(target: int) { return cthulhu(roll(d100), target); }";
    let rungs = [
        ("fumble", 5),
        ("failure", 50),
        ("regular", 23),
        ("hard", 13),
        ("extreme", 8),
        ("critical", 1),
    ];
    holds(text, 45, &rungs, 45);
}

const LADDER: &str = "enum level { miss, hit, critical } succeeds from hit ";

#[test]
fn a_level_is_asked_for_its_success() {
    for (body, expected) in [
        ("x = hit; return x.success;", true),
        ("return (miss).success;", false),
        ("x = level.critical; return x.success && x > hit;", true),
        ("xs = [miss, critical]; return xs[1].success;", true),
        ("x = 20 vs 15; return x.success;", true),
        ("return (5 vs 15).success;", false),
        ("return roll(1d1 vs 15).success;", false),
    ] {
        let text = format!("{LADDER} defroll \"R\" r() {{ {body} }}");
        let bound = first(&script(&text), &json!({}));
        let outcome = engines::check(&bound, 1, 2, &body);
        assert_eq!(
            outcome.results.first(),
            Some(&i64::from(expected)),
            "{body}"
        );
    }
    // A constant of the type may be called `success`, as one of degrees is.
    let text = "enum outcome { failure, success } succeeds from success \
                defroll \"R\" r() { x = outcome.failure; return x.success || outcome.success == x; }";
    let outcome = engines::check(&first(&script(text), &json!({})), 1, 2, &text);
    assert_eq!(outcome.results.first(), Some(&0));
}

#[test]
fn a_ladder_is_told_with_its_successes() {
    let text = format!(
        "{LADDER} defroll \"R\" r() {{ return roll(d4) == 1 ? miss : roll(d3) == 1 ? critical : hit; }}"
    );
    let bound = first(&script(&text), &json!({}));
    let answer = answer(&bound);
    let odds = answer.result.as_ref().expect("a level");
    assert_eq!(figures(odds, None), "P(hit or better) = 3/4 = 75 %");
    for seed in 0..20 {
        let played = bound.play(&mut ScriptSession::new(seed)).expect("no trap");
        let label = played.label.clone().expect("a level");
        assert_eq!(played.success, Some(label != "miss"), "{label}");
    }
}

#[test]
fn a_thrown_test_has_its_roll_and_target() {
    let text = "defroll \"R\" r() { t = 1d100 under 45; return t; }";
    let bound = first(&script(text), &json!({}));
    for seed in 0..20 {
        let played = bound.play(&mut ScriptSession::new(seed)).expect("no trap");
        let thrown = &played.rolls[0];
        let test = thrown.test.expect("it is a test");
        assert_eq!(
            thrown.total.map(|total| total.to_cell()),
            Some(thrown.table[0].face)
        );
        assert_eq!(test.target, 45);
        assert_eq!(
            played.result.map(|result| result.to_cell()),
            Some(test.degrees)
        );
        assert_eq!(played.success, Some(test.success()));
    }
}

#[test]
fn mistakes() {
    for (text, expected) in [
        (
            "enum a { b, c } succeeds from d",
            vec![(Code::UnknownName, "d")],
        ),
        (
            "flags a { b, c } succeeds from c",
            vec![(Code::WrongType, "c")],
        ),
        ("enum a { b, c } succeeds c", vec![(Code::Expected, "c")]),
        (
            "enum a { b, c } succeds from c",
            vec![(Code::Misspelt, "succeds")],
        ),
        (
            "enum a { b, c } Succeeds form c",
            vec![(Code::Misspelt, "Succeeds"), (Code::Misspelt, "form")],
        ),
        (
            "enum a { b, c } succeeds from",
            vec![(Code::Expected, "defroll")],
        ),
        (
            "enum a { b, c } deffun f(x: a) { return x.success; }",
            vec![(Code::WrongType, "x")],
        ),
        (
            "enum a { b, c } succeeds from c deffun f(x: a) { return x.succes; }",
            vec![(Code::WrongType, "x")],
        ),
        (
            "deffun f(x: degree) { return x.degrees; }",
            vec![(Code::WrongType, "x")],
        ),
    ] {
        let whole = format!("{text} defroll \"R\" r() {{ return 1; }}");
        assert_eq!(found(&whole), expected, "{text}");
    }
}
