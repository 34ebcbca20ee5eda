//! A compiled sampler: made once, run for as many simulations as wanted. [`Kernels`] is what it shares with a
//! [summariser](super::Summariser): the one place that says what runs a rule's trials.

use super::bind::Bound;
use super::compile::Program;
use super::failure::Failure;
use super::simulate::{Backend, Sampling, Simulated, Simulation, Wanted};
use crate::engine::eval::{EvalKernel, VectorEvalKernel};
use crate::engine::interp::InterpKernel;
use crate::engine::jit::{JitKernel, VectorKernel};
use crate::pass::VectorForm;
use dicec_runtime::driver::{Control, Plan, simulate};
use dicec_runtime::kernel::{Kernel, Sink};
use std::sync::Arc;
use std::time::Instant;

/// Runs simulations of one program. As it may run any number of them, [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct Sampler<'p> {
    kernels: Kernels<'p>,
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
        let kernels = Kernels::new(program, None, (backend, sampling), Wanted::Outcomes)?;
        Ok(Self { kernels })
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
        let (program, values) = (bound.program, Some(&bound.values[..]));
        let kernels = Kernels::new(program, values, (backend, sampling), Wanted::Outcomes)?;
        Ok(Self { kernels })
    }

    /// Runs a simulation; its back end and sampling are this sampler's. `resources` holds a value a slot.
    ///
    /// # Errors
    /// A trap, or that it was cancelled.
    pub fn run(
        &self,
        resources: &[i64],
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Simulated, Failure> {
        let plan = self.kernels.plan(simulation);
        self.kernels.with(resources, |kernel| {
            let start = Instant::now();
            let (tally, _) = simulate(kernel, resources, &plan, control)?;
            Ok(Simulated {
                tally,
                elapsed: start.elapsed(),
            })
        })
    }
}

/// What runs the trials of a program.
#[derive(Debug)]
pub(super) struct Kernels<'p> {
    pub(super) program: &'p Program,
    engine: Engine,
    /// What runs with resources that the program's vector form does not take, if there may be such.
    unusual: Option<Engine>,
}

#[derive(Debug)]
enum Engine {
    Vector(Box<VectorKernel>),
    VectorEvaluator(Box<VectorEvalKernel>),
    Native(Box<JitKernel>),
    /// The IR evaluator, for fused sampling without native code.
    Evaluator(Box<EvalKernel>),
    Walk(Sink),
}

impl<'p> Kernels<'p> {
    /// Kernels for these resources alone, or for any.
    pub(super) fn new(
        program: &'p Program,
        resources: Option<&[i64]>,
        (backend, sampling): (Backend, Sampling),
        wanted: Wanted,
    ) -> Result<Self, Failure> {
        let form = match sampling {
            Sampling::Fused => program.vector_form(resources),
            Sampling::Faithful => None,
        };
        let scalar = || Engine::scalar(program, resources, (backend, sampling), wanted);
        let Some(form) = form else {
            return Ok(Self {
                program,
                engine: scalar()?,
                unusual: None,
            });
        };
        let sink = wanted.vector_sink(&form);
        let known = resources.is_some() || program.resources().is_empty();
        Ok(Self {
            program,
            engine: match backend {
                Backend::Auto | Backend::Jit => {
                    Engine::Vector(Box::new(VectorKernel::compile(form, sink)?))
                }
                Backend::Interp => {
                    Engine::VectorEvaluator(Box::new(VectorEvalKernel::new(form, sink)))
                }
            },
            unusual: if known { None } else { Some(scalar()?) },
        })
    }

    /// How the driver runs them.
    pub(super) fn plan(&self, simulation: &Simulation) -> Plan {
        Plan {
            extent: simulation.extent,
            seed: simulation.seed,
            workers: simulation.workers(),
            by_probability: !self.program.kind().is_number(),
            scale: self.program.kind().scale(),
        }
    }

    /// Gives `run` the kernel for these resources.
    pub(super) fn with<T>(&self, resources: &[i64], run: impl FnOnce(&dyn Kernel) -> T) -> T {
        let engine = match &self.unusual {
            Some(scalar) if !VectorForm::takes(resources) => scalar,
            _ => &self.engine,
        };
        match engine {
            Engine::Vector(kernel) => run(kernel.as_ref()),
            Engine::VectorEvaluator(kernel) => run(kernel.as_ref()),
            Engine::Native(kernel) => run(kernel.as_ref()),
            Engine::Evaluator(kernel) => run(kernel.as_ref()),
            Engine::Walk(sink) => {
                let (hir, limits) = (self.program.hir(), self.program.limits());
                run(&InterpKernel::of_rule(Arc::clone(hir), limits, *sink))
            }
        }
    }
}

impl Engine {
    fn scalar(
        program: &Program,
        resources: Option<&[i64]>,
        (backend, sampling): (Backend, Sampling),
        wanted: Wanted,
    ) -> Result<Self, Failure> {
        let module = program.optimised(resources, sampling);
        let sink = wanted.sink(&module);
        Ok(match (backend, sampling) {
            (Backend::Auto | Backend::Jit, _) => {
                Engine::Native(Box::new(JitKernel::compile(module, sink)?))
            }
            (Backend::Interp, Sampling::Fused) => {
                Engine::Evaluator(Box::new(EvalKernel::new(module, sink)))
            }
            (Backend::Interp, Sampling::Faithful) => Engine::Walk(sink),
        })
    }
}
