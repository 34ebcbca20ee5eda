//! Exploding dice: the series that such a die is, cut where what remains does not matter.
//!
//! Let E and S be the parts of a die's generating function whose faces explode and stop. The sum of a die and of
//! those it adds is S + E S + E^2 S + ..., evaluated by Horner's rule; there is no closed form for its
//! coefficients, but the mass after k explosions is p^k, so a few terms are enough.

use super::accumulate::Accumulator;
use super::budget::Budget;
use super::combine::{CombineError, Overflow};
use super::face::{DieError, Truncated};
use super::table::Pmf;
use super::weight::Weight;

/// A series is cut where the mass left is at most this: for `f64`, where it is the size of roundings, and for
/// exact weights too, whose totals would never end, so that both give one answer.
///
/// What is left out of a die with probability p of exploding has a mean of about 35 / (1 - p) times the exploding
/// face, so the mean of a die with the faces `1..=sides` is right to 1e-13 of itself.
pub const SERIES_CUT: f64 = 1e-15;

/// What a die that was added by an explosion counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// What it shows: `!`, and `!!`, where die and extra dice are shown as one.
    AsShown,
    /// One less than it shows: `!p`. What it shows decides on whether it explodes.
    OneLess,
}

impl<W: Weight> Pmf<W> {
    /// A die that adds another one, which may do so too, when `explodes` holds for the face it shows: the sum of
    /// `value` over all its dice. `value` is the identity for a plain sum, a clamp for `min` and `max`, or
    /// 1, 0 and -1 to count successes.
    ///
    /// The chain is cut after `limit` explosions, where a roll is an error, or earlier, when the mass left
    /// is at most [`SERIES_CUT`]; the distribution is that on the condition that the chain ends before.
    /// After k explosions the exact total is that of this table to the power of k + 1, less what is cut.
    ///
    /// # Errors
    /// [`DieError::Endless`] when every face explodes, or the others.
    pub fn exploded(
        &self,
        budget: &mut Budget,
        extra: Extra,
        limit: u64,
        explodes: impl Fn(i64) -> bool,
        value: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        let stops = |v| !explodes(v);
        let first = |v| Ok(value(v));
        let added = |v: i64| match extra {
            Extra::AsShown => Ok(value(v)),
            Extra::OneLess => v.checked_sub(1).map(&value).ok_or(Overflow),
        };
        let Some(stop) = self.part(budget, stops, first)? else {
            return Err(DieError::Endless);
        };
        let Some(explode) = self.part(budget, &explodes, first)? else {
            return Ok(Truncated {
                pmf: stop,
                residual: 0.0,
            });
        };
        let p = explode.mass();
        let explosions = enough_explosions(p).min(limit);
        let stop_added = self.part(budget, stops, added)?.ok_or(DieError::Endless)?;
        let explode_added = self.part(budget, &explodes, added)?;
        let explode_added = explode_added.ok_or(DieError::Endless)?;
        // What an added die brings, with one explosion more each time; the first die comes last.
        let mut chain = stop_added.clone();
        let mut scale = W::from_u64(1);
        for _ in 1..explosions {
            chain = chain.prepend(&explode_added, &stop_added, &mut scale, budget)?;
        }
        if explosions == 0 {
            chain = stop;
        } else {
            chain = chain.prepend(&explode, &stop, &mut scale, budget)?;
        }
        let length = chain.len() as u64;
        budget.spend(length.saturating_mul(2 * W::add_cost(&chain.total)), 1)?;
        let mass = W::checked_sum(chain.weights.iter()).ok_or(DieError::Endless)?;
        chain.total = W::normalise(&mut chain.weights, mass);
        // A weight's own, those of the mass that divides it, and the division.
        chain.roundings = (chain.roundings.saturating_mul(2)).saturating_add(length + 1);
        Ok(Truncated {
            pmf: chain,
            residual: p.min(1.0).powf(explosions as f64 + 1.0),
        })
    }

    /// The part of this table whose faces fulfil `when`, which keeps its weights and so has less mass than
    /// 1, counted by `value`; `None` when it is empty.
    fn part(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
        value: impl Fn(i64) -> Result<i64, Overflow>,
    ) -> Result<Option<Self>, CombineError<Overflow>> {
        let additions = self.len() as u64;
        budget.spend(additions.saturating_mul(W::add_cost(&self.total)), 1)?;
        let mut gathered = Accumulator::new();
        gathered.expect(additions, W::storage(&self.total, &W::from_u64(1)), budget);
        let mut empty = true;
        for (face, weight) in self.iter().filter(|(v, _)| when(*v)) {
            gathered.add(value(face).map_err(CombineError::Value)?, weight)?;
            empty = false;
        }
        if empty {
            return Ok(None);
        }
        let roundings = self.roundings.saturating_add(additions - 1);
        Ok(Some(gathered.finish(self.total.clone(), roundings)?))
    }

    /// The share of the possibilities that a [`part`](Self::part) holds.
    fn mass(&self) -> f64 {
        let mut sum = W::zero();
        self.weights.iter().for_each(|w| sum.add(w));
        sum.ratio(&self.total)
    }

    /// One step of Horner's rule: a die before this chain, stop + explode * chain. `stop` and `explode` are parts
    /// of one table; `scale` is what brings its total to that of the chain.
    fn prepend(
        &self,
        explode: &Self,
        stop: &Self,
        scale: &mut W,
        budget: &mut Budget,
    ) -> Result<Self, CombineError<Overflow>> {
        for (end, more) in [(self.min(), explode.min()), (self.max(), explode.max())] {
            end.checked_add(more).ok_or(CombineError::Value(Overflow))?;
        }
        let additions = (explode.len() as u64)
            .saturating_mul(self.len() as u64)
            .saturating_add(stop.len() as u64 + 1);
        budget.spend(
            additions.saturating_mul(W::mul_cost(&self.total, &stop.total)),
            1,
        )?;
        *scale = scale.mul(&stop.total);
        let mut gathered = Accumulator::new();
        gathered.expect(additions, W::storage(&self.total, &stop.total), budget);
        for (value, weight) in explode.iter() {
            gathered.add_scaled(self, value, weight)?;
        }
        for (value, weight) in stop.iter() {
            gathered.add(value, &weight.mul(scale))?;
        }
        let total = W::product_total(&self.total, &stop.total);
        // A product, and an addition for each other term of a value.
        let terms = explode.len() as u64 + 1;
        let roundings = (self.roundings)
            .saturating_add(explode.roundings.max(stop.roundings))
            .saturating_add(terms);
        Ok(gathered.finish(total, roundings)?)
    }
}

/// The number of explosions after which the mass left, `p` to the power of one more, is at most [`SERIES_CUT`].
fn enough_explosions(p: f64) -> u64 {
    // A conversion from float saturates; a quotient that is not a number (for p = 1 rounded) means without end.
    let dice = (SERIES_CUT.ln() / p.ln()).abs().ceil();
    if dice.is_nan() {
        u64::MAX
    } else {
        (dice as u64).saturating_sub(1)
    }
}
