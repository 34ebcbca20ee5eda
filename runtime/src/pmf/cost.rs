//! What a selection costs, for the budget: its weights grow with the number of dice.

use super::budget::{Budget, Exhausted};
use super::fold::power;
use super::table::Pmf;
use super::weight::Weight;

/// The costs of the steps of a selection, in the units of [`Budget::spend`].
pub(super) struct Cost<W> {
    /// The total of all dice together.
    pub(super) total: W,
    /// A number of a binomial row.
    pub(super) row: u64,
    /// A sum's weight times such a number.
    pub(super) pass: u64,
    /// An entry of a table.
    pub(super) storage: u64,
}

impl<W: Weight> Cost<W> {
    pub(super) fn of(kinds: &[(&Pmf<W>, u64)], budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut total = W::from_u64(1);
        let mut half = W::from_u64(1);
        let mut row = 1;
        for (die, n) in kinds {
            let all = power(&die.total, *n, budget)?;
            budget.spend(W::mul_cost(&total, &all), W::storage(&total, &all))?;
            row = row.max(W::mul_cost(&all, &die.total));
            total = total.mul(&all);
            half = half.mul(&power(&die.total, n / 2 + 1, budget)?);
        }
        Ok(Self {
            row,
            // A sum's weight and a row's number have the size of the total between them.
            pass: W::mul_cost(&half, &half),
            storage: W::storage(&total, &W::from_u64(1)),
            total,
        })
    }
}
