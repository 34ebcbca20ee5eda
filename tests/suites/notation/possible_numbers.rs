//! Which numbers dice can give: a `match` on them needs no arm for others, and one for each of
//! them.

use dicec_compiler::{Compiler, Dialect, Program};
use dicec_lang::syntax::{Code, Diagnostics};
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, compiled};
use dicec_tests::properties;
use proptest::prelude::*;

fn matched(
    dice: &str,
    (first, last): (i64, i64),
    dialect: Dialect,
) -> Result<Program, Diagnostics> {
    let arm = format!("match ({dice}) {{ {first}..{last}: 1 }}");
    Compiler::new().dialect(dialect).rule(&arm)
}

fn is_incomplete(found: Result<Program, Diagnostics>) -> bool {
    let found = found.expect_err("an arm is missing");
    found.iter().any(|found| found.code == Code::MissingArm)
}

/// The least and the greatest result.
fn extremes(rule: &Program) -> Option<(i64, i64)> {
    let odds = bare(rule).distribution(&Limits::default()).ok()?;
    Some((odds.min(), odds.max()))
}

#[test]
fn arms_for_all_numbers_of_dice_are_enough() {
    for dice in [
        "1d100",
        "3d6",
        "d20 + 3",
        "3d6kh1",
        "4d6dl1",
        "2d6 - 1d4 + 10",
        "(1d6 + 1) * 3",
        "d{2, 5, 9}",
        "4dF + 4",
        "2d{2..4}",
        "max(1d6, 2d4)",
        "2d6min2max5",
        "5d10 count>=8",
        "5d10 count>=8 fail=1",
        "-1d6 + 7",
        "2d20 adv",
        "d20 adv",
    ] {
        let Ok(rule) = Compiler::new().dialect(Dialect::Notation).rule(dice) else {
            continue;
        };
        let (least, greatest) = extremes(&rule).expect("exact odds");
        for dialect in Dialect::ALL {
            let all = matched(dice, (least, greatest), dialect);
            let all = compiled(dice, all);
            assert_eq!(extremes(&all), Some((1, 1)), "{dice}");
            let missing = matched(dice, (least + 1, greatest), dialect);
            assert!(is_incomplete(missing), "{dice} can be {least}");
            let missing = matched(dice, (least, greatest - 1), dialect);
            assert!(is_incomplete(missing), "{dice} can be {greatest}");
        }
    }
}

#[test]
fn a_named_roll_has_the_numbers_of_its_dice() {
    let rule = "let r = 3d6kh1; match (r) { 1-3: \"bad\", 4-5: \"mixed\", 6: \"full\" }";
    let program = Compiler::new().rule(rule).expect("all arms");
    assert_eq!(program.labels(), ["bad", "mixed", "full"]);
}

#[test]
fn a_reroll_gives_what_a_bound_before_it_ruled_out() {
    for (dice, bounded) in [
        ("1d6min4r=1", (4, 6)),
        ("1d6max4r=1", (1, 4)),
        ("2d6min4r<3", (8, 12)),
    ] {
        let found = matched(dice, bounded, Dialect::Notation);
        assert!(is_incomplete(found), "{dice}");
        let all = matched(dice, (1, 12), Dialect::Notation);
        compiled(dice, all);
    }
}

#[test]
fn what_has_no_bound_needs_an_else() {
    for dice in [
        "3d6!",
        "[Strength]",
        "1d6 + [Strength]",
        "[Level]d6",
        "2d6 / 2",
    ] {
        assert!(
            is_incomplete(matched(dice, (0, 1_000), Dialect::Rulebook)),
            "{dice}"
        );
    }
}

proptest! {
    /// Nothing that dice can give is taken for impossible.
    #[test]
    fn bounds_are_never_too_narrow(bytes in prop::collection::vec(any::<u8>(), 32..160)) {
        let Some(case) = properties::case(&bytes) else { return Ok(()) };
        let Ok(rule) = properties::compiler(&case).rule(&case.text) else { return Ok(()) };
        let number = rule.kind().is_some_and(dicec_compiler::Kind::is_number);
        if !number || !rule.resources().is_empty() {
            return Ok(());
        }
        let limits = Limits { work: 100_000, ..Limits::default() };
        let Ok(odds) = bare(&rule).distribution(&limits) else { return Ok(()) };
        let (least, greatest) = (odds.min(), odds.max());
        // The rule book's clamp is not part of what is matched.
        if least == 0 && case.dialect == Dialect::Rulebook {
            return Ok(());
        }
        let found = matched(&case.text, (least.saturating_add(1), greatest), case.dialect);
        prop_assert!(found.is_err() || least == i64::MAX, "{}", case.text);
        let found = matched(&case.text, (i64::MIN + 1, greatest.saturating_sub(1)), case.dialect);
        prop_assert!(found.is_err(), "{}", case.text);
    }
}
