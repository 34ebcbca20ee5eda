//! Pools of dice: the only definition of every operation on dice.
//!
//! ```text
//! draw (or push, join) --> explode, reroll, clamp, in written order --> select --> sum or count
//! ```
//!
//! Dice may also be selected before changes: those that are dropped are then set aside.
//!
//! A [`Die`] has a **face** (what it rolled) and a **value** (what it counts). Explosions and
//! rerolls read faces; clamps, compounding and penetration change values; keeping, dropping,
//! counting and sums read values.
//!
//! The interpreter, the IR evaluator and compiled code all work on a [`Pool`] through its methods,
//! in this order. The meaning of pools is defined only here.

mod bound;
mod change;
mod die;
mod read;
mod select;
mod step;
#[cfg(test)]
mod tests;

pub use bound::Bound;
pub use change::Explosion;
pub use die::{Die, Flags};
pub use select::Selector;
pub use step::Step;

use crate::compare::CompareOp;
use crate::rng::Dice;
use crate::trap::TrapCode;

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Condition {
    op: CompareOp,
    threshold: i64,
}

/// Dice on the table. Trials reuse a pool: drawing clears it and keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// The values of the faces of a custom die, by index; empty for plain dice.
    faces: Vec<i64>,
    sides: u32,
    dice: Vec<Die>,
    /// The conditions of the next change or count; see [`Pool::when`].
    conditions: Vec<Condition>,
    /// The number of rerolled dice that may still be kept for display.
    history: usize,
    /// Scratch memory of a change.
    spare: Vec<Die>,
    /// Scratch memory of a selection: values with the complements of their indices, so that the
    /// earlier of equal values ranks higher.
    order: Vec<(i64, u32)>,
}

impl Pool {
    /// An empty pool of plain dice, or of dice with these `faces`.
    pub fn new(faces: &[i64]) -> Self {
        Self {
            faces: faces.to_vec(),
            ..Self::default()
        }
    }

    /// Makes the pool keep the faces of rerolled dice as dropped dice, up to the first `most` of
    /// them.
    pub fn with_history(self, most: usize) -> Self {
        Self {
            history: most,
            ..self
        }
    }

    /// Clears the pool and draws `count` dice with `sides` sides, one by one. The caller has
    /// checked both numbers (see [`crate::ops`]). Custom dice have as many sides as faces; `sides`
    /// is ignored.
    ///
    /// # Errors
    /// Those of `dice`.
    pub fn draw(&mut self, dice: &mut impl Dice, count: i64, sides: i64) -> Result<(), TrapCode> {
        self.clear();
        self.sides = match u32::try_from(self.faces.len()) {
            Ok(0) | Err(_) => u32::try_from(sides).unwrap_or(u32::MAX).max(1),
            Ok(faces) => faces,
        };
        for _ in 0..count {
            let die = self.roll(dice, Flags::empty())?;
            self.dice.push(die);
        }
        Ok(())
    }

    /// Removes all dice.
    pub fn clear(&mut self) {
        self.dice.clear();
        self.conditions.clear();
    }

    /// Adds a sub-roll with this total.
    pub fn push(&mut self, total: i64) {
        self.dice.push(Die {
            face: total,
            place: 0,
            value: total,
            sides: 0,
            tag: 0,
            flags: Flags::empty(),
        });
    }

    /// Adds the dice that `other` keeps, with their tags. They are not counted yet.
    pub fn join(&mut self, other: &Pool) {
        let kept = other.dice.iter().filter(|die| die.is_kept());
        self.dice.extend(kept.map(|&die| Die {
            flags: die.flags - (Flags::SUCCESS | Flags::FAILURE),
            ..die
        }));
    }

    /// Adds a condition for the next change or count, which affects dice that meet any condition
    /// added since the last one.
    pub fn when(&mut self, op: CompareOp, threshold: i64) {
        self.conditions.push(Condition { op, threshold });
    }

    /// The dice, in pool order: an extra die follows its parent, a rerolled face precedes its
    /// replacement.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// The dice, for tagging them.
    pub fn dice_mut(&mut self) -> &mut [Die] {
        &mut self.dice
    }

    /// One die of this pool.
    fn roll(&self, dice: &mut impl Dice, flags: Flags) -> Result<Die, TrapCode> {
        let place = match &self.faces[..] {
            [] => dice.roll(self.sides.into())?,
            faces => dice.face_of(faces)?,
        };
        let (face, flags) = match usize::try_from(place.saturating_sub(1)) {
            Ok(index) if !self.faces.is_empty() => {
                let face = self.faces.get(index).copied().unwrap_or(0);
                (face, flags | Flags::CUSTOM)
            }
            _ => (place.cast_signed(), flags),
        };
        let penalty = i64::from(flags.contains(Flags::PENETRATED));
        Ok(Die {
            face,
            // In `1..=sides`, and sides is a u32.
            place: place as u32,
            value: face - penalty,
            sides: self.sides,
            tag: 0,
            flags,
        })
    }

    /// The lowest and the highest face of a die of this pool.
    pub fn ends(&self) -> (i64, i64) {
        let custom = self.faces.iter().copied();
        custom
            .clone()
            .min()
            .zip(custom.max())
            .unwrap_or((1, self.sides.into()))
    }

    /// Whether a number meets any of the conditions.
    fn meets(&self, number: i64) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|condition| condition.op.holds(number.cmp(&condition.threshold)))
    }
}
