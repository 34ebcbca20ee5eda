//! What computing a case costs. A plan is kept for later questions ([`super::kept`]), and one that
//! finds a case of an earlier question pays for it as if it had computed it: so what it costs, and
//! whether it is refused, does not depend on the others.

use super::case::Case;
use super::known::MAX_WORDS;
use super::plan::Head;
use super::roll_distributions::Rolled;
use super::walk::{Engine, OUTCOME_COST, Run};
use crate::engine::exact::ExactError;
use dicec_runtime::pmf::{Exhausted, Resource, Weight};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// See the module.
pub(super) struct Bill<W> {
    work: u64,
    /// Its roll, which is paid for once by all cases that have it.
    pub(super) rolled: Option<Arc<Rolled<W>>>,
    /// Whether any of its numbers was not small.
    large: bool,
    /// Whether any of its numbers was raised to a bound.
    clamped: bool,
    /// The words that are kept of it.
    words: u64,
    /// The last question that paid for it.
    paid: AtomicU64,
}

impl<W> Bill<W> {
    /// The bill of a case under construction.
    pub(super) fn open(rolled: Option<Arc<Rolled<W>>>) -> Self {
        Self {
            work: 0,
            rolled,
            large: false,
            clamped: false,
            words: 0,
            paid: AtomicU64::new(0),
        }
    }
}

impl<'p, W: Weight> Engine<'p, W> {
    /// A case that was not known before, with its number; `fuel` is what the state has burnt.
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
                // With all that the call uses.
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

    /// Pays for a case of an earlier question.
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
            // Without what was kept, all cases would be dropped here, and computed again.
            return Err(ExactError::Exhausted(Exhausted {
                resource: Resource::Work,
                limit: self.budget.limits().work,
            }));
        }
        Ok(())
    }

    /// Pays for a call that is known.
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

    /// Whether the question would be within its budget in any case. What a call costs depends on
    /// how many words a packed state takes, which depends on the states before it; but that is at
    /// most as many as the state has numbers, and one more.
    pub(super) fn is_cheap(&self) -> bool {
        let limits = self.budget.limits();
        let work = self.budget.spent();
        let held = self.peak.saturating_mul(2 + self.longest / 8);
        let kept = self.calls.size().max(self.distributions.size());
        work.saturating_mul(OUTCOME_COST + 2 + self.longest) <= limits.work
            && held.max(kept) <= limits.outcomes
    }
}
