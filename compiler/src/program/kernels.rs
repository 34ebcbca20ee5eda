//! The kernels of back ends. Only this module and the sampler choose an engine.

use super::failure::Failure;
use super::simulation::{Backend, Wanted};
use crate::engine::eval::{EvalKernel, VectorEvalKernel};
#[cfg(feature = "jit")]
use crate::engine::jit::{JitKernel, VectorKernel};
use crate::ir::Module;
use crate::pass::VectorForm;
use dicec_runtime::kernel::Kernel;
use std::sync::Arc;

/// The kernel of a vector form.
///
/// # Errors
/// A machine for which native code cannot be compiled.
pub(super) fn in_lanes(
    form: &Arc<VectorForm>,
    backend: Backend,
    wanted: Wanted,
) -> Result<Arc<dyn Kernel>, Failure> {
    let (form, sink) = (Arc::clone(form), wanted.vector_sink(form));
    Ok(match backend {
        #[cfg(feature = "jit")]
        Backend::Auto | Backend::Jit => Arc::new(VectorKernel::compile(form, sink)?),
        _ => Arc::new(VectorEvalKernel::new(form, sink)),
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
) -> Result<Arc<dyn Kernel>, Failure> {
    let (module, sink) = (Arc::clone(module), wanted.sink(module));
    Ok(match backend {
        #[cfg(feature = "jit")]
        Backend::Auto | Backend::Jit => Arc::new(JitKernel::compile(module, sink)?),
        _ => Arc::new(EvalKernel::new(module, sink)),
    })
}
