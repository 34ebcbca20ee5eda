//! The interpreter of scripts as a [`Kernel`].

use super::table::Simulated;
use super::walk::ScriptInterpreter;
use crate::engine::interp::Value;
use crate::hir::script::{Data, Policy};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;

/// Runs trials by walking the HIR.
#[derive(Clone, Debug)]
pub struct ScriptKernel<'s> {
    interpreter: ScriptInterpreter<'s>,
    args: &'s [Data],
    policies: &'s [Policy],
    stats: usize,
    sink: Sink,
}

impl<'s> ScriptKernel<'s> {
    /// A kernel of a roll with these arguments, one a parameter, and policies, one an option, of a script with so many statistics. `sink`
    /// has to fit its results; one that returns nothing has the result 0.
    pub fn new(
        interpreter: ScriptInterpreter<'s>,
        args: &'s [Data],
        policies: &'s [Policy],
        stats: usize,
        sink: Sink,
    ) -> Self {
        Self {
            interpreter,
            args,
            policies,
            stats,
            sink,
        }
    }
}

impl Kernel for ScriptKernel<'_> {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(self.stats)
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        if cells.len() < self.sink.cells(trials) {
            return Err(Stopped::bad_call());
        }
        for trial in 0..trials {
            let mut table = Simulated {
                dice: stream,
                policies: self.policies,
                events,
            };
            let value = self
                .interpreter
                .run(self.args, resources, &mut table)
                .map_err(|trap| Stopped {
                    trial: trial as u64,
                    trap,
                })?;
            let cell = value.map_or(0, Value::to_cell);
            self.sink.record(cells, trial, cell);
        }
        Ok(())
    }
}
