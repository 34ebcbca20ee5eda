//! Grapples, throws and pushes in fights of the d100 rules (seed 003, "Grapple System").

use crate::dh2e::opposed;
use crate::dh2e_fights::{FIRST, LAST, actor, close, exact, fight, fighter, frequency};
use crate::dh2e_scenarios::bound;
use dicec_tests::engines;
use serde_json::json;
use std::collections::BTreeMap;

/// Chances out of counted cases.
fn chance(cases: &BTreeMap<i64, u32>) -> f64 {
    let all: u32 = cases.values().sum();
    let won = cases.get(&1).copied().unwrap_or_default();
    f64::from(won) / f64::from(all)
}

/// "Grapple System": opposed Weapon Skill to begin, opposed Strength to go on and to break free.
#[test]
fn grapples_begin_go_on_and_end() {
    let strong =
        json!({ "characteristics": { "ws": 52, "s": 47, "t": 30, "ag": FIRST, "wp": 30 } });
    let weak = json!({ "characteristics": { "ws": 38, "s": 33, "t": 30, "ag": LAST, "wp": 30 } });
    let scenario = |tactic: &str, rounds: u32| {
        let one = vec![fighter(
            actor("Ann", FIRST, &strong),
            &json!({ "tactic": tactic }),
        )];
        let other = vec![fighter(actor("Ben", LAST, &weak), &json!({}))];
        fight(rounds, one, other, &json!({}))
    };
    let begins = chance(&opposed(52, 38));
    let keeps = chance(&opposed(47, 33));
    let frees = chance(&opposed(33, 47));
    let first = exact(&bound(&scenario("grapple", 1)));
    close(frequency(&first, "Ann holds Ben"), begins);
    close(frequency(&first, "Ben breaks free of Ann"), begins * frees);
    // Who is held may do nothing else.
    close(frequency(&first, "Ben attacks Ann"), 1.0 - begins);
    let second = exact(&bound(&scenario("grapple", 2)));
    let held = begins * (1.0 - frees);
    close(frequency(&second, "Ben slips out"), held * (1.0 - keeps));
    // 1d5 + 4 against a toughness bonus of 3.
    close(frequency(&second, "Ben is hit in the body"), held * keeps);
    let again = begins * frees + held * (1.0 - keeps) + (1.0 - begins);
    close(frequency(&second, "Ann tries to grapple Ben"), 1.0 + again);

    let thrown = exact(&bound(&scenario("throw", 2)));
    close(frequency(&thrown, "Ann throws Ben {} m"), held * keeps);
    close(frequency(&thrown, "Ben is prone for 1 round"), held * keeps);
    close(frequency(&thrown, "Ben is hit"), 0.0);
    engines::check(&bound(&scenario("throw", 4)), 1, 40, &"throw");

    // A push does not end the hold.
    let pushed = exact(&bound(&scenario("push", 2)));
    close(frequency(&pushed, "Ann pushes Ben {} m"), held * keeps);
    close(frequency(&pushed, "Ben is hit"), 0.0);
    let again = frequency(&pushed, "Ann tries to grapple Ben");
    close(
        again,
        1.0 + begins * frees + held * (1.0 - keeps) + (1.0 - begins),
    );
    engines::check(&bound(&scenario("push", 4)), 1, 40, &"push");
}

/// Each wrestler does what its own tactic says.
#[test]
fn wrestlers_of_all_tactics_meet() {
    let strong =
        json!({ "characteristics": { "ws": 70, "s": 70, "t": 30, "ag": FIRST, "wp": 30 } });
    let wrestlers = ["grapple", "throw", "push"]
        .into_iter()
        .zip(["Ann", "Bea", "Cleo"]);
    let wrestlers = wrestlers
        .map(|(tactic, name)| fighter(actor(name, FIRST, &strong), &json!({ "tactic": tactic })));
    let foes = vec![fighter(
        actor("Ben", LAST, &json!({})),
        &json!({ "count": 3 }),
    )];
    let scenario = fight(4, wrestlers.collect(), foes, &json!({}));
    let outcome = engines::check(&bound(&scenario), 1, 60, &"wrestlers");
    let told = |line: &str| {
        let mut lines = outcome.lines.iter();
        lines.any(|(text, _)| text.starts_with(line))
    };
    assert!(
        told("Bea throws Ben") && told("Cleo pushes Ben"),
        "{:?}",
        outcome.lines
    );
    assert!(!told("Ann throws") && !told("Bea pushes") && !told("Cleo throws"));
}
