//! Takes columns through a segment: the outcomes of a case are accumulated for all states that
//! share the case at once.

use super::case::Case;
use super::column::Column;
use super::cost::{LOOKED_UP_COST, OUTCOME_COST};
use super::dist::Dist;
use super::engine::{Engine, Run};
use super::flight::Flight;
use super::plan::Head;
use super::together::portion;
use crate::ExactError;
use dicec_runtime::pmf::Weight;
use std::ops::Range;
use std::sync::Arc;

impl<'p, W: Weight> Engine<'p, W> {
    /// Takes the states of a column through a segment, grouped by their case.
    pub(super) fn convolve(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        column: &Column<W>,
    ) -> Result<(), ExactError> {
        let mut scale = 1.0;
        if let Some(Head::Call { function, .. }) = &run.segment.head {
            scale = self.scale(run, *function);
            if scale <= self.budget.cut() {
                run.frame.residual += run.input.mass();
                return Ok(());
            }
        }
        self.mixed |= column.mixed;
        let end = column.weights.len();
        let mut found: Option<(usize, Arc<Case<W>>, Range<usize>)> = None;
        let mut first = 0;
        while first < end {
            let (number, case) = self.case(run, first, scale)?;
            let next = self.alike(run, column, first..end);
            let there = |states| column.states(states);
            let last = there(first..next).last().unwrap_or(first);
            found = match found {
                Some((number, known, states)) if Arc::ptr_eq(&known, &case) => {
                    Some((number, known, states.start..last + 1))
                }
                before => {
                    if let Some((number, case, states)) = before {
                        self.pour(run, (column, states), number, &case)?;
                    }
                    Some((number, case, first..last + 1))
                }
            };
            first = there(next..end).next().unwrap_or(end);
        }
        match found {
            Some((number, case, states)) => self.pour(run, (column, states), number, &case),
            None => Ok(()),
        }
    }

    /// The end of the run of states, from the first of these on, that certainly share one cached
    /// case.
    fn alike(&mut self, run: &Run<'_, 'p, W>, column: &Column<W>, states: Range<usize>) -> usize {
        let place = (run.segment.number, run.frame.pinned);
        let first = states.start;
        let mut end = states.end;
        while end > first + 1 {
            let part = column.part(first..end);
            let Some(begin) = self.cases.begin(place, &part) else {
                return first + 1;
            };
            if self.cases.only(place.0, &begin).is_some() {
                return end;
            }
            let asked = self.cases.asks(place.0, &begin);
            let read = |state, place| column.word(first + state, place);
            let alike = asked.and_then(|asked| asked.alike(end - first, read));
            // If the search says that all states agree, which the ranges did not show, only one is
            // taken.
            end = first + alike.filter(|alike| first + alike < end).unwrap_or(1);
        }
        end
    }

    /// Accumulates the outcomes of a case for these states; the first and the last have weights.
    fn pour(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        (column, states): (&Column<W>, Range<usize>),
        number: usize,
        case: &Case<W>,
    ) -> Result<(), ExactError> {
        let total = W::product_total(&run.input.total, &case.total);
        let each = W::mul_cost(&run.input.total, &case.total);
        let work = (case.outcomes() as u64).saturating_mul(each);
        let work = work.saturating_mul(states.len() as u64);
        self.pay(run, work.saturating_add(LOOKED_UP_COST))?;
        let mut packed = None;
        for flight in &case.flights {
            let to = run.to(flight.exit);
            let piece = flight.piece();
            if !piece.is_some_and(|piece| piece.pour((column, states.clone()), &total, to)) {
                let input = run.input;
                let part = packed.get_or_insert_with(|| input.part(column, states.clone()));
                self.pour_packed(run, (part, &total), flight)?;
            }
        }
        self.meet(run, states, number, case);
        Ok(())
    }

    /// Applies pending updates to packed states.
    pub(super) fn pour_packed(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        (input, total): (&Dist<W>, &W),
        flight: &Flight<W>,
    ) -> Result<(), ExactError> {
        let outcomes = flight.outcomes.len();
        let each = OUTCOME_COST + input.layout().stride() as u64;
        let each = each.saturating_mul(outcomes as u64);
        let portion = portion(outcomes);
        for first in (0..input.len()).step_by(portion) {
            let states = first..input.len().min(first + portion);
            self.pay(run, each.saturating_mul(states.len() as u64))?;
            flight.pour(input, states, total, run.to(flight.exit));
        }
        Ok(())
    }
}
