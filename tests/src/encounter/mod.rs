//! A second simulator of encounters, slow and obvious: it works on stat blocks as JSON, rolls the
//! dice that it is given, and tells a fight line by line. It shares nothing with the games crate
//! but the table of spells: docs/encounters.md is what both follow.

mod asides;
mod block;
mod boons;
mod casting;
mod day;
mod dying;
mod effects;
mod endings;
mod favours;
mod features;
mod fight;
mod fighter;
mod handlers;
mod healing;
mod hits;
mod holding;
mod joining;
mod legendary;
mod martial;
mod movement;
mod options;
mod outcomes;
mod runs;
mod traits;
mod worth;

pub use day::{Step, day};
pub use dying::Fate;
pub use fight::{Side, fight, fight_at};
pub use fighter::Fighter;

use std::collections::VecDeque;

/// Dice that were rolled elsewhere, in their order, or dice of its own.
#[derive(Debug)]
pub struct Dice {
    left: VecDeque<(u32, i64)>,
    /// The state of a generator of its own (splitmix64).
    own: Option<u64>,
    /// The first die that was asked for and is not the next one: its sides.
    wrong: Option<u32>,
}

impl Dice {
    /// The dice: sides and faces.
    pub fn new(dice: impl IntoIterator<Item = (u32, i64)>) -> Self {
        Self {
            left: dice.into_iter().collect(),
            own: None,
            wrong: None,
        }
    }

    /// Dice of its own, which follow from a seed.
    pub fn random(seed: u64) -> Self {
        Self {
            own: Some(seed),
            ..Self::new([])
        }
    }

    /// The face of the next die, which has to have these sides. After one that has others, the
    /// fight is another one, and [`Dice::wrong`] says so.
    pub fn roll(&mut self, sides: u32) -> i64 {
        if let Some(state) = &mut self.own {
            let word = u128::from(splitmix(state));
            return ((word * u128::from(sides)) >> 64) as i64 + 1;
        }
        match self.left.pop_front() {
            Some((had, face)) if had == sides => face,
            _ => {
                self.wrong.get_or_insert(sides);
                1
            }
        }
    }

    /// The sides of the first die that was not the next one.
    pub fn wrong(&self) -> Option<u32> {
        self.wrong
    }

    /// The total of dice such as `2d6+3`, with their number multiplied.
    pub fn total(&mut self, text: &str, times: i64) -> i64 {
        let text = text.replace(' ', "").replace('-', "+-");
        let mut sum = 0;
        for term in text.split('+').filter(|term| !term.is_empty()) {
            sum += match term.split_once('d') {
                Some((count, sides)) => {
                    let count = count.parse().unwrap_or(1) * times;
                    let sides = sides.parse().expect("sides are a number");
                    (0..count).map(|_| self.roll(sides)).sum()
                }
                None => term.parse::<i64>().expect("a number"),
            };
        }
        sum
    }

    /// How many dice are left.
    pub fn left(&self) -> usize {
        self.left.len()
    }
}

/// The next word of a generator (G. Steele et al., splitmix64).
pub fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
