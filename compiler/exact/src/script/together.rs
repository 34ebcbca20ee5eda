//! A fast path for states that all share one case: they go through the segment at once, without
//! questions. If they stay different, equal states are not looked for either.

use super::case::Case;
use super::cost::STATE_COST;
use super::engine::{Engine, Run};
use super::notes::Mean;
use super::plan::Head;
use crate::ExactError;
use dicec_runtime::pmf::Weight;
use std::ops::Range;
use std::sync::Arc;

/// The approximate number of outcomes that are charged at once.
const PORTION: usize = 1 << 12;

/// The number of states, with this many outcomes each, that are charged at once.
pub(super) fn portion(outcomes: usize) -> usize {
    (PORTION / outcomes.max(1)).max(1)
}

impl<'p, W: Weight> Engine<'p, W> {
    /// Takes all states through a segment if they share one case; otherwise returns `false`.
    pub(super) fn together(&mut self, run: &mut Run<'_, 'p, W>) -> Result<bool, ExactError> {
        let mut scale = 1.0;
        if let Some(Head::Call { function, .. }) = &run.segment.head {
            scale = self.scale(run, *function);
            if scale <= self.budget.cut() {
                return Ok(false);
            }
        }
        let (number, case) = self.case(run, 0, scale)?;
        let place = (run.segment.number, run.frame.pinned);
        let common = self.cases.common(place, &**run.input.layout());
        let most = u64::from(self.world.limits.fuel);
        if !common.is_some_and(|common| Arc::ptr_eq(common, &case))
            || run.input.fuel().saturating_add(case.fuel) > most
        {
            return Ok(false);
        }
        let total = W::product_total(&run.input.total, &case.total);
        if self.stay_apart(run, &case, &total)? {
            return Ok(true);
        }
        let states = run.input.len();
        let portion = portion(case.outcomes());
        for first in (0..states).step_by(portion) {
            let portion = first..states.min(first + portion);
            self.pay_each(run, (portion.len(), STATE_COST), &case)?;
            for flight in &case.flights {
                flight.pour(run.input, portion.clone(), &total, run.to(flight.exit));
            }
        }
        self.meet(run, 0..states, number, &case);
        Ok(true)
    }

    /// Moves all states on if each has one outcome and they stay different.
    fn stay_apart(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        case: &Case<W>,
        total: &W,
    ) -> Result<bool, ExactError> {
        let [flight] = case.flights.as_slice() else {
            return Ok(false);
        };
        let input = run.input;
        if case.outcomes() != 1
            || !case.count.is_empty()
            || !flight.is_injective(input.layout())
            || !run.to(flight.exit).is_empty()
        {
            return Ok(false);
        }
        let work = STATE_COST.saturating_mul(input.len() as u64);
        self.peak = self.peak.max(input.size());
        self.budget.spend(work, input.size())?;
        flight.pass(input, total, run.to(flight.exit));
        Ok(true)
    }

    /// Counts a case that occurs in these states.
    pub(super) fn meet(
        &self,
        run: &mut Run<'_, 'p, W>,
        states: Range<usize>,
        number: usize,
        case: &Case<W>,
    ) {
        if case.count.is_empty() {
            return;
        }
        let mean = run.input.mean(states);
        let met = run.met.entry(number);
        let met = met.or_insert_with(|| (case.count.clone(), Mean::default()));
        met.1.add(mean);
    }
}
