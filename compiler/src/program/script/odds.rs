//! Exact odds of scripts.

use super::BoundScript;
use crate::backend::exact::{ScriptOdds, ScriptQuestion, solve_script};
use crate::program::failure::Failure;
use dicec_runtime::pmf::{Budget, Limits, Weight};

impl BoundScript<'_> {
    /// The exact distribution of the result and of each statistic, and the expected number of each line, in either kind of weight. Players
    /// decide about options as [`BoundScript::with_policy`] says.
    ///
    /// # Errors
    /// A trap that can happen, or a budget that is too small.
    pub fn solve<W: Weight>(&self, limits: &Limits) -> Result<ScriptOdds<W>, Failure> {
        let question = ScriptQuestion {
            script: self.script.hir(),
            function: self.roll.function,
            args: &self.args,
            resources: &self.resources,
            policies: &self.policies,
            rolls: self.script.roll_limits(),
            limits: self.script.limits(),
        };
        Ok(solve_script(&question, &mut Budget::new(*limits))?)
    }
}
