//! A compiled sampler: made once, run for as many simulations as wanted.

use super::bind::Bound;
use super::compile::Program;
use super::failure::Failure;
use super::simulate::{Backend, Sampling, Simulated, Simulation};
use crate::backend::best_sink;
use crate::backend::eval::EvalKernel;
use crate::backend::interp::InterpKernel;
use crate::backend::jit::JitKernel;
use crate::ir::Function;
use dicec_runtime::driver::{Control, Plan, simulate};
use dicec_runtime::kernel::{Kernel, Sink};
use std::time::Instant;

/// Runs simulations of one program. As it may run any number of them, [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct Sampler<'p> {
    program: &'p Program,
    engine: Engine,
    sink: Sink,
}

#[derive(Debug)]
enum Engine {
    Native(Box<JitKernel>),
    /// The IR evaluator, for fused sampling without native code.
    Evaluator(Box<Function>),
    Walk,
}

impl<'p> Sampler<'p> {
    /// A sampler for any resource values.
    ///
    /// # Errors
    /// A machine that native code cannot be made for.
    pub fn new(
        program: &'p Program,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        Self::make(program, None, backend, sampling)
    }

    /// A faster sampler for these resource values alone.
    ///
    /// # Errors
    /// As for [`Sampler::new`].
    pub fn specialised(
        bound: &Bound<'p>,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        Self::make(bound.program, Some(&bound.values), backend, sampling)
    }

    fn make(
        program: &'p Program,
        resources: Option<&[i64]>,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        let function = program.optimised(resources, sampling);
        let sink = best_sink(&function);
        let engine = match (backend, sampling) {
            (Backend::Auto | Backend::Jit, _) => {
                Engine::Native(Box::new(JitKernel::compile(&function, sink)?))
            }
            (Backend::Interp, Sampling::Fused) => Engine::Evaluator(Box::new(function)),
            (Backend::Interp, Sampling::Faithful) => Engine::Walk,
        };
        Ok(Self {
            program,
            engine,
            sink,
        })
    }

    /// Runs a simulation; its back end and sampling are this sampler's. `resources` holds a value a slot.
    ///
    /// # Errors
    /// A trap, or that it was cancelled.
    pub fn run(
        &self,
        resources: &[i64],
        simulation: &Simulation,
        control: &Control<'_>,
    ) -> Result<Simulated, Failure> {
        match &self.engine {
            Engine::Native(kernel) => self.run_on(kernel.as_ref(), resources, simulation, control),
            Engine::Evaluator(function) => {
                let kernel = EvalKernel::new(function, self.sink);
                self.run_on(&kernel, resources, simulation, control)
            }
            Engine::Walk => {
                let kernel =
                    InterpKernel::new(self.program.hir(), self.program.limits(), self.sink);
                self.run_on(&kernel, resources, simulation, control)
            }
        }
    }

    fn run_on(
        &self,
        kernel: &impl Kernel,
        resources: &[i64],
        simulation: &Simulation,
        control: &Control<'_>,
    ) -> Result<Simulated, Failure> {
        let plan = Plan {
            extent: simulation.extent,
            seed: simulation.seed,
            threads: simulation.threads,
            by_probability: !self.program.kind().is_number(),
            scale: self.program.kind().scale(),
        };
        let start = Instant::now();
        let (tally, _) = simulate(kernel, resources, &plan, control)?;
        Ok(Simulated {
            tally,
            elapsed: start.elapsed(),
        })
    }
}
