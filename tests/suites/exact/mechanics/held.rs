//! Pools of which some dice are kept, sorted or rolled again.

use super::counted::Odds;
use super::counted::{certain, choose, die, map, of, pool, pools, rolls, sum, then};
use super::{Mechanic, Notation, Rule, Script};

/// The place in order of one of equal dice: `at` of them are lower.
fn ordered(dice: usize, sides: i64, at: usize) -> Odds {
    // At most this face, if more than `at` dice are.
    let most = |face: i64| -> f64 {
        let p = face as f64 / sides as f64;
        let each = |low: usize| {
            choose(dice, low) * p.powi(low as i32) * (1.0 - p).powi((dice - low) as i32)
        };
        (at + 1..=dice).map(each).sum()
    };
    (1..=sides)
        .map(|face| (face, most(face) - most(face - 1)))
        .collect()
}

/// A die that is rolled again while it shows at most this.
fn above(sides: i64, least: i64) -> Odds {
    (least + 1..=sides)
        .map(|face| (face, 1.0 / (sides - least) as f64))
        .collect()
}

/// What a die adds that has shown its highest face, if such dice explode.
fn chain(sides: i64) -> Odds {
    let mut odds = Odds::new();
    for times in 0..60 {
        for face in 1..sides {
            let p = (sides as f64).powi(-(times as i32 + 1));
            *odds.entry(times * sides + face).or_default() += p;
        }
    }
    odds
}

/// The highest of equal dice.
fn best(sorted: &[i64], number: usize) -> &[i64] {
    &sorted[sorted.len() - number..]
}

/// The sum of the highest dice, each of which becomes something else.
fn changed(dice: usize, sides: i64, kept: usize, change: &dyn Fn(i64) -> Odds) -> Odds {
    let hands = super::counted::hands(dice, sides);
    let mut odds = Odds::new();
    for (hand, p) in hands {
        let total = sum(best(&hand, kept).iter().map(|face| change(*face)));
        for (result, q) in total {
            *odds.entry(result).or_default() += p * q;
        }
    }
    odds
}

fn total(faces: &[i64]) -> i64 {
    faces.iter().sum()
}

pub(super) const ALL: &[Mechanic] = &[
    (
        "the higher of two dice, rerolled up to 2",
        Notation("2d6kh1r<=2"),
        || {
            changed(2, 6, 1, &|face| {
                if face <= 2 {
                    above(6, 2)
                } else {
                    certain(face)
                }
            })
        },
    ),
    (
        "three of four dice, rerolled up to 2",
        Notation("4d6k3r<=2"),
        || {
            changed(4, 6, 3, &|face| {
                if face <= 2 {
                    above(6, 2)
                } else {
                    certain(face)
                }
            })
        },
    ),
    ("the best three of six explode", Notation("6d4kh3!"), || {
        changed(6, 4, 3, &|face| match face {
            4 => map(&chain(4), &|more| more + 4),
            _ => certain(face),
        })
    }),
    (
        "the best four of eight explode",
        Notation("8d4kh4!"),
        || {
            changed(8, 4, 4, &|face| match face {
                4 => map(&chain(4), &|more| more + 4),
                _ => certain(face),
            })
        },
    ),
    (
        "the best four of nine, low ones once more",
        Notation("9d6kh4ro<=2"),
        || {
            changed(9, 6, 4, &|face| {
                if face <= 2 { die(6) } else { certain(face) }
            })
        },
    ),
    (
        "the best five of ten explode first",
        Notation("10d10kh5"),
        || pool(10, 10, &|faces| total(best(faces, 5))),
    ),
    (
        "the fifth of eight dice",
        Rule("sorted(d6 for i : 1..8)[4]"),
        || ordered(8, 6, 4),
    ),
    (
        "the fifth of eight held dice",
        Rule("sorted(x.face for x : dice(8d6))[4]"),
        || ordered(8, 6, 4),
    ),
    (
        "the fifth of eight in a variable",
        Rule("let s = sorted([d6 for i : 1..8]); s[4]"),
        || ordered(8, 6, 4),
    ),
    (
        "the median of nine",
        Rule("let d = dice(9d6); sorted(x.value for x : d)[4]"),
        || ordered(9, 6, 4),
    ),
    (
        "the third highest of seven",
        Script(
            "",
            "return sorted(x.face by x.face descending for x : dice(7d8))[2];",
        ),
        || ordered(7, 8, 4),
    ),
    (
        "the worst of six ability scores",
        Script("", "return sorted(roll(4d6kh3) for i : 1..6)[0];"),
        || {
            let score = pool(4, 6, &|faces| total(best(faces, 3)));
            let least = |number: i64| -> f64 { score.range(number..).map(|(_, p)| *p).sum() };
            let all = |number: i64| least(number).powi(6);
            (3..=18)
                .map(|number| (number, all(number) - all(number + 1)))
                .collect()
        },
    ),
    (
        "the second best of five ability scores",
        Script("", "xs = sorted(roll(3d6) for i : 1..5); return xs[3];"),
        || {
            let score = rolls(&[6; 3], &total);
            let most = |number: i64| -> f64 { score.range(..=number).map(|(_, p)| *p).sum() };
            let all = |number: i64| {
                let p = most(number);
                p.powi(5) + 5.0 * p.powi(4) * (1.0 - p)
            };
            (3..=18)
                .map(|number| (number, all(number) - all(number - 1)))
                .collect()
        },
    ),
    (
        "the sum of the best three of nine",
        Rule("let s = sorted(x.face by x.face descending for x : dice(9d6)); s[0] + s[1] + s[2]"),
        || pool(9, 6, &|faces| total(best(faces, 3))),
    ),
    (
        "without the highest and the lowest of eight",
        Script(
            "",
            "ds = dice(8d6); return sum(d.value for d : ds) - max(d.value for d : ds) - min(d.value for d : ds);",
        ),
        || pool(8, 6, &|faces| total(&faces[1..7])),
    ),
    (
        "the spread of a mixed pool",
        Rule("let d = dice(4d6 + 3d8); max(x.face for x : d) - min(x.face for x : d)"),
        || pools([(4, 6), (3, 8)], &|a, b| a[3].max(b[2]) - a[0].min(b[0])),
    ),
    (
        "dice of a mixed pool that show their highest face",
        Script(
            "",
            "ds = dice(3d6 + 2d8 + d4); return count(d.face == d.sides for d : ds) * 10 + count(d.face == 1 for d : ds);",
        ),
        || {
            let one = |sides| {
                map(&die(sides), &|face| {
                    if face == sides {
                        10
                    } else {
                        i64::from(face == 1)
                    }
                })
            };
            sum([6, 6, 6, 8, 8, 4].map(one))
        },
    ),
    (
        "two best of three different dice",
        Rule(
            "let s = sorted(x.face by x.face descending for x : dice(1d6 + 1d8 + 1d10)); s[0] + s[1]",
        ),
        || {
            rolls(&[6, 8, 10], &|faces| {
                total(faces) - faces.iter().min().expect("three")
            })
        },
    ),
    (
        "the highest die, and one more for each other 6",
        Rule("let d = dice(7d6); max(x.face for x : d) + max(0, count(x.face = 6 for x : d) - 1)"),
        || pool(7, 6, &|faces| faces[6] + (of(faces, 6) - 1).max(0)),
    ),
    (
        "a pool of rolled size",
        Rule("let d = dice((1d4 + 2)d6); max(x.face for x : d) * 10 + count(x.face = 6 for x : d)"),
        || {
            let result = |faces: &[i64]| faces[faces.len() - 1] * 10 + of(faces, 6);
            then(&die(4), &|number| pool(number as usize + 2, 6, &result))
        },
    ),
    (
        "a pool of given size, from a function",
        Script(
            "deffun pool(n: int) { return [d.face for d : dice(d(n, 6))]; }",
            "return sorted(pool(8))[6] * 10 + sorted(pool(3))[0];",
        ),
        || {
            super::counted::plus(
                &map(&ordered(8, 6, 6), &|face| face * 10),
                &ordered(3, 6, 0),
            )
        },
    ),
    (
        "successes of nine held dice",
        Script(
            "",
            "ds = dice(9d6); return count(d.face >= 5 for d : ds) - count(d.face == 1 for d : ds);",
        ),
        || {
            sum(vec![
                map(&die(6), &|face| i64::from(face >= 5)
                    - i64::from(face == 1));
                9
            ])
        },
    ),
    (
        "a glitch and its hits",
        Rule(
            "let d = dice(8d6); count(x.face >= 5 for x : d) + (count(x.face = 1 for x : d) > 4 ? 100 : 0)",
        ),
        || {
            let result = |faces: &[i64]| {
                of(faces, 5) + of(faces, 6) + if of(faces, 1) > 4 { 100 } else { 0 }
            };
            pool(8, 6, &result)
        },
    ),
    (
        "a pushed pool: all but 1s and 6s once more",
        Script(
            "",
            "xs = [d.face for d : dice(8d6)]; ys = [x == 1 || x == 6 ? x : roll(d6) for x : xs]; return count(y == 6 for y : ys) * 10 + count(y == 1 for y : ys);",
        ),
        || {
            let one = then(&die(6), &|face| {
                if face == 1 || face == 6 {
                    certain(face)
                } else {
                    die(6)
                }
            });
            sum(vec![
                map(&one, &|face| if face == 6 {
                    10
                } else {
                    i64::from(face == 1)
                });
                8
            ])
        },
    ),
    (
        "the lowest die of six is rolled again",
        Script(
            "",
            "xs = sorted(d.face for d : dice(6d6)); n = max(xs[0], roll(d6)); for (i : 1..5) { n += xs[i]; } return n;",
        ),
        || {
            let mut odds = Odds::new();
            for (hand, p) in super::counted::hands(6, 6) {
                for face in 1..=6 {
                    *odds
                        .entry(total(&hand[1..]) + hand[0].max(face))
                        .or_default() += p / 6.0;
                }
            }
            odds
        },
    ),
    (
        "the best three of nine, kept by the roll",
        Script("", "return roll(9d6kh3);"),
        || pool(9, 6, &|faces| total(best(faces, 3))),
    ),
    (
        "the seventh of twelve dice of twenty sides",
        Rule("let s = sorted(x.face for x : dice(12d20)); s[6]"),
        || ordered(12, 20, 6),
    ),
    (
        "the best three of nine, held",
        Rule("let d = dice(9d6kh3); sum(x.value for x : d if x.kept)"),
        || pool(9, 6, &|faces| total(best(faces, 3))),
    ),
    (
        "sixes that are kept, and all sixes",
        Script(
            "",
            "ds = dice(9d6dl4); return count(d.kept && d.face == 6 for d : ds) * 10 + count(d.face == 6 for d : ds);",
        ),
        || pool(9, 6, &|faces| of(best(faces, 5), 6) * 10 + of(faces, 6)),
    ),
    (
        "the sum of the best five of ten, by index",
        Script(
            "",
            "s = sorted(roll(d10) for i : 1..10); return sum(s[i] for i : 5..9);",
        ),
        || pool(10, 10, &|faces| total(best(faces, 5))),
    ),
];
