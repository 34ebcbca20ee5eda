//! The kernels of back ends. Only this module and the sampler choose an engine.

use super::failure::Failure;
use super::simulation::{Backend, Wanted};
use crate::answer::Checked;
use dicec_native::eval::{EvalKernel, VectorEvalKernel};
use dicec_native::ir::Module;
#[cfg(feature = "jit")]
use dicec_native::jit::{JitKernel, VectorKernel};
use dicec_native::pass::VectorForm;
use dicec_runtime::kernel::Kernel;
use std::sync::{Arc, OnceLock};

/// The verdict of the check of a kernel when it first ran.
pub(super) type Verdict = OnceLock<Result<Checked, Failure>>;

/// A kernel, and its source.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) kernel: Arc<dyn Kernel>,
    source: Source,
    verdict: Verdict,
}

/// The source of a kernel.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "jit"),
    expect(
        dead_code,
        reason = "without native code, every kernel is an interpreter"
    )
)]
enum Source {
    Lanes(Arc<VectorForm>),
    Scalar(Arc<Module>),
    /// None: an interpreter.
    Itself,
}

impl Compiled {
    /// An interpreter.
    pub(super) fn interpreter(kernel: Arc<dyn Kernel>) -> Arc<Self> {
        Self::new(kernel, Source::Itself)
    }

    fn new(kernel: Arc<dyn Kernel>, source: Source) -> Arc<Self> {
        Arc::new(Self {
            kernel,
            source,
            verdict: Verdict::default(),
        })
    }

    /// The same with another kernel, for planted faults.
    #[cfg(test)]
    pub(super) fn with_kernel(
        &self,
        other: impl FnOnce(Arc<dyn Kernel>) -> Arc<dyn Kernel>,
    ) -> Arc<Self> {
        Self::new(other(Arc::clone(&self.kernel)), self.source.clone())
    }

    /// The verdict of its check, if the check has run.
    pub(super) fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The number of trials that native code runs at once; 0 for an interpreter.
    pub(super) fn group(&self) -> usize {
        match &self.source {
            Source::Lanes(form) => form.trials(),
            Source::Scalar(_) => 1,
            Source::Itself => 0,
        }
    }

    /// The vector form of native code in lanes.
    pub(super) fn form(&self) -> Option<&VectorForm> {
        match &self.source {
            Source::Lanes(form) => Some(form),
            Source::Scalar(_) | Source::Itself => None,
        }
    }

    /// The evaluator of the same code, with the same kind of sink; `None` for an interpreter.
    pub(super) fn reference(&self) -> Option<Arc<dyn Kernel>> {
        let sink = self.kernel.sink();
        Some(match &self.source {
            Source::Lanes(form) => Arc::new(VectorEvalKernel::new(Arc::clone(form), sink)),
            Source::Scalar(module) => Arc::new(EvalKernel::new(Arc::clone(module), sink)),
            Source::Itself => return None,
        })
    }
}

/// The kernel of a vector form.
///
/// # Errors
/// A machine for which native code cannot be compiled.
pub(super) fn in_lanes(
    form: &Arc<VectorForm>,
    backend: Backend,
    wanted: Wanted,
) -> Result<Arc<Compiled>, Failure> {
    let sink = wanted.vector_sink(form);
    Ok(match backend {
        #[cfg(feature = "jit")]
        Backend::Auto | Backend::Jit => {
            let kernel = VectorKernel::compile(Arc::clone(form), sink)?;
            Compiled::new(Arc::new(kernel), Source::Lanes(Arc::clone(form)))
        }
        _ => Compiled::interpreter(Arc::new(VectorEvalKernel::new(Arc::clone(form), sink))),
    })
}

/// The kernel of a module, which runs one trial after the other.
///
/// # Errors
/// As for [`in_lanes`].
pub(super) fn scalar(
    module: &Arc<Module>,
    backend: Backend,
    wanted: Wanted,
) -> Result<Arc<Compiled>, Failure> {
    let sink = wanted.sink(module);
    Ok(match backend {
        #[cfg(feature = "jit")]
        Backend::Auto | Backend::Jit => {
            let kernel = JitKernel::compile(Arc::clone(module), sink)?;
            Compiled::new(Arc::new(kernel), Source::Scalar(Arc::clone(module)))
        }
        _ => Compiled::interpreter(Arc::new(EvalKernel::new(Arc::clone(module), sink))),
    })
}
