//! `A under B`: tests against a target (seed 003, "Degrees of Success / Failure").

use dashu_int::UBig;
use dicec_compiler::{Bound, Simulation};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_tests::checked::found;
use dicec_tests::programs::{bare, first, notation, rule, script};
use dicec_tests::{engines, fit, rows};
use serde_json::json;
use std::collections::BTreeMap;

/// The seed's formulas, by themselves: above 0 for a success.
fn degrees(face: i64, target: i64) -> i64 {
    let success = face == 1 || face != 100 && face <= target;
    let tens = |number: i64| (number as f64 / 10.0).floor() as i64;
    match success {
        true => 1.max(1 + tens(target) - tens(face)),
        false => -1.max(1 + tens(face) - tens(target)),
    }
}

/// The weights of outcomes among those of equally likely faces.
fn counted(outcomes: impl Iterator<Item = i64>) -> BTreeMap<i64, u32> {
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    counts
}

fn expect(bound: &Bound, expected: &BTreeMap<i64, u32>, what: &str) {
    let pmf = bound.fractions(&Limits::default()).expect("small");
    let all: u32 = expected.values().sum();
    let divisor = UBig::from(all);
    for (outcome, count) in expected {
        let weight = pmf.weight(*outcome).cloned().unwrap_or_default();
        assert_eq!(weight * &divisor, pmf.total() * count, "{what}: {outcome}");
    }
    let outcomes = pmf.probabilities().count();
    assert_eq!(outcomes, expected.len(), "{what}");
}

#[test]
fn odds_are_those_of_the_formulas() {
    for target in [-25, -1, 0, 1, 7, 45, 99, 100, 130] {
        let expected = counted((1..=100).map(|face| degrees(face, target)));
        let text = format!("1d100 under {target}");
        for program in [rule(&text), notation(&text)] {
            assert_eq!(program.kind(), Some(Kind::Test));
            expect(&bare(&program), &expected, &text);
        }
        let text = "defroll \"T\" t(ws: int) { return roll(d100) under ws; }";
        let bound = first(&script(text), &json!({ "ws": target }));
        assert_eq!(bound.kind(), Some(Kind::Test));
        expect(&bound, &expected, text);
        engines::check(&bound, 3, 300, &target);
        fit::check(&bound, &Simulation::trials(50_000), 1.0);
    }
}

#[test]
fn a_face_that_was_rolled_before_is_tested_alike() {
    let mut cases = Vec::new();
    for target in [-15, 0, 45, 100, 130] {
        cases.extend((1..=100).map(|face| [face, target, degrees(face, target)]));
    }
    rows::hold("", "(r[0] under r[1]).degrees", &cases);
    let successes = cases
        .iter()
        .map(|&[face, target, degrees]| [face, target, (degrees > 0).into()]);
    let successes: Vec<[i64; 3]> = successes.collect();
    rows::hold("", "(r[0] under r[1]).success ? 1 : 0", &successes);
}

#[test]
fn tests_are_compared_passed_and_kept() {
    let text = "
        deftype fighter { ws: int, last: test }
        deffun wins(mine: test, theirs: test) : bool { return mine.success && mine > theirs; }
        defroll \"Opposed\" opposed(ws: int, enemy: int) {
            me = fighter{ ws: ws };
            me.last = under me.ws;
            tests = [me.last, under enemy];
            return wins(tests[0], tests[1]) ? (tests[0].degrees) : 0;
        }";
    let bound = first(&script(text), &json!({ "ws": 45, "enemy": 38 }));
    let pairs = (1..=100).flat_map(|mine| (1..=100).map(move |theirs| (mine, theirs)));
    let expected = counted(pairs.map(|(mine, theirs)| {
        let (mine, theirs) = (degrees(mine, 45), degrees(theirs, 38));
        if mine > 0 && mine > theirs { mine } else { 0 }
    }));
    expect(&bound, &expected, text);
    engines::check(&bound, 3, 300, &text);
}

#[test]
fn two_dice_and_arithmetic() {
    let text = "defroll \"T\" t(bonus: int) { return roll(2d100kl1 + bonus) under 45; }";
    let bound = first(&script(text), &json!({ "bonus": 20 }));
    let pairs = (1..=100).flat_map(|a| (1..=100).map(move |b: i64| b.min(a)));
    let expected = counted(pairs.map(|face| match face {
        1 => degrees(21, 45),
        100 => degrees(120, 45),
        face => degrees(face + 20, 45),
    }));
    expect(&bound, &expected, text);
    engines::check(&bound, 3, 300, &text);
}

#[test]
fn own_types_of_that_name() {
    let text = "deftype test { foo: int } \
                defroll \"T\" t(a: test) { under = 3; x = under + 1; return x - under + a.foo; }";
    let bound = first(&script(text), &json!({ "a": { "foo": 7 } }));
    expect(&bound, &counted([8].into_iter()), text);
}

#[test]
fn misuse() {
    for (body, code, marked) in [
        (
            "if (under 45) { return 1; } return 0;",
            Code::WrongType,
            "under 45",
        ),
        ("t = under 45; return t + 1;", Code::WrongType, "t"),
        ("t = under 45; return t.tens;", Code::UnknownName, "tens"),
        ("return f(under 45);", Code::WrongType, "under 45"),
        (
            "return roll((d100 under 45) + 3);",
            Code::MisplacedVersus,
            "d100 under 45",
        ),
        ("return under 45 under 30;", Code::NestedVersus, "under"),
        ("return under 45 vs 30;", Code::NestedVersus, "vs"),
    ] {
        let text = format!("deffun f(n: int) {{ return n; }} defroll \"T\" t() {{ {body} }}");
        let found = found(&text);
        assert!(found.contains(&(code, marked)), "{body}: {found:?}");
    }
}

const PERCENTILE: &str = "import std.percentile;";

#[test]
fn by_margin() {
    let cases = [[35, 45, 10], [67, 45, -22], [45, 45, 0]];
    rows::hold(PERCENTILE, "margin(r[0], r[1])", &cases);
}

#[test]
fn by_doubles() {
    let number = "match (doubles(r[0], r[1])) \
                  { criticalFailure: 0, failure: 1, success: 2, criticalSuccess: 3 }";
    let cases = [
        [44, 45, 3],
        [45, 45, 2],
        [46, 45, 1],
        [55, 45, 0],
        [100, 120, 3],
        [100, 45, 0],
        [1, 45, 2],
        [99, 100, 3],
    ];
    rows::hold(PERCENTILE, number, &cases);
}

#[test]
fn by_levels() {
    let number = "match (cthulhu(r[0], r[1])) \
                  { fumble: 0, failure: 1, regular: 2, hard: 3, extreme: 4, critical: 5 }";
    let cases = [
        [1, 45, 5],
        [1, 0, 5],
        [2, 45, 4],
        [9, 45, 4],
        [10, 45, 3],
        [22, 45, 3],
        [23, 45, 2],
        [45, 45, 2],
        [46, 45, 1],
        [95, 49, 1],
        [96, 49, 0],
        [96, 50, 1],
        [99, 50, 1],
        [100, 50, 0],
        [100, 130, 0],
    ];
    rows::hold(PERCENTILE, number, &cases);
    let odds = rule("percentile.cthulhu(1d100, 45)");
    let fumble = counted((1..=100).map(|face: i64| match face {
        1 => 5,
        2..=9 => 4,
        10..=22 => 3,
        23..=45 => 2,
        46..=95 => 1,
        _ => 0,
    }));
    expect(&bare(&odds), &fumble, "percentile.cthulhu(1d100, 45)");
}
