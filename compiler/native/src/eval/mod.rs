//! The IR evaluator: runs a module as it is, before or after any pass. Tests compare its results
//! before and after each pass, and those of the JIT with its own.

mod group;
mod machine;
mod recorded;
mod seen;
mod trials;
mod vector;

pub use recorded::{GroupServed, Served, run_recorded};
pub use seen::seen_in_trials;
pub use trials::{Observed, Ran, Trials};
pub use vector::VectorEvalKernel;
#[cfg(feature = "jit")]
pub(crate) use vector::results_by_face;

use super::stat_windows;
use super::workspaces::Workspaces;
use crate::ir::{Const, Module};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::{Dice, Stream};
use dicec_runtime::trap::Trap;
use machine::Machine;
use std::sync::Arc;

/// Runs trials of a verified module.
#[derive(Clone, Debug)]
pub struct EvalKernel {
    module: Arc<Module>,
    /// `None` for a rule.
    workspaces: Option<Workspaces>,
    sink: Sink,
}

impl EvalKernel {
    /// A kernel of `module`, which [`crate::ir::verify`] accepts. A script's resources are an
    /// [argument block](crate::ir::argument_block). `sink` has to fit its results.
    pub fn new(module: impl Into<Arc<Module>>, sink: Sink) -> Self {
        let module = module.into();
        Self {
            workspaces: Workspaces::new(&module, stat_windows(&module)),
            module,
            sink,
        }
    }

    /// One trial of a rule. `resources` holds a value per slot.
    ///
    /// # Errors
    /// The first trap.
    pub fn trial(&self, dice: &mut impl Dice, resources: &[i64]) -> Result<Const, Trap> {
        Machine::new(&self.module, resources, None).trial(dice)
    }
}

impl Kernel for EvalKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(&self.module.tables.stats)
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        let slots = self.module.slots();
        self.sink.check_call((slots, resources), (trials, cells))?;
        let Some(workspaces) = &self.workspaces else {
            let mut machine = Machine::new(&self.module, resources, None);
            return self.trials(&mut machine, stream, trials, cells, |_| {});
        };
        let (arguments, workspace) = workspaces.begin(resources)?;
        let mut machine = Machine::new(&self.module, resources, Some(workspace));
        let result = self.trials(&mut machine, stream, trials, cells, |machine| {
            machine.restart(&arguments.words, &arguments.written);
        });
        machine.report(events);
        result
    }
}

impl EvalKernel {
    fn trials(
        &self,
        machine: &mut Machine<'_>,
        stream: &mut Stream,
        trials: usize,
        cells: &mut [i64],
        restart: impl Fn(&mut Machine<'_>),
    ) -> Result<(), Stopped> {
        for trial in 0..trials {
            restart(machine);
            let value = machine.trial(stream).map_err(Stopped::at(trial))?;
            self.sink.record(cells, trial, value.to_cell());
        }
        Ok(())
    }
}
