//! Native code against the evaluator of the same module or form: the same words, everything bit for
//! bit.

use super::{Difference, Effort};
use crate::engine::eval::{EvalKernel, VectorEvalKernel};
use crate::engine::jit::{JitError, JitKernel, VectorKernel};
use crate::engine::{best_sink, vector_sink};
use crate::ir::Module;
use crate::pass::VectorForm;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::rng::Stream;
use std::fmt::Write;
use std::sync::Arc;

/// The seed of the trials.
const SEED: u64 = 0xd1ce;

/// Compares native code of a module with its evaluation, in its usual sink and result by result.
///
/// # Errors
/// Native code that cannot be made.
pub fn native_differs(
    module: &Arc<Module>,
    inputs: &[i64],
    effort: &Effort,
) -> Result<Option<Difference>, JitError> {
    for sink in [Sink::Values, best_sink(module)] {
        let native = JitKernel::compile(module.clone(), sink)?;
        let evaluated = EvalKernel::new(module.clone(), sink);
        let difference = kernels_differ(&evaluated, &native, inputs, effort.trials);
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
    for sink in [Sink::Values, vector_sink(form)] {
        let native = VectorKernel::compile(form.clone(), sink)?;
        let evaluated = VectorEvalKernel::new(form.clone(), sink);
        let difference = kernels_differ(&evaluated, &native, inputs, trials);
        if difference.is_some() {
            return Ok(difference);
        }
    }
    Ok(None)
}

/// Runs both kernels on the same words; the difference, if there is one: before is `evaluated`.
fn kernels_differ(
    evaluated: &dyn Kernel,
    native: &dyn Kernel,
    inputs: &[i64],
    trials: usize,
) -> Option<Difference> {
    let [expected, found] = [evaluated, native].map(|kernel| outcome(kernel, inputs, trials));
    (expected != found).then(|| Difference {
        of: format!("a run of {trials} trials of seed {SEED}"),
        before: expected,
        after: found,
    })
}

/// Everything that a run of a kernel leaves, as text.
fn outcome(kernel: &dyn Kernel, inputs: &[i64], trials: usize) -> String {
    let mut stream = Stream::from_seed(SEED);
    let mut cells = vec![0; kernel.sink().cells(trials)];
    let mut events = kernel.events();
    let stopped = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
    let stopped = stopped.err();
    if kernel.sink() == Sink::Values {
        cells.truncate(stopped.map_or(trials, |stopped| stopped.trial as usize));
    }
    let mut text = format!("{stopped:?}, {:?}, {cells:?}", stream.state());
    if stopped.is_none() {
        let stats = events.stats().iter();
        let stats: Vec<Vec<(i64, u64)>> = stats.map(|stat| stat.outcomes().collect()).collect();
        let lines: Vec<(&str, u64)> = events.lines.iter().collect();
        // Writing to a text never fails.
        let _ = write!(text, ", {lines:?}, {stats:?}");
        for (name, stat) in events.named().iter() {
            let numbers: Vec<(i64, u64)> = stat.outcomes().collect();
            let _ = write!(text, ", {name}: {numbers:?}");
        }
    }
    text
}
