//! What an execution for a player leaves is counted, and bounded; simulations and odds leave
//! nothing.

use dicec_compiler::{Bound, Compiler, Failure, Played, ScriptSession, Simulation};
use dicec_runtime::limits::{PlayLimits, ScriptLimits};
use dicec_runtime::trap::TrapCode;
use dicec_tests::programs;
use serde_json::json;

fn bound(body: &str, bytes: u32) -> Bound {
    let text = format!("defroll \"\" r() {{ i = 0; {body} return i; }}");
    let compiler = Compiler::new().play_limits(PlayLimits { bytes });
    programs::first(
        &programs::compiled(&text, compiler.script(&text)),
        &json!({}),
    )
}

fn trap(played: Result<Played, Failure>) -> Option<TrapCode> {
    match played {
        Ok(_) => None,
        Err(Failure::Trap(trap)) => Some(trap.code),
        Err(other) => panic!("{other:?}"),
    }
}

/// This many bytes are enough, and one less is not: what is shown counts as the limits say.
#[test]
fn what_is_shown_is_counted() {
    let (roll, die) = (PlayLimits::ROLL, PlayLimits::DIE);
    for (body, bytes) in [
        ("i = roll(3d6);", roll + 3 * die),
        (
            "i = roll(2d6 + 1d8); i += roll(d4);",
            2 * roll + 4 * die + 2,
        ),
        ("output(\"five\");", PlayLimits::LINE + 4),
        ("output(\"-\" + 1234);", PlayLimits::LINE + 5),
        ("startGroup(); endGroup();", PlayLimits::GROUP),
        ("stat(\"s\", 1);", PlayLimits::STAT),
        (
            "if (userOption(\"Ayla\", \"Luck?\")) { i++; }",
            PlayLimits::OPTION + 4 + 5,
        ),
        // The rolls' paths are "w" and "w2".
        (
            "while (i < 2) { i++; output(\"\" + roll(d6)); }",
            2 * (roll + die + PlayLimits::LINE + 1) + 2 + 4,
        ),
    ] {
        // The room is asked for before it is needed, so all of it is counted.
        let bytes = u32::try_from(bytes).expect("few");
        let played = bound(body, bytes).play(&mut ScriptSession::new(1));
        assert_eq!(trap(played), None, "{body}");
        let played = bound(body, bytes - 1).play(&mut ScriptSession::new(1));
        assert_eq!(trap(played), Some(TrapCode::TooMuchToShow), "{body}");
    }
}

/// Loops that never end, or roll many dice, end by the default limits; what they left before is
/// bounded by them.
#[test]
fn endless_rolls_end_in_an_error() {
    for body in [
        "while (true) { i += roll(10000d6); if (i < 0) { break; } }",
        "while (true) { i += roll(d6); if (i < 0) { break; } }",
        "while (true) { output(\"line \" + i); i++; if (i < 0) { break; } }",
        "while (true) { startGroup(); i++; if (i < 0) { break; } }",
    ] {
        let played = bound(body, 1 << 20).play(&mut ScriptSession::new(1));
        assert_eq!(trap(played), Some(TrapCode::TooMuchToShow), "{body}");
    }
}

/// The limit is on what is shown: the same roll in a simulation is bounded only by its fuel.
#[test]
fn simulations_show_nothing() {
    let bound = bound("while (i < 1000) { i++; output(\"\" + roll(d6)); }", 1_000);
    assert_eq!(
        trap(bound.play(&mut ScriptSession::new(1))),
        Some(TrapCode::TooMuchToShow)
    );
    let got = bound.simulate(&Simulation::trials(10)).expect("no trap");
    assert_eq!(got.tally().expect("results are kept").count(), 10);
    assert!(ScriptLimits::default().fuel > 1_000);
}

/// A session that an execution filled up remembers what it rolled, and goes on.
#[test]
fn a_session_survives() {
    let bound = bound("while (i < 100) { i++; output(\"\" + roll(d6)); }", 20_000);
    let mut session = ScriptSession::new(1);
    let first = bound.play(&mut session);
    assert_eq!(trap(first), Some(TrapCode::TooMuchToShow));
    let identity = bound.identity();
    let again = ScriptSession::from_json(&session.to_json(&identity), &identity, false);
    assert_eq!(again.as_ref(), Ok(&session));
}
