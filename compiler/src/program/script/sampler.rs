//! A compiled sampler of a script's roll; and [`Kernels`], the one place that says what runs its trials.

use super::{BoundScript, ScriptSimulated};
use crate::engine::eval::{EvalKernel, VectorEvalKernel};
use crate::engine::jit::{JitKernel, VectorKernel};
use crate::ir::Module;
use crate::pass::{VectorForm, share_words};
use crate::program::failure::Failure;
use crate::program::simulate::{Backend, Sampling, Simulation, Wanted};
use dicec_runtime::driver::Control;
use dicec_runtime::kernel::Kernel;

/// Runs simulations of one roll with its arguments. As it may run any number of them, [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct ScriptSampler<'b> {
    kernels: Kernels<'b>,
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
        let kernels = Kernels::new(bound, (backend, sampling), Wanted::Outcomes)?;
        Ok(Self { kernels })
    }

    /// Runs a simulation; its back end and sampling are this sampler's.
    ///
    /// # Errors
    /// A trap, or that it was cancelled.
    pub fn run(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<ScriptSimulated, Failure> {
        let bound = self.kernels.bound;
        self.kernels
            .with(|kernel, inputs| bound.run_on(kernel, inputs, simulation, control))
    }
}

/// What runs the trials of a roll with its arguments.
#[derive(Debug)]
pub(super) struct Kernels<'b> {
    bound: &'b BoundScript<'b>,
    engine: Engine,
    /// The image, or the resources of the interpreter.
    inputs: Vec<i64>,
}

#[derive(Debug)]
enum Engine {
    Vector(Box<VectorKernel>),
    VectorEvaluator(Box<VectorEvalKernel>),
    Native(Box<JitKernel>),
    /// The IR evaluator, for fused sampling without native code.
    Evaluator(Box<EvalKernel>),
    Walk,
}

impl<'b> Kernels<'b> {
    pub(super) fn new(
        bound: &'b BoundScript<'b>,
        (backend, sampling): (Backend, Sampling),
        wanted: Wanted,
    ) -> Result<Self, Failure> {
        if (backend, sampling) == (Backend::Interp, Sampling::Faithful) {
            return Ok(Self {
                bound,
                engine: Engine::Walk,
                inputs: bound.resources.clone(),
            });
        }
        let (mut module, inputs) = bound.specialised_pools(sampling);
        let engine = match sampling {
            Sampling::Faithful => Engine::scalar(module, backend, wanted)?,
            Sampling::Fused => match VectorForm::new(&module) {
                Some(form) => Engine::in_lanes(form, backend, wanted)?,
                None => {
                    share_words(&mut module);
                    Engine::scalar(module, backend, wanted)?
                }
            },
        };
        Ok(Self {
            bound,
            engine,
            inputs,
        })
    }

    /// Gives `run` the kernel and what it is given as its resources.
    pub(super) fn with<T>(&self, run: impl FnOnce(&dyn Kernel, &[i64]) -> T) -> T {
        let inputs = &self.inputs;
        match &self.engine {
            Engine::Vector(kernel) => run(kernel.as_ref(), inputs),
            Engine::VectorEvaluator(kernel) => run(kernel.as_ref(), inputs),
            Engine::Native(kernel) => run(kernel.as_ref(), inputs),
            Engine::Evaluator(kernel) => run(kernel.as_ref(), inputs),
            Engine::Walk => run(&self.bound.interpreter_kernel(), inputs),
        }
    }
}

impl Engine {
    fn in_lanes(form: VectorForm, backend: Backend, wanted: Wanted) -> Result<Self, Failure> {
        let sink = wanted.vector_sink(&form);
        Ok(match backend {
            Backend::Auto | Backend::Jit => {
                Engine::Vector(Box::new(VectorKernel::compile(form, sink)?))
            }
            Backend::Interp => Engine::VectorEvaluator(Box::new(VectorEvalKernel::new(form, sink))),
        })
    }

    fn scalar(module: Module, backend: Backend, wanted: Wanted) -> Result<Self, Failure> {
        let sink = wanted.sink(&module);
        Ok(match backend {
            Backend::Auto | Backend::Jit => {
                Engine::Native(Box::new(JitKernel::compile(module, sink)?))
            }
            Backend::Interp => Engine::Evaluator(Box::new(EvalKernel::new(module, sink))),
        })
    }
}
