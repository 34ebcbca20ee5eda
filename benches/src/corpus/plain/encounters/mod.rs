//! Encounters, each written for just its creatures: their numbers are constants, and what none of
//! them has, or never comes to do, is left out.

mod encounter_4v6;
mod encounter_dragon;
#[cfg(test)]
mod tests;

use super::super::{Tally, count};
use crate::fights::dice::Roller;
use std::hint::black_box;

/// After this many rounds nobody has won.
const ROUNDS: i64 = 100;

/// The hit points of a side, whose creatures are numbered as they are listed.
struct Side<const SIZE: usize> {
    hp: [i64; SIZE],
    /// Who is attacked: the one with the fewest hit points of those who stand, the first of equal
    /// ones; nobody if all have fallen. Whoever is attacked stays the weakest, so that this is
    /// looked for only when somebody falls, or several are hurt.
    weakest: Option<usize>,
    /// Who fell first.
    fell: Option<usize>,
}

impl<const SIZE: usize> Side<SIZE> {
    /// Nobody has fewer hit points than the first.
    fn new(hp: [i64; SIZE]) -> Self {
        Self {
            hp,
            weakest: Some(0),
            fell: None,
        }
    }

    fn find_weakest(&mut self) {
        let standing = (0..SIZE).filter(|&at| self.hp[at] > 0);
        self.weakest = standing.min_by_key(|&at| self.hp[at]);
    }

    fn stands(&self) -> bool {
        self.weakest.is_some()
    }

    fn hurt(&mut self, at: usize, damage: i64) {
        self.hp[at] = (self.hp[at] - damage).max(0);
        if self.hp[at] == 0 {
            self.find_weakest();
            self.fell.get_or_insert(at);
        }
    }
}

/// Who these initiatives are of, in the order of their turns: of equal ones the first. All are
/// compared with all, which takes less time than sorting, as nothing in it is predicted.
fn order<const SIZE: usize>(initiatives: [i64; SIZE]) -> [usize; SIZE] {
    let mut turns = [0; SIZE];
    for (who, own) in initiatives.iter().enumerate() {
        let (before, after) = initiatives.split_at(who);
        let earlier = before.iter().filter(|&other| other >= own).count()
            + after.iter().filter(|&other| other > own).count();
        turns[earlier] = who;
    }
    turns
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
