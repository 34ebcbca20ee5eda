//! Changes of single dice: explosions, rerolls and clamps.

use super::{Die, Flags, Pool};
use crate::rng::Dice;
use crate::trap::TrapCode;
use std::fmt;

/// The effect of an explosion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Explosion {
    /// `!`: one more die.
    Extra,
    /// `!!`: one more face, added to the die's value.
    Compound,
    /// `!p`: one more die, which counts one less than its face.
    Penetrate,
}

impl Explosion {
    /// All of them.
    pub const ALL: [Explosion; 3] = [Self::Extra, Self::Compound, Self::Penetrate];
}

impl fmt::Display for Explosion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Explosion::Extra => "!",
            Explosion::Compound => "!!",
            Explosion::Penetrate => "!p",
        })
    }
}

impl Pool {
    /// Explodes: each die whose face meets the conditions (by default: is the highest face) adds
    /// another die, which may explode again. The whole explosion chain of a die is drawn before the
    /// next die's, and follows the die.
    ///
    /// # Errors
    /// A chain of more than `most` extra dice; a pool of more than `max_dice` dice; those of
    /// `dice`.
    pub fn explode(
        &mut self,
        dice: &mut impl Dice,
        how: Explosion,
        most: u32,
        max_dice: u32,
    ) -> Result<(), TrapCode> {
        if self.conditions.is_empty() {
            self.when(crate::compare::CompareOp::Equal, self.ends().1);
        }
        let before = std::mem::take(&mut self.dice);
        let mut after = std::mem::take(&mut self.spare);
        after.clear();
        let mut room = Room {
            // Both fit a usize on every supported machine.
            left: (max_dice as usize).saturating_sub(before.len()),
            most,
        };
        let chains = before
            .iter()
            .try_for_each(|&die| self.chain(dice, how, die, &mut room, &mut after));
        self.dice = after;
        self.spare = before;
        self.conditions.clear();
        chains
    }

    /// A die and its explosion chain.
    fn chain(
        &self,
        dice: &mut impl Dice,
        how: Explosion,
        first: Die,
        room: &mut Room,
        after: &mut Vec<Die>,
    ) -> Result<(), TrapCode> {
        let flags = match how {
            Explosion::Penetrate => Flags::ADDED | Flags::PENETRATED,
            Explosion::Extra | Explosion::Compound => Flags::ADDED,
        };
        let mut last = first;
        let mut face = first.face;
        for _ in 0..room.most {
            if !first.is_present() || !self.meets(face) {
                after.push(last);
                return Ok(());
            }
            last.flags |= Flags::EXPLODED;
            let extra = self.roll(dice, flags)?;
            face = extra.face;
            if how == Explosion::Compound {
                let value = last.value.checked_add(extra.value);
                last.value = value.ok_or(TrapCode::Overflow)?;
            } else {
                room.take()?;
                after.push(last);
                last = extra;
            }
        }
        if self.meets(face) {
            return Err(TrapCode::TooManyExplosions);
        }
        after.push(last);
        Ok(())
    }

    /// Rerolls: each die whose face meets a condition is rolled again, until its face meets none
    /// or, if `once`, one time.
    ///
    /// # Errors
    /// A die rerolled more than `most` times; those of `dice`.
    pub fn reroll(&mut self, dice: &mut impl Dice, once: bool, most: u32) -> Result<(), TrapCode> {
        let before = std::mem::take(&mut self.dice);
        let mut after = std::mem::take(&mut self.spare);
        after.clear();
        let mut shown = self.history;
        let rerolled = before.iter().try_for_each(|&die| {
            let last = self.rerolled(dice, die, once, most, &mut shown, &mut after)?;
            after.push(last);
            Ok(())
        });
        self.history = shown;
        self.dice = after;
        self.spare = before;
        self.conditions.clear();
        rerolled
    }

    /// The die that finally replaces `die`; up to `shown` earlier faces go to `after`.
    fn rerolled(
        &self,
        dice: &mut impl Dice,
        mut die: Die,
        once: bool,
        most: u32,
        shown: &mut usize,
        after: &mut Vec<Die>,
    ) -> Result<Die, TrapCode> {
        let mut times = 0;
        while die.is_present() && self.meets(die.face) {
            if times == most {
                return Err(TrapCode::TooManyRerolls);
            }
            if let Some(left) = shown.checked_sub(1) {
                *shown = left;
                let flags = die.flags | Flags::DROPPED | Flags::REROLLED;
                after.push(Die { flags, ..die });
            }
            let origin = die.flags & (Flags::ADDED | Flags::PENETRATED);
            die = self.roll(dice, origin)?;
            times += 1;
            if once {
                break;
            }
        }
        Ok(die)
    }
}

/// By how much a pool may still grow.
struct Room {
    /// Dice, in the whole pool.
    left: usize,
    /// Extra dice of one die.
    most: u32,
}

impl Room {
    fn take(&mut self) -> Result<(), TrapCode> {
        self.left = self.left.checked_sub(1).ok_or(TrapCode::TooManyDice)?;
        Ok(())
    }
}
