//! Dice: the first tables of every question.

use std::num::NonZeroU64;

use super::budget::{Budget, Exhausted, Resource};
use super::table::{Pmf, Values};
use super::weight::Weight;

impl<W: Weight> Pmf<W> {
    /// One fair die with the faces `1..=sides`.
    ///
    /// # Errors
    /// [`Exhausted`] when the faces are more than the budget's outcomes.
    pub fn die(sides: NonZeroU64, budget: &mut Budget) -> Result<Self, Exhausted> {
        Self::pool(1, sides, budget)
    }

    /// The sum of `count` fair dice with the faces `1..=sides`; 0 for no dice.
    ///
    /// The exact total is sides^count. In `f64` the mass of ten thousand d6 is within 1e-12 of 1,
    /// and even outcomes that are too unlikely for an `f64` are in the table.
    ///
    /// # Errors
    /// [`Exhausted`] when the budget does not cover the table, at once.
    pub fn pool(count: u64, sides: NonZeroU64, budget: &mut Budget) -> Result<Self, Exhausted> {
        let sides = sides.get();
        if count == 0 {
            return Ok(Self::point(0));
        }
        let Ok(first) = i64::try_from(count) else {
            // No budget allows it, and its sums do not fit in an i64.
            return Err(Exhausted {
                resource: Resource::Outcomes,
                limit: budget.limits().outcomes,
            });
        };
        if sides == 1 {
            return Ok(Self::point(first));
        }
        let cost = W::pool_cost(count, sides);
        let outcomes = (sides - 1).saturating_mul(count).saturating_add(1);
        budget.spend(cost.work, outcomes.saturating_mul(cost.storage))?;
        let table = W::pool(count, sides);
        Ok(Self {
            values: Values::Run(first),
            weights: table.weights,
            total: table.total,
            roundings: table.roundings,
        })
    }
}
