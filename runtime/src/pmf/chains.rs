//! Pools of exploding dice. The extra dice are dice of the pool, so that their number is random.
//!
//! Everything kept, a pool is the sum of its chains. Else, given how many of its dice exploded and how many of those
//! they added did, the pool's faces are those of so many dice that stopped and so many that did not, all independent: a
//! chain's length says nothing about its faces. So it is a mixture of selections over up to four kinds of dice. Mostly they are
//! two, as an added die is like the first one, and `!` explodes on the highest face only.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::face::{DieError, Truncated};
use super::order::Keep;
use super::series::Chain;
use super::split::Split;
use super::table::Pmf;
use super::weight::Weight;

impl<W: Weight> Chain<W> {
    /// The sum of `first` over `n` such dice and of `extra` over those that their explosions add; see [`Chain::one`]. The far
    /// tail of the sums is cut as the chains are.
    ///
    /// # Errors
    /// As for [`Chain::one`].
    pub fn sum(
        &self,
        n: u64,
        budget: &mut Budget,
        limit: u64,
        first: impl Fn(i64) -> i64,
        extra: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        if n == 0 {
            return Ok(Truncated::exact(Pmf::point(0)));
        }
        let more = self.extra.more.iter().flat_map(|more| more.iter());
        let (low, high) = more.fold((false, false), |(low, high), (v, _)| {
            let value = extra(v);
            (low || value < 0, high || value > 0)
        });
        let one = self.one(budget, limit, first, extra)?;
        if one.residual == 0.0 {
            return Ok(Truncated::exact(one.pmf.n_fold(n, budget)?));
        }
        let all = one.pmf.n_fold_cut(n, low, high, budget)?;
        Ok(Truncated {
            residual: (one.residual_of(n) + all.residual).min(1.0),
            pmf: all.pmf,
        })
    }

    /// The number of explosions of `n` such dice.
    ///
    /// # Errors
    /// As for [`Chain::one`].
    pub fn number(
        &self,
        n: u64,
        budget: &mut Budget,
        limit: u64,
    ) -> Result<Truncated<W>, DieError> {
        let one = self.explosions(budget, limit)?;
        let all = one.pmf.n_fold_cut(n, false, true, budget)?;
        Ok(Truncated {
            residual: (one.residual_of(n) + all.residual).min(1.0),
            pmf: all.pmf,
        })
    }

    /// Of the dice of `n` chains, told apart by their outcomes alone and in ascending order, the sum of `value` over those
    /// that are kept.
    ///
    /// The series is cut as in [`Chain::sum`]. For [`Keep::Ties`] dice that stop and dice that explode, first ones and added ones, must
    /// not share outcomes: see [`Chain::shares_outcomes`].
    ///
    /// # Errors
    /// As for [`Chain::one`].
    pub fn select(
        &self,
        n: u64,
        budget: &mut Budget,
        limit: u64,
        keep: Keep<'_>,
        value: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        if n == 0 {
            return Ok(Truncated::exact(Pmf::point(0)));
        }
        self.extra.stop.as_ref().ok_or(DieError::Endless)?;
        let first = Kinds::of(&self.first, budget)?;
        let extra = Kinds::of(&self.extra, budget)?;
        let one = self.explosions(budget, limit)?;
        let pool = Pool {
            first,
            extra,
            n,
            keep,
            value: &value,
        };
        let all = if pool.first == pool.extra {
            pool.of_equal_dice(&one.pmf, budget)?
        } else {
            pool.of_two_sorts(&one.pmf, budget)?
        };
        Ok(Truncated {
            pmf: all.pmf,
            residual: (one.residual_of(n) + all.residual).min(1.0),
        })
    }

    /// Whether two of the four kinds of dice may come to one outcome; those that are alike count as one.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn shares_outcomes(&self, budget: &mut Budget) -> Result<bool, Exhausted> {
        let first = Kinds::of(&self.first, budget)?;
        let extra = Kinds::of(&self.extra, budget)?;
        let mut kinds: Vec<&Pmf<W>> = [&first.stop, &first.more].into_iter().flatten().collect();
        for kind in [&extra.stop, &extra.more].into_iter().flatten() {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Pmf::share_values(&kinds, budget)
    }
}

impl<W> Truncated<W> {
    /// What needs no cut.
    pub(super) fn exact(pmf: Pmf<W>) -> Self {
        Self { pmf, residual: 0.0 }
    }
}

/// The parts of a die, each on its own.
#[derive(PartialEq)]
struct Kinds<W> {
    stop: Option<Pmf<W>>,
    more: Option<Pmf<W>>,
}

impl<W: Weight> Kinds<W> {
    fn of(die: &Split<W>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let alone = |part: &Option<Pmf<W>>, budget: &mut Budget| {
            let part = part.clone();
            part.map(|part| part.alone(budget)).transpose()
        };
        Ok(Self {
            stop: alone(&die.stop, budget)?,
            more: alone(&die.more, budget)?,
        })
    }
}

/// A pool of `n` chains.
struct Pool<'a, W, V> {
    first: Kinds<W>,
    extra: Kinds<W>,
    n: u64,
    keep: Keep<'a>,
    value: &'a V,
}

impl<W: Weight, V: Fn(i64) -> i64> Pool<'_, W, V> {
    /// First and added dice are alike: all that matters is how many explosions there are.
    fn of_equal_dice(&self, one: &Pmf<W>, budget: &mut Budget) -> Result<Truncated<W>, DieError> {
        let all = one.n_fold_cut(self.n, false, true, budget)?;
        let pmf = all.pmf.bind(budget, |explosions, budget| {
            let explosions = explosions.unsigned_abs();
            self.given(
                &[(&self.first.stop, self.n), (&self.first.more, explosions)],
                budget,
            )
        })?;
        Ok(Truncated {
            pmf,
            residual: all.residual,
        })
    }

    /// `one` is the number of explosions of one die: 0 where it stops, else one more than those of the dice that it adds.
    fn of_two_sorts(&self, one: &Pmf<W>, budget: &mut Budget) -> Result<Truncated<W>, DieError> {
        let exploded = one.map(budget, |x| Ok::<_, Overflow>(i64::from(x > 0)))?;
        let exploded = exploded.n_fold_cut(self.n, false, true, budget)?;
        let later = match one.given(budget, |x| x > 0)? {
            Some(later) => later.map(budget, |x| x.checked_sub(1).ok_or(Overflow))?,
            None => Pmf::point(0),
        };
        let mut residual = 0.0_f64;
        let pmf = exploded.pmf.bind(budget, |exploded, budget| {
            let exploded = exploded.unsigned_abs();
            let all = later
                .n_fold_cut(exploded, false, true, budget)
                .map_err(combine_error)?;
            residual = residual.max(all.residual);
            all.pmf.bind(budget, |explosions, budget| {
                let kinds = [
                    (&self.first.stop, self.n - exploded),
                    (&self.first.more, exploded),
                    (&self.extra.stop, exploded),
                    (&self.extra.more, explosions.unsigned_abs()),
                ];
                self.given(&kinds, budget)
            })
        })?;
        Ok(Truncated {
            pmf,
            residual: exploded.residual + residual,
        })
    }

    /// The selection from so many dice of each kind.
    fn given(
        &self,
        kinds: &[(&Option<Pmf<W>>, u64)],
        budget: &mut Budget,
    ) -> Result<Pmf<W>, CombineError<Overflow>> {
        let kinds = kinds
            .iter()
            .filter_map(|(kind, dice)| Some((kind.as_ref()?, *dice)));
        let kinds: Vec<(&Pmf<W>, u64)> = kinds.collect();
        Pmf::select_mixed(&kinds, budget, self.keep, self.value)
    }
}

/// Only an overflow and the budget can stop a sum of numbers of explosions.
fn combine_error(error: DieError) -> CombineError<Overflow> {
    match error {
        DieError::Exhausted(exhausted) => exhausted.into(),
        DieError::Overflow(_) | DieError::Endless => CombineError::Value(Overflow),
    }
}
