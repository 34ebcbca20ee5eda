//! Simulations of scripts.

use super::sampler::Kernels;
use super::shared::SharedKernel;
use super::{BoundScript, ScriptRoll};
use crate::hir::Kind;
use crate::hir::Type;
use crate::program::failure::Failure;
use crate::program::simulate::{Backend, SCRIPT_NATIVE_FROM, Sampling, Simulation, Wanted};
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
            Type::Float => Some(Kind::Real),
            Type::Bool => Some(Kind::Check),
            Type::Degree(ladder) => Some(Kind::Degree(ladder)),
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

    /// A simulation with its back end chosen, if that was left to us. The result is the same on all.
    pub fn settled(&self, simulation: &Simulation) -> Simulation {
        simulation.settled(SCRIPT_NATIVE_FROM)
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
        control: &Control,
    ) -> Result<ScriptSimulated, Failure> {
        let (script, roll) = (self.script, self.roll);
        let alone = SharedKernel::new(ScriptRoll { script, roll });
        self.simulate_sharing(&alone, simulation, control)
    }

    /// [`BoundScript::simulate_with`], where short simulations of this roll with other arguments use the same kernel. The result does not
    /// depend on that.
    ///
    /// # Errors
    /// As for [`BoundScript::simulate_with`].
    pub fn simulate_sharing(
        &self,
        shared: &SharedKernel<'_>,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<ScriptSimulated, Failure> {
        let simulation = &self.settled(simulation);
        self.with_kernel(shared, simulation, Wanted::Outcomes, |kernel, inputs| {
            self.run_on(kernel, inputs, simulation, control)
        })
    }

    /// Gives `run` the kernel for a simulation whose back end is chosen, and what it is given as its resources.
    pub(super) fn with_kernel<T>(
        &self,
        shared: &SharedKernel<'_>,
        simulation: &Simulation,
        wanted: Wanted,
        run: impl FnOnce(&dyn Kernel, &[i64]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let how = (simulation.backend, simulation.sampling);
        let walks = how == (Backend::Interp, Sampling::Faithful);
        if !walks && !simulation.knows_arguments() {
            return self.with_unknown(shared, simulation, wanted, run);
        }
        Kernels::new(self, how, wanted)?.with(run)
    }

    /// Runs a kernel of this roll; `inputs` is what it is given as its resources.
    pub(super) fn run_on(
        &self,
        kernel: &dyn Kernel,
        inputs: &[i64],
        simulation: &Simulation,
        control: &Control,
    ) -> Result<ScriptSimulated, Failure> {
        let plan = self.plan(simulation);
        let start = Instant::now();
        let (tally, events) = simulate(kernel, inputs, &plan, control)?;
        Ok(ScriptSimulated {
            tally,
            events,
            elapsed: start.elapsed(),
        })
    }

    /// How the driver runs a kernel of this roll.
    pub(super) fn plan(&self, simulation: &Simulation) -> Plan {
        Plan {
            extent: simulation.extent,
            seed: simulation.seed,
            workers: simulation.workers(),
            by_probability: !self.kind().is_none_or(Kind::is_number),
            scale: self.kind().map_or(Scale::Whole, Kind::scale),
        }
    }
}
