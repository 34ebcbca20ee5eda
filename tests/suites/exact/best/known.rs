//! Games whose best play is known: published values, and computations of their own.

use super::super::scripts::bound;
use super::{Asked, MAXIMISE, Wanted, best};
use dicec_exact::{Best, Mover};
use dicec_lang::hir::StatId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

const PIG: &str = "
defroll \"Pig\" pig(goal: int = 100) {
    a = 0;
    b = 0;
    first = true;
    while (a < goal && b < goal) {
        turn = 0;
        score = first ? a : b;
        rolling = true;
        while (rolling) {
            die = roll(d6);
            if (die == 1) {
                turn = 0;
                rolling = false;
            } else {
                turn += die;
                rolling = score + turn < goal && !userOption(first ? \"A\" : \"B\", \"Hold?\");
            }
        }
        if (first) { a += turn; } else { b += turn; }
        first = !first;
    }
    return a >= goal;
}";

const SOLITAIRE: &str = "
defroll \"Pig\" pig(goal: int = 100) {
    score = 0;
    while (score < goal) {
        stat(\"turns\", 1);
        turn = 0;
        rolling = true;
        while (rolling) {
            die = roll(d6);
            if (die == 1) {
                turn = 0;
                rolling = false;
            } else {
                turn += die;
                rolling = score + turn < goal && !userOption(\"Hold?\");
            }
        }
        score += turn;
    }
}";

/// Dice of which at least one is set aside after each roll, the best first.
fn aside(dice: u32, faces: &str) -> String {
    format!(
        "
defroll \"Aside\" aside() {{
    left = {dice};
    total = 0;
    values = {faces};
    while (left > 0) {{
        counts = [0; 6];
        repeat (left) {{ counts[roll(d6) - 1] += 1; }}
        keep = userOption(\"How many?\", 1..left);
        left -= keep;
        for (i : 0..5) {{
            n = min(keep, counts[i]);
            keep -= n;
            total += n * values[i];
        }}
    }}
    return total;
}}"
    )
}

const ALIKE: &str = "
defroll \"Five alike\" alike() {
    counts = [0; 6];
    repeat (5) { counts[roll(d6) - 1] += 1; }
    repeat (2) {
        face = userOption(\"Keep which?\", 1..6);
        held = counts[face - 1];
        counts = [0; 6];
        counts[face - 1] = held;
        repeat (5 - held) { counts[roll(d6) - 1] += 1; }
    }
    return max(n for n : counts) == 5;
}";

const BLACKJACK: &str = "
deftype hand { total: int, soft: bool }
deffun take(h: hand) {
    card = min(roll(d13), 10);
    h.total += card;
    if (card == 1 && !h.soft && h.total <= 11) { h.total += 10; h.soft = true; }
    if (h.total > 21 && h.soft) { h.total -= 10; h.soft = false; }
}
defroll \"Blackjack\" blackjack() {
    me = hand{};
    dealer = hand{};
    take(dealer);
    take(me);
    take(me);
    while (me.total < 21 && userOption(\"Hit?\")) { take(me); }
    if (me.total > 21) { return -1; }
    while (dealer.total < 17) { take(dealer); }
    if (dealer.total > 21 || dealer.total < me.total) { return 1; }
    return dealer.total == me.total ? 0 : -1;
}";

fn solved(name: &str, text: &str, args: &Value, asked: &Asked<'_>) -> Best {
    let start = Instant::now();
    let best = best(&bound(text, args), asked).expect("it has a value");
    println!("{name}: {best:.12?} {:?}", start.elapsed());
    best
}

fn expect(best: &Best, value: f64, within: f64) {
    assert!((best.value - value).abs() <= within, "{value} {best:?}");
    assert!(best.error <= 1e-9, "{best:?}");
}

/// The chance that the first player of Pig wins, by value iteration over whole games (Neller and
/// Presser, Optimal play of the dice game Pig, UMAP Journal 25, 2004: 0.5306 for 100).
fn pig(goal: usize) -> f64 {
    // The chance of the player who rolls next: own score, other's score, turn total.
    let mut p = vec![vec![vec![0.5_f64; goal + 7]; goal]; goal];
    loop {
        let mut change: f64 = 0.0;
        for own in (0..goal).rev() {
            for other in (0..goal).rev() {
                for turn in (0..goal - own).rev() {
                    let mut sum = 1.0 - p[other][own][0];
                    for die in 2..=6 {
                        let turn = turn + die;
                        sum += match own + turn >= goal {
                            true => 1.0,
                            false => p[own][other][turn].max(1.0 - p[other][own + turn][0]),
                        };
                    }
                    // The first roll of a turn is made; later ones are chosen, above.
                    let new = sum / 6.0;
                    change = change.max((new - p[own][other][turn]).abs());
                    p[own][other][turn] = new;
                }
            }
        }
        if change < 1e-15 {
            return p[0][0][0];
        }
    }
}

fn two_players(goal: usize) -> Best {
    let players = [
        ("A".to_owned(), Mover::Maximiser),
        ("B".to_owned(), Mover::Minimiser),
    ];
    let asked = Asked {
        players: &players,
        ..MAXIMISE
    };
    solved("pig", PIG, &json!({ "goal": goal }), &asked)
}

/// The expected number of turns of the best solitaire play.
fn solitaire(goal: usize) -> f64 {
    let mut turns = vec![vec![0.0; goal + 7]; goal + 7];
    loop {
        let mut change: f64 = 0.0;
        for score in (0..goal).rev() {
            for turn in (0..goal - score).rev() {
                let mut sum = 1.0 + turns[score][0];
                for die in 2..=6 {
                    let turn = turn + die;
                    sum += match score + turn >= goal {
                        true => 1.0,
                        false => f64::min(turns[score][turn], 1.0 + turns[score + turn][0]),
                    };
                }
                let new: f64 = sum / 6.0;
                change = change.max((new - turns[score][turn]).abs());
                turns[score][turn] = new;
            }
        }
        if change < 1e-14 {
            return turns[0][0];
        }
    }
}

fn fewest_turns(goal: usize) -> Best {
    let asked = Asked {
        wanted: Wanted::Statistic(StatId(0)),
        all: Mover::Minimiser,
        ..MAXIMISE
    };
    solved("solitaire pig", SOLITAIRE, &json!({ "goal": goal }), &asked)
}

#[test]
fn pig_to_a_low_goal() {
    for goal in [5, 16] {
        expect(&two_players(goal), pig(goal), 1e-11);
        expect(&fewest_turns(goal), solitaire(goal), 1e-9);
    }
}

#[test]
fn five_alike_in_three_rolls() {
    // 347897 / 7558272; Verhoeff, Optimal solitaire Yahtzee strategies, 1999.
    expect(
        &solved("five alike", ALIKE, &json!({}), &MAXIMISE),
        347_897.0 / 7_558_272.0,
        1e-12,
    );
}

#[test]
fn dice_that_are_set_aside() {
    let threes = aside(3, "[0, 1, 2, 4, 5, 6]");
    let threes = threes.replace("roll(d6) - 1", "[1, 2, 0, 3, 4, 5][roll(d6) - 1]");
    let minimise = Asked {
        all: Mover::Minimiser,
        ..MAXIMISE
    };
    let three = solved("threes of three", &threes, &json!({}), &minimise);
    assert!(super::check(
        &aside(2, "[1, 2, 3, 4, 5, 6]"),
        &json!({}),
        &minimise
    ));
    assert!(three.value > 3.0, "{three:?}");
}

/// `DICEC_BEST=1` plays the large games.
#[test]
fn published_values() {
    if std::env::var_os("DICEC_BEST").is_none() {
        return;
    }
    let minimise = Asked {
        all: Mover::Minimiser,
        ..MAXIMISE
    };
    let threes = aside(5, "[0, 1, 2, 4, 5, 6]");
    let threes = threes.replace("roll(d6) - 1", "[1, 2, 0, 3, 4, 5][roll(d6) - 1]");
    expect(
        &solved("threes", &threes, &json!({}), &minimise),
        6.253_979,
        1e-6,
    );
    let eight = aside(8, "[6, 5, 4, 3, 2, 1]").replace("roll(d6) - 1", "6 - roll(d6)");
    expect(
        &solved("eight dice", &eight, &json!({}), &MAXIMISE),
        41.8097,
        1e-4,
    );
    expect(&fewest_turns(100), solitaire(100), 1e-8);
    expect(&two_players(100), 0.5306, 1e-4);
}

/// Blackjack without doubling and splitting against a dealer who stands at 17.
#[derive(Default)]
struct Blackjack {
    /// The value of standing: the dealer's total, whether it is soft, and the player's total.
    stand: BTreeMap<(u32, bool, u32), f64>,
    /// The value of the best play: the player's total, whether it is soft, and the shown card.
    play: BTreeMap<(u32, bool, u32), f64>,
}

fn with(total: u32, soft: bool, card: u32) -> (u32, bool) {
    let (mut total, mut soft) = (total + card, soft);
    if card == 1 && !soft && total <= 11 {
        (total, soft) = (total + 10, true);
    }
    match total > 21 && soft {
        true => (total - 10, false),
        false => (total, soft),
    }
}

fn cards() -> impl Iterator<Item = u32> {
    (1..=13).map(|card: u32| card.min(10))
}

impl Blackjack {
    fn stand(&mut self, total: u32, soft: bool, me: u32) -> f64 {
        if total >= 17 {
            return match (total > 21 || total < me, total == me) {
                (true, _) => 1.0,
                (_, true) => 0.0,
                _ => -1.0,
            };
        }
        if let Some(known) = self.stand.get(&(total, soft, me)) {
            return *known;
        }
        let next = cards().map(|card| with(total, soft, card));
        let value = next
            .map(|(total, soft)| self.stand(total, soft, me) / 13.0)
            .sum();
        self.stand.insert((total, soft, me), value);
        value
    }

    fn play(&mut self, total: u32, soft: bool, shown: u32) -> f64 {
        if total > 21 {
            return -1.0;
        }
        if let Some(known) = self.play.get(&(total, soft, shown)) {
            return *known;
        }
        let (start, is_soft) = with(0, false, shown);
        let mut value = self.stand(start, is_soft, total);
        if total < 21 {
            let next = cards().map(|card| with(total, soft, card));
            let hit: f64 = next
                .map(|(total, soft)| self.play(total, soft, shown) / 13.0)
                .sum();
            value = value.max(hit);
        }
        self.play.insert((total, soft, shown), value);
        value
    }

    fn value(&mut self) -> f64 {
        let mut sum = 0.0;
        for shown in cards() {
            for one in cards() {
                for two in cards() {
                    let (total, soft) = with(0, false, one);
                    let (total, soft) = with(total, soft, two);
                    sum += self.play(total, soft, shown) / f64::from(13 * 13 * 13);
                }
            }
        }
        sum
    }
}

#[test]
fn blackjack_against_a_fixed_dealer() {
    let value = Blackjack::default().value();
    expect(
        &solved("blackjack", BLACKJACK, &json!({}), &MAXIMISE),
        value,
        1e-11,
    );
}
