//! Pools of dice: the one meaning of everything that can be done to dice on the table.
//!
//! ```text
//! draw (or push, join) --> explode, reroll, clamp, in written order --> select --> sum or count
//! ```
//!
//! A [`Die`] has a **face**, which it rolled, and a **value**, which it counts. Explosions and rerolls look at faces; clamps,
//! compounding and penetration change values; keeping, dropping, counting and sums look at values.
//!
//! The interpreter, the IR evaluator and compiled code all work on a [`Pool`] through its methods, in this order:
//! what a pool means is written here and nowhere else.

mod change;
mod die;
mod read;
mod select;
mod step;
#[cfg(test)]
mod tests;

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

/// Dice on the table. A pool is used again for each trial: drawing begins it anew and keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// What the faces of a custom die count, by place; empty for plain dice.
    faces: Vec<i64>,
    sides: u32,
    dice: Vec<Die>,
    /// What the next change or selection looks for; see [`Pool::when`].
    conditions: Vec<Condition>,
    /// Whether rerolled dice stay on the table, for showing them.
    history: bool,
    /// Memory of a change.
    spare: Vec<Die>,
    /// Memory of a selection: values with the complements of their places, so that of equal ones the earlier is the higher.
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

    /// The pool, which keeps the faces of rerolled dice as dropped dice, up to the first 10,000 of them.
    pub fn with_history(self) -> Self {
        Self {
            history: true,
            ..self
        }
    }

    /// Begins anew with `count` dice of `sides` sides, drawn one by one. Both have been judged (see [`crate::ops`]);
    /// dice with faces of their own have as many sides as faces, whatever `sides` says.
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

    /// Begins anew with no dice.
    pub fn clear(&mut self) {
        self.dice.clear();
        self.conditions.clear();
    }

    /// Adds a sub-roll that came to `total`.
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

    /// Adds the dice that `other` keeps, with the marks that they carry.
    pub fn join(&mut self, other: &Pool) {
        let kept = other.dice.iter().filter(|die| die.is_kept());
        self.dice.extend(kept);
    }

    /// Adds a condition for the next change or count: it looks for dice that meet any of the conditions since the last.
    pub fn when(&mut self, op: CompareOp, threshold: i64) {
        self.conditions.push(Condition { op, threshold });
    }

    /// The dice, in pool order: an extra die stands behind its parent, a rerolled face before the one that replaced it.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// The dice, for tagging them.
    pub fn dice_mut(&mut self) -> &mut [Die] {
        &mut self.dice
    }

    /// One die of this pool.
    fn roll(&self, dice: &mut impl Dice, flags: Flags) -> Result<Die, TrapCode> {
        let place = dice.roll(self.sides.into())?;
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
