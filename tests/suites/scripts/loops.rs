//! Loops that count: they are other loops, shorter.

use super::sessions::paths;
use dicec_compiler::{Bound, ScriptSession, Simulation};
use dicec_tests::programs::{first, script};
use dicec_tests::stages;
use serde_json::json;

fn bound(body: &str) -> Bound {
    first(
        &script(&format!("defroll \"R\" r() {{ {body} }}")),
        &json!({}),
    )
}

#[test]
fn the_paths_of_iterations_are_those_over_a_list() {
    let shown = |head: &str| {
        let roll = bound(&format!(
            "{head} {{ output(\"\" + roll(d20)); }} output(\"\" + d20);"
        ));
        let played = roll.play(&mut ScriptSession::new(5)).expect("no trap");
        assert_eq!(paths(&played), ["w", "w2", "w3", "L"]);
        played.steps
    };
    let over_list = shown("for (x : list(4, 5, 6))");
    assert_eq!(shown("for (x : 4..6)"), over_list);
    assert_eq!(shown("repeat (3)"), over_list);
}

/// A loop that counts is as fast as one that is written out: it has the same vector form, and
/// the same dice.
#[test]
fn counting_is_a_while_loop() {
    for (counted, written) in [
        (
            "t = 0; for (i : 1..20) { t += roll(d6) * i; } return t;",
            "t = 0; i = 1; while (i < 21) { t += roll(d6) * i; i++; } return t;",
        ),
        (
            "t = 0; repeat (roll(d10)) { t += roll(d6); } return t;",
            "t = 0; n = roll(d10); i = 1; while (i <= n) { t += roll(d6); i++; } return t;",
        ),
    ] {
        let [counted, written] = [counted, written].map(bound);
        let forms = [&counted, &written]
            .map(|roll| [true, false].map(|known| stages::form(roll, known).is_some()));
        assert_eq!(forms[0], forms[1]);
        let [counted, written] = [&counted, &written].map(|roll| {
            let report = roll.simulate(&Simulation::trials(10_000).seed(7));
            report.expect("no trap").summary()
        });
        assert_eq!(counted, written);
    }
}

/// The bounds are not read again, and the variable is a new one in each iteration.
#[test]
fn bounds_and_variables_are_fixed() {
    let roll = bound(
        "n = 3; s = \"\"; for (i : n - 1..n) { s += i + \",\"; n = 0; i = 9; } \
         for (i : 2..1) { s += \"never\"; } repeat (0) { s += \"never\"; } output(s); repeat (2) { break; }",
    );
    let played = roll.play(&mut ScriptSession::new(5)).expect("no trap");
    assert_eq!(played.steps.len(), 1);
    assert!(
        format!("{:?}", played.steps[0]).contains("2,3,"),
        "{:?}",
        played.steps
    );
}
