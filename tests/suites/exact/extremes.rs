//! The least and the greatest result: known, or reported as unbounded, never the point where the
//! engine cut a series.

use dicec_compiler::Bound;
use dicec_compiler::answer::{Answer, Distribution, Exactness};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, first, notation, script};
use serde_json::json;

fn answer(bound: &Bound) -> Answer {
    let answer = bound.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    answer.expect("a small answer")
}

fn ends(odds: &Distribution) -> (Option<i64>, Option<i64>) {
    (odds.min(), odds.max())
}

#[test]
fn dice_that_explode_have_no_greatest_result() {
    for (rule, expected) in [
        ("d6", (Some(1), Some(6))),
        ("d6!", (Some(1), None)),
        ("-d6!", (None, Some(-1))),
        ("3d6! + 2d4", (Some(5), None)),
        ("d6! - d4!", (None, None)),
        ("d6!p", (Some(1), None)),
        ("d1000!", (Some(1), None)),
        // Of two exploding dice the lower one is never a six.
        ("2d6!kl1", (Some(1), Some(5))),
        ("d6r<=2", (Some(3), Some(6))),
        // Each explosion can add a success.
        ("d6! >= 5", (Some(0), None)),
    ] {
        let odds = answer(&bare(&notation(rule)))
            .result
            .expect("a rule gives something");
        assert_eq!(ends(&odds), expected, "{rule}");
    }
}

#[test]
fn loops_without_end_have_no_last_iteration() {
    let text = r#"
        defroll "Wait" wait() {
            rounds = 0;
            hits = 0;
            while (hits < 2) {
                rounds++;
                if (roll(d20) >= 11) { hits++; }
            }
            stat("rounds", rounds);
            stat("hits", hits);
            return rounds;
        }
    "#;
    let answer = answer(&first(&script(text), &json!({})));
    assert!(answer.left_out > 0.0);
    let result = answer.result.expect("it returns a number");
    assert_eq!(ends(&result), (Some(2), None));
    let stats = answer.stats.iter().map(|stat| {
        let odds = stat.odds.as_ref().expect("it was noted");
        (stat.name.as_str(), ends(odds))
    });
    let expected = [("rounds", (Some(2), None)), ("hits", (Some(2), Some(2)))];
    assert_eq!(stats.collect::<Vec<_>>(), expected);
}
