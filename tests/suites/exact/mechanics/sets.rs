//! Dice that form sets and runs, and are kept for that.

use super::counted::{
    Odds, certain, choose, die, different, hands, of, pool, run, sum, then, widest,
};
use super::{Mechanic, Rule, Script};

/// The sorted faces after those dice were rolled again that were not kept.
fn again(hand: &[i64], sides: i64, result: &dyn Fn(&[i64]) -> i64) -> Odds {
    let rolled = hands(hand.iter().filter(|face| **face == 0).count(), sides);
    let mut odds = Odds::new();
    for (new, p) in rolled {
        let kept = hand.iter().copied().filter(|face| *face > 0);
        let mut all: Vec<i64> = kept.chain(new).collect();
        all.sort_unstable();
        *odds.entry(result(&all)).or_default() += p;
    }
    odds
}

/// The faces that stay, and 0 for each die that is rolled again.
fn kept(hand: &[i64], stays: &dyn Fn(i64) -> bool) -> Vec<i64> {
    hand.iter()
        .map(|face| if stays(*face) { *face } else { 0 })
        .collect()
}

/// A result of dice of which some are rolled again once.
fn twice(
    dice: usize,
    sides: i64,
    stays: &dyn Fn(&[i64], i64) -> bool,
    result: &dyn Fn(&[i64]) -> i64,
) -> Odds {
    let mut odds = Odds::new();
    for (hand, p) in hands(dice, sides) {
        let left = kept(&hand, &|face| stays(&hand, face));
        for (number, q) in again(&left, sides, result) {
            *odds.entry(number).or_default() += p * q;
        }
    }
    odds
}

/// The most frequent face, the least of several.
fn favourite(hand: &[i64]) -> i64 {
    let width = widest(hand);
    let found = hand.iter().find(|face| of(hand, **face) == width);
    found.copied().unwrap_or(0)
}

/// The widest of the sets of five dice, of which two times all but the best set are rolled again.
fn five_in_three_rolls() -> Odds {
    let mut odds = Odds::new();
    for (hand, p) in hands(5, 6) {
        let best = favourite(&hand);
        let left = kept(&hand, &|face| face == best);
        for (new, q) in hands(left.iter().filter(|face| **face == 0).count(), 6) {
            let mut second: Vec<i64> = left
                .iter()
                .copied()
                .filter(|face| *face > 0)
                .chain(new)
                .collect();
            second.sort_unstable();
            let best = favourite(&second);
            for (number, r) in again(&kept(&second, &|face| face == best), 6, &widest) {
                *odds.entry(number).or_default() += p * q * r;
            }
        }
    }
    odds
}

/// The widths of the sets, the widest first.
fn widths(sorted: &[i64]) -> Vec<usize> {
    let mut widths: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[i64]>::len).collect();
    widths.sort_unstable_by(|a, b| b.cmp(a));
    widths
}

fn poker(sorted: &[i64]) -> i64 {
    match widths(sorted)[..] {
        [5, ..] => 7,
        [4, ..] => 6,
        [3, 2] => 5,
        [3, ..] => 3,
        [2, 2, ..] => 2,
        [2, ..] => 1,
        _ => {
            if run(sorted) == 5 {
                4
            } else {
                0
            }
        }
    }
}

fn farkle(sorted: &[i64]) -> i64 {
    let of_face = |face: i64| {
        let (sets, rest) = (of(sorted, face) / 3, of(sorted, face) % 3);
        let each = match face {
            1 => 1000,
            _ => face * 100,
        };
        sets * each
            + rest
                * match face {
                    1 => 100,
                    5 => 50,
                    _ => 0,
                }
    };
    (1..=6).map(of_face).sum()
}

/// The width of the widest set, by the numbers of hands without a wider one: `n!` times the term of
/// `x^n` of the `sides`th power of the sum of `x^k / k!` for `k` up to the width.
fn widest_of(dice: usize, sides: i32) -> Odds {
    let at_most = |width: usize| {
        let mut power = vec![0.0; dice + 1];
        power[0] = 1.0;
        for _ in 0..sides {
            let mut next = vec![0.0; dice + 1];
            for (n, p) in power.iter().enumerate() {
                let mut term = *p;
                for k in 0..=width.min(dice - n) {
                    next[n + k] += term;
                    term /= (k + 1) as f64;
                }
            }
            power = next;
        }
        let all: f64 = (1..=dice).map(|n| n as f64 / f64::from(sides)).product();
        power[dice] * all
    };
    (1..=dice)
        .map(|width| (width as i64, at_most(width) - at_most(width - 1)))
        .collect()
}

const FACES: &str = "deffun number(xs: int list, f: int) : int { return count(x == f for x : xs); }
    deffun widest(xs: int list) : int { return max(number(xs, x) for x : xs); }
    deffun run(xs: int list) : int {
        n = 0; best = 0;
        for (f : 1..6) { n = contains(xs, f) ? n + 1 : 0; best = max(best, n); }
        return best;
    }";

pub(super) const ALL: &[Mechanic] = &[
    (
        "sixes of nine dice",
        Rule("let d = dice(9d6); count(x.face = 6 for x : d)"),
        || {
            let p = |hits: usize| choose(9, hits) * 5_f64.powi(9 - hits as i32) / 6_f64.powi(9);
            (0..=9).map(|hits| (hits as i64, p(hits))).collect()
        },
    ),
    (
        "the widest set of nine",
        Rule("let d = dice(9d6); max(count(x.face = y.face for x : d) for y : d)"),
        || pool(9, 6, &widest),
    ),
    (
        "the widest set of twelve dice of ten sides",
        Rule("let d = dice(12d10); max(count(x.face = y.face for x : d) for y : d)"),
        || widest_of(12, 10),
    ),
    (
        "the widest set of thirty dice, through the faces",
        Script("", "ds = dice(30d6); return max(count(d.face == f for d : ds) for f : 1..6);"),
        || widest_of(30, 6),
    ),
    (
        "the widest set of eight dice of ten sides",
        Script("", "ds = dice(8d10); return max(count(d.face == f for d : ds) for f : 1..10);"),
        || pool(8, 10, &widest),
    ),
    (
        "the widest set of a comprehension",
        Script("", "xs = [roll(d10) for i : 1..7]; return max(count(x == f for x : xs) for f : 1..10);"),
        || pool(7, 10, &widest),
    ),
    (
        "the highest of the widest sets",
        Script("", "ds = dice(7d10); return max(count(d.face == f for d : ds) > 1 ? count(d.face == f for d : ds) * 100 + f : 0 for f : 1..10);"),
        || pool(7, 10, &|faces| {
            let best = faces.iter().map(|face| of(faces, *face) * 100 + face).max().unwrap_or(0);
            if best < 200 { 0 } else { best }
        }),
    ),
    (
        "different faces of eight dice",
        Rule("let d = dice(8d6); count(any(x.face = f for x : d) for f : 1..6)"),
        || pool(8, 6, &different),
    ),
    (
        "all faces at once",
        Rule("let d = dice(9d6); all(any(x.face = f for x : d) for f : 1..6)"),
        || pool(9, 6, &|faces| i64::from(different(faces) == 6)),
    ),
    (
        "pairs of ten dice",
        Script("", "ds = dice(10d6); return sum(count(d.face == f for d : ds) / 2 for f : 1..6);"),
        || pool(10, 6, &|faces| (1..=6).map(|face| of(faces, face) / 2).sum()),
    ),
    (
        "the longest run of seven dice",
        Script(FACES, "return run([d.face for d : dice(7d6)]);"),
        || pool(7, 6, &run),
    ),
    (
        "five equal dice in three rolls",
        Script(FACES, "xs = [d.face for d : dice(5d6)];
            repeat (2) { best = most(f by count(x == f for x : xs) for f : 1..6); xs = [x == best ? x : roll(d6) for x : xs]; }
            return max(count(x == f for x : xs) for f : 1..6);"),
        five_in_three_rolls,
    ),
    (
        "five equal dice in three rolls, by functions",
        Script(FACES, "xs = [d.face for d : dice(5d6)];
            repeat (2) { best = most(f by number(xs, f) for f : 1..6); xs = [x == best ? x : roll(d6) for x : xs]; }
            return widest(xs);"),
        five_in_three_rolls,
    ),
    (
        "a full house at once",
        Rule("let d = dice(5d6); any(count(x.face = f for x : d) = 3 for f : 1..6) and any(count(x.face = f for x : d) = 2 for f : 1..6)"),
        || pool(5, 6, &|faces| i64::from(widths(faces) == [3, 2])),
    ),
    (
        "a small straight at once",
        Script(FACES, "return run([d.face for d : dice(5d6)]) >= 4;"),
        || pool(5, 6, &|faces| i64::from(run(faces) >= 4)),
    ),
    (
        "poker dice",
        Script(FACES, "xs = [d.face for d : dice(5d6)];
            w = widest(xs); p = count(number(xs, f) == 2 for f : 1..6);
            if (w == 5) { return 7; } if (w == 4) { return 6; }
            if (w == 3) { return p > 0 ? 5 : 3; }
            if (w == 2) { return p; }
            return run(xs) == 5 ? 4 : 0;"),
        || pool(5, 6, &poker),
    ),
    (
        "the score of six dice in farkle",
        Script(FACES, "xs = [d.face for d : dice(6d6)]; n = 0;
            for (f : 1..6) { k = number(xs, f); n += k / 3 * (f == 1 ? 1000 : f * 100) + k % 3 * (f == 1 ? 100 : f == 5 ? 50 : 0); }
            return n;"),
        || pool(6, 6, &farkle),
    ),
    (
        "six dice of farkle score nothing",
        Rule("let d = dice(6d6); all(x.face != 1 and x.face != 5 for x : d) and all(count(x.face = f for x : d) < 3 for f : 1..6)"),
        || pool(6, 6, &|faces| i64::from(farkle(faces) == 0)),
    ),
    (
        "dice that form sets are kept, the rest are rolled again",
        Script(FACES, "xs = [d.face for d : dice(9d6)]; xs = [number(xs, x) > 1 ? x : roll(d6) for x : xs]; return widest(xs);"),
        || twice(9, 6, &|hand, face| of(hand, face) > 1, &widest),
    ),
    (
        "the same of records",
        Script("", "ds = dice(7d6); xs = [count(e.face == d.face for e : ds) > 1 ? d.face : roll(d6) for d : ds]; return max(count(x == f for x : xs) for f : 1..6);"),
        || twice(7, 6, &|hand, face| of(hand, face) > 1, &widest),
    ),
    (
        "claws of six dice in three rolls",
        Script("", "xs = [d.face for d : dice(6d6)]; repeat (2) { xs = [x == 6 ? x : roll(d6) for x : xs]; } return count(x == 6 for x : xs);"),
        || {
            let one = then(&die(6), &|a| match a {
                6 => certain(1),
                _ => then(&die(6), &|b| match b {
                    6 => certain(1),
                    _ => super::counted::map(&die(6), &|c| i64::from(c == 6)),
                }),
            });
            sum(vec![one; 6])
        },
    ),
    (
        "ten dice of liars have three of a face",
        Rule("let d = dice(10d6); count(x.face = 3 for x : d) >= 3"),
        || pool(10, 6, &|faces| i64::from(of(faces, 3) >= 3)),
    ),
    (
        "ones are wild",
        Script(FACES, "xs = [d.face for d : dice(8d6)]; return max(number(xs, f) for f : 2..6) + number(xs, 1);"),
        || pool(8, 6, &|faces| of(faces, 1) + (2..=6).map(|face| of(faces, face)).max().unwrap_or(0)),
    ),
    (
        "cee-lo",
        Script("", "xs = sorted(d.face for d : dice(3d6));
            if (xs[0] == 4 && xs[1] == 5 && xs[2] == 6) { return 100; }
            if (xs[0] == xs[2]) { return 10 + xs[0]; }
            if (xs[0] == xs[1]) { return xs[2]; }
            return xs[1] == xs[2] ? xs[0] : 0;"),
        || pool(3, 6, &|faces| match *faces {
            [4, 5, 6] => 100,
            [a, b, c] if a == b && b == c => 10 + a,
            [a, b, c] if a == b => c,
            [a, b, c] if b == c => a,
            _ => 0,
        }),
    ),
    (
        "the sum of the pairs",
        Script("", "ds = dice(8d8); return sum(count(d.face == f for d : ds) / 2 * f for f : 1..8);"),
        || pool(8, 8, &|faces| (1..=8).map(|face| of(faces, face) / 2 * face).sum()),
    ),
    (
        "each face that is shown once",
        Rule("let d = dice(9d6); sum(count(x.face = f for x : d) = 1 ? f : 0 for f : 1..6)"),
        || pool(9, 6, &|faces| (1..=6).filter(|face| of(faces, *face) == 1).sum()),
    ),
];
