//! Rerolled dice, and the result type of every series that may never end.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::table::Pmf;
use super::weight::Weight;

/// Why a die with modifiers has no distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DieError {
    /// Every face is rerolled or explodes, so no roll ever ends.
    #[error("every face of the die asks for another one")]
    Endless,
    /// See [`Overflow`].
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The question does not fit in the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl From<CombineError<Overflow>> for DieError {
    fn from(error: CombineError<Overflow>) -> Self {
        match error {
            CombineError::Value(overflow) => Self::Overflow(overflow),
            CombineError::Exhausted(exhausted) => Self::Exhausted(exhausted),
        }
    }
}

/// The distribution of a roll that may be repeated without end, on the condition that it ends early
/// enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncated<W = f64> {
    /// The distribution, on the condition that the roll ends early enough; so its probabilities add
    /// up to 1.
    pub pmf: Pmf<W>,
    /// The probability that it does not, which the condition leaves out.
    pub residual: f64,
}

impl<W> Truncated<W> {
    /// The probability that at least one of `n` such rolls does not end early enough.
    pub fn residual_of(&self, n: u64) -> f64 {
        // 1 - (1 - residual)^n without cancellation.
        -libm::expm1(n as f64 * libm::log1p(-self.residual))
    }
}

impl<W: Weight> Pmf<W> {
    /// A die that is rolled again while `when` holds for its face.
    ///
    /// However often the die is rolled, its last face is distributed as that of one roll on the
    /// condition that `when` does not hold, so the answer is exact. A roll that needs more than
    /// `limit` rerolls is an error; [`residual`](Truncated::residual) is the probability of that,
    /// p^(limit + 1).
    ///
    /// # Errors
    /// [`DieError::Endless`] when `when` holds for every face, or [`DieError::Exhausted`].
    pub fn rerolled(
        &self,
        budget: &mut Budget,
        limit: u64,
        when: impl Fn(i64) -> bool,
    ) -> Result<Truncated<W>, DieError> {
        let again = self.share_of(budget, &when)?;
        let stands = self.given(budget, |v| !when(v))?;
        Ok(Truncated {
            pmf: stands.ok_or(DieError::Endless)?,
            residual: libm::pow(again.ratio(&self.total).min(1.0), limit as f64 + 1.0),
        })
    }

    /// A die that is rolled once more if `when` holds for its face; the second face counts.
    ///
    /// P'(v) = P(v) ([not `when`(v)] + p), p the probability of `when`. The exact total is squared.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn rerolled_once(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
    ) -> Result<Self, Exhausted> {
        let again = self.share_of(budget, &when)?;
        if again.is_zero() {
            return Ok(self.clone());
        }
        let length = self.len() as u64;
        let storage = W::storage(&self.total, &self.total);
        budget.spend(
            length.saturating_mul(W::mul_cost(&self.total, &self.total)),
            length.saturating_mul(storage),
        )?;
        let mut either = self.total.clone();
        either.add(&again);
        let factor = |v| if when(v) { &again } else { &either };
        let weights = self.iter().map(|(v, w)| w.mul(factor(v))).collect();
        Ok(Self {
            values: self.values.clone(),
            weights,
            total: W::product_total(&self.total, &self.total),
            // The weight and the sum `again` carry those of this table; then additions and a
            // product.
            roundings: (self.roundings.saturating_mul(2)).saturating_add(length + 2),
        })
    }

    /// The weight of the faces for which `when` holds.
    fn share_of(&self, budget: &mut Budget, when: impl Fn(i64) -> bool) -> Result<W, Exhausted> {
        budget.spend(
            (self.len() as u64).saturating_mul(W::add_cost(&self.total)),
            1,
        )?;
        let mut sum = W::zero();
        for (_, weight) in self.iter().filter(|(v, _)| when(*v)) {
            sum.add(weight);
        }
        Ok(sum)
    }

    /// The distribution on the condition that `when` holds; `None` when it never does.
    pub(super) fn given(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
    ) -> Result<Option<Self>, Exhausted> {
        let length = self.len() as u64;
        let storage = W::storage(&self.total, &W::from_u64(1));
        budget.spend(
            length.saturating_mul(2 * W::add_cost(&self.total)),
            length.saturating_mul(storage),
        )?;
        let faces = self.iter().filter(|(v, _)| when(*v));
        let mut part = Self::from_weights(faces.map(|(v, w)| (v, w.clone())));
        if let Some(part) = &mut part {
            // Those of a weight, and of the sum that divides it.
            part.roundings = (part.roundings).saturating_add(self.roundings.saturating_mul(2));
        }
        Ok(part)
    }
}
