//! What the entries of the cookbook come to, computed without the compiler: from all rolls of their
//! dice, or from a formula.

use super::answers::{Answer, at_least, chance, each, exploding, mean, times};

type Known = (&'static str, fn() -> Answer);

const TABLES: [&[Known]; 7] = [TWENTY, SIX, EXPLODING, COUNTED, PERCENTILE, BOARDS, SCRIPTS];

/// The answer to a rule, or to the script of this title.
pub(super) fn answer(key: &str) -> Option<Answer> {
    let mut known = TABLES.into_iter().flatten();
    known
        .find(|known| known.0 == key)
        .map(|(_, answer)| answer())
}

/// Everything that has an answer.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().flatten().map(|known| known.0)
}

/// The sum of all faces without the lowest.
fn best_three(mut faces: [i64; 4]) -> i64 {
    faces.sort_unstable();
    faces[1..].iter().sum()
}

/// The degree of a total against a class, 0 for a critical failure.
fn degree(natural: i64, total: i64, class: i64) -> i64 {
    let plain =
        i64::from(total > class - 10) + i64::from(total >= class) + i64::from(total >= class + 10);
    let shift = i64::from(natural == 20) - i64::from(natural == 1);
    (plain + shift).clamp(0, 3)
}

const TWENTY: &[Known] = &[
    ("1d20 adv + 5 >= 15", || {
        chance([20, 20], |[a, b]| a.max(b) >= 10)
    }),
    ("1d20 + 1d4 + 5 >= 15", || {
        chance([20, 4], |[d20, d4]| d20 + d4 >= 10)
    }),
    ("dnd.attack(5, 15, 1d8 + 3, critical: 19)", || {
        mean([20, 8, 8], |[d20, a, b]| match d20 {
            19.. => a + b + 3,
            10.. => a + 3,
            _ => 0,
        })
    }),
    ("dnd.save(2, 15, 8d6)", || {
        let damage = times(8, &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let half = damage
            .iter()
            .enumerate()
            .map(|(total, rolls)| (total / 2) as f64 * rolls);
        Answer::Mean(0.6 * 28.0 + 0.4 * half.sum::<f64>() / 6_f64.powi(8))
    }),
    ("1d20ro=1 + 5 >= 15", || {
        chance([20, 20], |[a, b]| if a == 1 { b >= 10 } else { a >= 10 })
    }),
    ("3d20kh1 = 20", || Answer::Chance(1.0 - 0.95_f64.powi(3))),
    // A third of the dice are rolled again.
    ("2d6ro<=2 + 3", || {
        Answer::Mean(2.0 * (18.0 / 6.0 + 3.5 / 3.0) + 3.0)
    }),
    ("4d6 drop lowest", || mean([6; 4], best_three)),
    (
        "max(4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3) = 18",
        // 18 of four dice: four sixes, or three of them and one of five other faces.
        || Answer::Chance(1.0 - (1.0 - 21.0 / 1296.0_f64).powi(6)),
    ),
    (
        "match (1d100) { ..5: \"fireball\", 6-10: \"grease\", 11+: \"nothing\" }",
        || Answer::Each(vec![0.05, 0.05, 0.9]),
    ),
    ("1d20 + 5 > 1d20 + 2", || {
        chance([20, 20], |[a, b]| a + 3 > b)
    }),
    ("1d20 + 9 vs 18", || {
        each([20], |[d20]| {
            let found = degree(d20, d20 + 9, 18);
            [0, 1, 2, 3].map(|degree| degree == found)
        })
    }),
    ("pathfinder.strike(9, 18, 1d8 + 4, number: 2)", || {
        mean([20, 8], |[d20, d8]| match degree(d20, d20 + 4, 18) {
            3 => 2 * (d8 + 4),
            2 => d8 + 4,
            _ => 0,
        })
    }),
    ("1d20 + 1 + 2d6kh1 >= 12", || {
        chance([20, 6, 6], |[d20, a, b]| d20 + 1 + a.max(b) >= 12)
    }),
    ("1d20 >= 12", || Answer::Chance(9.0 / 20.0)),
    (
        "max(0, 1d20 - 12) + max(0, 1d20 - 11) + max(0, 1d20 - 10) <= 6",
        || {
            chance([20; 3], |faces| {
                let over = faces.iter().zip([12, 11, 10]);
                over.map(|(face, score)| 0.max(face - score)).sum::<i64>() <= 6
            })
        },
    ),
    (
        "let d = dice(2d20); count(x.face <= 12 for x : d) + count(x.face <= 3 for x : d) >= 2",
        // Each die has no success by 8 faces, one by 9 and two by 3.
        || Answer::Chance(at_least(2, &times(2, &[0.4, 0.45, 0.15]))),
    ),
];

const SIX: &[Known] = &[
    (
        "match (2d6 + 1) { ..6: \"miss\", 7-9: \"weak hit\", 10+: \"strong hit\" }",
        || each([6, 6], |[a, b]| [a + b <= 5, a + b <= 8, true]),
    ),
    ("2d6 + 1 >= 8", || Answer::Chance(21.0 / 36.0)),
    ("3d6kh2 + 1 >= 8", || {
        chance([6; 3], |[a, b, c]| a + b + c - a.min(b).min(c) >= 7)
    }),
    ("3d6 <= 12", || chance([6; 3], |[a, b, c]| a + b + c <= 12)),
    (
        "let a = 1d6; let b = 1d6; let c = 1d6; a = b or a = c or b = c",
        || Answer::Chance(1.0 - 5.0 * 4.0 / 36.0),
    ),
    ("4dF >= 2", || {
        chance([3; 4], |faces| faces.iter().sum::<i64>() >= 8 + 2)
    }),
    ("4dF + 3 - (4dF + 2) >= 1", || {
        chance([3; 8], |[a, b, c, d, e, f, g, h]| {
            a + b + c + d + 3 > e + f + g + h + 2
        })
    }),
    // Equal with chance 5/36 + 5/36^2 + ... = 1/7; otherwise either die is as likely to be higher.
    ("8 + 1d6! - 1d6! >= 9", || Answer::Chance(3.0 / 7.0)),
];

const EXPLODING: &[Known] = &[
    (
        "let d = dice(3d6); count(x.face = 6 for x : d) >= 2 ? \"critical\" \
         : match (max(x.face for x : d)) { 6: \"full\", 4-5: \"partial\", else: \"bad\" }",
        || {
            each([6; 3], |mut faces| {
                faces.sort_unstable();
                [faces[1] == 6, faces[2] == 6, faces[2] >= 4, true]
            })
        },
    ),
    (
        "let a = 1d6 + 2; match ((a > 1d10) + (a > 1d10)) \
         { 0: \"miss\", 1: \"weak hit\", else: \"strong hit\" }",
        || {
            each([6, 10, 10], |[action, a, b]| {
                let action = action + 2;
                [action <= a.min(b), action <= a.max(b), true]
            })
        },
    ),
    ("{1d8!, 1d6!}kh1 >= 4", || {
        Answer::Chance(1.0 - 3.0 / 8.0 * (3.0 / 6.0))
    }),
    ("{1d8!, 1d6!}kh1 >= 8", || {
        Answer::Chance(1.0 - 7.0 / 8.0 * (1.0 - 5.0 / 36.0))
    }),
    ("1d8! + 1d6! >= 9", || {
        let below = (1..8).flat_map(|a| (1..9 - a).map(move |b| exploding(8, a) * exploding(6, b)));
        Answer::Chance(1.0 - below.sum::<f64>())
    }),
    // An added die is 3.5 and explodes again: 3.5 + 3.5/8 + ... = 4.
    ("1d8!p + 2", || Answer::Mean(4.5 + 4.0 / 8.0 + 2.0)),
    ("5d10kh3 >= 20", || {
        chance([10; 5], |mut faces| {
            faces.sort_unstable();
            faces[2..].iter().sum::<i64>() >= 20
        })
    }),
    ("{1d6 + 1d8 + 1d10}kh2 >= 10", || {
        chance([6, 8, 10], |[a, b, c]| a + b + c - a.min(b).min(c) >= 10)
    }),
    (
        "let hope = 1d12; let fear = 1d12; hope = fear ? \"critical\" \
         : hope + fear + 2 < 14 ? \"failure\" \
         : hope > fear ? \"success with hope\" : \"success with fear\"",
        || {
            each([12, 12], |[hope, fear]| {
                [hope == fear, hope + fear < 12, hope > fear, true]
            })
        },
    ),
    ("let feat = 1d12; feat = 12 or feat + 3d6 >= 16", || {
        chance([12, 6, 6, 6], |[feat, a, b, c]| {
            feat == 12 || feat + a + b + c >= 16
        })
    }),
    ("2d{0,1,1,2,0,0,1,0} > 2d{0,1,2,0,0,0,0,1}", || {
        let left = times(2, &[4.0, 3.0, 1.0]);
        let right = times(2, &[5.0, 2.0, 1.0]);
        let greater = (1..5).map(|n| left[n] * right[..n].iter().sum::<f64>());
        Answer::Chance(greater.sum::<f64>() / 4096.0)
    }),
];

const COUNTED: &[Known] = &[
    ("8d6 count>=5", || Answer::Mean(8.0 / 3.0)),
    ("8d6 count>=5 > 6d6 count>=5", || {
        let mine = times(8, &[2.0 / 3.0, 1.0 / 3.0]);
        let others = times(6, &[2.0 / 3.0, 1.0 / 3.0]);
        let more = others
            .iter()
            .enumerate()
            .map(|(hits, p)| p * at_least(hits + 1, &mine));
        Answer::Chance(more.sum())
    }),
    ("8d6 count=1 > 4", || {
        Answer::Chance(at_least(5, &times(8, &[5.0 / 6.0, 1.0 / 6.0])))
    }),
    ("5d10!>=10 count>=8 >= 3", || {
        // The chances that one die comes to 0, 1 and 2 successes.
        let (none, one) = (0.7, 0.2 + 0.1 * 0.7);
        let fewer = times(5, &[none, one, 0.1 * one]);
        Answer::Chance(1.0 - fewer[..3].iter().sum::<f64>())
    }),
    ("6d10 count>=6 fail=1 >= 2", || {
        // One more than each die counts.
        Answer::Chance(at_least(6 + 2, &times(6, &[0.1, 0.4, 0.5])))
    }),
    ("8d{0:6, 1:3, 2} >= 4", || {
        Answer::Chance(at_least(4, &times(8, &[0.6, 0.3, 0.1])))
    }),
    ("6d6ro=2ro=3ro=4ro=5 count=6 >= 1", || {
        let six: f64 = 1.0 / 6.0 + 4.0 / 6.0 / 6.0;
        Answer::Chance(1.0 - (1.0 - six).powi(6))
    }),
    ("4d6 count>=4 >= 2", || Answer::Chance(11.0 / 16.0)),
];

const PERCENTILE: &[Known] = &[
    ("1d100 <= 45", || Answer::Chance(0.45)),
    ("under 45", || chance([100], |[d100]| d100 <= 45)),
    ("percentile.cthulhu(1d100, 50)", || {
        each([100], |[d100]| {
            let level = match d100 {
                1 => 5,
                2..=10 => 4,
                11..=25 => 3,
                26..=50 => 2,
                51..=99 => 1,
                _ => 0,
            };
            [0, 1, 2, 3, 4, 5].map(|known| known == level)
        })
    }),
    (
        "let o = 1d10 - 1; let a = (1d10 - 1) * 10 + o; let b = (1d10 - 1) * 10 + o; \
         min(a = 0 ? 100 : a, b = 0 ? 100 : b) <= 50",
        || {
            chance([10; 3], |[ones, a, b]| {
                let of = |tens: i64| match (tens - 1) * 10 + ones - 1 {
                    0 => 100,
                    number => number,
                };
                of(a).min(of(b)) <= 50
            })
        },
    ),
    ("min(1d100, 1d100) < 45", || {
        Answer::Chance(1.0 - 0.56 * 0.56)
    }),
    (
        "let t = 1d10 - 1; let o = 1d10 - 1; t * 10 + o <= 55 ? (t = o ? \"critical\" : \"success\") \
         : t = o ? \"critical failure\" : \"failure\"",
        // 0, 11, ..., 55 of 0 to 55, and 66, ..., 99 of 56 to 99.
        || Answer::Each(vec![0.06, 0.50, 0.04, 0.40]),
    ),
    // 96 to 100, and then what is missing to 101.
    ("1d100!>=96 > 100", || {
        Answer::Chance(f64::from((96..=100).sum::<i32>()) / 10_000.0)
    }),
];

const BOARDS: &[Known] = &[
    ("2d6 = 7", || Answer::Chance(1.0 / 6.0)),
    ("let a = 1d6; a = 1d6", || Answer::Chance(1.0 / 6.0)),
    ("let a = 1d6; let b = 1d6; a = b ? 4 * a : a + b", || {
        mean([6, 6], |[a, b]| (a + b) * if a == b { 2 } else { 1 })
    }),
    (
        "let a = 1d6; a = 1d6 and a = 1d6 and a = 1d6 and a = 1d6",
        || chance([6; 5], |faces| faces.iter().all(|face| *face == faces[0])),
    ),
    (
        "let a = sorted(d.face by d.face descending for d : dice(3d6)); \
         let b = sorted(d.face by d.face descending for d : dice(2d6)); \
         match ((a[0] > b[0]) + (a[1] > b[1])) \
         { 0: \"attacker loses two\", 1: \"each loses one\", else: \"defender loses two\" }",
        // The published odds of the game, out of 7,776 rolls.
        || {
            Answer::Each(
                [2275.0, 2611.0, 2890.0]
                    .map(|rolls| rolls / 7776.0)
                    .to_vec(),
            )
        },
    ),
    ("((10d6 count>=3)d6 count>=4)d6 count<=4", || {
        Answer::Mean(10.0 * (4.0 / 6.0) * (3.0 / 6.0) * (4.0 / 6.0))
    }),
    ("((10d6ro=1 count>=3)d6 count>=4)d6 count<=4", || {
        Answer::Mean(10.0 * (4.0 / 6.0 + 4.0 / 36.0) * (3.0 / 6.0) * (4.0 / 6.0))
    }),
    ("max(0, 3d6 count>=4 - 2d6 count>=5)", || {
        mean([6; 5], |[a, b, c, d, e]| {
            let skulls = [a, b, c].map(|face| i64::from(face >= 4));
            let shields = [d, e].map(|face| i64::from(face >= 5));
            (skulls.iter().sum::<i64>() - shields.iter().sum::<i64>()).max(0)
        })
    }),
    ("10d6 count=3 >= 3", || {
        Answer::Chance(at_least(3, &times(10, &[5.0 / 6.0, 1.0 / 6.0])))
    }),
];

const SCRIPTS: &[Known] = &[
    ("Death saves", || Answer::Each(death_saves(0, 0).to_vec())),
    ("Widest set", || {
        each([10; 5], |faces| {
            let width = |face| faces.iter().filter(|other| **other == face).count();
            let widest = faces.map(width).into_iter().max();
            [1, 2, 3, 4].map(|width| widest <= Some(width) || width == 4)
        })
    }),
];

/// How likely a character who has these successes and failures dies, is stable, or gets up.
fn death_saves(successes: u32, failures: u32) -> [f64; 3] {
    match (successes, failures) {
        (_, 3..) => [1.0, 0.0, 0.0],
        (3, _) => [0.0, 1.0, 0.0],
        _ => {
            let next = [
                (0.05, [0.0, 0.0, 1.0]),
                (0.50, death_saves(successes + 1, failures)),
                (0.40, death_saves(successes, failures + 1)),
                (0.05, death_saves(successes, failures + 2)),
            ];
            [0, 1, 2].map(|fate| next.iter().map(|(p, then)| p * then[fate]).sum())
        }
    }
}
