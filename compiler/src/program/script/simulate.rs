//! Simulations of scripts.

use super::{BoundScript, ScriptRoll, ScriptSampler};
use crate::hir::Kind;
use crate::hir::script::Type;
use crate::program::failure::Failure;
use crate::program::simulate::Simulation;
use dicec_runtime::degree::Ladder;
use dicec_runtime::driver::{Control, Plan, simulate};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::Kernel;
use dicec_runtime::scale::Scale;
use dicec_runtime::stats::Tally;
use std::time::{Duration, Instant};

/// The result of a simulation of a script.
#[derive(Clone, Debug)]
pub struct ScriptSimulated {
    /// How often each result came: numbers, 0 and 1 for false and true, rungs of degrees; 0 in each trial where nothing is returned.
    pub tally: Tally,
    /// The lines, by their templates, and the statistics, by their places.
    pub events: Events,
    /// How long the trials took, compilation aside.
    pub elapsed: Duration,
}

impl ScriptRoll<'_> {
    /// What it returns; `None` for nothing.
    pub fn kind(&self) -> Option<Kind> {
        let hir = self.script.hir();
        match hir.function(self.roll.function).result {
            Type::Int => Some(Kind::Number),
            Type::Bool => Some(Kind::Check),
            Type::Degree => Some(Kind::Degree(Ladder::Pathfinder)),
            _ => None,
        }
    }
}

impl BoundScript<'_> {
    /// What the roll returns; `None` for nothing.
    pub fn kind(&self) -> Option<Kind> {
        let (script, roll) = (self.script, self.roll);
        ScriptRoll { script, roll }.kind()
    }

    /// A simulation of this roll.
    ///
    /// # Errors
    /// A trap, or a machine that native code cannot be made for.
    pub fn simulate(&self, simulation: &Simulation) -> Result<ScriptSimulated, Failure> {
        self.simulate_with(simulation, &Control::default())
    }

    /// [`BoundScript::simulate`] under a caller's eye: `control` reports progress and can cancel.
    ///
    /// # Errors
    /// As for [`BoundScript::simulate`], or that it was cancelled.
    pub fn simulate_with(
        &self,
        simulation: &Simulation,
        control: &Control<'_>,
    ) -> Result<ScriptSimulated, Failure> {
        let simulation = simulation.settled();
        let sampler = ScriptSampler::new(self, simulation.backend, simulation.sampling)?;
        sampler.run(&simulation, control)
    }

    pub(super) fn run_on(
        &self,
        kernel: &impl Kernel,
        inputs: &[i64],
        simulation: &Simulation,
        control: &Control<'_>,
    ) -> Result<ScriptSimulated, Failure> {
        let plan = Plan {
            extent: simulation.extent,
            seed: simulation.seed,
            threads: simulation.threads,
            by_probability: !self.kind().is_none_or(Kind::is_number),
            scale: Scale::Whole,
        };
        let start = Instant::now();
        let (tally, events) = simulate(kernel, inputs, &plan, control)?;
        Ok(ScriptSimulated {
            tally,
            events,
            elapsed: start.elapsed(),
        })
    }
}
