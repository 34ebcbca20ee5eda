//! Rolls of values of the type `dice`, which the exact engine does not take term by term: against
//! brute force and written dice, with their fuel and their traps.

use crate::scripts::{bound, check};
use dicec_exact::{ExactError, solve};
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::trap::TrapCode;
use dicec_tests::enumerate_script::ScriptEnumeration;
use serde_json::json;

/// Values of few rolls.
const VALUES: [&str; 6] = ["1d3", "1d2+3", "2d3kh1 - 1d2", "1d2-1d3+1", "2d2kl1", "7"];

/// What is done with one, or with two.
const ROLLS: [&str; 9] = [
    "roll(x)",
    "roll(critical(x))",
    "roll(x) - roll(x)",
    "roll(x + 2) * 10",
    "roll(average(x) > average(y) ? x : y)",
    "roll(d2) == 1 ? roll(critical(x)) : roll(y)",
    "max(roll(x), 2)",
    "roll(x) + average(y) > 3",
    "add(x) - add(y)",
];

fn script(body: &str) -> String {
    format!(
        "deffun add(x: dice) {{ return roll(x) + 1; }}
        defroll \"R\" r(x: dice, y: dice) {{ {body} }}"
    )
}

#[test]
fn rolls_of_values_equal_brute_force() {
    for (at, x) in VALUES.iter().enumerate() {
        let args = json!({"x": x, "y": VALUES[(at + 1) % VALUES.len()]});
        for roll in ROLLS {
            check(&script(&format!("return {roll};")), &args);
        }
        check(
            &script("n = 10; repeat (2) { n -= roll(x); } return n <= 6;"),
            &args,
        );
    }
}

/// Dice of which some are kept are rolled in a loop, which costs fuel.
#[test]
fn the_fuel_is_that_of_the_loop() {
    for body in [
        "return roll(critical(x));",
        "return roll(critical(critical(x))) + roll(y);",
        "n = 0; repeat (2) { n += roll(critical(x)); } return n > roll(y);",
    ] {
        let roll = bound(&script(body), &json!({"x": "2d2kh1", "y": "1d2+1"}));
        let mut question = roll.question();
        let mut answered = Vec::new();
        for fuel in 1..24 {
            question.limits.fuel = fuel;
            let all = ScriptEnumeration::of(&question, 500_000).expect("few rolls");
            let odds = solve::<f64>(&question, &mut Budget::default());
            if let Err(error) = &odds {
                let is_fuel = |trap: &_| matches!(trap, ExactError::Trap(trap) if trap.code == TrapCode::OutOfFuel);
                assert!(is_fuel(error), "{error}");
            }
            assert_eq!(odds.is_ok(), all.traps.is_empty(), "{body}: {fuel}");
            answered.push(odds.is_ok());
        }
        assert!(answered.contains(&false) && answered.contains(&true));
    }
}

#[test]
fn traps_are_those_of_the_loop() {
    for (value, body, code) in [
        ("6000d6", "return roll(critical(x));", TrapCode::TooManyDice),
        (
            "1d6",
            "return roll(x + 9223372036854775807);",
            TrapCode::Overflow,
        ),
    ] {
        let text = script(body);
        let roll = bound(&text, &json!({"x": value, "y": 0}));
        let failure = solve::<f64>(&roll.question(), &mut Budget::default());
        let Err(ExactError::Trap(trap)) = failure else {
            panic!("{body}: {failure:?}");
        };
        assert_eq!(trap.code, code);
        assert!(
            text[trap.span.start as usize..].starts_with("roll("),
            "{body}"
        );
    }
}

/// Hit points of two who fight with values are as many states as with written dice.
#[test]
fn values_keep_no_states_apart() {
    let duel = |a: &str, b: &str| {
        let text = script(&format!(
            "a = 58; b = 51;
            while (a > 0 and b > 0) {{
                if (roll(d20) + 3 >= 17) {{ b -= roll({a}); }}
                if (b > 0 and roll(d20) + 3 >= 17) {{ a -= roll({b}); }}
            }}
            return a > 0;"
        ));
        let roll = bound(&text, &json!({"x": "2d6+5", "y": "3d6"}));
        let odds = roll.solve::<f64>(&Limits::default()).expect("few states");
        odds.result.expect("a truth value").probability(1)
    };
    let (values, written) = (duel("x", "y"), duel("2d6+5", "3d6"));
    assert!((values - written).abs() < 1e-14, "{values} {written}");
}
