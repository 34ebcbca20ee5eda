//! What computing a case costs. A plan is kept for later questions ([`super::kept`]), and one that
//! finds a case of an earlier question pays for it as if it had computed it: so what it costs, and
//! whether it is refused, does not depend on the others.

use super::case::Case;
use super::known::MAX_WORDS;
use super::plan::Head;
use super::roll_distributions::Rolled;
use super::walk::{Engine, Run};
use crate::engine::exact::ExactError;
use dicec_runtime::pmf::{Exhausted, Resource, Weight};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// See the module. That of a call is empty, because calls are not kept.
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
    /// A case that was not known before, with its number.
    pub(super) fn new_case(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        scale: f64,
    ) -> Result<(usize, Arc<Case<W>>), ExactError> {
        let was_large = self.machine.large;
        let was_clamped = std::mem::take(&mut self.machine.clamped);
        let is_call = matches!(run.segment.head, Some(Head::Call { .. }));
        self.machine.large &= is_call;
        let before = self.budget.spent() - self.distributions.spent();
        let mut case = self.work(run, state, scale, 0)?;
        let asked = std::mem::take(&mut self.machine.reads).asked;
        case.bill = Bill {
            work: self.budget.spent() - self.distributions.spent() - before,
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
        if bill.paid.swap(question, Relaxed) == question {
            return Ok(());
        }
        if let Some(rolled) = &bill.rolled {
            self.distributions.pay(rolled, self.budget)?;
        }
        self.budget.spend(bill.work, 0)?;
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
}
