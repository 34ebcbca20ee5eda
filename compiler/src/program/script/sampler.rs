//! A compiled sampler of a script's roll: the one place that says what runs its trials.

use super::{BoundScript, ScriptSimulated};
use crate::backend::eval::{EvalKernel, VectorEvalKernel};
use crate::backend::jit::{JitKernel, VectorKernel};
use crate::backend::{best_sink, vector_sink};
use crate::ir::Unit;
use crate::pass::{VectorForm, share_words};
use crate::program::failure::Failure;
use crate::program::simulate::{Backend, Sampling, Simulation};
use dicec_runtime::driver::Control;
use dicec_runtime::kernel::Sink;

/// Runs simulations of one roll with its arguments. As it may run any number of them, [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct ScriptSampler<'b> {
    bound: &'b BoundScript<'b>,
    engine: Engine,
    /// The image, or the resources of the interpreter.
    inputs: Vec<i64>,
}

#[derive(Debug)]
enum Engine {
    Vector(Box<VectorKernel>),
    VectorEvaluator(Box<VectorForm>, Sink),
    Native(Box<JitKernel>),
    /// The IR evaluator, for fused sampling without native code.
    Evaluator(Box<Unit>, Sink),
    Walk,
}

impl<'b> ScriptSampler<'b> {
    /// A sampler of `bound`.
    ///
    /// # Errors
    /// A machine that native code cannot be made for.
    pub fn new(
        bound: &'b BoundScript<'b>,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        if (backend, sampling) == (Backend::Interp, Sampling::Faithful) {
            return Ok(Self {
                bound,
                engine: Engine::Walk,
                inputs: bound.resources.clone(),
            });
        }
        let (mut unit, inputs) = bound.specialised_pools(sampling);
        let engine = match sampling {
            Sampling::Faithful => Self::scalar(unit, backend)?,
            Sampling::Fused => match VectorForm::of_unit(&unit) {
                Some(form) => Self::in_lanes(form, backend)?,
                None => {
                    share_words(&mut unit);
                    Self::scalar(unit, backend)?
                }
            },
        };
        Ok(Self {
            bound,
            engine,
            inputs,
        })
    }

    fn in_lanes(form: VectorForm, backend: Backend) -> Result<Engine, Failure> {
        let sink = vector_sink(&form);
        Ok(match backend {
            Backend::Auto | Backend::Jit => {
                Engine::Vector(Box::new(VectorKernel::compile(&form, sink)?))
            }
            Backend::Interp => Engine::VectorEvaluator(Box::new(form), sink),
        })
    }

    fn scalar(unit: Unit, backend: Backend) -> Result<Engine, Failure> {
        let sink = best_sink(unit.trial());
        Ok(match backend {
            Backend::Auto | Backend::Jit => {
                Engine::Native(Box::new(JitKernel::compile_unit(&unit, sink)?))
            }
            Backend::Interp => Engine::Evaluator(Box::new(unit), sink),
        })
    }

    /// Runs a simulation; its back end and sampling are this sampler's.
    ///
    /// # Errors
    /// A trap, or that it was cancelled.
    pub fn run(
        &self,
        simulation: &Simulation,
        control: &Control<'_>,
    ) -> Result<ScriptSimulated, Failure> {
        let (bound, inputs) = (self.bound, &self.inputs);
        match &self.engine {
            Engine::Vector(kernel) => bound.run_on(kernel.as_ref(), inputs, simulation, control),
            Engine::VectorEvaluator(form, sink) => {
                let kernel = VectorEvalKernel::new(form, *sink);
                bound.run_on(&kernel, inputs, simulation, control)
            }
            Engine::Native(kernel) => bound.run_on(kernel.as_ref(), inputs, simulation, control),
            Engine::Evaluator(unit, sink) => {
                let kernel = EvalKernel::of_unit(unit, *sink);
                bound.run_on(&kernel, inputs, simulation, control)
            }
            Engine::Walk => {
                let kernel = bound.interpreter_kernel();
                bound.run_on(&kernel, inputs, simulation, control)
            }
        }
    }
}
