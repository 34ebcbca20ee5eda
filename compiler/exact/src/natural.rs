//! Pools on the left of a `vs`: joint distributions of the total and the natural die. The natural
//! die is the one kept d20 (of `under`, d100) with plain sides that no explosion added; if there
//! are several, none counts. Its face matters, not its value.

use super::Mixed;
use super::die_distribution::{DieDistribution, Refusal};
use super::enumerate::enumerate;
use super::keep::Selection;
use super::label::{Joint, Label, PairTable};
use super::params::Params;
use super::pool::{Answer, Resolved, exact};
use super::roll::{Count, Numbers, Roll};
use super::{Engine, ExactError};
use dicec_lang::hir::Pool;
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Pmf, Truncated, Weight};
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

impl Engine<'_> {
    /// The total of a pool, with the label of its natural die.
    pub(super) fn natural_pool<W: Weight>(
        &mut self,
        pool: &Pool,
        span: Span,
    ) -> Result<Joint<W>, ExactError> {
        let mut params = Params::new();
        self.pool_numbers::<W>(&mut params, pool)?;
        let (limits, shortcuts) = (self.limits, self.inputs.shortcuts);
        let mut known = PairTable::new(self.against);
        let indices = self.mixture(&params, span, &mut |numbers, budget| {
            let roll = Roll::new(pool, &mut Numbers::new(numbers), shortcuts);
            roll.labelled(limits, roll.count.as_ref(), &mut known, budget)
        })?;
        Ok(Joint::new(indices, known))
    }
}

/// Totals that share one label, as indices of pairs.
pub(super) fn all_labelled<W: Weight>(
    totals: Truncated<W>,
    label: Label,
    known: &mut PairTable,
    budget: &mut Budget,
) -> Resolved<W> {
    let indices: Mixed<W> = totals.pmf.map(budget, |total| Ok(known.of(total, label)));
    Ok(Truncated {
        pmf: indices?,
        residual: totals.residual,
    })
}

impl Roll {
    /// Whether its dice may be natural.
    pub(super) fn may_be_natural(&self, sides: u32) -> bool {
        self.is_plain() && self.sides == i64::from(sides) && self.dice > 0
    }

    /// [`total`](Self::total) with labels, over indices of pairs.
    pub(super) fn labelled<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        known: &mut PairTable,
        budget: &mut Budget,
    ) -> Resolved<W> {
        match self.closed_labelled(limits, count, known, budget) {
            Ok(answer) => Ok(answer),
            Err(Refusal::Error(error)) => Err(error),
            Err(Refusal::NoClosedForm) => enumerate(budget, &mut |script| {
                let mut table = self.throw(script, limits)?;
                let label = known.label_of(&table);
                let total = Count::outcome(count, &mut table)?;
                Ok(known.of(total, label))
            }),
        }
    }

    fn closed_labelled<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        known: &mut PairTable,
        budget: &mut Budget,
    ) -> Answer<W> {
        if !self.closed {
            return Err(Refusal::NoClosedForm);
        }
        let label = match self.naturals(known.against.natural_sides())? {
            0 => Label::None,
            1 => return self.one_natural(limits, count, known, budget),
            _ => Label::Several,
        };
        let totals = self.total(limits, count, budget)?;
        Ok(all_labelled(totals, label, known, budget)?)
    }

    /// The number of its dice that could be natural; 2 means several.
    fn naturals(&self, sides: u32) -> Result<u64, Refusal> {
        if !self.may_be_natural(sides) {
            return Ok(0);
        }
        if self.selects_early() {
            return Err(Refusal::NoClosedForm);
        }
        let selection = Selection::new(&self.selects);
        if self.selects.is_empty() {
            Ok(self.dice)
        } else if !self.grows() {
            Ok(selection.kept(self.dice))
        } else if selection.keeps_at_least(self.dice) > 1 {
            Ok(2)
        } else {
            Err(Refusal::NoClosedForm)
        }
    }

    /// The total if exactly one of the pool's own dice is kept, which may be natural.
    fn one_natural<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        known: &mut PairTable,
        budget: &mut Budget,
    ) -> Answer<W> {
        let distribution = DieDistribution::<W>::of(self, limits, true, budget)?;
        let counted = Count::value(count);
        let against = known.against;
        let label = |outcome| Label::Natural(against.shift(Some(distribution.face(outcome))));
        let Some(die) = distribution.whole() else {
            return chain_of_one(&distribution, count, limits, known, budget);
        };
        let pmf = if self.dice == 1 {
            let total = |outcome| counted(distribution.value(outcome));
            let indices: Mixed<W> = die.map(budget, |outcome| {
                Ok(known.of(total(outcome), label(outcome)))
            });
            indices?
        } else {
            // The kept die depends only on values, so the distribution of its face is that of faces
            // given its value.
            let mut indices: FxHashMap<i64, Vec<(i64, W)>> = FxHashMap::default();
            budget.spend(die.len() as u64, die.len() as u64)?;
            for (outcome, weight) in die.iter() {
                let value = distribution.value(outcome);
                let index = known.of(counted(value), label(outcome));
                indices
                    .entry(value)
                    .or_default()
                    .push((index, weight.clone()));
            }
            let selection = Selection::new(&self.selects);
            let values: Mixed<W> = die.map(budget, |outcome| Ok(distribution.value(outcome)));
            let keep = |index| selection.keeps(index, self.dice);
            let value = values?.select_sum(self.dice, budget, keep, |value| value)?;
            let mixed: Mixed<W> = value.bind(budget, |value, _| {
                let of_value = indices.remove(&value).and_then(Pmf::from_weights);
                Ok(of_value.unwrap_or_else(|| bug!("{value} is the value of no outcome").raise()))
            });
            mixed?
        };
        Ok(Truncated {
            pmf,
            residual: distribution.residual,
        })
    }
}

/// One die that may explode, everything kept.
fn chain_of_one<W: Weight>(
    distribution: &DieDistribution<W>,
    count: Option<&Count>,
    limits: RollLimits,
    known: &mut PairTable,
    budget: &mut Budget,
) -> Answer<W> {
    let against = known.against;
    let labels: Vec<Label> = known.naturals().collect();
    // Sums are multiplied by this, to make room for the label in the first die's number.
    let room = labels.len().next_power_of_two() as i64;
    let limit = u64::from(limits.explosions);
    let counted = Count::value(count);
    let value = |outcome| counted(distribution.value(outcome));
    let (first, extra) = (
        distribution.chain.first.outcomes(budget)?,
        distribution.chain.extra.outcomes(budget)?,
    );
    let sizes = first.iter().chain(extra.iter());
    let size = sizes
        .map(|(outcome, _)| value(outcome).saturating_abs())
        .fold(0, i64::max);
    let most = i64::from(limits.explosions).saturating_add(2);
    if size.saturating_mul(most) > i64::MAX / (2 * room) {
        return Err(Refusal::NoClosedForm);
    }
    let code = |outcome| {
        let label = Label::Natural(against.shift(Some(distribution.face(outcome))));
        (0..).zip(&labels).find(|(_, known)| **known == label)
    };
    let first = |outcome| value(outcome) * room + code(outcome).map_or(0, |(code, _)| code);
    let sum = distribution
        .chain
        .one(budget, limit, first, |outcome| value(outcome) * room)?;
    let indices: Mixed<W> = sum.pmf.map(budget, |sum| {
        // The first die added the index of its label, the other dice multiples of `room`.
        let label = labels.get(sum.rem_euclid(room) as usize);
        let label = label.unwrap_or_else(|| bug!("{sum} has no label").raise());
        Ok(known.of(sum.div_euclid(room), *label))
    });
    let indices = exact(indices?);
    Ok(Truncated {
        residual: sum.residual + distribution.residual,
        ..indices
    })
}
