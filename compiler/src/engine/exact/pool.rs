//! Pools: mixtures over what their numbers may be, of closed forms where there are any.

use super::enumerate::enumerate;
use super::keep::Selection;
use super::law::{Law, Refusal};
use super::params::Params;
use super::roll::{Count, Numbers, Roll};
use super::{Engine, ExactError, Mixed, at};
use crate::hir::Pool;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Chain, CombineError, Overflow, Pmf, Truncated, Weight};
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;

/// The answer for dice whose numbers are known.
pub(super) type Answer<W> = Result<Truncated<W>, Refusal>;

/// An answer that is enumerated if need be.
pub(super) type Settled<W> = Result<Truncated<W>, CombineError<TrapCode>>;

impl Engine<'_> {
    pub(super) fn pool<W: Weight>(
        &mut self,
        pool: &Pool,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let mut params = Params::new();
        self.pool_numbers::<W>(&mut params, pool)?;
        let limits = self.limits;
        self.mixture(&params, span, &mut |numbers, budget| {
            let roll = Roll::new(pool, &mut Numbers::new(numbers));
            roll.total(limits, roll.count, budget)
        })
    }

    /// The mixture of the answers to all numbers that there can be. The answers' residuals are noted: that of a mixture is at
    /// most the greatest of them.
    pub(super) fn mixture<W: Weight>(
        &mut self,
        params: &Params<W>,
        span: Span,
        answer: &mut dyn FnMut(&[i64], &mut Budget) -> Settled<W>,
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

/// What needs nothing cut.
pub(super) fn exact<W>(pmf: Pmf<W>) -> Truncated<W> {
    Truncated { pmf, residual: 0.0 }
}

impl Roll {
    /// What it comes to: its sum, or what `count` counts.
    pub(super) fn total<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<Count>,
        budget: &mut Budget,
    ) -> Settled<W> {
        match self.closed_total(limits, count, budget) {
            Ok(answer) => Ok(answer),
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
        count: Option<Count>,
        budget: &mut Budget,
    ) -> Answer<W> {
        let untouched = self.changes.is_empty() && self.selects.is_empty() && count.is_none();
        if untouched && self.is_plain() {
            return Ok(exact(Pmf::pool(self.dice, self.plain_sides(), budget)?));
        }
        if self.changes.is_empty() && !self.selects.is_empty() {
            let selection = Selection::new(&self.selects);
            let keep = |place, dice| selection.keeps(place, dice);
            let kinds = [(&self.die::<W>(budget)?, self.dice)];
            let kept = Pmf::select_mixed(&kinds, budget, &keep, Count::value(count))?;
            return Ok(exact(kept));
        }
        let law = self.law(limits, budget)?;
        let laws: Vec<Law<W>> = law.into_iter().collect();
        selected(&laws, &self.selects, count, limits, budget)
    }

    /// The law of its dice, if it has any.
    pub(super) fn law<W: Weight>(
        &self,
        limits: RollLimits,
        budget: &mut Budget,
    ) -> Result<Option<Law<W>>, Refusal> {
        if self.dice == 0 {
            return Ok(None);
        }
        Law::of(self, limits, false, budget).map(Some)
    }
}

/// What the dice of several pools come to together, some of them kept.
pub(super) fn selected<W: Weight>(
    laws: &[Law<W>],
    selects: &[(Selector, i64)],
    count: Option<Count>,
    limits: RollLimits,
    budget: &mut Budget,
) -> Answer<W> {
    let limit = u64::from(limits.explosions);
    let counted = Count::value(count);
    let residual: f64 = laws.iter().map(|law| law.residual).sum();
    if selects.is_empty() {
        let mut all = exact(Pmf::point(0));
        for law in laws {
            let value = |outcome| counted(law.value(outcome));
            let series = law.series.filter(|_| count.is_none());
            let sum = match (law.whole(), series) {
                (Some(die), Some(ends)) => {
                    let counted: Mixed<W> = die.map(budget, |outcome| Ok(value(outcome)));
                    counted?.n_fold_cut(law.dice, ends, budget)?
                }
                _ => law.chain.sum(law.dice, budget, limit, value, value)?,
            };
            all = Truncated {
                pmf: all.pmf.sum(&sum.pmf, budget)?,
                residual: all.residual + sum.residual,
            };
        }
        all.residual += residual;
        return Ok(all);
    }
    let chains = laws.iter().map(|law| law.values(budget));
    let chains: Vec<Chain<W>> = chains.collect::<Result<_, _>>()?;
    let pools: Vec<(&Chain<W>, u64)> = chains.iter().zip(laws.iter().map(|law| law.dice)).collect();
    let selection = Selection::new(selects);
    let keep = |place, dice| selection.keeps(place, dice);
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
