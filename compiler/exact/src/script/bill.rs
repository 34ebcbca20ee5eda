//! Charges the budget for cached work. A plan is reused by later questions ([`super::kept`]); a
//! question that finds a case of an earlier one is charged as if it had computed the case, so that
//! its cost, and whether it is refused, does not depend on the cache. In compiler terms: the *bill*
//! of a case is its recorded cost, and to *pay* is to charge the budget.

use super::case::{Bill, Case};
use super::cost::OUTCOME_COST;
use super::engine::{Engine, Run};
use super::known::MAX_WORDS;
use super::plan::Head;
use crate::ExactError;
use dicec_runtime::pmf::{Exhausted, Resource, Weight};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

impl<'p, W: Weight> Engine<'p, W> {
    /// Computes a case that is not in the cache, and returns it with its number; `fuel` is the fuel
    /// that the state burnt before.
    pub(super) fn new_case(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        (scale, fuel): (f64, u64),
    ) -> Result<(usize, Arc<Case<W>>), ExactError> {
        let was_large = self.machine.large;
        let was_clamped = std::mem::take(&mut self.machine.clamped);
        let is_call = matches!(run.segment.head, Some(Head::Call { .. }));
        self.machine.large &= is_call;
        let (before, tab) = (self.budget.spent(), self.tab);
        let rolls = self.distributions.spent();
        self.calls.burnt += fuel;
        let mut case = self.work(run, state, scale, 0)?;
        self.calls.burnt -= fuel;
        let asked = std::mem::take(&mut self.machine.reads).asked;
        let spent = self.budget.spent() - before;
        case.bill = Bill {
            work: match is_call {
                // Including everything that the call uses.
                true => spent.saturating_add(self.tab - tab),
                false => spent - (self.distributions.spent() - rolls),
            },
            rolled: case.bill.rolled.take(),
            large: self.machine.large,
            clamped: self.machine.clamped,
            words: (case.size() + 8 * asked.len()) as u64,
            paid: AtomicU64::new(self.cases.question()),
        };
        self.machine.large |= was_large;
        self.machine.clamped |= was_clamped;
        let case = Arc::new(case);
        let place = (run.segment.number, run.frame.pinned);
        let number = self.cases.insert(place, &asked, case.bill.words, &case);
        Ok((number, case))
    }

    /// Charges for a case of an earlier question.
    pub(super) fn pay_again(&mut self, case: &Case<W>) -> Result<(), ExactError> {
        let (bill, question) = (&case.bill, self.cases.question());
        let rolled = bill.rolled.as_ref().map_or(0, |rolled| rolled.cost);
        self.tab = self.tab.saturating_add(bill.work).saturating_add(rolled);
        if bill.paid.swap(question, Relaxed) == question {
            return Ok(());
        }
        if let Some(rolled) = &bill.rolled {
            self.distributions.pay(rolled, self.budget)?;
        }
        self.budget.spend(bill.work, 0)?;
        if let Some(call) = case.count.call {
            self.calls.borrowed = true;
            self.peak = self.peak.max(self.calls.done[call].peak);
        }
        self.machine.large |= bill.large;
        self.machine.clamped |= bill.clamped;
        if self.cases.recall(bill.words) > MAX_WORDS {
            // With an empty cache, all cases would be dropped at this size and computed again.
            return Err(ExactError::Exhausted(Exhausted {
                resource: Resource::Work,
                limit: self.budget.limits().work,
            }));
        }
        Ok(())
    }

    /// Charges for a call whose outcomes are cached.
    pub(super) fn pay_call(&mut self, id: usize) -> Result<(), ExactError> {
        let call = self.calls.done[id].clone();
        self.tab = self.tab.saturating_add(call.cost);
        self.peak = self.peak.max(call.peak);
        self.machine.clamped |= call.clamped;
        if call.paid.swap(self.calls.question, Relaxed) != self.calls.question {
            self.calls.borrowed = true;
            self.budget.spend(call.cost, 0)?;
        }
        Ok(())
    }

    /// Whether the question stays within its budget for certain, whatever was cached. The cost of a
    /// call depends on the packed size of its states, which depends on the states before it; the
    /// size is at most one word more than the state has numbers.
    pub(super) fn is_cheap(&self) -> bool {
        let limits = self.budget.limits();
        let work = self.budget.spent();
        let held = self.peak.saturating_mul(2 + self.longest / 8);
        let kept = self.calls.size().max(self.distributions.size());
        work.saturating_mul(OUTCOME_COST + 2 + self.longest) <= limits.work
            && held.max(kept) <= limits.outcomes
    }
}
