//! The interpreter as a [`Kernel`], for runs that are too short to pay for compilation and for comparing.

use super::walk::Interpreter;
use crate::hir::Program;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::rng::Stream;

/// Runs trials by walking the HIR.
#[derive(Clone, Debug)]
pub struct InterpKernel<'p> {
    program: &'p Program,
    limits: RollLimits,
    sink: Sink,
}

impl<'p> InterpKernel<'p> {
    /// A kernel of a typed program. `sink` has to fit its results.
    pub fn new(program: &'p Program, limits: RollLimits, sink: Sink) -> Self {
        Self {
            program,
            limits,
            sink,
        }
    }
}

impl Kernel for InterpKernel<'_> {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        _events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.program.resources.len() || cells.len() < self.sink.cells(trials) {
            return Err(Stopped::bad_call());
        }
        let interpreter = Interpreter::new(self.program, self.limits);
        for trial in 0..trials {
            let outcome = interpreter
                .run(resources, stream, &mut ())
                .map_err(|trap| Stopped {
                    trial: trial as u64,
                    trap,
                })?;
            self.sink.record(cells, trial, outcome.value.to_cell());
        }
        Ok(())
    }
}
