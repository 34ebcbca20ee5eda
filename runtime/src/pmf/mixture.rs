//! Mixtures (the law of total probability): a table for each branch, weighted by the branch.
//! `(1d4)d6` is a mixture of pools.

use super::accumulate::Accumulator;
use super::budget::{Budget, Exhausted};
use super::combine::CombineError;
use super::table::Pmf;
use super::weight::Weight;

/// The cost of a common denominator of two totals, in products of them: a binary greatest common
/// divisor passes over the words once for each bit.
const GCD_COST: u64 = 64;

/// Why there is no mixture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixtureError {
    /// No branch has a weight, or a weight is negative, not a number, or too large (above 1e300).
    #[error("the branches of a mixture need weights that are not negative and not all zero")]
    Weights,
    /// It does not fit in the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<W: Weight> Pmf<W> {
    /// The mixture of `parts`, each taken with a probability proportional to its weight.
    ///
    /// Exact tables are brought to the least common multiple of their totals, so the total is the
    /// sum of the branch weights times that. The branch weights count as exact in the error bound;
    /// if they come from a table, use [`bind`](Self::bind).
    ///
    /// # Errors
    /// [`MixtureError::Weights`] for invalid weights (for example none), or [`Exhausted`].
    pub fn mixture(parts: Vec<(W, Self)>, budget: &mut Budget) -> Result<Self, MixtureError> {
        let branches = W::checked_sum(parts.iter().map(|(w, _)| w)).ok_or(MixtureError::Weights)?;
        let mut mixture = Mixture::new();
        for (weight, part) in parts.iter().filter(|(w, _)| !w.is_zero()) {
            mixture.add(weight, part, budget)?;
        }
        Ok(mixture.finish(branches, 0)?)
    }

    /// The distribution of a variable that depends on another: draws x from `self`, then from
    /// `f(x)`.
    ///
    /// `f` gets the same budget, is called once for each value in ascending order, and only one of
    /// its tables is alive at a time.
    ///
    /// # Errors
    /// The first error of `f`, or [`Exhausted`].
    pub fn bind<E>(
        &self,
        budget: &mut Budget,
        mut f: impl FnMut(i64, &mut Budget) -> Result<Self, CombineError<E>>,
    ) -> Result<Self, CombineError<E>> {
        let mut mixture = Mixture::new();
        for (value, weight) in self.iter() {
            let part = f(value, budget)?;
            mixture.add(weight, &part, budget)?;
        }
        Ok(mixture.finish(self.total.clone(), self.roundings)?)
    }
}

/// An unfinished mixture. The collected weights are over the common denominator of the parts so
/// far.
struct Mixture<W> {
    gathered: Accumulator<W>,
    denominator: W,
    parts: u64,
    /// The maximum of all parts.
    roundings: u64,
}

impl<W: Weight> Mixture<W> {
    fn new() -> Self {
        Self {
            gathered: Accumulator::new(),
            denominator: W::from_u64(1),
            parts: 0,
            roundings: 0,
        }
    }

    /// Adds a branch of nonzero weight.
    fn add(&mut self, weight: &W, part: &Pmf<W>, budget: &mut Budget) -> Result<(), Exhausted> {
        // The part's products, the rescaling of what is there, and a greatest common divisor.
        let touched = (part.len() as u64 + self.gathered.len()).saturating_add(GCD_COST);
        let cost = W::mul_cost(&self.denominator, &part.total).saturating_add(W::add_cost(weight));
        budget.spend(touched.saturating_mul(cost), part.len() as u64)?;
        let common = W::common(&self.denominator, &part.total);
        let storage = W::storage(&common.denominator, weight);
        self.gathered.prepare(part.len() as u64, storage, budget);
        if common.denominator != self.denominator {
            self.gathered.scale(&common.acc_factor)?;
            self.denominator = common.denominator;
        }
        let factor = weight.mul(&common.part_factor);
        for (value, w) in part.iter() {
            self.gathered.add(value, &w.mul(&factor))?;
        }
        self.parts += 1;
        self.roundings = self.roundings.max(part.roundings);
        Ok(())
    }

    /// The mixture of branches whose weights sum to `branches` and went through `branch_roundings`.
    /// Needs a branch.
    fn finish(self, branches: W, branch_roundings: u64) -> Result<Pmf<W>, Exhausted> {
        // Additions of the parts and of their weights, a product and a division; the weights' own
        // roundings are in each weight and in the sum that divides it.
        let roundings = (2 * self.parts + 2)
            .saturating_add(self.roundings)
            .saturating_add(branch_roundings.saturating_mul(2));
        let mut table = self.gathered.finish(W::from_u64(1), roundings)?;
        table.total = W::normalise(&mut table.weights, branches.mul(&self.denominator));
        Ok(table)
    }
}
