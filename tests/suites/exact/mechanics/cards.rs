//! Cards, and other things that are drawn from a list.

use super::counted::{Odds, certain, chance, choose, die, drawn, map, then};
use super::{Mechanic, Script};

/// A result of cards from a deck of equal numbers of each rank; it gets how many of each rank are
/// drawn.
fn dealt(ranks: usize, each: usize, cards: usize, result: &dyn Fn(&[usize]) -> i64) -> Odds {
    let mut odds = Odds::new();
    let mut work = vec![(Vec::new(), cards, 1.0 / choose(ranks * each, cards))];
    while let Some((counts, left, p)) = work.pop() {
        if counts.len() == ranks {
            if left == 0 {
                *odds.entry(result(&counts)).or_default() += p;
            }
            continue;
        }
        for number in 0..=left.min(each) {
            let mut more = counts.clone();
            more.push(number);
            work.push((more, left - number, p * choose(each, number)));
        }
    }
    odds
}

fn most(counts: &[usize]) -> i64 {
    counts.iter().copied().max().unwrap_or(0) as i64
}

const DECK: &str = "deffun deck() { return [1 + i % 13 for i : 0..51]; }
    deffun dealt(deck: int list, n: int) { return [draw(deck) for i : 1..n]; }";

const BAG: &str = "deftype token { value: int, name: string }
    deffun bag() { return [token{value: min(i, 3), name: \"t\"} for i : 1..12]; }";

pub(super) const ALL: &[Mechanic] = &[
    (
        "aces of five cards",
        Script(
            DECK,
            "all = deck(); hand = [draw(all) for i : 1..5]; return count(x == 1 for x : hand);",
        ),
        || drawn(52, 4, 5),
    ),
    (
        "cards of a rank in a hand",
        Script(
            DECK,
            "all = deck(); hand = [draw(all) for i : 1..4]; return max(count(x == y for x : hand) for y : hand);",
        ),
        || dealt(13, 4, 4, &most),
    ),
    (
        "a flush of five cards",
        Script(
            "",
            "deck = [i % 4 for i : 0..51]; hand = [draw(deck) for i : 1..5]; return all(x == hand[0] for x : hand);",
        ),
        || chance(4.0 * choose(13, 5) / choose(52, 5)),
    ),
    (
        "two cards of blackjack make 21",
        Script(
            "",
            "deck = [min(10, 1 + i % 13) for i : 0..51]; a = draw(deck); b = draw(deck); return a + b == 11 && min(a, b) == 1;",
        ),
        || chance(4.0 * 16.0 / choose(52, 2)),
    ),
    (
        "cards until the first ace",
        Script(
            "",
            "deck = [i < 4 ? 1 : 0 for i : 0..51]; n = 1; while (draw(deck) == 0) { n++; } return n;",
        ),
        || {
            (1..=49)
                .map(|n| (n, choose(52 - n as usize, 3) / choose(52, 4)))
                .collect()
        },
    ),
    (
        "the highest of three cards",
        Script(DECK, "all = deck(); return max([draw(all) for i : 1..3]);"),
        || {
            dealt(13, 4, 3, &|counts| {
                counts
                    .iter()
                    .rposition(|n| *n > 0)
                    .map_or(0, |rank| rank as i64 + 1)
            })
        },
    ),
    (
        "a hand that a function deals",
        Script(DECK, "return sum(dealt(deck(), 3));"),
        || {
            dealt(13, 4, 3, &|counts| {
                (1..).zip(counts).map(|(rank, n)| rank * *n as i64).sum()
            })
        },
    ),
    (
        "two players: the higher card wins",
        Script(
            DECK,
            "all = deck(); a = draw(all); b = draw(all); return a > b ? 1 : a == b ? 0 : -1;",
        ),
        || {
            let tie = 3.0 / 51.0;
            Odds::from([(-1, (1.0 - tie) / 2.0), (0, tie), (1, (1.0 - tie) / 2.0)])
        },
    ),
    (
        "tokens from a bag",
        Script(
            BAG,
            "all = bag(); n = 0; repeat (4) { t = draw(all); n += t.value; } return n;",
        ),
        || {
            // One of value 1, one of 2, ten of 3.
            let (one, two) = (4.0 / 12.0, 4.0 / 12.0);
            let both = 4.0 * 3.0 / (12.0 * 11.0);
            Odds::from([
                (12, 1.0 - one - two + both),
                (11, two - both),
                (10, one - both),
                (9, both),
            ])
        },
    ),
    (
        "white balls of an urn",
        Script(
            "",
            "urn = [true; 6] + [false; 9]; n = 0; repeat (5) { if (draw(urn)) { n++; } } return n;",
        ),
        || drawn(15, 6, 5),
    ),
    (
        "an urn to which a ball of the same colour is added",
        Script(
            "",
            "urn = [0, 1]; repeat (6) { append(urn, pick(urn)); } return sum(urn);",
        ),
        || (1..=7).map(|ones| (ones, 1.0 / 7.0)).collect(),
    ),
    (
        "a random one of nine rolled numbers",
        Script(
            "",
            "xs = [roll(d6) for i : 1..9]; return pick(xs) * 10 + count(x == 6 for x : xs) / 9;",
        ),
        || {
            map(
                &then(&die(6), &|face| match face {
                    6 => {
                        let rest = 6_f64.powi(-8);
                        Odds::from([(61, rest), (60, 1.0 - rest)])
                    }
                    _ => certain(face * 10),
                }),
                &|result| result,
            )
        },
    ),
    (
        "a random die above 3",
        Script(
            "",
            "ds = dice(8d6); return any(d.face > 3 for d : ds) ? pick(d.face for d : ds if d.face > 3) : 0;",
        ),
        || {
            let none = 0.5_f64.powi(8);
            let each = (1.0 - none) / 3.0;
            Odds::from([(0, none), (4, each), (5, each), (6, each)])
        },
    ),
    (
        "the most cards of a rank in seven",
        Script(
            DECK,
            "all = [1 + i % 13 for i : 0..51]; hand = [draw(all) for i : 1..7]; return max(count(x == y for x : hand) for y : hand);",
        ),
        || dealt(13, 4, 7, &most),
    ),
    (
        "the longest run of ranks in seven cards",
        Script(
            "",
            "all = [1 + i % 13 for i : 0..51]; hand = [draw(all) for i : 1..7]; n = 0; best = 0;
            for (f : 1..13) { n = any(x == f for x : hand) ? n + 1 : 0; best = max(best, n); } return best;",
        ),
        || {
            dealt(13, 4, 7, &|counts| {
                let runs = counts.split(|number| *number == 0);
                runs.map(<[usize]>::len).max().unwrap_or(0) as i64
            })
        },
    ),
];
