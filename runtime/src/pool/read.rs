//! The results of a pool: sums, counts and naturals.

use super::{Flags, Pool};
use crate::ops::{OpResult, iadd};

impl Pool {
    /// The sum of the values of the kept dice; traps on overflow, which only clamps, compounding
    /// and sub-rolls can cause.
    pub fn sum(&self) -> OpResult {
        let kept = self.dice.iter().filter(|die| die.is_kept());
        kept.map(|die| die.value).try_fold(0, iadd)
    }

    /// The number of kept dice with a value that meets the conditions and that are not counted yet;
    /// each is marked as `mark`, a success or a failure. So a die that succeeds does not also fail.
    pub fn count(&mut self, mark: Flags) -> i64 {
        let mut dice = std::mem::take(&mut self.dice);
        let mut count = 0;
        for die in dice.iter_mut().filter(|die| die.is_kept()) {
            if !die.is_counted() && self.meets(die.value) {
                die.flags |= mark;
                count += 1;
            }
        }
        self.dice = dice;
        self.conditions.clear();
        count
    }

    /// The number of dice that could shift a degree: kept dice with this many plain sides that no
    /// explosion added (seed 000, "Natural d20 Extraction").
    pub fn naturals(&self, sides: u32) -> i64 {
        self.natural_faces(sides).map(|_| 1).sum()
    }

    /// The sum of the faces of the dice that could shift a degree: the natural face if there is one
    /// such die.
    pub fn natural_face(&self, sides: u32) -> i64 {
        // At most the sides times the dice of a pool.
        self.natural_faces(sides).sum()
    }

    fn natural_faces(&self, sides: u32) -> impl Iterator<Item = i64> {
        let natural = self.dice.iter().filter(move |die| {
            die.is_kept()
                && die.sides == sides
                && !die.flags.intersects(Flags::ADDED | Flags::CUSTOM)
        });
        natural.map(|die| die.face)
    }

    /// Whether the sub-roll at `index` (in the order of pushes) is kept.
    pub fn keeps(&self, index: u32) -> bool {
        self.dice
            .get(index as usize)
            .is_some_and(super::Die::is_kept)
    }
}
