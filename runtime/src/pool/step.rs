//! Single steps on pools: the building blocks of the IR's pool instructions.

use super::{Bound, Explosion, Flags, Pool, Selector};
use crate::compare::CompareOp;
use crate::ops::OpResult;
use crate::rng::Dice;

/// One step on a pool. It takes up to two numbers as operands. A step without a result of its own
/// returns the number of dice in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// [`Pool::draw`] with a count and a number of sides.
    Draw,
    /// [`Pool::clear`].
    Clear,
    /// [`Pool::push`] of a total.
    Push,
    /// [`Pool::join`] of the pool with this number.
    Join(u32),
    /// [`Pool::when`] with a threshold.
    When(CompareOp),
    /// [`Pool::explode`].
    Explode {
        /// The effect of an explosion.
        how: Explosion,
        /// The maximum number of extra dice of one die.
        most: u32,
        /// The maximum number of dice in the pool.
        max_dice: u32,
    },
    /// [`Pool::reroll`].
    Reroll {
        /// At most one time.
        once: bool,
        /// The maximum number of rerolls of one die.
        most: u32,
    },
    /// [`Pool::bound`] with a number.
    Bound(Bound),
    /// [`Pool::select`] with a count.
    Select(Selector),
    /// [`Pool::set_aside`].
    SetAside,
    /// Returns [`Pool::sum`].
    Sum,
    /// Returns [`Pool::count`].
    Count,
    /// Returns [`Pool::naturals`] of dice with this many sides.
    Naturals(u32),
    /// Returns [`Pool::natural_face`] of dice with this many sides.
    NaturalFace(u32),
    /// Returns [`Pool::keeps`] of the sub-roll at this index, as 1 or 0.
    Keeps(u32),
}

impl Step {
    /// Performs the step on the pool at `index`; a pool that does not exist is empty.
    ///
    /// # Errors
    /// Those of the step.
    pub fn take(
        self,
        pools: &mut [Pool],
        index: u32,
        numbers: [i64; 2],
        dice: &mut impl Dice,
    ) -> OpResult {
        if let Step::Join(other) = self {
            return Ok(join(pools, index, other));
        }
        let Some(pool) = pools.get_mut(index as usize) else {
            return Ok(0);
        };
        let [number, second] = numbers;
        match self {
            Step::Draw => pool.draw(dice, number, second)?,
            Step::Clear => pool.clear(),
            Step::Push => pool.push(number),
            // Handled above.
            Step::Join(_) => {}
            Step::When(op) => pool.when(op, number),
            Step::Explode {
                how,
                most,
                max_dice,
            } => pool.explode(dice, how, most, max_dice)?,
            Step::Reroll { once, most } => pool.reroll(dice, once, most)?,
            Step::Bound(how) => pool.bound(how, number),
            Step::Select(selector) => pool.select(selector, number),
            Step::SetAside => pool.set_aside(),
            Step::Sum => return pool.sum(),
            Step::Count => return Ok(pool.count(Flags::SUCCESS)),
            Step::Naturals(sides) => return Ok(pool.naturals(sides)),
            Step::NaturalFace(sides) => return Ok(pool.natural_face(sides)),
            Step::Keeps(index) => return Ok(i64::from(pool.keeps(index))),
        }
        Ok(size(pool))
    }
}

fn size(pool: &Pool) -> i64 {
    // Memory holds fewer than 2^63 dice.
    pool.dice().len() as i64
}

fn join(pools: &mut [Pool], index: u32, other: u32) -> i64 {
    let pair = pools.get_disjoint_mut([index as usize, other as usize]);
    pair.map_or(0, |[pool, other]| {
        pool.join(other);
        size(pool)
    })
}
