//! What choices may change in a session, and what they may not: dice and choices at other paths.

use super::sessions::{face, paths};
use dicec_compiler::unstable::Answered;
use dicec_compiler::{Bound, Played, ScriptSession};
use dicec_tests::programs::{bind, script};
use serde_json::json;

/// Plays with these choices, each made in an execution of its own.
fn choosing(roll: &Bound, seed: u64, choices: &[(&str, bool)]) -> Played {
    let mut session = ScriptSession::new(seed);
    let mut played = roll.play(&mut session).expect("no trap");
    for (path, taken) in choices {
        session.choose(path, *taken);
        played = roll.play(&mut session).expect("no trap");
    }
    played
}

#[test]
fn the_order_of_choices_makes_no_difference() {
    let script = script(
        "defroll \"R\" r() {
            for (x : list(1, 2, 3)) {
                if (userOption(\"more?\")) { output(\"more \" + roll(d20)); }
                output(\"\" + roll(d20));
            }
        }",
    );
    let roll = bind(&script, "r", &json!({}));
    for seed in 0..20 {
        let forward = choosing(&roll, seed, &[("w", true), ("w2", true), ("w3", true)]);
        let other = [
            ("w3", true),
            ("w", true),
            ("w", false),
            ("w2", true),
            ("w", true),
        ];
        let other = choosing(&roll, seed, &other);
        assert_eq!(forward.steps, other.steps, "seed {seed}");
        assert_eq!(forward.rolls.len(), 6);
    }
}

/// A decision in an iteration does not affect the dice and choices of other iterations, or of the
/// code after the loop.
#[test]
fn rounds_are_independent_of_each_other() {
    for (way, body) in [
        (
            "continue",
            "if (userOption(\"o\")) { continue; } t += roll(d20) * x;",
        ),
        (
            "continue in two ifs",
            "if (true) { if (userOption(\"o\")) { continue; } t += roll(d20); } t += roll(d20);",
        ),
        (
            "a loop that is left",
            "while (true) { if (userOption(\"o\")) { break; } t += roll(d20) * x; break; } t += roll(d20);",
        ),
        (
            "a loop in an if",
            "if (userOption(\"o\")) { for (y : list(1, 2)) { if (y > 1) { continue; } t += roll(d4); } } t += roll(d20);",
        ),
        ("a call that returns early", "t += early() + roll(d20);"),
        (
            "an operand",
            "b = userOption(\"o\") && roll(d6) > 3; t += roll(d20) + (b ? 1 : 0);",
        ),
        (
            "a condition",
            "while (t >= 0 && roll(d6) > 0 && userOption(\"o\")) { t++; } t += roll(d20);",
        ),
    ] {
        let text = format!(
            "deffun early() : int {{ if (userOption(\"o\")) {{ return 0; }} return roll(d20); }}
            defroll \"R\" r() {{
                t = 0;
                for (x : list(1, 2, 3)) {{ {body} }}
                output(t + \" \" + roll(d100));
            }}"
        );
        let script = script(&text);
        let roll = bind(&script, "r", &json!({}));
        let before = roll.play(&mut ScriptSession::new(5)).expect("no trap");
        let asked: Vec<&str> = before
            .options
            .iter()
            .map(|option| option.path.as_str())
            .collect();
        let first = asked
            .iter()
            .find(|path| path.starts_with('w') && of_round(path) == 1);
        let first = *first.unwrap_or_else(|| panic!("{way}: {asked:?}"));
        let after = choosing(&roll, 5, &[(first, true)]);
        let elsewhere = |played: &Played| -> Vec<(String, Vec<(u32, u32)>)> {
            let rolls = played.rolls.iter();
            let outside =
                rolls.filter(|thrown| !thrown.path.starts_with('w') || of_round(&thrown.path) > 1);
            outside
                .map(|thrown| (thrown.path.to_string(), thrown.dice.clone()))
                .collect()
        };
        assert_eq!(elsewhere(&before), elsewhere(&after), "{way}");
        assert!(!elsewhere(&before).is_empty(), "{way}");
        // The choice in the second iteration is kept.
        let second = first.replacen('w', "w2", 1);
        let both = choosing(&roll, 5, &[(&second, true), (first, true)]);
        let taken = both.options.iter();
        let taken = taken.filter(|option| option.answer == Answered::Taken(true));
        let taken: Vec<&str> = taken.map(|option| option.path.as_str()).collect();
        assert!(taken.contains(&second.as_str()), "{way}: {taken:?}");
    }
}

/// The iteration of the outermost loop to which a path belongs.
fn of_round(path: &str) -> u32 {
    let digits: String = path[1..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(1)
}

/// A loop that ends earlier or later does not affect the remaining iterations, or the code after
/// it.
#[test]
fn leaving_a_loop_moves_nothing_behind_it() {
    let script = script(
        "defroll \"R\" r() {
            for (x : list(1, 2, 3)) {
                t = roll(d100);
                if (userOption(\"stop?\")) { break; }
                output(\"\" + t);
            }
            output(\"\" + roll(d100));
        }",
    );
    let roll = bind(&script, "r", &json!({}));
    let whole = choosing(&roll, 1, &[]);
    let stopped = choosing(&roll, 1, &[("w2r", true)]);
    assert_eq!(paths(&whole), ["w", "w2", "w3", "L"]);
    assert_eq!(paths(&stopped), ["w", "w2", "L"]);
    for path in ["w", "w2", "L"] {
        assert_eq!(face(&whole, path), face(&stopped, path), "{path}");
    }
}

/// No two rolls or options of an execution share a path, however loops, calls and exits nest.
#[test]
fn paths_are_unique() {
    let script = script(
        "deffun f(n: int) : int {
            if (n < 0) { return roll(d4); }
            for (x : list(1, 2)) {
                if (x == 2 && roll(d2) == 1) { return n; }
                n += roll(d4);
            }
            return n + f(0 - 1);
        }
        defroll \"R\" r() {
            t = roll(d4);
            i = 0;
            while (i < 3 && roll(d8) > 1) {
                i++;
                for (x : list(roll(d4), roll(d4))) {
                    while (roll(d6) > 4) { t += f(x); if (t > 50) { break; } }
                    if (roll(d4) == 1) { continue; }
                    t += f(x) + (roll(d4) > 2 ? roll(d6) : f(t));
                }
            }
            output(\"\" + (t + roll(d4)));
        }",
    );
    let roll = bind(&script, "r", &json!({}));
    for seed in 0..50 {
        let played = roll.play(&mut ScriptSession::new(seed)).expect("no trap");
        let mut found = paths(&played);
        let all = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), all, "seed {seed}");
    }
}
