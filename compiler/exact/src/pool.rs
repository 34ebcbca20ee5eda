//! Pools: mixtures over the values of their parameters, of closed forms where they exist.

use super::die_distribution::{DieDistribution, Refusal};
use super::enumerate::enumerate;
use super::keep::Selection;
use super::params::Params;
use super::roll::{Count, Numbers, Roll};
use super::shortcuts::{Shortcuts, fire};
use super::{Engine, ExactError, Mixed, at};
use dicec_lang::hir::Pool;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Chain, CombineError, Overflow, Pmf, Truncated, Weight};
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;

/// The answer for dice whose parameters are known.
pub(super) type Answer<W> = Result<Truncated<W>, Refusal>;

/// An answer, enumerated if there is no closed form.
pub(super) type Resolved<W> = Result<Truncated<W>, CombineError<TrapCode>>;

impl Engine<'_> {
    pub(super) fn pool<W: Weight>(
        &mut self,
        pool: &Pool,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let mut params = Params::new();
        self.pool_numbers::<W>(&mut params, pool)?;
        let (limits, shortcuts) = (self.limits, self.inputs.shortcuts);
        self.mixture(&params, span, &mut |numbers, budget| {
            let roll = Roll::new(pool, &mut Numbers::new(numbers), shortcuts);
            roll.total(limits, roll.count.as_ref(), budget)
        })
    }

    /// Whether closed forms are allowed.
    pub(super) fn has_closed_forms(&self) -> bool {
        self.inputs.shortcuts.contains(Shortcuts::CLOSED_FORMS)
    }

    /// The mixture of the answers for all values of the parameters. Their residuals are added,
    /// which is an upper bound: the residual of a mixture is at most the greatest of them.
    pub(super) fn mixture<W: Weight>(
        &mut self,
        params: &Params<W>,
        span: Span,
        answer: &mut dyn FnMut(&[i64], &mut Budget) -> Resolved<W>,
    ) -> Result<Pmf<W>, ExactError> {
        let mut residual = 0.0_f64;
        let mixed = params.mix(self.budget, &mut |numbers, budget| {
            let answer = answer(numbers, budget)?;
            residual = residual.max(answer.residual);
            Ok(answer.pmf)
        });
        self.residual += residual;
        mixed.map_err(at(span))
    }
}

/// A distribution from which nothing is left out.
pub(super) fn exact<W>(pmf: Pmf<W>) -> Truncated<W> {
    Truncated { pmf, residual: 0.0 }
}

impl Roll {
    /// The result of a pool: its sum, or its count.
    pub(super) fn total<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        budget: &mut Budget,
    ) -> Resolved<W> {
        match self.closed_total(limits, count, budget) {
            Ok(answer) => {
                fire(Shortcuts::CLOSED_FORMS);
                Ok(answer)
            }
            Err(Refusal::Error(error)) => Err(error),
            Err(Refusal::NoClosedForm) => enumerate(budget, &mut |script| {
                let mut table = self.throw(script, limits)?;
                Count::outcome(count, &mut table)
            }),
        }
    }

    fn closed_total<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        budget: &mut Budget,
    ) -> Answer<W> {
        if !self.closed {
            return Err(Refusal::NoClosedForm);
        }
        if self.selects_early() {
            return self.of_multisets(limits, count, budget);
        }
        let untouched = self.changes.is_empty() && self.selects.is_empty() && count.is_none();
        if untouched && self.is_plain() {
            return Ok(exact(Pmf::pool(self.dice, self.plain_sides(), budget)?));
        }
        if self.changes.is_empty() && !self.selects.is_empty() {
            let selection = Selection::new(&self.selects);
            let keep = |index, dice| selection.keeps(index, dice);
            let kinds = [(&self.die::<W>(budget)?, self.dice)];
            let kept = Pmf::select_mixed(&kinds, budget, &keep, Count::value(count))?;
            return Ok(exact(kept));
        }
        let distribution = self.die_distribution(limits, budget)?;
        let distributions: Vec<DieDistribution<W>> = distribution.into_iter().collect();
        selected(&distributions, &self.selects, count, limits, budget)
    }

    /// The distribution of one of its dice, if it has any.
    pub(super) fn die_distribution<W: Weight>(
        &self,
        limits: RollLimits,
        budget: &mut Budget,
    ) -> Result<Option<DieDistribution<W>>, Refusal> {
        if self.dice == 0 {
            return Ok(None);
        }
        DieDistribution::of(self, limits, false, budget).map(Some)
    }
}

/// The result of the dice of several pools together, of which some are kept.
pub(super) fn selected<W: Weight>(
    distributions: &[DieDistribution<W>],
    selects: &[(Selector, i64)],
    count: Option<&Count>,
    limits: RollLimits,
    budget: &mut Budget,
) -> Answer<W> {
    let limit = u64::from(limits.explosions);
    let counted = Count::value(count);
    let residual: f64 = distributions
        .iter()
        .map(|distribution| distribution.residual)
        .sum();
    if selects.is_empty() {
        let mut all = exact(Pmf::point(0));
        for distribution in distributions {
            let value = |outcome| counted(distribution.value(outcome));
            let series = distribution.series.filter(|_| count.is_none());
            let sum = match (distribution.whole(), series) {
                (Some(die), Some(ends)) => {
                    let counted: Mixed<W> = die.map(budget, |outcome| Ok(value(outcome)));
                    counted?.n_fold_cut(distribution.dice, ends, budget)?
                }
                _ => distribution
                    .chain
                    .sum(distribution.dice, budget, limit, value, value)?,
            };
            all = Truncated {
                pmf: all.pmf.sum(&sum.pmf, budget)?,
                residual: all.residual + sum.residual,
            };
        }
        all.residual += residual;
        return Ok(all);
    }
    let chains = distributions
        .iter()
        .map(|distribution| distribution.values(budget));
    let chains: Vec<Chain<W>> = chains.collect::<Result<_, _>>()?;
    let pools: Vec<(&Chain<W>, u64)> = chains
        .iter()
        .zip(distributions.iter().map(|distribution| distribution.dice))
        .collect();
    let selection = Selection::new(selects);
    let keep = |index, dice| selection.keeps(index, dice);
    let mut kept = Chain::select(&pools, budget, limit, &keep, counted)?;
    kept.residual += residual;
    Ok(kept)
}

/// The sum of independent answers.
pub(super) fn sum<W: Weight>(
    all: Truncated<W>,
    more: &Truncated<W>,
    budget: &mut Budget,
) -> Result<Truncated<W>, CombineError<Overflow>> {
    Ok(Truncated {
        pmf: all.pmf.sum(&more.pmf, budget)?,
        residual: all.residual + more.residual,
    })
}
