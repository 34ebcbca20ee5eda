//! The last exact answer of a rule that has passed its check. A rule has a closed form, which depends
//! on nothing else, so the same question need not be checked again.

use super::setting::CheckLimits;
use crate::answer::{Checked, Exactness};
use crate::program::bind::Bound;
use crate::program::stages::locked;
use dicec_runtime::pmf::Limits;
use std::any::TypeId;
use std::sync::Mutex;

/// What was checked last.
#[derive(Debug, Default)]
pub(in crate::program) struct Passed(Mutex<Option<(Question, Checked)>>);

/// Everything that the answer to a rule depends on, and its check.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    resources: Box<[i64]>,
    how: How,
    limits: Limits,
    check: CheckLimits,
}

/// How exact odds are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// As an answer.
    Answer(Exactness),
    /// In weights of this type.
    Odds(TypeId),
}

impl Bound {
    /// The check of an exact answer, by `check` unless the same one has passed it just before.
    pub(super) fn passed_once<E>(
        &self,
        how: How,
        limits: &Limits,
        check: impl FnOnce() -> Result<Checked, E>,
    ) -> Result<Checked, E> {
        if self.program().is_script() {
            return check();
        }
        let passed = &self.stages().passed.0;
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
