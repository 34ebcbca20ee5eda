//! Native code against the evaluator of the same module or form: the same words, everything bit for
//! bit.

use super::kernels::kernels_differ;
use super::{Difference, Effort, SEED};
use dicec_native::eval::{EvalKernel, VectorEvalKernel};
use dicec_native::ir::Module;
use dicec_native::jit::{JitError, JitKernel, VectorKernel};
use dicec_native::pass::VectorForm;
use dicec_native::{best_sink, vector_sink};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::Stream;
use std::sync::Arc;

/// Compares native code of a module with its evaluation, in its usual sink and result by result.
///
/// # Errors
/// Native code that cannot be made.
pub fn native_differs(
    module: &Arc<Module>,
    inputs: &[i64],
    effort: &Effort,
) -> Result<Option<Difference>, JitError> {
    let stream = Stream::from_seed(SEED);
    for sink in [Sink::Values, best_sink(module)] {
        let native = JitKernel::compile(module.clone(), sink)?;
        let evaluated = EvalKernel::new(module.clone(), sink);
        let difference = kernels_differ(&evaluated, &native, inputs, (&stream, effort.trials));
        if difference.is_some() {
            return Ok(difference);
        }
    }
    Ok(None)
}

/// The same in lanes, for two groups and some trials of a third one.
///
/// # Errors
/// Native code that cannot be made.
pub fn native_lanes_differ(
    form: &VectorForm,
    inputs: &[i64],
    effort: &Effort,
) -> Result<Option<Difference>, JitError> {
    let trials = (2 * form.trials() + 13).max(effort.trials);
    let stream = Stream::from_seed(SEED);
    for sink in [Sink::Values, vector_sink(form)] {
        let native = VectorKernel::compile(form.clone(), sink)?;
        let evaluated = VectorEvalKernel::new(form.clone(), sink);
        let difference = kernels_differ(&evaluated, &native, inputs, (&stream, trials));
        if difference.is_some() {
            return Ok(difference);
        }
    }
    Ok(None)
}
