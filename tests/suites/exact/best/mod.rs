//! Best play: against brute force, and against values that others published.

mod known;

use super::scripts::bound;
use arbitrary::Unstructured;
use dicec_compiler::Bound;
use dicec_exact::{Aim, Best, ExactError, Goal, Mover, with_best};
use dicec_lang::hir::{Data, Offers, StatId};
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::trap::{Trap, TrapCode};
use dicec_tests::expectimax::{Expected, Wanted, expectimax, trap_text};
use dicec_tests::generate::decisions::decisions;
use dicec_tests::generate::script::script_case;
use dicec_tests::programs::{given, table};
use dicec_tests::script;
use serde_json::{Value, json};

/// A result as a number.
fn number(parts: &[Data]) -> Result<f64, Trap> {
    Ok(match parts {
        [Data::Int(number) | Data::Named(number)] => *number as f64,
        [Data::Bool(truth)] => f64::from(u8::from(*truth)),
        [Data::Float(number)] => number.get(),
        _ => 0.0,
    })
}

struct Asked<'a> {
    wanted: Wanted,
    players: &'a [(String, Mover)],
    all: Mover,
    limits: Limits,
}

const MAXIMISE: Asked<'_> = Asked {
    wanted: Wanted::Result,
    players: &[],
    all: Mover::Maximiser,
    limits: Limits {
        work: 50_000_000_000,
        outcomes: 20_000_000,
    },
};

fn best(bound: &Bound, asked: &Asked<'_>) -> Result<Best, ExactError> {
    let options = bound.program().options();
    let decided = vec![true; options.len()];
    let yes_or_no: Vec<bool> = options
        .iter()
        .map(|option| matches!(bound.program().offers(option), Some(Offers::YesNo)))
        .collect();
    let aim = Aim {
        goal: match asked.wanted {
            Wanted::Result => Goal::Result(&number),
            Wanted::Statistic(stat) => Goal::Statistic(stat, false),
        },
        decided: &decided,
        yes_or_no: &yes_or_no,
        players: asked.players,
        all: asked.all,
    };
    let mut budget = Budget::new(asked.limits);
    with_best(&bound.question(), &aim, &mut budget, |solved| solved.best())
}

/// Compares with brute force.
fn check(text: &str, args: &Value, asked: &Asked<'_>) -> bool {
    let bound = bound(text, args);
    compare(&bound, asked, text, 400_000)
}

fn compare(bound: &Bound, asked: &Asked<'_>, text: &str, most: usize) -> bool {
    let mover = |who: &str| {
        let found = asked.players.iter().find(|(name, _)| name == who);
        found.map_or(asked.all, |(_, mover)| *mover)
    };
    let expected = expectimax(&bound.question(), asked.wanted, &mover, most);
    match (expected, best(bound, asked)) {
        (Expected::Unknown, _) => false,
        (Expected::Value(value), Ok(best)) => {
            let most = best.error + 1e-12 * value.abs().max(1.0);
            assert!(
                (best.value - value).abs() <= most,
                "{value} {best:?}\n{text}"
            );
            assert!(
                best.error <= 1e-9 * value.abs().max(1.0),
                "{best:?}\n{text}"
            );
            let sum: f64 = best.results.iter().map(|(_, p)| p).sum();
            if !best.results.is_empty() {
                assert!((sum - 1.0).abs() < 1e-9, "{best:?}\n{text}");
                if matches!(asked.wanted, Wanted::Result) {
                    let mean = best.results.iter();
                    let mean: f64 = mean
                        .map(|(data, p)| number(data).expect("a number") * p)
                        .sum();
                    assert!(
                        (mean - value).abs() < 1e-9 * value.abs().max(1.0),
                        "{best:?}\n{text}"
                    );
                }
            }
            true
        }
        (Expected::Traps(traps), Err(ExactError::Trap(trap))) => {
            let is_fuel = |text: &String| text.starts_with("OutOfFuel");
            let is_known = traps.contains(&trap_text(&trap));
            // The fuel of a whole trial is only added up.
            let is_late = trap.code == TrapCode::OutOfFuel && traps.iter().any(is_fuel);
            assert!(is_known || is_late, "{trap:?} {traps:?}\n{text}");
            true
        }
        // A trial that comes back to a state may go on for longer than the fuel lasts.
        (Expected::Traps(traps), Ok(best)) if best.is_cyclic => {
            assert!(
                traps.iter().all(|trap| trap.starts_with("OutOfFuel")),
                "{traps:?}\n{text}"
            );
            true
        }
        (_, Err(ExactError::Exhausted(_))) => false,
        (expected, best) => panic!("{expected:?}\n{best:?}\n{text}"),
    }
}

fn value(text: &str) -> f64 {
    let best = best(&bound(text, &json!({})), &MAXIMISE).expect("it has a value");
    assert!(best.error < 1e-9, "{best:?}");
    println!("{best:?}");
    best.value
}

#[test]
fn a_reroll_is_taken_below_the_mean() {
    let text = "defroll \"R\" r() { die = roll(d6); if (userOption(\"Reroll?\")) { die = roll(d6); } return die; }";
    assert!((value(text) - 4.25).abs() < 1e-12);
    assert!(check(text, &json!({}), &MAXIMISE));
}

#[test]
fn a_decision_does_not_see_later_dice() {
    let text =
        "defroll \"R\" r() { guess = userOption(\"Guess?\", 1..6); return roll(d6) == guess; }";
    assert!((value(text) - 1.0 / 6.0).abs() < 1e-12);
    let text = "defroll \"R\" r() { die = roll(d6); guess = userOption(\"Guess?\", 1..6); return die == guess; }";
    assert!((value(text) - 1.0).abs() < 1e-12);
}

#[test]
fn small_scripts_equal_brute_force() {
    for text in [
        "deffun more(n: int) : int { if (userOption(\"More?\")) { return n + roll(d6) - 3; } return n; }
         defroll \"R\" r() { x = 0; for (i : 1..3) { x = more(x); if (x < 0) { return 0; } } return x; }",
        "deftype hero { name: string, hp: int }
         deffun strike(who: hero, n: int) { if (userOption(who, \"Hit?\")) { who.hp -= roll(d4) - n; } }
         defroll \"R\" r() { a = hero{ name: \"a\", hp: 5 }; b = hero{ name: \"b\", hp: 3 }; strike(a, 1); strike(b, roll(d2)); return a.hp - b.hp; }",
        "defroll \"R\" r() { dice = [roll(d4) for i : 1..3]; n = userOption(\"Which?\", dice); return n * 2 - dice[0]; }",
        "defroll \"R\" r() { dice = [roll(d3) for i : 1..2]; for (i : 0..1) { if (userOption(\"Again?\")) { dice[i] = roll(d4); } } return dice[0] * dice[1]; }",
        "defroll \"R\" r() { total = 0; while (userOption(\"Roll?\")) { die = roll(d6); if (die == 1) { return 0; } total += die; if (total > 8) { break; } } return total; }",
    ] {
        assert!(check(text, &json!({}), &MAXIMISE), "{text}");
        let minimise = Asked { all: Mover::Minimiser, ..MAXIMISE };
        assert!(check(text, &json!({}), &minimise), "{text}");
    }
}

/// Play that may come back to a state for as long as a player likes.
#[test]
fn loops_that_players_may_go_through_again_end() {
    let minimise = Asked {
        all: Mover::Minimiser,
        ..MAXIMISE
    };
    let value = |text: &str, asked: &Asked<'_>| {
        let best = best(&bound(text, &json!({})), asked).expect("it has a value");
        assert!(best.is_cyclic && best.error < 1e-9, "{best:?}\n{text}");
        assert!(best.unfinished < 1e-12, "{best:?}\n{text}");
        best.value
    };
    let again = "defroll \"R\" r() { die = roll(d6); while (userOption(\"Again?\")) { die = roll(d6); } return die; }";
    assert!((value(again, &MAXIMISE) - 6.0).abs() < 1e-9);
    assert!((value(again, &minimise) - 1.0).abs() < 1e-9);
    // Waiting changes nothing, and is never the answer.
    let wait =
        "defroll \"R\" r() { die = roll(d6); while (!userOption(\"Stop?\")) { } return die; }";
    assert!((value(wait, &MAXIMISE) - 3.5).abs() < 1e-9);
    assert!((value(wait, &minimise) - 3.5).abs() < 1e-9);
    let noted = Asked {
        wanted: Wanted::Statistic(StatId(0)),
        ..minimise
    };
    let cost = "defroll \"R\" r() { while (!userOption(\"Stop?\")) { } stat(\"n\", 2); }";
    assert!((value(cost, &noted) - 2.0).abs() < 1e-9);
    // The first answer stays, and the second takes a chance.
    let chance = "defroll \"R\" r() { while (true) { if (userOption(\"Try?\")) { die = roll(d4); if (die == 1) { return 1; } if (die == 2) { return 9; } } } }";
    assert!((value(chance, &minimise) - 5.0).abs() < 1e-9);
    assert!((value(chance, &MAXIMISE) - 5.0).abs() < 1e-9);
}

#[test]
fn play_without_an_end_is_refused() {
    let text = "defroll \"R\" r() { n = 0; while (n < 1) { if (userOption(\"Go on?\")) { n = roll(1d1) - 1; } } return n; }";
    let found = best(&bound(text, &json!({})), &MAXIMISE);
    let Err(ExactError::Trap(trap)) = found else {
        panic!("{found:?}");
    };
    assert_eq!(trap.code, TrapCode::OutOfFuel);
}

/// How many cases there are, from which on: `DICEC_CASES` and `DICEC_SEED`.
fn cases(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str, usual: u64| {
        let number = std::env::var(name).ok();
        number
            .and_then(|number| number.parse().ok())
            .unwrap_or(usual)
    };
    let first = number("DICEC_SEED", 0);
    first..first + number("DICEC_CASES", usual)
}

/// Bytes that depend on a number.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..length).map(|_| byte()).collect()
}

const TWO: [(&str, Mover); 3] = [
    ("", Mover::Maximiser),
    ("Ann", Mover::Maximiser),
    ("Bob", Mover::Minimiser),
];

#[test]
fn generated_decisions_equal_brute_force() {
    let (mut compared, mut all) = (0, 0);
    for case in cases(300) {
        let bytes = noise(case, 400);
        let text = decisions(&mut Unstructured::new(&bytes)).expect("never short of bytes");
        let Ok(program) = script::compiler().script(&text) else {
            continue;
        };
        all += 1;
        let roll = program.rolls().next().expect("it has a roll");
        let bound = given(&roll, &json!({}), &table(&[]));
        let two: Vec<(String, Mover)> = TWO
            .iter()
            .map(|(name, mover)| ((*name).to_owned(), *mover))
            .collect();
        let asked = match case % 4 {
            0 => MAXIMISE,
            1 => Asked {
                all: Mover::Minimiser,
                ..MAXIMISE
            },
            2 => Asked {
                wanted: Wanted::Statistic(StatId(0)),
                ..MAXIMISE
            },
            _ => Asked {
                players: &two,
                ..MAXIMISE
            },
        };
        compared += u32::from(compare(&bound, &asked, &text, 60_000));
    }
    println!("{compared} of {all} scripts were compared");
    assert!(4 * compared >= 3 * all, "{compared} of {all}");
}

#[test]
fn generated_scripts_equal_brute_force() {
    let (mut compared, mut all) = (0, 0);
    for case in cases(100) {
        let bytes = noise(case, 3000);
        let case = script_case(&mut Unstructured::new(&bytes)).expect("never short of bytes");
        let Some(program) = script::compile(&case) else {
            continue;
        };
        all += 1;
        let bound = script::bind(&program, &case);
        compared += u32::from(compare(&bound, &MAXIMISE, &case.text, 4_000));
    }
    println!("{compared} of {all} scripts were compared");
    assert!(5 * compared >= all, "{compared} of {all}");
}
