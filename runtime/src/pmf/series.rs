//! Exploding dice as series, cut where the remainder does not matter.
//!
//! Let E and S be the parts of a die's generating function whose faces explode and stop. The sum of
//! a die and of those it adds is S + E S + E^2 S + ..., evaluated by Horner's rule; there is no
//! closed form for its coefficients, but the mass after k explosions is p^k, so a few terms are
//! enough. The first die may have other parts than those that it adds.

use super::accumulate::Accumulator;
use super::budget::Budget;
use super::combine::{CombineError, Overflow};
use super::face::{DieError, Truncated};
use super::split::Split;
use super::table::Pmf;
use super::weight::Weight;

/// Sums of series with more values than this are cut at both ends.
const WIDE: usize = 8192;

/// The value of a die that an explosion added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Its face: `!`, and `!!`, which shows the die and its extra dice as one.
    AsShown,
    /// One less than its face: `!p`. The face decides whether it explodes.
    OneLess,
}

/// The directions in which the sums of a series are unbounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Downward, if added dice may count less than 0.
    pub low: bool,
    /// Upward, if added dice may count more than 0.
    pub high: bool,
}

impl Ends {
    /// Upward only.
    pub(super) const HIGH: Self = Self {
        low: false,
        high: true,
    };

    /// Those of a chain whose added dice count `value`.
    pub fn of<W: Weight>(extra: &Split<W>, value: impl Fn(i64) -> i64) -> Self {
        let more = extra.more.iter().flat_map(|more| more.iter());
        more.fold(Self::default(), |ends, (outcome, _)| {
            let value = value(outcome);
            Self {
                low: ends.low || value < 0,
                high: ends.high || value > 0,
            }
        })
    }
}

/// A die that explodes, with the dice that explosions add.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain<W = f64> {
    /// The die of the pool.
    pub first: Split<W>,
    /// A die that an explosion adds.
    pub extra: Split<W>,
}

impl<W: Weight> Pmf<W> {
    /// A die that adds another one, which may do so too, when `explodes` holds for the face it
    /// shows: the sum of `value` over all its dice; see [`Chain::one`].
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
        Chain::new(self, budget, extra, explodes)?.one(budget, limit, &value, &value)
    }
}

impl<W: Weight> Chain<W> {
    /// A die that explodes when `explodes` holds for the face it shows.
    ///
    /// # Errors
    /// [`DieError::Overflow`] or [`DieError::Exhausted`].
    pub fn new(
        die: &Pmf<W>,
        budget: &mut Budget,
        extra: Extra,
        explodes: impl Fn(i64) -> bool,
    ) -> Result<Self, DieError> {
        let first = Split::new(die, budget, explodes)?;
        let extra = match extra {
            Extra::AsShown => first.clone(),
            Extra::OneLess => first.map(budget, |v| v.checked_sub(1).ok_or(Overflow))?,
        };
        Ok(Self { first, extra })
    }

    /// The probability that the die explodes more than this many times.
    pub fn longer_than(&self, explosions: u64) -> f64 {
        let (first, later) = (self.first.explodes(), self.extra.explodes());
        if explosions == 0 {
            first
        } else {
            first * libm::pow(later, explosions as f64)
        }
    }

    /// The number of explosions after which the remaining mass is at most `cut`, or `limit`.
    fn enough(&self, cut: f64, limit: u64) -> u64 {
        let (first, later) = (self.first.explodes(), self.extra.explodes());
        if first == 0.0 || limit == 0 {
            return 0;
        }
        if later == 0.0 {
            return 1;
        }
        // A conversion from float saturates; a quotient that is not a number (if p was rounded to
        // 1) means that the series never ends.
        let explosions = (libm::log(cut / first) / libm::log(later)).ceil();
        if explosions.is_nan() {
            limit
        } else {
            (explosions as u64).min(limit)
        }
    }

    /// The sum of `first` over the die and of `extra` over those that its explosions add: the
    /// identity for a plain sum, a clamp for `min` and `max`, or 1, 0 and -1 to count successes.
    ///
    /// The chain is cut after `limit` explosions, because a longer roll is an error, or earlier, if
    /// the remaining mass is at most [`Budget::cut`]. The distribution is conditional: the chain
    /// ends before the cut. After k explosions the exact total is that of the first die times that
    /// of the others to the power of k, minus the part that is cut.
    ///
    /// # Errors
    /// [`DieError::Endless`] when added dice always explode, or the others.
    pub fn one(
        &self,
        budget: &mut Budget,
        limit: u64,
        first: impl Fn(i64) -> i64,
        extra: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        let die = self.first.map(budget, |v| Ok::<_, Overflow>(first(v)))?;
        let explosions = self.enough(budget.cut(), limit);
        let chain = match die.more {
            None => return whole(die.stop),
            Some(_) if explosions == 0 => die.stop,
            Some(more) => {
                let added = self.extra.map(budget, |v| Ok::<_, Overflow>(extra(v)))?;
                let stop = added.stop.ok_or(DieError::Endless)?;
                // The sum of an added die and its chain, with one more explosion in each iteration.
                let mut chain = stop.clone();
                if let Some(more) = &added.more {
                    for _ in 1..explosions {
                        chain = chain.after(more, Some(&stop), budget)?;
                    }
                }
                Some(chain.after(&more, die.stop.as_ref(), budget)?)
            }
        };
        Ok(Truncated {
            pmf: chain.ok_or(DieError::Endless)?.alone(budget)?,
            residual: self.longer_than(explosions).min(1.0),
        })
    }

    /// The number of explosions of one die.
    pub(super) fn explosions(
        &self,
        budget: &mut Budget,
        limit: u64,
    ) -> Result<Truncated<W>, DieError> {
        let count = |split: &Split<W>, budget: &mut Budget| {
            let number = |part: &Option<Pmf<W>>, number: i64, budget: &mut Budget| {
                let part = part.as_ref();
                part.map(|part| part.map(budget, |_| Ok::<_, Overflow>(number)))
                    .transpose()
            };
            Ok::<_, CombineError<Overflow>>(Split {
                stop: number(&split.stop, 0, budget)?,
                more: number(&split.more, 1, budget)?,
            })
        };
        let counts = Self {
            first: count(&self.first, budget)?,
            extra: count(&self.extra, budget)?,
        };
        counts.one(budget, limit, |v| v, |v| v)
    }
}

/// A die that never explodes.
fn whole<W>(die: Option<Pmf<W>>) -> Result<Truncated<W>, DieError> {
    Ok(Truncated {
        pmf: die.ok_or(DieError::Endless)?,
        residual: 0.0,
    })
}

impl<W: Weight> Pmf<W> {
    /// One step of Horner's rule: a die before this chain, stop + explode * chain. `stop` and
    /// `explode` are parts of one table.
    fn after(
        &self,
        explode: &Self,
        stop: Option<&Self>,
        budget: &mut Budget,
    ) -> Result<Self, CombineError<Overflow>> {
        for (end, more) in [(self.min(), explode.min()), (self.max(), explode.max())] {
            end.checked_add(more).ok_or(CombineError::Value(Overflow))?;
        }
        let additions = (explode.len() as u64)
            .saturating_mul(self.len() as u64)
            .saturating_add(stop.map_or(0, |stop| stop.len() as u64) + 1);
        budget.spend(
            additions.saturating_mul(W::mul_cost(&self.total, &explode.total)),
            1,
        )?;
        let mut gathered = Accumulator::new();
        gathered.prepare(additions, W::storage(&self.total, &explode.total), budget);
        for (value, weight) in explode.iter() {
            gathered.add_scaled(self, value, weight)?;
        }
        for (value, weight) in stop.iter().flat_map(|stop| stop.iter()) {
            gathered.add(value, &weight.mul(&self.total))?;
        }
        let total = W::product_total(&self.total, &explode.total);
        // A product, and an addition for each other term of a value.
        let terms = explode.len() as u64 + 1;
        let roundings = (self.roundings)
            .saturating_add(explode.roundings)
            .saturating_add(terms);
        Ok(gathered.finish(total, roundings)?)
    }

    /// [`n_fold`](Self::n_fold) of a series that has been cut: the sums are cut, too, at their
    /// unbounded `ends`, and at both ends if they have very many values.
    ///
    /// # Errors
    /// [`DieError::Overflow`] or [`DieError::Exhausted`].
    pub fn n_fold_cut(
        &self,
        n: u64,
        ends: Ends,
        budget: &mut Budget,
    ) -> Result<Truncated<W>, DieError> {
        let (mut sum, mut residual) = (self.clone(), 0.0);
        if n < 2 {
            return Ok(Truncated {
                pmf: if n == 0 { Self::point(0) } else { sum },
                residual,
            });
        }
        for bit in (0..n.ilog2()).rev().map(|bit| n >> bit & 1 == 1) {
            let cut;
            (sum, cut) = sum.sum(&sum, budget)?.cut_series(ends, budget.cut());
            residual = 2.0 * residual + cut;
            if bit {
                let cut;
                (sum, cut) = sum.sum(self, budget)?.cut_series(ends, budget.cut());
                residual += cut;
            }
        }
        Ok(Truncated {
            pmf: if residual > 0.0 {
                sum.alone(budget)?
            } else {
                sum
            },
            residual,
        })
    }

    /// [`cut`](Self::cut), at both ends if it is wide.
    fn cut_series(self, ends: Ends, cut: f64) -> (Self, f64) {
        let wide = self.len() > WIDE;
        self.cut(ends.low || wide, ends.high || wide, cut)
    }

    /// This table without as many of its last (and first) values as have at most the mass
    /// `cut`, and their mass.
    fn cut(self, low: bool, high: bool, cut: f64) -> (Self, f64) {
        let mut residual = 0.0;
        let mut last = self.len();
        let mut first = 0;
        if high {
            let (count, mass) = unlikely(self.weights.iter().rev(), &self.total, cut);
            last -= count;
            residual += mass;
        }
        if low {
            let (count, mass) = unlikely(self.weights[..last].iter(), &self.total, cut);
            first += count;
            residual += mass;
        }
        if first == 0 && last == self.len() {
            return (self, residual);
        }
        let values = self.iter().map(|(value, _)| value);
        let values = values.skip(first).take(last - first).collect();
        let weights = self.weights[first..last].to_vec();
        let rest = Self::from_sorted(values, weights, self.total, self.roundings);
        (rest, residual)
    }
}

/// The number of leading weights (but not all) whose total mass is at most `cut`, and that mass.
fn unlikely<'a, W: Weight>(
    weights: impl ExactSizeIterator<Item = &'a W>,
    total: &W,
    cut: f64,
) -> (usize, f64) {
    let most = weights.len() - 1;
    let mut mass = 0.0;
    for (count, weight) in weights.take(most).enumerate() {
        let more = mass + weight.ratio(total);
        if more > cut {
            return (count, mass);
        }
        mass = more;
    }
    (most, mass)
}
