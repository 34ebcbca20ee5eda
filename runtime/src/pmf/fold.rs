//! Sums of independent copies of one variable with any table: pools of dice that are not plain.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::table::{Pmf, Values};
use super::weight::Weight;
use std::num::NonZeroU64;

impl<W: Weight> Pmf<W> {
    /// The distribution of the sum of `n` independent copies; 0 for none.
    ///
    /// By repeated squaring (Knuth, The Art of Computer Programming, 4.6.3, method A from the left,
    /// so that the odd factors are the small ones); a run of equally likely values takes the faster
    /// path of [`pool`](Self::pool). Otherwise the exact total is that of this table to the power
    /// of `n`.
    ///
    /// # Errors
    /// [`Overflow`] when a possible sum is out of range, or [`Exhausted`]: before each squaring, so
    /// after at most what the budget allows.
    pub fn n_fold(&self, n: u64, budget: &mut Budget) -> Result<Self, CombineError<Overflow>> {
        let first = times(self.min(), n)?;
        times(self.max(), n)?;
        if n == 0 || self.len() == 1 {
            return Ok(Self::point(first));
        }
        if self.is_uniform_run()
            && let Some(sides) = NonZeroU64::new(self.len() as u64)
        {
            let mut sum = Self::pool(n, sides, budget)?;
            sum.values = Values::Run(first);
            // The equal weights may each be off.
            sum.roundings = (sum.roundings).saturating_add(n.saturating_mul(self.roundings));
            return Ok(sum);
        }
        let mut sum = self.clone();
        for bit in bits_below_top(n) {
            sum = sum.sum(&sum, budget)?;
            if bit {
                sum = sum.sum(self, budget)?;
            }
        }
        Ok(sum)
    }

    /// Whether these are the weights of a fair die, of whatever first face.
    fn is_uniform_run(&self) -> bool {
        matches!(self.values, Values::Run(_)) && self.weights.windows(2).all(|w| w[0] == w[1])
    }
}

/// `value` n times.
pub(super) fn times(value: i64, n: u64) -> Result<i64, CombineError<Overflow>> {
    let product = i128::from(value).saturating_mul(i128::from(n));
    i64::try_from(product).map_err(|_| CombineError::Value(Overflow))
}

/// `base` to the power of `n`: the total of `n` independent tables with the total `base`.
pub(super) fn power<W: Weight>(base: &W, n: u64, budget: &mut Budget) -> Result<W, Exhausted> {
    if n == 0 {
        return Ok(W::from_u64(1));
    }
    let mut power = base.clone();
    for bit in bits_below_top(n) {
        let cost = W::mul_cost(&power, &power).saturating_add(W::mul_cost(&power, base));
        budget.spend(cost, W::storage(&power, &power))?;
        power = power.mul(&power);
        if bit {
            power = power.mul(base);
        }
    }
    Ok(power)
}

/// The bits of a nonzero number after its highest one, from the left.
fn bits_below_top(n: u64) -> impl Iterator<Item = bool> {
    (0..n.checked_ilog2().unwrap_or(0))
        .rev()
        .map(move |bit| n >> bit & 1 == 1)
}
