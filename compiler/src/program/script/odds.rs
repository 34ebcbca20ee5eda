//! Exact odds of scripts.

use super::BoundScript;
use crate::engine::exact::{Odds, Question, solve};
use crate::program::failure::Failure;
use dicec_runtime::pmf::{Budget, Limits, Weight};

impl BoundScript<'_> {
    /// The exact odds of this roll: of its result, its lines and its statistics. Weights are `f64`, with the error bound that
    /// [`Pmf::error_bound`](dicec_runtime::pmf::Pmf::error_bound) states, or integers.
    ///
    /// # Errors
    /// A trap that can happen, or a budget that is too small.
    pub fn solve<W: Weight>(&self, limits: &Limits) -> Result<Odds<W>, Failure> {
        let mut budget = Budget::new(*limits);
        solve(&self.question(), &mut budget).map_err(Failure::from)
    }

    /// All that this roll depends on.
    pub fn question(&self) -> Question<'_> {
        Question {
            module: &self.script.hir,
            function: self.roll.function,
            args: &self.args,
            resources: &self.resources,
            policies: &self.policies,
            rolls: self.script.rolls,
            limits: self.script.limits,
        }
    }
}
