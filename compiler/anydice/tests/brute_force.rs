//! Programs against enumeration of all rolls: each row has a program with one output, its dice, and
//! the number that a roll gives. Every shortcut is tried on and off.

use dashu_int::UBig;
use dicec_anydice::{Failure, Options, Program};
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::pmf::{Budget, Limits};
use std::collections::BTreeMap;

/// The number that a roll gives; nothing if the program leaves it out.
type OfRoll = fn(&[i64]) -> Option<i64>;

/// The counts of all rolls of these dice by their results.
fn counted(sides: &[i64], result: OfRoll) -> BTreeMap<i64, u64> {
    let mut counts = BTreeMap::new();
    let mut dice = vec![1; sides.len()];
    loop {
        if let Some(number) = result(&dice) {
            *counts.entry(number).or_default() += 1;
        }
        let Some(place) = (0..dice.len()).find(|&place| dice[place] < sides[place]) else {
            return counts;
        };
        dice[place] += 1;
        dice[..place].fill(1);
    }
}

fn check(program: &str, sides: &[i64], result: OfRoll) {
    let wanted = counted(sides, result);
    let total: u64 = wanted.values().sum();
    for (remember, observe) in [(true, true), (true, false), (false, true), (false, false)] {
        let options = Options { remember, observe };
        let parsed = Program::parse(program, SourceLimits::default()).expect(program);
        let run = parsed.run::<UBig>(&[], options, &mut Budget::default());
        let run = run.unwrap_or_else(|why| panic!("{program}: {why}"));
        let odds = run.outputs[0].odds.as_ref().expect(program);
        let found = odds.iter().map(|(value, weight)| {
            let scaled = weight * UBig::from(total);
            assert_eq!(
                &scaled % odds.total(),
                UBig::from(0_u8),
                "{program}: {value}"
            );
            (value, scaled / odds.total())
        });
        let wanted = wanted
            .iter()
            .map(|(value, count)| (*value, UBig::from(*count)));
        assert!(found.eq(wanted), "{program}: {odds:?} with {options:?}");
    }
}

fn sorted(dice: &[i64]) -> Vec<i64> {
    let mut sorted = dice.to_vec();
    sorted.sort_unstable_by(|one, two| two.cmp(one));
    sorted
}

#[test]
fn dice_and_operators() {
    check("output 3d4 + 2", &[4; 3], |d| {
        Some(d.iter().sum::<i64>() + 2)
    });
    check("output d6 * d4 - d2", &[6, 4, 2], |d| {
        Some(d[0] * d[1] - d[2])
    });
    check("output 2d6 / d4", &[6, 6, 4], |d| {
        Some((d[0] + d[1]) / d[2])
    });
    check("output d6 >= d8", &[6, 8], |d| {
        Some(i64::from(d[0] >= d[1]))
    });
    check("output d2 ^ d3", &[2, 3], |d| Some(d[0].pow(d[1] as u32)));
    check("output 2d{1, 1, 5}", &[3, 3], |d| {
        let face = |die: i64| [1, 1, 5][die as usize - 1];
        Some(face(d[0]) + face(d[1]))
    });
    check("output (d4 > 2) | (d6 = 1)", &[4, 6], |d| {
        Some(i64::from(d[0] > 2 || d[1] == 1))
    });
    check("output !(d6 - 3)", &[6], |d| Some(i64::from(d[0] == 3)));
}

#[test]
fn positions_and_the_library() {
    check("output 1@4d6", &[6; 4], |d| Some(sorted(d)[0]));
    check("output {1, 3}@4d6", &[6; 4], |d| {
        Some(sorted(d)[0] + sorted(d)[2])
    });
    check("output {1, 1, 2}@3d6", &[6; 3], |d| {
        Some(2 * sorted(d)[0] + sorted(d)[1])
    });
    check("output [highest 3 of 4d6]", &[6; 4], |d| {
        Some(sorted(d)[..3].iter().sum())
    });
    check("output [lowest 2 of 4d6]", &[6; 4], |d| {
        Some(sorted(d)[2..].iter().sum())
    });
    check("output [middle 2 of 4d6]", &[6; 4], |d| {
        Some(sorted(d)[1] + sorted(d)[2])
    });
    check("output [highest 2 of 2d6 and d8]", &[6, 6, 8], |d| {
        Some(sorted(d)[0] + sorted(d)[1])
    });
    check("output [count {5, 6, 6} in 4d6]", &[6; 4], |d| {
        let times = |die: &i64| i64::from(*die >= 5) + i64::from(*die == 6);
        Some(d.iter().map(times).sum())
    });
    check("output [3d6 contains d6]", &[6; 4], |d| {
        Some(i64::from(d[..3].contains(&d[3])))
    });
    check("output [absolute d6 - d6]", &[6; 2], |d| {
        Some((d[0] - d[1]).abs())
    });
    check(
        "set \"explode depth\" to 1 output [explode d4]",
        &[4; 2],
        |d| Some(if d[0] == 4 { 4 + d[1] } else { d[0] }),
    );
}

#[test]
fn functions_are_expanded() {
    check(
        "function: f N:n { if N = 6 { result: 10 + d4 } result: N } output [f d6]",
        &[6, 4],
        |d| Some(if d[0] == 6 { 10 + d[1] } else { d[0] }),
    );
    check(
        "function: f A:n B:n { result: A * 10 + B } output [f d4 (d6)]",
        &[4, 6],
        |d| Some(d[0] * 10 + d[1]),
    );
    check(
        "function: f R:s { if R = 1 { result: d{} } result: R + 0 } output [f 3d4]",
        &[4; 3],
        |d| (!d.contains(&1)).then(|| d.iter().sum()),
    );
    check(
        "function: f R:s { B: 0 loop F over {1..6} { B: [highest of B and R = F] } result: B }
         output [f 5d6]",
        &[6; 5],
        |d| {
            (1..=6)
                .map(|face| d.iter().filter(|&&die| die == face).count() as i64)
                .max()
        },
    );
    check(
        "function: f A:s against D:s { N: 0 loop P over {1..2} { N: N + (P@A > P@D) } result: N }
         output [f 3d4 against 2d4]",
        &[4; 5],
        |d| {
            let (attack, defence) = (sorted(&d[..3]), sorted(&d[3..]));
            Some(
                (0..2)
                    .map(|place| i64::from(attack[place] > defence[place]))
                    .sum(),
            )
        },
    );
}

/// More rolls than [`Options::observe`] leaves alone, so that numbers are observed instead.
#[test]
fn functions_that_ask_for_numbers() {
    check(
        "function: f R:s { if R = 1 { result: 0 } result: 1@R + 2@R } output [f 5d6]",
        &[6; 5],
        |d| {
            Some(if d.contains(&1) {
                0
            } else {
                sorted(d)[0] + sorted(d)[1]
            })
        },
    );
    check(
        "T: 4 function: f R:s { H: R >= T if [R contains 6] { result: H * 10 } result: H - #R }
         output [f 5d6]",
        &[6; 5],
        |d| {
            let hits = d.iter().filter(|&&die| die >= 4).count() as i64;
            Some(if d.contains(&6) { hits * 10 } else { hits - 5 })
        },
    );
    check(
        "function: f R:s { if 3 > R { result: [count {5, 6} in R] } result: R }
         output [f 5d6]",
        &[6; 5],
        |d| {
            let high = d.iter().filter(|&&die| die >= 5).count() as i64;
            Some(if d.iter().any(|&die| die < 3) {
                high
            } else {
                d.iter().sum()
            })
        },
    );
    check(
        "set \"position order\" to \"lowest first\"
         function: f R:s { result: 1@R * 10 + -R } output [f 5d6]",
        &[6; 5],
        |d| Some(sorted(d)[4] * 10 - d.iter().sum::<i64>()),
    );
    // The operand differs from call to call, so the rolls are made.
    check(
        "function: f R:s T:n { result: R >= T } output [f 4d6 (d6)]",
        &[6; 5],
        |d| Some(d[..4].iter().filter(|&&die| die >= d[4]).count() as i64),
    );
}

#[test]
fn functions_that_call_themselves() {
    check(
        "function: f N:n { if N >= 5 { result: 0 } result: 1 + [f N + d3] } output [f 0]",
        &[3; 5],
        |d| {
            let (mut sum, mut rolls) = (0, 0);
            while sum < 5 {
                sum += d[rolls];
                rolls += 1;
            }
            Some(rolls as i64)
        },
    );
}

#[test]
fn mistakes_are_refused() {
    for text in [
        "output 2dd6",
        "output X",
        "output [f 3]",
        "if d6 { output 1 }",
        "loop N over 6 { output N }",
        "output {1..d6}",
        "output 9 ^ 99",
        "set \"explode depth\" to 0",
    ] {
        let outputs = Program::parse(text, SourceLimits::default()).and_then(|program| {
            program.run::<f64>(&[], Options::default(), &mut Budget::default())
        });
        assert!(matches!(outputs, Err(Failure::Wrong(_))), "{text}");
    }
}

/// Each turn squares the denominators, so that fractions would soon have millions of digits.
#[test]
fn fractions_that_grow_are_refused() {
    let turns = [
        "Y: [highest of Y and Y]",
        "Y: [f Y Y]",
        "Y: Y >= Y",
        "Y: Y + Y",
    ];
    for turn in turns {
        let text = format!(
            "function: f A:n B:n {{ result: A }} Y: d6 loop I over {{1..60}} {{ {turn} }} output Y"
        );
        let program = Program::parse(&text, SourceLimits::default()).expect("it parses");
        let mut budget = Budget::new(Limits {
            work: 1_000_000,
            ..Limits::default()
        });
        let run = program.run::<UBig>(&[], Options::default(), &mut budget);
        assert!(matches!(run, Err(Failure::Exhausted(_))), "{turn}: {run:?}");
    }
}

/// Each turn doubles the error of the sum of floats, which AnyDice lets grow to 125 % in 50 turns.
#[test]
fn totals_stay_at_one() {
    let text = "A: d{0:99, 1} loop I over {1..60} { A: (A + A) > 0 } output A";
    let program = Program::parse(text, SourceLimits::default()).expect("it parses");
    let run = program.run::<f64>(&[], Options::default(), &mut Budget::default());
    let outputs = run.expect("it runs").outputs;
    let odds = outputs[0].odds.as_ref().expect("it has outcomes");
    assert!((odds.probability(1) - 1.0).abs() < 1e-9, "{odds:?}");
}
