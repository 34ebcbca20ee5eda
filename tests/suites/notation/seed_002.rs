//! Seed 002, "Dice and Expressions": every example and table of the document, by section.
//!
//! A row gives the rule, the resources, the faces rolled and the result; it holds for the
//! interpreter, which can be given faces, and if no die is rolled also for native code and the
//! exact engine as well.

use dicec_compiler::{Bound, Compiler, Rolled, Simulation};
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{rule, scripted, table};

type Resources<'a> = &'a [(&'a str, i64)];

fn bound(text: &str, resources: Resources<'_>) -> Bound {
    let bound = rule(text).bind(&table(resources));
    bound.unwrap_or_else(|found| panic!("{text}: {found}"))
}

fn roll(text: &str, resources: Resources<'_>, faces: &[i64]) -> Rolled {
    scripted(&bound(text, resources), faces)
}

fn total(text: &str, resources: Resources<'_>, faces: &[i64]) -> i64 {
    roll(text, resources, faces).total.expect("a number")
}

fn truth(text: &str, resources: Resources<'_>, faces: &[i64]) -> bool {
    roll(text, resources, faces).check.expect("a check")
}

/// A rule without dice, on the interpreter, native code and the exact engine.
fn value(text: &str, resources: Resources<'_>) -> i64 {
    let rolled = total(text, resources, &[]);
    let bound = bound(text, resources);
    let native = bound.simulate(&Simulation::trials(1)).expect("no trap");
    assert_eq!(native.tally().expect("kept").min(), Some(rolled), "{text}");
    let exact = bound.fractions(&Limits::default()).expect("small");
    assert_eq!((exact.min(), exact.max()), (rolled, rolled), "{text}");
    rolled
}

fn code_of(text: &str) -> Code {
    let found = Compiler::new().rule(text).expect_err("an error");
    found.errors().next().expect("an error").code
}

#[test]
fn section_3_2_2_notation() {
    // 1. XdY rolls X dice and sums them.
    assert_eq!(total("3d6", &[], &[4, 2, 5]), 11);
    // 2. d20 is 1d20.
    assert_eq!(total("d20", &[], &[13]), total("1d20", &[], &[13]));
    // 3. 0d6 produces 0, 1d0 is invalid.
    assert_eq!(value("0d6", &[]), 0);
    assert_eq!(code_of("1d0"), Code::NoSides);
    assert_eq!(code_of("0d0"), Code::NoSides);
    assert_eq!(code_of("2d(3 - 3)"), Code::NoSides);
}

#[test]
fn section_3_2_3_common_dice() {
    for sides in [4, 6, 8, 10, 12, 20, 100] {
        let bound = bound(&format!("d{sides}"), &[]);
        let exact = bound.fractions(&Limits::default()).expect("small");
        assert_eq!((exact.min(), exact.max()), (1, sides));
        assert_eq!(exact.len() as i64, sides);
    }
}

#[test]
fn section_3_2_4_multiple_dice() {
    let power_shot = roll("3d6", &[], &[4, 2, 5]);
    assert_eq!(power_shot.total, Some(11));
    assert_eq!(power_shot.rendered, "3d6[4, 2, 5] = 11");
}

#[test]
fn section_3_2_5_statistics() {
    for (count, sides) in [(1, 6), (2, 6), (3, 6), (1, 20), (1, 100), (7, 12)] {
        let bound = bound(&format!("{count}d{sides}"), &[]);
        let exact = bound.fractions(&Limits::default()).expect("small");
        assert_eq!(exact.min(), count);
        assert_eq!(exact.max(), count * sides);
        let average = count as f64 * (sides + 1) as f64 / 2.0;
        assert!((exact.mean() - average).abs() < 1e-12);
    }
}

#[test]
fn section_3_3_4_order_of_operations() {
    assert_eq!(value("2 + 3 * 4", &[]), 14);
    assert_eq!(value("(2 + 3) * 4", &[]), 20);
    // Left to right among equals.
    assert_eq!(value("10 - 3 - 2", &[]), 5);
    assert_eq!(value("100 / 5 / 2", &[]), 10);
    assert_eq!(value("7 / 2 * 2", &[]), 6);
    assert_eq!(value("2 * 7 / 2", &[]), 7);
}

#[test]
fn section_3_4_2_resolution_context() {
    let both = [("Health", 7), ("Target Health", 15)];
    assert_eq!(value("[Health]", &both), 7);
    assert_eq!(value("[Self Health]", &both), 7);
    assert_eq!(value("[Target Health]", &both), 15);
}

#[test]
fn section_3_4_3_examples() {
    // Example 1: Strike.
    assert_eq!(total("1d6 + [Strength]", &[("Strength", 4)], &[3]), 7);
    // Example 2: Life Drain.
    assert_eq!(value("[Target Health] / 2", &[("Target Health", 15)]), 7);
    // Example 3: Empowered Strike.
    let resources = [("Strength", 4), ("Target Defense", 3)];
    let strike = "(1d8 + [Strength]) * 2 - [Target Defense]";
    assert_eq!(total(strike, &resources, &[6]), 17);
}

#[test]
fn section_3_5_1_division_by_zero() {
    assert_eq!(value("10 / 0", &[]), 0);
    assert_eq!(value("10 / [Luck]", &[("Luck", 0)]), 0);
    assert_eq!(value("0 / 0", &[]), 0);
    assert_eq!(total("5 + 1d6 / [Luck]", &[("Luck", 0)], &[4]), 5);
}

#[test]
fn section_3_5_2_fractional_results() {
    assert_eq!(value("7 / 2", &[]), 3);
    assert_eq!(value("1 / 3", &[]), 0);
    // Floor, also below zero: (5 - 8) / 2 is -2, not -1.
    assert_eq!(value("(5 - 8) / 2 + 10", &[]), 8);
    assert_eq!(value("7 / (2 - 4) + 10", &[]), 6);
}

#[test]
fn section_3_5_3_negative_intermediates() {
    assert_eq!(value("(5 - 8) + 10", &[]), 7);
    assert_eq!(value("5 - 8", &[]), 0);
    assert_eq!(value("(5 - 8) + 2", &[]), 0);
    assert_eq!(roll("5 - 8", &[], &[]).raw, Some(-3));
}

#[test]
fn section_3_5_4_zero_dice() {
    assert_eq!(value("0d6", &[]), 0);
    assert_eq!(value("[Level]d6", &[("Level", 0)]), 0);
}

#[test]
fn section_3_6_1_worked_example() {
    let resources = [("Intelligence", 4), ("Target Defense", 12)];
    let bolt = "(2d6 + [Intelligence]) * 2 - [Target Defense] + 5";
    let rolled = roll(bolt, &resources, &[3, 5]);
    assert_eq!((rolled.total, rolled.raw), (Some(17), Some(17)));
    assert_eq!(
        rolled.rendered,
        "(2d6[3, 5] + [Intelligence: 4]) * 2 - [Target Defense: 12] + 5 = 17"
    );
}

#[test]
fn section_3_7_3_comparisons() {
    for (op, less, equal, greater) in [
        ("=", false, true, false),
        ("!=", true, false, true),
        (">", false, false, true),
        ("<", true, false, false),
        (">=", false, true, true),
        ("<=", true, true, false),
    ] {
        assert_eq!(truth(&format!("1 {op} 2"), &[], &[]), less, "{op}");
        assert_eq!(truth(&format!("2 {op} 2"), &[], &[]), equal, "{op}");
        assert_eq!(truth(&format!("3 {op} 2"), &[], &[]), greater, "{op}");
    }
}

#[test]
fn section_3_7_4_checks() {
    // Example 1: attack roll.
    let resources = [("Attack", 6), ("Target Defense", 12)];
    assert!(truth(
        "1d20 + [Attack] >= [Target Defense]",
        &resources,
        &[8]
    ));
    // Example 2: resource threshold.
    let resources = [("Health", 15), ("Health Maximum", 20)];
    assert!(truth("[Health] < [Health Maximum]", &resources, &[]));
    // Example 3: contested roll.
    let resources = [("Strength", 5), ("Target Strength", 4)];
    let contest = "1d20 + [Strength] > [Target Strength] + 1d20";
    assert!(truth(contest, &resources, &[14, 12]));
    // Each side is an Expression (3.7.2) and so at least 0 (3.5.3).
    assert!(truth("1 - 5 = 2 - 3", &[], &[]));
    assert!(!truth("1 - 5 < 2 - 3", &[], &[]));
}

#[test]
fn section_3_8_summary() {
    assert_eq!(total("2d6", &[], &[1, 6]), 7);
    assert_eq!(total("d20", &[], &[20]), 20);
    assert_eq!(value("[Strength]", &[("Strength", 4)]), 4);
    assert_eq!(value("[Target Health]", &[("Target Health", 9)]), 9);
    assert_eq!(total("1d6 + 3", &[], &[2]), 5);
    assert_eq!(total("(1d6 + 2) * 3", &[], &[2]), 12);
}

/// Beyond the document: computed counts and sides, drawn before the pool that they belong to.
#[test]
fn computed_dice() {
    let resources = [("Level", 3)];
    assert_eq!(total("[Level]d6", &resources, &[1, 2, 3]), 6);
    assert_eq!(total("(1d4)d6", &[], &[2, 5, 6]), 11);
    assert_eq!(
        roll("(1d4)d6", &[], &[2, 5, 6]).rendered,
        "(1d4[2])d6[5, 6] = 11"
    );
    assert_eq!(total("2d(1d8)", &[], &[5, 4, 3]), 7);
    // A negative count rolls nothing, as a count of 0 does.
    assert_eq!(value("[Level]d6", &[("Level", -2)]), 0);
}
