//! Dice and cards: what matters of a hand is packed into a number.

use super::super::Tally;
use crate::hand::Generator;
use serde_json::Value;

/// How many armies the defender loses: three dice against two, the highest first.
fn lost(roll: usize) -> usize {
    let faces: [usize; 5] = std::array::from_fn(|die| roll / 6_usize.pow(die as u32) % 6);
    let (mut attack, mut defence) = ([faces[0], faces[1], faces[2]], [faces[3], faces[4]]);
    attack.sort_unstable_by(|a, b| b.cmp(a));
    defence.sort_unstable_by(|a, b| b.cmp(a));
    usize::from(attack[0] > defence[0]) + usize::from(attack[1] > defence[1])
}

/// Rolls of five dice.
const ROLLS: u64 = 7776;

/// Four battles from a word, each a number below 7,776 and two comparisons; their results are the
/// digits of one cell.
pub(in super::super) fn risk(_: &Value, trials: u64) -> Tally {
    let mut rolls = [0; 3];
    for roll in 0..ROLLS as usize {
        rolls[lost(roll)] += 1;
    }
    let [none, one, _] = rolls;
    let mut generator = Generator::new();
    let mut cells = [0; 81];
    for _ in 0..trials.div_ceil(4) {
        let results = generator
            .dice([ROLLS; 4])
            .map(|roll| usize::from(roll >= none) + usize::from(roll >= none + one));
        cells[results.into_iter().fold(0, |cell, digit| 3 * cell + digit)] += 1;
    }
    let mut tally = Tally::default();
    for (cell, times) in cells.into_iter().enumerate() {
        for digit in 0..4 {
            tally.add_many((cell / 3_usize.pow(digit) % 3) as i64, times);
        }
    }
    tally
}

/// How many of `dice` dice and of `kept` ones, which show 0, show the most frequent face.
fn most_frequent(dice: u32, kept: u8, roll: usize) -> u8 {
    let mut counts = [kept, 0, 0, 0, 0, 0];
    for die in 0..dice {
        counts[roll / 6_usize.pow(die) % 6] += 1;
    }
    counts.into_iter().max().unwrap_or(0)
}

/// Numbers below this are rolls of up to four dice.
const REROLLS: u64 = 1296;

/// All faces are alike, so only the number of dice that are kept matters: a table for the first
/// roll, one for each number, and all draws from one word.
pub(in super::super) fn yahtzee(_: &Value, trials: u64) -> Tally {
    let first: Vec<u8> = (0..ROLLS as usize)
        .map(|roll| most_frequent(5, 0, roll))
        .collect();
    let mut next = [[5; REROLLS as usize]; 8];
    for (kept, table) in (1..5).zip(&mut next[1..]) {
        for (roll, cell) in table.iter_mut().enumerate() {
            *cell = most_frequent(5 - u32::from(kept), kept, roll);
        }
    }
    let mut generator = Generator::new();
    let mut counts = [0; 8];
    for _ in 0..trials {
        let [roll, second, third] = generator.dice([ROLLS, REROLLS, REROLLS]);
        let mut kept = first[roll as usize];
        for reroll in [second, third] {
            kept = next[usize::from(kept & 7)][reroll as usize];
        }
        counts[usize::from(kept & 7)] += 1;
    }
    Tally::of(counts)
}

/// Two hands from a word. A hand in which a card is twice is dropped: then the sum of its cards'
/// bits is not their union. The cards of each rank are counted in four bits.
pub(in super::super) fn cards(_: &Value, trials: u64) -> Tally {
    const DECK: u64 = 52;
    const EACH: u64 = 0x1_1111_1111_1111;
    let ranks: [u64; DECK as usize] = std::array::from_fn(|card| 1 << (card % 13 * 4));
    let mut generator = Generator::new();
    let mut counts = [0; 8];
    let mut hands = 0;
    while hands < trials {
        let cards = generator.dice([DECK; 10]);
        for hand in cards.as_chunks::<5>().0 {
            let (mut sum, mut union, mut ranks_held) = (0_u64, 0, 0);
            for &card in hand {
                sum += 1 << card;
                union |= 1_u64 << card;
                ranks_held += ranks[card as usize];
            }
            let pairs = (ranks_held >> 1) & EACH;
            let fours = (ranks_held >> 2) & EACH;
            let held = 1
                + usize::from(pairs | fours != 0)
                + usize::from((pairs & ranks_held) | fours != 0)
                + usize::from(fours != 0);
            let valid = sum == union;
            counts[if valid { held } else { 0 }] += 1;
            hands += u64::from(valid);
        }
    }
    counts[0] = 0;
    Tally::of(counts)
}
