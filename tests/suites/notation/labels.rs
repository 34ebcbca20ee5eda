//! Labels of terms: what the terms with a label contribute to a total, in a roll and in the odds.

use arbitrary::Unstructured;
use dicec_compiler::answer::{Distribution, Exactness};
use dicec_compiler::{Bound, Compiler, Control, Program, Session, Subtotal, Value};
use dicec_lang::syntax::{Code, Diagnostics};
use dicec_runtime::pmf::Limits;
use dicec_tests::generate::labels::labelled;
use dicec_tests::programs::{bare, notation, rule, scripted, table};
use dicec_tests::properties;
use proptest::prelude::*;

fn first_code(found: &Diagnostics) -> Code {
    found.iter().next().expect("a finding").code
}

fn named<T: Copy>(parts: &[Subtotal<T>]) -> Vec<(&str, T)> {
    let parts = parts.iter();
    parts
        .map(|part| (part.label.as_deref().unwrap_or("other"), part.value))
        .collect()
}

fn rolled(program: &Program, faces: &[i64]) -> Vec<(String, i64)> {
    let bound = program
        .bind(&table(&[("Strength", 3), ("Target AC", 2)]))
        .expect("all resources");
    let roll = scripted(&bound, faces);
    let parts = named(&roll.subtotals).into_iter();
    parts
        .map(|(name, value)| (name.to_owned(), value.to_cell()))
        .collect()
}

#[test]
fn what_each_label_contributes() {
    for (text, faces, expected) in [
        (
            "2d6[fire] + 1d8[cold]",
            &[3, 4, 5][..],
            &[("fire", 7), ("cold", 5)][..],
        ),
        (
            "1d8 + [Strength] + 2d6kh1[fire]",
            &[5, 2, 6],
            &[("fire", 6), ("other", 8)],
        ),
        (
            "2d6[fire]+1d4[ cold ]+1d4[fire]",
            &[1, 2, 3, 4],
            &[("fire", 7), ("cold", 3)],
        ),
        // Signs and factors count.
        (
            "(2d6[fire] + 3) * 2 - 1d4[armour]",
            &[1, 2, 4],
            &[("fire", 6), ("armour", -4), ("other", 6)],
        ),
        (
            "[Strength] * (1d6[fire] - (1d4[cold] + 1))",
            &[6, 2],
            &[("fire", 18), ("cold", -6), ("other", -3)],
        ),
        ("-1d6[a]", &[4], &[("a", -4)]),
        // The dice of other terms are rolled as for the whole.
        (
            "1d6! + 1d6[fire] + 2d{1:3,5}",
            &[6, 2, 5, 4, 1],
            &[("fire", 5), ("other", 14)],
        ),
        // A whole term, and a resource in parentheses.
        (
            "floor(1d6 / 2)[halved] + ([Strength])[might] + 4[flat]",
            &[5],
            &[("halved", 2), ("might", 3), ("flat", 4)],
        ),
        // The left side of a check.
        (
            "1d20[roll] + [Strength] >= [Target AC] + 1d4",
            &[9, 1],
            &[("roll", 9), ("other", 3)],
        ),
        ("1d20[roll] + 2 vs 15", &[9], &[("roll", 9), ("other", 2)]),
    ] {
        let expected = expected.iter();
        let expected: Vec<(String, i64)> = expected
            .map(|&(name, value)| (name.to_owned(), value))
            .collect();
        assert_eq!(rolled(&rule(text), faces), expected, "{text}");
    }
    // The notation dialect: a count, with its label after the last modifier.
    let counted = notation("4d6>=5[hits] ");
    assert_eq!(rolled(&counted, &[5, 6, 1, 2]), [("hits".to_owned(), 2)]);
}

#[test]
fn a_roll_shows_its_subtotals() {
    let shown = scripted(&bare(&rule("2d6[fire] + 1d8[cold] + 2")), &[3, 4, 5]);
    let rendered = "2d6[3, 4][fire] + 1d8[5][cold] + 2 = 14 (fire 7, cold 5, other 2)";
    assert_eq!(shown.rendered, rendered);
    let text = "(10d10>=6)[hits] + 1";
    assert_eq!(notation(text).normal_form(), text);
    let text = "([Level])[might] + (2d6 + 1)[fire] * 2";
    assert_eq!(rule(text).normal_form(), text);
}

#[test]
fn a_bracket_after_an_operand_of_a_modifier_is_a_resource() {
    let kept = rule("4d6kh[Level]");
    assert_eq!(kept.resources().len(), 1);
    let kept = rule("4d6kh[Level][fire]");
    assert_eq!(kept.resources().len(), 1);
    assert_eq!(
        rolled(&rule("4d6kh[Strength][fire]"), &[1, 2, 3, 4])[0].1,
        9
    );
    assert!(rule("4d6![fire]").resources().is_empty());
    for missing in ["[Strength][Level]", "2d6 [Level]"] {
        let found = Compiler::new().rule(missing).expect_err("no operator");
        assert_eq!(first_code(&found), Code::Trailing, "{missing}");
    }
}

#[test]
fn odds_of_subtotals_are_those_of_the_terms() {
    let bound = bare(&rule("(2d6[fire] + 1d4) * 2 - 1d8[cold] + 1d6[fire]"));
    let parts = odds(&bound);
    let expected = ["2d6 * 2 + 1d6", "-1d8", "1d4 * 2"].map(|text| {
        // Subtotals keep their sign.
        let odds = bare(&notation(text)).answer(
            &Limits::default(),
            Exactness::default(),
            &Control::default(),
        );
        odds.expect("exact odds").result.expect("a number")
    });
    let labels: Vec<_> = parts.iter().map(|part| part.label.as_deref()).collect();
    assert_eq!(labels, [Some("fire"), Some("cold"), None]);
    for (part, expected) in parts.iter().zip(expected) {
        let found: Vec<_> = part.value.probabilities().collect();
        let expected: Vec<_> = expected.probabilities().collect();
        assert_eq!(found, expected, "{:?}", part.label);
    }
}

fn odds(bound: &Bound) -> Vec<Subtotal<Distribution>> {
    let odds = bound.subtotal_odds(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    odds.expect("exact odds")
}

#[test]
fn labels_are_few() {
    let twice = Compiler::new().rule("{2d6[fire] + 1}[all]");
    assert_eq!(
        first_code(&twice.expect_err("two labels")),
        Code::MisplacedLabel
    );
    let terms: Vec<String> = (0..33).map(|label| format!("1[{label}]")).collect();
    let found = Compiler::new()
        .rule(&terms.join("+"))
        .expect_err("too many");
    assert_eq!(first_code(&found), Code::MisplacedLabel);
    let most = rule(&terms[1..].join("+"));
    assert_eq!(bare(&most).subtotals().expect("parts").len(), 32);
}

proptest! {
    /// The subtotals and the rest of a roll add up to its total before the clamp.
    #[test]
    fn subtotals_add_up(bytes in prop::collection::vec(any::<u8>(), 64..256), seed in any::<u64>()) {
        let Some(case) = properties::case(&bytes) else { return Ok(()) };
        let mut rest = Unstructured::new(&bytes);
        let Ok(ast) = labelled(&mut rest, case.dialect) else { return Ok(()) };
        let text = dicec_lang::front::notation::print(&ast, case.dialect);
        let Ok(program) = properties::compiler(&case).rule(&text) else { return Ok(()) };
        let bound = program.bind(&case.resources).expect("all resources");
        let Ok(roll) = bound.roll(&mut Session::seeded(seed)) else { return Ok(()) };
        let whole = |part: &Subtotal<Value>| part.value.whole();
        let parts: Option<Vec<i64>> = roll.subtotals.iter().map(whole).collect();
        if let (Some(raw), Some(parts)) = (roll.raw, parts) && !parts.is_empty() {
            let sum: i128 = parts.into_iter().map(i128::from).sum();
            prop_assert_eq!(sum, i128::from(raw), "{}", text);
        }
    }
}
