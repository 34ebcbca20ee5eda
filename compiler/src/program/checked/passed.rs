//! Looks up what a roll keeps of its checks.

use super::kept::{How, Question};
use super::most::Most;
use crate::answer::Checked;
use crate::program::bind::Bound;
use crate::program::kept::locked;
use dicec_runtime::pmf::Limits;
use std::sync::Arc;

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
