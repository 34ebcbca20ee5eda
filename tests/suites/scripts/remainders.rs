//! Remainders of whole numbers: by 0 they are 0, as quotients are, on every engine.

use dicec_compiler::{Bound, ScriptSession};
use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::programs::{first, script};
use serde_json::{Value, json};

fn bound(body: &str, args: &Value) -> Bound {
    let text = format!("defroll \"R\" r(a: int, b: int) {{ {body} }}");
    first(&script(&text), args)
}

#[test]
fn anything_by_zero_is_zero() {
    for (a, b, remainder) in [
        (7, 0, 0),
        (-7, 0, 0),
        (7, 3, 1),
        (-7, 3, -1),
        (7, -3, 1),
        (i64::MIN, -1, 0),
    ] {
        for body in ["return a % b;", "c = a; c -= a / 1; return c + a % b;"] {
            let roll = bound(body, &json!({"a": a, "b": b}));
            engines::check(&roll, 1, 3, &body);
            let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
            let result = played.result.and_then(|value| value.whole());
            assert_eq!(result, Some(remainder), "{a} % {b}");
        }
    }
}

#[test]
fn divisors_that_are_rolled_may_be_zero() {
    let body = "return roll(d6) % (roll(d3) - a) + 10 % b;";
    let roll = bound(body, &json!({"a": 1, "b": 0}));
    engines::check(&roll, 5, 50, &body);
    // By 0 and by 1 it is 0, by 2 it is 1 half of the time.
    let odds = roll.distribution(&Limits::default()).expect("odds");
    let odds: Vec<(i64, f64)> = odds.probabilities().collect();
    assert_eq!(odds.len(), 2, "{odds:?}");
    assert!((odds[1].1 - 1.0 / 6.0).abs() < 1e-12, "{odds:?}");
}
