//! Encounters, each written for just its creatures: their numbers are constants, and what none of
//! them has, or never comes to do, is left out.

mod encounter_4v6;
mod encounter_dragon;
#[cfg(test)]
mod tests;

use super::super::{Tally, count};
use crate::fights::dice::Roller;
use std::hint::black_box;

/// After so many rounds nobody has won.
const ROUNDS: i64 = 100;

/// The hit points of a side, whose creatures are numbered as they are listed.
#[derive(Clone, Copy)]
struct Side<const SIZE: usize> {
    hp: [i64; SIZE],
    /// Who fell first.
    fell: Option<usize>,
}

impl<const SIZE: usize> Side<SIZE> {
    fn new(hp: [i64; SIZE]) -> Self {
        Self { hp, fell: None }
    }

    /// Who is attacked: the one with the fewest hit points of those who stand, the first of equal
    /// ones.
    #[inline(always)]
    fn weakest(&self) -> Option<usize> {
        // The numbers are part of what is compared, so that the search has no branches.
        let keys = (0..SIZE).map(|at| self.key(at));
        let least = keys.min().unwrap_or(NOBODY);
        (least < NOBODY).then_some(least as usize % SIZE)
    }

    /// Orders creatures by their hit points, equal ones as they are listed, the fallen last.
    #[inline(always)]
    fn key(&self, at: usize) -> u64 {
        match self.hp[at] {
            0 => NOBODY,
            hp => hp as u64 * SIZE as u64 + at as u64,
        }
    }

    fn stands(&self) -> bool {
        self.hp != [0; SIZE]
    }

    fn hurt(&mut self, at: usize, damage: i64) {
        self.hp[at] = (self.hp[at] - damage).max(0);
        if self.hp[at] == 0 {
            self.fell.get_or_insert(at);
        }
    }
}

/// The key of the fallen.
const NOBODY: u64 = u64::MAX;

/// Those whose initiatives these are, in the order of their turns: of equal ones the first.
fn order<const SIZE: usize>(initiatives: [i64; SIZE]) -> [usize; SIZE] {
    let last = SIZE as i64 - 1;
    let mut at = 0;
    let mut keys = initiatives.map(|initiative| {
        at += 1;
        initiative * SIZE as i64 + last - (at - 1)
    });
    keys.sort_unstable_by(|one, other| other.cmp(one));
    keys.map(|key| (last - key % SIZE as i64) as usize)
}

/// An attack against an armour class: nothing if it misses, or whether it is a critical hit.
#[inline(always)]
fn strikes(face: i64, bonus: i64, armour: i64) -> Option<bool> {
    (face == 20 || face != 1 && face + bonus >= armour).then_some(face == 20)
}

/// What is counted besides who wins.
struct Notes<const STATS: usize> {
    stats: [Tally; STATS],
    /// How often somebody of a side fell first.
    fell: [Vec<u64>; 2],
}

impl<const STATS: usize> Notes<STATS> {
    fn new(sizes: [usize; 2]) -> Self {
        Self {
            stats: std::array::from_fn(|_| Tally::default()),
            fell: sizes.map(|size| vec![0; size]),
        }
    }

    #[inline]
    fn add(&mut self, stats: [i64; STATS], fell: [Option<usize>; 2]) {
        for (tally, stat) in self.stats.iter_mut().zip(stats) {
            tally.add(stat);
        }
        for (counts, fell) in self.fell.iter_mut().zip(fell) {
            if let Some(at) = fell {
                counts[at] += 1;
            }
        }
    }
}

/// Counts who wins, and the rest.
fn noted<R: Roller, const STATS: usize>(
    trials: u64,
    sizes: [usize; 2],
    fight: impl Fn(&mut R, &mut Notes<STATS>) -> i64,
) -> (Tally, Notes<STATS>) {
    let mut notes = Notes::new(sizes);
    let winners = count(trials, |roller: &mut R| fight(roller, &mut notes));
    black_box((&notes.stats, &notes.fell));
    (winners, notes)
}

pub(in super::super) fn encounter_4v6<R: Roller>(trials: u64) -> Tally {
    noted(trials, encounter_4v6::SIZES, encounter_4v6::fight::<R>).0
}

pub(in super::super) fn encounter_dragon<R: Roller>(trials: u64) -> Tally {
    noted(
        trials,
        encounter_dragon::SIZES,
        encounter_dragon::fight::<R>,
    )
    .0
}
