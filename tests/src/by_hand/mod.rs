//! Match-ups that are simulated by code of their own: written from the rules of the SRD 5.1, for
//! these creatures only, without stat blocks, scripts, or anything else of encounters. The policies
//! are those of docs/encounters.md: everybody attacks the weakest enemy in reach.

mod gaze;
mod glare;
mod venom;
mod veterans;

pub use gaze::{basilisk, medusa};
pub use glare::mummies;
pub use venom::{assassin, elk, ghouls, spiders};

use crate::encounter::splitmix;

/// Dice of a fight.
#[derive(Debug)]
pub struct Luck(u64);

impl Luck {
    /// Dice that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn die(&mut self, sides: u64) -> i64 {
        let word = u128::from(splitmix(&mut self.0));
        ((word * u128::from(sides)) >> 64) as i64 + 1
    }

    fn dice(&mut self, count: u32, sides: u64) -> i64 {
        (0..count).map(|_| self.die(sides)).sum()
    }

    /// A d20 with advantage and disadvantage, which cancel each other.
    fn d20(&mut self, advantage: bool, disadvantage: bool) -> i64 {
        match (advantage, disadvantage) {
            (true, false) => self.die(20).max(self.die(20)),
            (false, true) => self.die(20).min(self.die(20)),
            _ => self.die(20),
        }
    }

    /// An attack: how many times the dice of its damage are rolled. 0 is a miss.
    fn attack(&mut self, bonus: i64, ac: i64, advantage: bool, disadvantage: bool) -> u32 {
        match self.d20(advantage, disadvantage) {
            20 => 2,
            1 => 0,
            face => u32::from(face + bonus >= ac),
        }
    }
}

/// The order of turns: indexes of creatures, whose Dexterity modifiers these are.
fn order(luck: &mut Luck, dexterity: &[i64]) -> Vec<usize> {
    let rolled: Vec<i64> = dexterity.iter().map(|own| luck.die(20) + own).collect();
    let mut order: Vec<usize> = (0..dexterity.len()).collect();
    order.sort_by_key(|&one| std::cmp::Reverse((rolled[one], dexterity[one])));
    order
}

/// The index of the fewest hit points above 0; the first one of equal ones.
fn weakest(hit_points: &[i64]) -> Option<usize> {
    let standing = (0..hit_points.len()).filter(|&one| hit_points[one] > 0);
    standing.min_by_key(|&one| hit_points[one])
}
