//! The interpreter as a [`Kernel`], for runs that are too short to pay for compilation, and as a
//! reference in tests.

use super::host::Simulated;
use super::interpreter::Interpreter;
use crate::hir::{Data, FunctionId, Module, Policy};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::rng::Stream;
use std::sync::Arc;

/// Runs trials by walking the HIR.
#[derive(Clone, Debug)]
pub struct InterpKernel {
    /// A checked module.
    pub module: Arc<Module>,
    /// The body of the roll.
    pub function: FunctionId,
    /// Its arguments, one per parameter.
    pub args: Arc<[Data]>,
    /// One policy per option.
    pub policies: Arc<[Policy]>,
    /// The bounds on dice.
    pub rolls: RollLimits,
    /// The bounds on a trial.
    pub limits: ScriptLimits,
    /// What is kept of results; the result of a roll that returns nothing counts as 0.
    pub sink: Sink,
}

impl InterpKernel {
    /// A kernel of a rule. `sink` has to fit its results.
    pub fn of_rule(module: Arc<Module>, rolls: RollLimits, sink: Sink) -> Self {
        Self {
            module,
            function: FunctionId(0),
            args: Arc::default(),
            policies: Arc::default(),
            rolls,
            limits: ScriptLimits::default(),
            sink,
        }
    }
}

impl Kernel for InterpKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(&self.module.stats)
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.module.resources.len() || cells.len() < self.sink.cells(trials) {
            return Err(Stopped::bad_call());
        }
        let interpreter = Interpreter::new(&self.module, self.function, self.rolls, self.limits);
        let mut host = Simulated {
            dice: stream,
            policies: &self.policies,
            events,
            observer: (),
        };
        let mut at_table = interpreter.trials(resources, &mut host);
        for trial in 0..trials {
            let cell = at_table.cell(&self.args).map_err(|trap| Stopped {
                trial: trial as u64,
                trap,
            })?;
            self.sink.record(cells, trial, cell);
        }
        Ok(())
    }
}
