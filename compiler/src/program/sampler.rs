//! A compiled sampler: made once, run for as many simulations as wanted.

use super::bind::Bound;
use super::compile::Program;
use super::failure::Failure;
use super::simulate::{Backend, Sampling, Simulated, Simulation};
use crate::backend::eval::{EvalKernel, VectorEvalKernel};
use crate::backend::interp::InterpKernel;
use crate::backend::jit::{JitKernel, VectorKernel};
use crate::backend::{best_sink, vector_sink};
use crate::ir::Function;
use crate::pass::VectorForm;
use dicec_runtime::driver::{Control, Plan, simulate};
use dicec_runtime::kernel::{Kernel, Sink};
use std::time::Instant;

/// Runs simulations of one program. As it may run any number of them, [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct Sampler<'p> {
    program: &'p Program,
    engine: Engine,
    /// What runs with resources that the program's vector form does not take, if there may be such.
    unusual: Option<Engine>,
}

#[derive(Debug)]
enum Engine {
    Vector(Box<VectorKernel>),
    VectorEvaluator(Box<VectorForm>, Sink),
    Native(Box<JitKernel>),
    /// The IR evaluator, for fused sampling without native code.
    Evaluator(Box<Function>, Sink),
    Walk(Sink),
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
        let form = match sampling {
            Sampling::Fused => program.vector_form(resources),
            Sampling::Faithful => None,
        };
        let scalar = || Self::scalar(program, resources, backend, sampling);
        let Some(form) = form else {
            return Ok(Self {
                program,
                engine: scalar()?,
                unusual: None,
            });
        };
        let sink = vector_sink(&form);
        let known = resources.is_some() || program.resources().is_empty();
        Ok(Self {
            program,
            engine: match backend {
                Backend::Auto | Backend::Jit => {
                    Engine::Vector(Box::new(VectorKernel::compile(&form, sink)?))
                }
                Backend::Interp => Engine::VectorEvaluator(Box::new(form), sink),
            },
            unusual: if known { None } else { Some(scalar()?) },
        })
    }

    fn scalar(
        program: &Program,
        resources: Option<&[i64]>,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Engine, Failure> {
        let function = program.optimised(resources, sampling);
        let sink = best_sink(&function);
        Ok(match (backend, sampling) {
            (Backend::Auto | Backend::Jit, _) => {
                Engine::Native(Box::new(JitKernel::compile(&function, sink)?))
            }
            (Backend::Interp, Sampling::Fused) => Engine::Evaluator(Box::new(function), sink),
            (Backend::Interp, Sampling::Faithful) => Engine::Walk(sink),
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
        let engine = match &self.unusual {
            Some(scalar) if !VectorForm::takes(resources) => scalar,
            _ => &self.engine,
        };
        match engine {
            Engine::Vector(kernel) => self.run_on(kernel.as_ref(), resources, simulation, control),
            Engine::VectorEvaluator(form, sink) => {
                let kernel = VectorEvalKernel::new(form, *sink);
                self.run_on(&kernel, resources, simulation, control)
            }
            Engine::Native(kernel) => self.run_on(kernel.as_ref(), resources, simulation, control),
            Engine::Evaluator(function, sink) => {
                let kernel = EvalKernel::new(function, *sink);
                self.run_on(&kernel, resources, simulation, control)
            }
            Engine::Walk(sink) => {
                let kernel = InterpKernel::new(self.program.hir(), self.program.limits(), *sink);
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
