//! Simulations of scripts, of whose results a summary alone is wanted: [`crate::program::summarise`] for rolls. Lines and statistics come as
//! in any simulation.

use super::BoundScript;
use super::ScriptRoll;
use super::shared::SharedKernel;
use crate::program::failure::Failure;
use crate::program::simulate::{Simulation, Wanted};
use dicec_runtime::driver::{Control, simulate, summarise};
use dicec_runtime::events::Events;
use dicec_runtime::stats::Summary;
use std::time::{Duration, Instant};

/// The result of a simulation of a script, summarised.
#[derive(Clone, Debug)]
pub struct ScriptSummarised {
    /// The trials, the mean and spread of their results, the lowest and the highest: numbers, 0 and 1 for false and true, rungs of
    /// degrees; 0 in each trial where nothing is returned.
    pub summary: Summary,
    /// The lines, by their templates, and the statistics, by their places.
    pub events: Events,
    /// How long the trials took, compilation aside.
    pub elapsed: Duration,
}

impl BoundScript<'_> {
    /// A simulation of this roll, of whose results a summary is kept.
    ///
    /// # Errors
    /// A trap, or a machine that native code cannot be made for.
    pub fn summarise(&self, simulation: &Simulation) -> Result<ScriptSummarised, Failure> {
        self.summarise_with(simulation, &Control::default())
    }

    /// [`BoundScript::summarise`] under a caller's eye: `control` reports progress and can cancel.
    ///
    /// # Errors
    /// As for [`BoundScript::summarise`], or that it was cancelled.
    pub fn summarise_with(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<ScriptSummarised, Failure> {
        let (script, roll) = (self.script, self.roll);
        let alone = SharedKernel::new(ScriptRoll { script, roll });
        self.summarise_sharing(&alone, simulation, control)
    }

    /// [`BoundScript::summarise_with`], where short simulations of this roll with other arguments use the same kernel. The result does
    /// not depend on that.
    ///
    /// # Errors
    /// As for [`BoundScript::summarise_with`].
    pub fn summarise_sharing(
        &self,
        shared: &SharedKernel<'_>,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<ScriptSummarised, Failure> {
        let simulation = &self.settled(simulation);
        let plan = self.plan(simulation);
        let wanted = Wanted::for_summary(self.kind());
        self.with_kernel(shared, simulation, wanted, |kernel, inputs| {
            let start = Instant::now();
            let (summary, events) = match wanted {
                Wanted::Moments => summarise(kernel, inputs, &plan, control)?,
                Wanted::Outcomes => {
                    let (tally, events) = simulate(kernel, inputs, &plan, control)?;
                    (tally.summary(), events)
                }
            };
            Ok(ScriptSummarised {
                summary,
                events,
                elapsed: start.elapsed(),
            })
        })
    }
}
