//! Tables from tables: functions of one variable, and of two independent ones.

use super::accumulate::Accumulator;
use super::budget::{Budget, Exhausted};
use super::table::{Pmf, Values};
use super::weight::Weight;

/// Why a combination failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CombineError<E> {
    /// The function failed on a pair of values that can occur.
    #[error("{0}")]
    Value(E),
    /// The operation does not fit in the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// A sum of values that does not fit in an `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sum is out of the range of 64-bit integers")]
pub struct Overflow;

/// A table is convolved as an array when it spans fewer than this many values for each outcome.
const COMPACT_SPAN: u64 = 4;

impl<W: Weight> Pmf<W> {
    /// The distribution of `f(x)`. `f` is called once for each value, in ascending order.
    ///
    /// # Errors
    /// The first error of `f`, or [`Exhausted`].
    pub fn map<E>(
        &self,
        budget: &mut Budget,
        mut f: impl FnMut(i64) -> Result<i64, E>,
    ) -> Result<Self, CombineError<E>> {
        let additions = self.len() as u64;
        budget.spend(additions.saturating_mul(W::add_cost(&self.total)), 1)?;
        if let [_] = self.weights[..] {
            let value = f(self.min()).map_err(CombineError::Value)?;
            return Ok(self.shifted(value));
        }
        let mut gathered = Accumulator::new();
        gathered.prepare(additions, W::storage(&self.total, &W::from_u64(1)), budget);
        for (value, weight) in self.iter() {
            gathered.add(f(value).map_err(CombineError::Value)?, weight)?;
        }
        Ok(gathered.finish(
            self.total.clone(),
            self.roundings.saturating_add(additions - 1),
        )?)
    }

    /// The distribution of `f(x, y)` for independent x (from `self`) and y. `f` is called once for
    /// each pair.
    ///
    /// # Errors
    /// The first error of `f`, or [`Exhausted`]: before anything is computed for the work, and in
    /// passing, with bounded memory, for the number of outcomes.
    pub fn combine<E>(
        &self,
        other: &Self,
        budget: &mut Budget,
        mut f: impl FnMut(i64, i64) -> Result<i64, E>,
    ) -> Result<Self, CombineError<E>> {
        let pairs = (self.len() as u64).saturating_mul(other.len() as u64);
        budget.spend(
            pairs.saturating_mul(W::mul_cost(&self.total, &other.total)),
            1,
        )?;
        let mut gathered = Accumulator::new();
        gathered.prepare(pairs, W::storage(&self.total, &other.total), budget);
        for (x, a) in self.iter() {
            for (y, b) in other.iter() {
                gathered.add(f(x, y).map_err(CombineError::Value)?, &a.mul(b))?;
            }
        }
        let total = W::product_total(&self.total, &other.total);
        // One for the product; at most all others merge into one value.
        Ok(gathered.finish(total, self.product_roundings(other, pairs))?)
    }

    /// The distribution of `x + y` for independent x and y: [`combine`](Self::combine) with a
    /// checked addition, but faster if the tables are dense.
    ///
    /// # Errors
    /// [`Overflow`] when a possible sum is out of range, or [`Exhausted`].
    pub fn sum(&self, other: &Self, budget: &mut Budget) -> Result<Self, CombineError<Overflow>> {
        let add = |x: i64, y: i64| x.checked_add(y).ok_or(CombineError::Value(Overflow));
        let first = add(self.min(), other.min())?;
        add(self.max(), other.max())?;
        if other.is_point() {
            return Ok(self.shifted(first));
        }
        if self.is_compact() && other.is_compact() {
            let (a, b) = (self.span() + 1, other.span() + 1);
            let cost = W::mul_cost(&self.total, &other.total);
            let storage = W::storage(&self.total, &other.total);
            budget.spend(
                a.saturating_mul(b).saturating_mul(cost),
                (a + b - 1).saturating_mul(storage),
            )?;
            if let Some(weights) = W::convolve(&self.dense(), &other.dense()) {
                let total = W::product_total(&self.total, &other.total);
                let roundings = self.product_roundings(other, a.min(b));
                return Ok(Self::from_dense(first, weights, total, roundings));
            }
        }
        self.combine(other, budget, |x, y| x.checked_add(y).ok_or(Overflow))
    }

    /// Whether this is a certain value, of weight 1: its products are exact.
    fn is_point(&self) -> bool {
        let one = W::from_u64(1);
        self.roundings == 0 && self.total == one && matches!(&self.weights[..], [w] if *w == one)
    }

    /// The table whose values begin at `first`. All of them fit.
    fn shifted(&self, first: i64) -> Self {
        let distance = first.wrapping_sub(self.min());
        let values = match &self.values {
            Values::Run(_) => Values::Run(first),
            Values::List(values) => {
                Values::List(values.iter().map(|v| v.wrapping_add(distance)).collect())
            }
        };
        Self {
            values,
            ..self.clone()
        }
    }

    /// The roundings of a sum of `terms` products.
    fn product_roundings(&self, other: &Self, terms: u64) -> u64 {
        self.roundings
            .saturating_add(other.roundings)
            .saturating_add(terms)
    }

    /// Whether an array of all values from the least to the greatest is worth its gaps.
    fn is_compact(&self) -> bool {
        self.span() < COMPACT_SPAN.saturating_mul(self.len() as u64)
    }
}
