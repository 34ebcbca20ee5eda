//! The check results that are cached with a roll: the last exact answer of a rule that passed, and
//! bounds on lines and notes. A rule has a closed form, which depends on nothing else, so the same
//! question need not be checked again.

use super::most::Most;
use super::setting::CheckLimits;
use crate::answer::{Checked, Exactness};
use crate::program::bind::Bound;
use crate::program::stages::locked;
use dicec_runtime::pmf::Limits;
use std::any::TypeId;
use std::sync::{Arc, Mutex, OnceLock};

/// The cached check results of a roll.
#[derive(Debug, Default)]
pub(in crate::program) struct Kept {
    /// The last answer that passed.
    passed: Mutex<Option<(Question, Checked)>>,
    most: OnceLock<Arc<Most>>,
}

/// Everything that the answer to a rule, and its check, depend on.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    resources: Box<[i64]>,
    how: How,
    limits: Limits,
    check: CheckLimits,
}

/// The form of the exact odds in a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// An answer with this exactness.
    Answer(Exactness),
    /// Odds with weights of this type.
    Odds(TypeId),
}

impl Bound {
    /// The maximum numbers of lines and notes in a trial.
    pub(super) fn most(&self) -> Arc<Most> {
        let most = || {
            Arc::new(Most::of(
                self.program().hir(),
                self.definition().function_id(),
            ))
        };
        Arc::clone(self.stages().checks.most.get_or_init(most))
    }

    /// The check of an exact answer: runs `check` unless the same answer passed just before.
    pub(super) fn passed_once<E>(
        &self,
        how: How,
        limits: &Limits,
        check: impl FnOnce() -> Result<Checked, E>,
    ) -> Result<Checked, E> {
        if self.program().is_script() {
            return check();
        }
        let passed = &self.stages().checks.passed;
        let question = Question {
            resources: self.resources().into(),
            how,
            limits: *limits,
            check: self.check(),
        };
        if let Some((known, checked)) = &*locked(passed)
            && *known == question
        {
            return Ok(*checked);
        }
        let checked = check()?;
        *locked(passed) = Some((question, checked));
        Ok(checked)
    }
}
