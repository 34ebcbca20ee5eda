//! Pools on the left of a `vs`: their totals together with the die that may shift the degree. That is a die with twenty plain
//! sides that is kept and that no explosion brought, if there is one such die in all; its face counts, not its value.

use super::Mixed;
use super::enumerate::enumerate;
use super::keep::Selection;
use super::label::{Joint, Label, Places};
use super::law::{Law, Refusal};
use super::params::Params;
use super::pool::{Answer, Settled, exact};
use super::roll::{Count, Numbers, Roll};
use super::{Engine, ExactError};
use crate::hir::Pool;
use dicec_runtime::degree::NATURAL_SIDES;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Pmf, Truncated, Weight};
use dicec_runtime::pool;
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
        let limits = self.limits;
        let mut known = Places::default();
        let places = self.mixture(&params, span, &mut |numbers, budget| {
            let roll = Roll::new(pool, &mut Numbers::new(numbers));
            roll.labelled(limits, roll.count, &mut known, budget)
        })?;
        Ok(Joint::new(places, known))
    }
}

/// The label of the dice on the table.
pub(super) fn label_of(table: &pool::Pool) -> Label {
    Label::of_dice(table.naturals(), table.natural_face())
}

/// A total as a place, with one label for all of them.
pub(super) fn all_labelled<W: Weight>(
    totals: Truncated<W>,
    label: Label,
    known: &mut Places,
    budget: &mut Budget,
) -> Settled<W> {
    let places: Mixed<W> = totals.pmf.map(budget, |total| Ok(known.of(total, label)));
    Ok(Truncated {
        pmf: places?,
        residual: totals.residual,
    })
}

impl Roll {
    /// Whether its dice may be natural.
    pub(super) fn may_be_natural(&self) -> bool {
        self.is_plain() && self.sides == NATURAL_SIDES && self.dice > 0
    }

    /// [`total`](Self::total) over places.
    pub(super) fn labelled<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<Count>,
        known: &mut Places,
        budget: &mut Budget,
    ) -> Settled<W> {
        match self.closed_labelled(limits, count, known, budget) {
            Ok(answer) => Ok(answer),
            Err(Refusal::Error(error)) => Err(error),
            Err(Refusal::NoClosedForm) => enumerate(budget, &mut |script| {
                let mut table = self.throw(script, limits)?;
                let label = label_of(&table);
                let total = Count::outcome(count, &mut table)?;
                Ok(known.of(total, label))
            }),
        }
    }

    fn closed_labelled<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<Count>,
        known: &mut Places,
        budget: &mut Budget,
    ) -> Answer<W> {
        let label = match self.naturals()? {
            0 => Label::None,
            1 => return self.one_natural(limits, count, known, budget),
            _ => Label::Several,
        };
        let totals = self.total(limits, count, budget)?;
        Ok(all_labelled(totals, label, known, budget)?)
    }

    /// How many of its dice could be natural: 2 stands for several.
    fn naturals(&self) -> Result<u64, Refusal> {
        if !self.may_be_natural() {
            return Ok(0);
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

    /// Always one of the pool's own dice is kept, and it may be natural.
    fn one_natural<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<Count>,
        known: &mut Places,
        budget: &mut Budget,
    ) -> Answer<W> {
        let law = Law::<W>::of(self, limits, true, budget)?;
        let counted = Count::value(count);
        let label = |outcome| Label::of_face(law.face(outcome));
        let Some(die) = law.whole() else {
            return chain_of_one(&law, count, limits, known, budget);
        };
        let pmf = if self.dice == 1 {
            let total = |outcome| counted(law.value(outcome));
            let places: Mixed<W> = die.map(budget, |outcome| {
                Ok(known.of(total(outcome), label(outcome)))
            });
            places?
        } else {
            // Which of the dice is kept depends on values alone, so its face has the law of faces given its value.
            let mut places: FxHashMap<i64, Vec<(i64, W)>> = FxHashMap::default();
            budget.spend(die.len() as u64, die.len() as u64)?;
            for (outcome, weight) in die.iter() {
                let value = law.value(outcome);
                let place = known.of(counted(value), label(outcome));
                places
                    .entry(value)
                    .or_default()
                    .push((place, weight.clone()));
            }
            let selection = Selection::new(&self.selects);
            let values: Mixed<W> = die.map(budget, |outcome| Ok(law.value(outcome)));
            let keep = |place| selection.keeps(place, self.dice);
            let value = values?.select_sum(self.dice, budget, keep, |value| value)?;
            let mixed: Mixed<W> = value.bind(budget, |value, _| {
                let of_value = places.remove(&value).unwrap_or_default();
                // Every value is that of an outcome.
                Ok(Pmf::from_weights(of_value).unwrap_or_else(|| Pmf::point(0)))
            });
            mixed?
        };
        Ok(Truncated {
            pmf,
            residual: law.residual,
        })
    }
}

/// One die that may explode, everything kept.
fn chain_of_one<W: Weight>(
    law: &Law<W>,
    count: Option<Count>,
    limits: RollLimits,
    known: &mut Places,
    budget: &mut Budget,
) -> Answer<W> {
    /// Sums leave this much room for a label, which the first die adds.
    const LABELS: i64 = 4;
    let limit = u64::from(limits.explosions);
    let counted = Count::value(count);
    let value = |outcome| counted(law.value(outcome));
    let (first, extra) = (
        law.chain.first.outcomes(budget)?,
        law.chain.extra.outcomes(budget)?,
    );
    let sizes = first.iter().chain(extra.iter());
    let size = sizes
        .map(|(outcome, _)| value(outcome).saturating_abs())
        .max();
    let most = i64::from(limits.explosions).saturating_add(2);
    if size.unwrap_or(0).saturating_mul(most) > i64::MAX / (2 * LABELS) {
        return Err(Refusal::NoClosedForm);
    }
    let labels = [Label::Other, Label::Lowers, Label::Raises];
    let code = |outcome| {
        let label = Label::of_face(law.face(outcome));
        (0..).zip(labels).find(|(_, known)| *known == label)
    };
    let first = |outcome| value(outcome) * LABELS + code(outcome).map_or(0, |(code, _)| code);
    let sum = law
        .chain
        .one(budget, limit, first, |outcome| value(outcome) * LABELS)?;
    let places: Mixed<W> = sum.pmf.map(budget, |sum| {
        let label = usize::try_from(sum.rem_euclid(LABELS)).unwrap_or_default();
        let label = labels.get(label).copied().unwrap_or(Label::Other);
        Ok(known.of(sum.div_euclid(LABELS), label))
    });
    let places = exact(places?);
    Ok(Truncated {
        residual: sum.residual + law.residual,
        ..places
    })
}
