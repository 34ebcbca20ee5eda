//! Pools of exploding dice. The extra dice belong to the pool, so its number of dice is random.
//!
//! If all dice are kept, a pool is the sum of its explosion chains. Otherwise, take the number of
//! first dice that exploded and the number of added dice that exploded as given. Then the faces of
//! the pool are those of independent dice that stopped or exploded, because the length of a chain
//! is independent of its faces. So the pool is a mixture of selections over up to four kinds of
//! dice: usually two, because an added die is like the first one, and `!` explodes only on the
//! highest face.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::face::{DieError, Truncated};
use super::order::Keep;
use super::series::{Chain, Ends};
use super::split::Split;
use super::table::Pmf;
use super::weight::Weight;

impl<W: Weight> Chain<W> {
    /// The sum of `first` over `n` such dice and of `extra` over those that their explosions add;
    /// see [`Chain::one`]. The far tail of the sums is cut like the chains.
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
        let ends = Ends::of(&self.extra, &extra);
        let one = self.one(budget, limit, first, extra)?;
        if one.residual == 0.0 {
            return Ok(Truncated::exact(one.pmf.n_fold(n, budget)?));
        }
        let all = one.pmf.n_fold_cut(n, ends, budget)?;
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
        let all = one.pmf.n_fold_cut(n, Ends::HIGH, budget)?;
        Ok(Truncated {
            residual: (one.residual_of(n) + all.residual).min(1.0),
            pmf: all.pmf,
        })
    }

    /// The sum of `value` over the kept dice of several pools of such chains, each with its number
    /// of dice. The dice of all pools are put in ascending order, by their outcomes.
    ///
    /// The series are cut as in [`Chain::sum`].
    ///
    /// # Errors
    /// As for [`Chain::one`].
    pub fn select(
        pools: &[(&Self, u64)],
        budget: &mut Budget,
        limit: u64,
        keep: Keep<'_>,
        value: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        let mut parts = Vec::new();
        let mut residual = 0.0;
        let mut branches = 1_u64;
        for (chain, n) in pools.iter().filter(|(_, n)| *n > 0) {
            let part = Part::of(chain, *n, budget, limit)?;
            residual += part.residual;
            branches = branches.saturating_mul(part.branches());
            parts.push(part);
        }
        budget.spend(branches, 1)?;
        let mut mixture = Mixture {
            parts: &parts,
            keep,
            value: &value,
            residual: 0.0,
        };
        let pmf = mixture.from(0, &mut Vec::new(), budget)?;
        Ok(Truncated {
            pmf,
            residual: (residual + mixture.residual).min(1.0),
        })
    }
}

impl<W> Truncated<W> {
    /// A result that needs no cut.
    pub(super) fn exact(pmf: Pmf<W>) -> Self {
        Self { pmf, residual: 0.0 }
    }
}

/// The parts of a die, each as a distribution.
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
struct Part<W> {
    n: u64,
    first: Kinds<W>,
    number: Number<W>,
    residual: f64,
}

/// The number of dice that explosions add to a pool.
enum Number<W> {
    /// None.
    None,
    /// Dice like the first ones: the number of explosions.
    Alike(Pmf<W>),
    /// Dice of other kinds: the number of first dice that explode, and of explosions of the dice
    /// that one such die brings.
    Other {
        extra: Kinds<W>,
        exploded: Pmf<W>,
        later: Pmf<W>,
    },
}

impl<W: Weight> Part<W> {
    fn of(chain: &Chain<W>, n: u64, budget: &mut Budget, limit: u64) -> Result<Self, DieError> {
        let first = Kinds::of(&chain.first, budget)?;
        if first.more.is_none() {
            return Ok(Self {
                n,
                first,
                number: Number::None,
                residual: 0.0,
            });
        }
        chain.extra.stop.as_ref().ok_or(DieError::Endless)?;
        let extra = Kinds::of(&chain.extra, budget)?;
        let one = chain.explosions(budget, limit)?;
        let residual = one.residual_of(n);
        if first == extra {
            let all = one.pmf.n_fold_cut(n, Ends::HIGH, budget)?;
            return Ok(Self {
                n,
                first,
                number: Number::Alike(all.pmf),
                residual: residual + all.residual,
            });
        }
        // 0 if the first die stops, otherwise one more than the explosions of the dice that it
        // adds.
        let exploded = one
            .pmf
            .map(budget, |x| Ok::<_, Overflow>(i64::from(x > 0)))?;
        let exploded = exploded.n_fold_cut(n, Ends::HIGH, budget)?;
        let later = match one.pmf.given(budget, |x| x > 0)? {
            Some(later) => later.map(budget, |x| x.checked_sub(1).ok_or(Overflow))?,
            None => Pmf::point(0),
        };
        Ok(Self {
            n,
            first,
            number: Number::Other {
                extra,
                exploded: exploded.pmf,
                later,
            },
            residual: residual + exploded.residual,
        })
    }

    /// A lower bound on the number of cases.
    fn branches(&self) -> u64 {
        match &self.number {
            Number::None => 1,
            Number::Alike(number) => number.len() as u64,
            Number::Other { exploded, .. } => exploded.len() as u64,
        }
    }
}

/// The mixture over the numbers of dice of each kind.
struct Mixture<'a, W, V> {
    parts: &'a [Part<W>],
    keep: Keep<'a>,
    value: &'a V,
    /// The probability that is cut off the numbers of later explosions.
    residual: f64,
}

impl<'a, W: Weight, V: Fn(i64) -> i64> Mixture<'a, W, V> {
    /// The selection, given the dice of the pools before `index`. The recursion is as deep as there
    /// are exploding pools; the budget has paid for their cases, at least two for each pool.
    fn from(
        &mut self,
        index: usize,
        dice: &mut Vec<(&'a Pmf<W>, u64)>,
        budget: &mut Budget,
    ) -> Result<Pmf<W>, CombineError<Overflow>> {
        let before = dice.len();
        let mut next = index;
        let parts = self.parts;
        while let Some(part) = parts.get(next)
            && matches!(part.number, Number::None)
        {
            add(dice, &part.first.stop, part.n);
            next += 1;
        }
        let result = match parts.get(next) {
            None => Pmf::select_mixed(dice, budget, self.keep, self.value),
            Some(part) => self.part(part, next, dice, budget),
        };
        dice.truncate(before);
        result
    }

    fn part(
        &mut self,
        part: &'a Part<W>,
        index: usize,
        dice: &mut Vec<(&'a Pmf<W>, u64)>,
        budget: &mut Budget,
    ) -> Result<Pmf<W>, CombineError<Overflow>> {
        let before = dice.len();
        match &part.number {
            Number::None => self.from(index + 1, dice, budget),
            Number::Alike(number) => number.bind(budget, |explosions, budget| {
                add(dice, &part.first.stop, part.n);
                add(dice, &part.first.more, explosions.unsigned_abs());
                let sums = self.from(index + 1, dice, budget);
                dice.truncate(before);
                sums
            }),
            Number::Other {
                extra,
                exploded,
                later,
            } => exploded.bind(budget, |exploded, budget| {
                let exploded = exploded.unsigned_abs();
                let all = later.n_fold_cut(exploded, Ends::HIGH, budget);
                let all = all.map_err(combine_error)?;
                self.residual = self.residual.max(all.residual);
                all.pmf.bind(budget, |explosions, budget| {
                    add(dice, &part.first.stop, part.n - exploded);
                    add(dice, &part.first.more, exploded);
                    add(dice, &extra.stop, exploded);
                    add(dice, &extra.more, explosions.unsigned_abs());
                    let sums = self.from(index + 1, dice, budget);
                    dice.truncate(before);
                    sums
                })
            }),
        }
    }
}

fn add<'a, W>(dice: &mut Vec<(&'a Pmf<W>, u64)>, kind: &'a Option<Pmf<W>>, n: u64) {
    dice.extend(kind.as_ref().map(|kind| (kind, n)));
}

/// A sum of numbers of explosions can only fail by overflow or by the budget.
fn combine_error(error: DieError) -> CombineError<Overflow> {
    match error {
        DieError::Exhausted(exhausted) => exhausted.into(),
        DieError::Overflow(_) | DieError::Endless => CombineError::Value(Overflow),
    }
}
