//! Answers are compared with those without shortcuts, and one that differs is told from one that
//! does not.

use crate::scripts::bound;
use dashu_int::UBig;
use dicec_exact::{ExactError, Odds, Verified, first_wrong_shortcut, solve, verified};
use dicec_runtime::pmf::{Budget, Limits, Pmf, Weight};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use serde_json::json;

const TEXT: &str = "defroll \"R\" r() { xs = [roll(d4) for i : 1..3]; t = sum(xs);
    if (t > 9) { output(\"high\"); stat(\"t\", t); } return t; }";

/// What is found about an answer after it was changed.
fn found<W: Weight>(change: impl FnOnce(&mut Odds<W>)) -> Verified {
    let roll = bound(TEXT, &json!({}));
    let question = roll.question();
    let mut odds = solve::<W>(&question, &mut Budget::default()).expect("few states");
    change(&mut odds);
    verified(&question, &Ok(odds), Budget::default())
}

fn differs(found: Verified, what: &str) {
    let Verified::Differs(difference) = found else {
        panic!("{found:?}: {what}");
    };
    assert!(difference.what.contains(what), "{difference}");
}

/// The same result, but one weight.
fn heavier<W: Weight>(pmf: &Pmf<W>, wanted: i64) -> Option<Pmf<W>> {
    let weights = pmf.iter().map(|(value, weight)| {
        let mut weight = weight.clone();
        if value == wanted {
            weight.add(pmf.total());
        }
        (value, weight)
    });
    Pmf::from_weights(weights.collect::<Vec<_>>())
}

#[test]
fn what_differs_is_found() {
    assert_eq!(found::<f64>(|_| {}), Verified::Same);
    assert_eq!(found::<UBig>(|_| {}), Verified::Same);
    differs(found::<UBig>(more::<UBig>), "the probability of 3");
    differs(found::<f64>(more::<f64>), "the probability of");
    differs(found::<f64>(|odds| odds.result = None), "a result");
    differs(found::<f64>(|odds| odds.lines[0].1 += 1e-6), "high");
    differs(found::<f64>(|odds| odds.lines.clear()), "high");
    differs(
        found::<f64>(|odds| odds.stats[0].times += 1e-6),
        "statistic 0",
    );
    differs(
        found::<f64>(|odds| {
            let noted = odds.stats[0].pmf.as_ref().expect("noted");
            odds.stats[0].pmf = heavier(noted, 10);
        }),
        "statistic 0",
    );
    // A value that cannot be, however unlikely.
    differs(
        found::<f64>(|odds| {
            let pmf = odds.result.as_ref().expect("a number");
            let known = pmf.iter().map(|(value, weight)| (value, *weight));
            odds.result = Pmf::from_weights(known.chain([(99, 1e-30)]).collect::<Vec<_>>());
        }),
        "99",
    );
}

fn more<W: Weight>(odds: &mut Odds<W>) {
    let pmf = odds.result.as_ref().expect("a number");
    odds.result = heavier(pmf, 3);
}

#[test]
fn a_trap_is_no_distribution() {
    let roll = bound(TEXT, &json!({}));
    let trap = Trap {
        code: TrapCode::Overflow,
        span: Span::default(),
    };
    let answer: Result<Odds<f64>, _> = Err(ExactError::Trap(trap));
    differs(
        verified(&roll.question(), &answer, Budget::default()),
        "the answer",
    );
}

/// What takes too much work is not compared, which is said.
#[test]
fn too_much_work_is_told() {
    let roll = bound(TEXT, &json!({}));
    let answer = solve::<f64>(&roll.question(), &mut Budget::default());
    let little = Budget::new(Limits {
        work: 100,
        ..Limits::default()
    });
    assert_eq!(
        verified(&roll.question(), &answer, little),
        Verified::TooMuch
    );
}

#[test]
fn no_shortcut_is_wrong() {
    let roll = bound(TEXT, &json!({}));
    let found = first_wrong_shortcut::<UBig>(&roll.question(), &Budget::default());
    assert_eq!(found, None);
}
