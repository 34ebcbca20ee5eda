//! The odds of several parts together, and odds given a condition: compared with those of scripts
//! that return one number for each combination, and that count only the trials for which the
//! condition holds.

use super::scripts::bound;
use dicec_compiler::answer::{Answer, Exactness, chosen_parts};
use dicec_compiler::{Bound, Simulation};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, rule};
use serde_json::json;
use std::collections::BTreeMap;

/// Two attacks; the parts are numbers, a truth value, a constant, a float and a text.
const BODY: &str = "
    hits = 0; crits = 0;
    repeat (2) { die = roll(d6); if (die >= 4) { hits++; } if (die == 6) { crits++; } }
    level = hits == 0 ? miss : crits > 0 ? critical : hit;
    share = 0.5 * hits;
    word = hits > 1 ? \"both\" : \"few\";
";

fn script(returned: &str) -> Bound {
    let text = format!(
        "enum level {{ miss, hit, critical }} succeeds from hit
         defroll \"R\" r() {{ {BODY} return {returned}; }}"
    );
    bound(&text, &json!({}))
}

fn parts() -> Bound {
    script("{ hits: hits, crits: crits, any: hits > 0, level: level, share: share, word: word }")
}

fn answer(bound: &Bound) -> Answer {
    let answer = bound.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    answer.unwrap_or_else(|failure| panic!("{failure}"))
}

fn given(bound: &Bound, condition: &str) -> Bound {
    let compiled = bound.definition().condition(condition);
    let compiled = compiled.unwrap_or_else(|wrong| panic!("{condition}: {wrong}"));
    bound.clone().given(compiled)
}

/// The probability of each number that this expression over the variables of the body gives.
fn numbers(expression: &str) -> BTreeMap<i64, f64> {
    let odds = answer(&script(expression)).result.expect("a number");
    odds.probabilities().collect()
}

#[test]
fn parts_together_equal_one_number_of_them() {
    let answer = answer(&parts());
    let known: Vec<String> = answer.parts.iter().map(|part| part.name.clone()).collect();
    for (names, number) in [
        (["hits", "crits"], "hits * 10 + crits"),
        (["crits", "hits"], "crits * 10 + hits"),
        (["any", "crits"], "(hits > 0 ? 10 : 0) + crits"),
        (
            ["level", "hits"],
            "(level == miss ? 0 : level == hit ? 10 : 20) + hits",
        ),
        // The texts in the order of the alphabet.
        (["word", "crits"], "(hits > 1 ? 0 : 10) + crits"),
    ] {
        let chosen = chosen_parts(&names.map(str::to_owned), &known).expect("parts");
        let together = answer.together(&chosen).expect("exact odds");
        let found = together.outcomes();
        let found = found.map(|(row, outcome)| (row[0] * 10 + row[1], outcome.p));
        assert_eq!(
            found.collect::<BTreeMap<_, _>>(),
            numbers(number),
            "{names:?}"
        );
        let grid = together.grid(true).expect("two parts");
        let sum: f64 = grid.p.iter().flatten().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{names:?}: {sum}");
    }
}

#[test]
fn odds_given_a_condition_are_those_of_the_rolls_that_meet_it() {
    for (condition, in_script) in [
        ("crits >= 1", "crits >= 1"),
        ("crits >= 1 and hits = 2", "crits >= 1 && hits == 2"),
        ("not any or crits = 2", "hits == 0 || crits == 2"),
        ("level >= hit", "level >= hit"),
        ("level = critical", "level == critical"),
        ("share > 0.25", "share > 0.25"),
        ("word = \"few\"", "word == \"few\""),
        ("hits - crits < 1", "hits - crits < 1"),
        ("let rest = hits - crits; rest = 1", "hits - crits == 1"),
    ] {
        let answer = answer(&given(&parts(), condition));
        let share = answer.given.as_ref().expect("a condition").share.p;
        let all = numbers(&format!("({in_script}) ? hits * 10 + crits : -1"));
        let met = 1.0 - all.get(&-1).copied().unwrap_or(0.0);
        assert!((share - met).abs() < 1e-12, "{condition}: {share}, {met}");
        let together = answer.together(&[0, 1]).expect("exact odds");
        for (row, outcome) in together.outcomes() {
            let expected = all[&(row[0] * 10 + row[1])] / met;
            assert!((outcome.p - expected).abs() < 1e-12, "{condition}: {row:?}");
        }
        let possible = all.keys().filter(|number| **number >= 0).count();
        assert_eq!(together.outcomes().count(), possible, "{condition}");
        let mean = numbers(&format!("({in_script}) ? hits : 0"));
        let mean: f64 = mean.iter().map(|(hits, p)| *hits as f64 * p).sum();
        let hits = answer.parts[0].odds.mean();
        assert!((hits - mean / met).abs() < 1e-12, "{condition}: {hits}");
    }
}

#[test]
fn a_condition_that_never_holds_has_no_odds() {
    let never = given(&parts(), "crits > hits");
    let failure = never.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let message = failure.expect_err("no roll").to_string();
    assert_eq!(message, "no roll has crits > hits: its probability is 0");
    let no_root = given(&parts(), "sqrt(hits - 1) > 0");
    let failure = no_root.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    let message = failure.expect_err("a root of -1").to_string();
    assert!(
        message.starts_with("the condition sqrt(hits - 1) > 0: "),
        "{message}"
    );
}

#[test]
fn conditions_add_up() {
    let bound = parts();
    let condition = |text: &str| bound.definition().condition(text).expect("a condition");
    let first = condition("any")
        .applied(answer(&bound))
        .expect("some rolls");
    let both = condition("crits = 0").applied(first).expect("some rolls");
    let met = both.given.as_ref().expect("a condition");
    assert_eq!(met.condition, "(any) and (crits = 0)");
    let at_once = answer(&given(&bound, "any and crits = 0"));
    let share = &at_once.given.as_ref().expect("a condition").share;
    assert_eq!(met.share.fraction, share.fraction);
    assert_eq!(both.parts[0].odds.mean(), at_once.parts[0].odds.mean());
}

#[test]
fn sampled_answers_take_no_condition() {
    let bound = parts();
    let report = bound.simulate(&Simulation::trials(100).seed(1));
    let sampled = bound.sampled(report.expect("a simulation"));
    let condition = bound.definition().condition("any").expect("a condition");
    let failure = condition.applied(sampled).expect_err("sampled odds");
    let message = failure.to_string();
    assert_eq!(
        message,
        "odds given a condition are exact, and these are not"
    );
}

#[test]
fn what_goes_on_for_ever_stays_without_a_bound() {
    let ends = |condition: &str| {
        let bound = bare(&rule("1d6!"));
        let odds = answer(&given(&bound, condition)).result.expect("a number");
        (odds.min(), odds.max(), odds.left_out() > 0.0)
    };
    assert_eq!(ends("total >= 7"), (Some(7), None, true));
    assert_eq!(ends("total <= 7"), (Some(1), Some(7), true));
    assert_eq!(ends("total % 2 = 0"), (Some(2), None, true));
}
