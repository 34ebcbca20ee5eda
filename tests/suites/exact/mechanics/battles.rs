//! Dice against dice: cancelled hits, contests and battles of attrition.

use super::counted::{Odds, certain, chance, die, map, of, pool, pools, rolls, sum, then};
use super::{Mechanic, Rule, Script};
use std::collections::BTreeMap;

/// The losses of the attacker in an exchange, of this many dice on each side.
fn exchange(attackers: usize, defenders: usize) -> Odds {
    pools([(attackers, 6), (defenders, 6)], &|a, b| {
        let pairs = a.iter().rev().zip(b.iter().rev());
        pairs.filter(|(a, b)| a <= b).count() as i64
    })
}

/// The chance of armies that attack until they are alone, or all defenders are gone.
fn risk(attackers: usize, defenders: usize) -> Odds {
    let mut known = BTreeMap::new();
    let exchanges: BTreeMap<(usize, usize), Odds> = (1..=3)
        .flat_map(|a| (1..=2).map(move |b| ((a, b), exchange(a, b))))
        .collect();
    for b in 0..=defenders {
        for a in 0..=attackers {
            let p = match (a, b) {
                (_, 0) => 1.0,
                (0 | 1, _) => 0.0,
                _ => {
                    let dice = ((a - 1).min(3), b.min(2));
                    let lost = dice.0.min(dice.1);
                    let after =
                        |losses: i64| known[&(a - losses as usize, b + losses as usize - lost)];
                    exchanges[&dice]
                        .iter()
                        .map(|(losses, p)| p * after(*losses))
                        .sum::<f64>()
                }
            };
            known.insert((a, b), p);
        }
    }
    chance(known[&(attackers, defenders)])
}

/// The hits that are left if each blow of the second cancels one of at most its value.
fn uncancelled(a: &[i64], b: &[i64]) -> i64 {
    let (mut left, mut blows) = (0, b.iter().peekable());
    for hit in a {
        while blows.next_if(|blow| *blow < hit).is_some() {}
        left += i64::from(blows.next().is_none());
    }
    left
}

/// The sum of the best dice of a pool.
fn best(dice: usize, sides: i64, kept: usize) -> Odds {
    pool(dice, sides, &|faces| faces[dice - kept..].iter().sum())
}

/// Whether one number is more than another.
fn beats(left: &Odds, right: &Odds) -> Odds {
    then(left, &|a| map(right, &|b| i64::from(a > b)))
}

/// The number of hits of equal dice.
fn hits(dice: usize, sides: i64, least: i64) -> Odds {
    sum(vec![
        map(&die(sides), &|face| i64::from(face >= least));
        dice
    ])
}

const OF_FACES: &str = "deffun battle(attackers: int, defenders: int) : bool {
    while (attackers > 1 && defenders > 0) {
        a = sorted([roll(d6) for i : 1..min(3, attackers - 1)]);
        b = sorted([roll(d6) for i : 1..min(2, defenders)]);
        for (i : 1..min(len(a), len(b))) {
            if (a[len(a) - i] > b[len(b) - i]) { defenders--; } else { attackers--; }
        }
    }
    return defenders <= 0;
}";

const OF_DICE: &str = "deffun battle(attackers: int, defenders: int) : bool {
    while (attackers > 1 && defenders > 0) {
        a = sorted(d.face by d.face descending for d : dice(d(min(3, attackers - 1), 6)));
        b = sorted(d.face by d.face descending for d : dice(d(min(2, defenders), 6)));
        for (i : 0..min(len(a), len(b)) - 1) {
            if (a[i] > b[i]) { defenders--; } else { attackers--; }
        }
    }
    return defenders <= 0;
}";

const CANCEL: &str = "deffun left(a: int list, b: int list) : int {
    j = 0; left = 0;
    for (x : a) {
        while (j < len(b) && b[j] < x) { j++; }
        if (j < len(b)) { j++; } else { left++; }
    }
    return left;
}";

pub(super) const ALL: &[Mechanic] = &[
    (
        "three dice against two in Risk",
        Script("", "a = sorted(d.face by d.face descending for d : dice(3d6)); b = sorted(d.face by d.face descending for d : dice(2d6)); return (a[0] > b[0] ? 0 : 1) + (a[1] > b[1] ? 0 : 1);"),
        || exchange(3, 2),
    ),
    ("10 armies against 8, of numbers", Script(OF_FACES, "return battle(10, 8);"), || risk(10, 8)),
    ("10 armies against 8, of dice", Script(OF_DICE, "return battle(10, 8);"), || risk(10, 8)),
    ("25 armies against 20, of numbers", Script(OF_FACES, "return battle(25, 20);"), || risk(25, 20)),
    ("25 armies against 20, of dice", Script(OF_DICE, "return battle(25, 20);"), || risk(25, 20)),
    (
        "hits cancelled by blows of at least their value",
        Script(CANCEL, "a = sorted([roll(d6) for i : 1..5]); b = sorted([roll(d6) for i : 1..4]); return left(a, b);"),
        || pools([(5, 6), (4, 6)], &uncancelled),
    ),
    (
        "the same of dice",
        Script(CANCEL, "return left(sorted(d.face for d : dice(4d6)), sorted(d.face for d : dice(3d6)));"),
        || pools([(4, 6), (3, 6)], &uncancelled),
    ),
    (
        "dice cancelled by equal dice of danger",
        Script("", "a = dice(4d6); b = dice(3d6); return max(count(x.face == f for x : a) > count(y.face == f for y : b) ? f : 0 for f : 1..6);"),
        || pools([(4, 6), (3, 6)], &|a, b| (1..=6).filter(|face| of(a, *face) > of(b, *face)).max().unwrap_or(0)),
    ),
    (
        "dice that match another's",
        Script("", "a = dice(4d6); b = dice(4d6); return count(any(x.face == y.face for y : b) for x : a);"),
        || pools([(4, 6), (4, 6)], &|a, b| a.iter().filter(|face| b.contains(face)).count() as i64),
    ),
    (
        "the best two of eight beat those of three",
        Rule("let a = sorted(d.face by d.face descending for d : dice(8d6)); let b = sorted(d.face by d.face descending for d : dice(3d6)); a[0] + a[1] > b[0] + b[1]"),
        || beats(&best(8, 6, 2), &best(3, 6, 2)),
    ),
    (
        "roll eight and keep three beats roll six and keep two",
        Rule("8d10kh3 > 6d10kh2"),
        || beats(&best(8, 10, 3), &best(6, 10, 2)),
    ),
    ("eight dice beat six", Rule("8d6 count>=5 > 6d6 count>=5"), || beats(&hits(8, 6, 5), &hits(6, 6, 5))),
    (
        "six held dice beat four",
        Rule("let a = dice(6d6); let b = dice(4d6); count(x.face >= 5 for x : a) > count(x.face >= 5 for x : b)"),
        || beats(&hits(6, 6, 5), &hits(4, 6, 5)),
    ),
    (
        "the higher single die, ties by the next",
        Script("", "a = sorted(d.face by d.face descending for d : dice(3d6)); b = sorted(d.face by d.face descending for d : dice(3d6));
            for (i : 0..2) { if (a[i] != b[i]) { return a[i] > b[i] ? 1 : -1; } } return 0;"),
        || pools([(3, 6), (3, 6)], &|a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            let first = pairs.map(|(a, b)| (a - b).signum()).find(|sign| *sign != 0);
            first.unwrap_or(0)
        }),
    ),
    (
        "raises with two dice until nobody can see them",
        Script("", "s = sorted(d.face by d.face descending for d : dice(4d6)); t = sorted(d.face by d.face descending for d : dice(5d6)); return s[0] + s[1] > t[0] + t[1] ? 2 : s[0] + s[1] > t[0] + t[1] - t[4] ? 1 : 0;"),
        || pools([(4, 6), (5, 6)], &|s, t| {
            let (mine, theirs) = (s[3] + s[2], t[4] + t[3]);
            if mine > theirs { 2 } else { i64::from(mine > theirs - t[0]) }
        }),
    ),
    (
        "ten attacks hit on 3, wound on 4, and a 5 saves",
        Rule("((10d6 count>=3)d6 count>=4)d6 count<=4"),
        || {
            let part = |number: i64, least| hits(number as usize, 6, least);
            let wounds = then(&part(10, 3), &|hit| part(hit, 4));
            then(&wounds, &|wounds| part(wounds, 3))
        },
    ),
    (
        "the pass line of craps",
        Script("", "first = roll(2d6);
            if (first == 7 || first == 11) { return true; }
            if (first < 4 || first == 12) { return false; }
            while (true) { next = roll(2d6); if (next == first) { return true; } if (next == 7) { return false; } }
            return false;"),
        || chance(244.0 / 495.0),
    ),
    (
        "a turn of pig that holds at 20",
        Script("", "total = 0; while (total < 20) { face = roll(d6); if (face == 1) { return 0; } total += face; } return total;"),
        || {
            let mut turns = vec![Odds::new(); 26];
            for total in (0..26).rev() {
                turns[total as usize] = match total {
                    20.. => certain(total),
                    _ => then(&die(6), &|face| match face {
                        1 => certain(0),
                        _ => turns[(total + face) as usize].clone(),
                    }),
                };
            }
            turns.swap_remove(0)
        },
    ),
    (
        "wounds of three dice against two shields",
        Rule("let a = dice(3d6); let b = dice(2d6); max(0, count(x.face >= 4 for x : a) - count(x.face >= 5 for x : b))"),
        || then(&hits(3, 6, 4), &|skulls| map(&hits(2, 6, 5), &|shields| (skulls - shields).max(0))),
    ),
    (
        "the highest of three pools rules",
        Script("", "a = max(d.face for d : dice(3d6)); b = max(d.face for d : dice(2d6)); c = max(d.face for d : dice(4d6)); return a >= b && a >= c ? 1 : b >= c ? 2 : 3;"),
        || {
            let most = |dice| best(dice, 6, 1);
            then(&most(3), &|a| then(&most(2), &|b| map(&most(4), &|c| {
                if a >= b && a >= c { 1 } else if b >= c { 2 } else { 3 }
            })))
        },
    ),
    (
        "a duel of two pools that lose a die for each hit",
        Script("", "a = 3; b = 3;
            while (a > 0 && b > 0) {
                x = count(d.face == 6 for d : dice(d(a, 6)));
                y = count(d.face == 6 for d : dice(d(b, 6)));
                a = max(0, a - y); b = max(0, b - x);
            }
            return a - b;"),
        || {
            let mut known: BTreeMap<(i64, i64), Odds> = BTreeMap::new();
            for total in 0..=6 {
                for a in 0..=3_i64.min(total) {
                    let b = total - a;
                    if b > 3 { continue; }
                    if a == 0 || b == 0 {
                        known.insert((a, b), certain(a - b));
                        continue;
                    }
                    // Without the exchanges in which nobody hits.
                    let (x, y) = (hits(a as usize, 6, 6), hits(b as usize, 6, 6));
                    let again = x[&0] * y[&0];
                    let mut odds = Odds::new();
                    for (x, p) in &x {
                        for (y, q) in y.iter().filter(|(y, _)| x + **y > 0) {
                            let after = ((a - y).max(0), (b - x).max(0));
                            for (result, r) in &known[&after] {
                                *odds.entry(*result).or_default() += p * q * r / (1.0 - again);
                            }
                        }
                    }
                    known.insert((a, b), odds);
                }
            }
            known[&(3, 3)].clone()
        },
    ),
    (
        "doubles of two rolls",
        Rule("let d = dice(2d6); let e = dice(2d6); count(all(x.face = y.face for x : d) for y : d) + count(all(x.face = y.face for x : e) for y : e)"),
        || rolls(&[6; 4], &|f| 2 * i64::from(f[0] == f[1]) + 2 * i64::from(f[2] == f[3])),
    ),
    (
        "hits of ten held dice less those of eight",
        Rule("let a = dice(10d6); let b = dice(8d6); count(x.face >= 5 for x : a) - count(y.face >= 5 for y : b)"),
        || then(&hits(10, 6, 5), &|a| map(&hits(8, 6, 5), &|b| (a - b).max(0))),
    ),
    (
        "hits cancelled by blows, seven against six in a function",
        Script(CANCEL, "return left(sorted(d.face for d : dice(7d6)), sorted(d.face for d : dice(6d6)));"),
        || pools([(7, 6), (6, 6)], &uncancelled),
    ),
    (
        "hits cancelled by blows, from the highest face on",
        Script("", "a = dice(7d6); b = dice(6d6); free = 0; left = 0;
            for (i : 0..5) {
                f = 6 - i;
                free += count(y.face == f for y : b);
                hits = count(x.face == f for x : a);
                used = min(free, hits);
                free -= used;
                left += hits - used;
            }
            return left;"),
        || pools([(7, 6), (6, 6)], &uncancelled),
    ),
    (
        "faces in common",
        Rule("let a = dice(6d6); let b = dice(5d6); sum(min(count(x.face = f for x : a), count(y.face = f for y : b)) for f : 1..6)"),
        || pools([(6, 6), (5, 6)], &|a, b| (1..=6).map(|face| of(a, face).min(of(b, face))).sum()),
    ),
    (
        "sorted dice against sorted dice",
        Script("", "a = sorted(d.face by d.face descending for d : dice(6d6)); b = sorted(d.face by d.face descending for d : dice(5d6));
            return count(a[i] > b[i] for i : 0..4);"),
        || pools([(6, 6), (5, 6)], &|a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.filter(|(a, b)| a > b).count() as i64
        }),
    ),
    (
        "dice above all of another pool",
        Rule("let a = dice(6d6); let b = dice(4d8); count(all(x.face > y.face for y : b) for x : a)"),
        || pools([(6, 6), (4, 8)], &|a, b| a.iter().filter(|face| **face > b[3]).count() as i64),
    ),
];
