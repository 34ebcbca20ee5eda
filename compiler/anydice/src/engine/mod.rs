//! Operations on values, over the exact distributions of [`dicec_runtime::pmf`]. None of them
//! enumerates rolls.

mod explosion;
mod making;
mod operators;
mod positions;
mod rolls;

pub(crate) use rolls::{Observer, distinct, observed, rolls};

use crate::arithmetic;
use crate::failure::Unplaced;
use crate::value::{Dice, Value};
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The budget of a run, and the dice that it has made: equal dice are the same in memory, so that
/// their sums are computed once and calls with them can be remembered.
pub(crate) struct Engine<'b, W> {
    pub(crate) budget: &'b mut Budget,
    /// Dice by the faces that were listed.
    faces: FxHashMap<Rc<[i64]>, Rc<Pmf<W>>>,
    /// Dice by the number of sides.
    sides: FxHashMap<i64, Rc<Pmf<W>>>,
    /// Pools by the number and the faces of their dice. The table of faces is kept alive by its
    /// pool, so that its address stays its own.
    pools: FxHashMap<(u64, *const Pmf<W>), Rc<Dice<W>>>,
}

impl<'b, W: Weight> Engine<'b, W> {
    pub(crate) fn new(budget: &'b mut Budget) -> Self {
        Self {
            budget,
            faces: FxHashMap::default(),
            sides: FxHashMap::default(),
            pools: FxHashMap::default(),
        }
    }

    /// Pays for some steps of the interpreter.
    pub(crate) fn pay(&mut self, steps: u64) -> Result<(), Unplaced> {
        Ok(self.budget.spend(steps, 1)?)
    }

    /// The distribution of the sum of dice; none for the empty die.
    pub(crate) fn sum(&mut self, dice: &Dice<W>) -> Result<Option<Rc<Pmf<W>>>, Unplaced> {
        if let Some(sum) = dice.known_sum() {
            return Ok(sum.clone());
        }
        let Some(die) = &dice.die else {
            return Ok(None);
        };
        let sum = match dice.count {
            1 => Rc::clone(die),
            count => Rc::new(die.n_fold(count, self.budget)?),
        };
        dice.remember(Rc::clone(&sum));
        Ok(Some(sum))
    }

    /// A pool of dice with these faces: the same one for the same faces.
    fn pool(&mut self, die: Rc<Pmf<W>>, count: u64) -> Value<W> {
        let key = (count, Rc::as_ptr(&die));
        let pool = self.pools.entry(key);
        Value::Dice(Rc::clone(
            pool.or_insert_with(|| Rc::new(Dice::new(die, count))),
        ))
    }

    /// The die that `faces` stands for where a die is wanted: a number has one face, a sequence
    /// its sum.
    pub(crate) fn as_dice(&mut self, value: &Value<W>) -> Result<Rc<Dice<W>>, Unplaced> {
        let face = match value {
            Value::Dice(dice) => return Ok(Rc::clone(dice)),
            Value::Number(number) => *number,
            Value::Sequence(elements) => arithmetic::sum(elements)?,
        };
        Ok(Rc::new(Dice::new(Rc::new(Pmf::point(face)), 1)))
    }

    /// The mixture of distributions with these weights; none without any.
    pub(crate) fn mixture(
        &mut self,
        parts: Vec<(W, Rc<Pmf<W>>)>,
    ) -> Result<Option<Pmf<W>>, Unplaced> {
        if parts.is_empty() {
            return Ok(None);
        }
        let parts = parts.into_iter();
        let parts = parts.map(|(weight, part)| (weight, Rc::unwrap_or_clone(part)));
        Ok(Some(Pmf::mixture(parts.collect(), self.budget)?))
    }
}
