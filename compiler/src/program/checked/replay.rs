//! Replays the first trials of a simulation: native code against the evaluator of the same code,
//! and a group of lanes against scalar code. Whether the code means the same as the rule is left to
//! the interpreter's trials.

use super::compare::Disagreement;
use crate::program::kernels::Compiled;
use crate::verify::{Effort, kernels_differ, lanes_differ};
use dicec_runtime::rng::Streams;

/// Replays the first trials of a seed, at least a group and at most `most`. Returns their number: 0
/// if a group has more, or if there is nothing to compare with. Scalar code may execute this many
/// `blocks`.
///
/// # Errors
/// The two differ.
pub(super) fn replay(
    compiled: &Compiled,
    inputs: &[i64],
    seed: u64,
    (most, blocks): (u64, u64),
) -> Result<u64, Disagreement> {
    let group = compiled.group() as u64;
    if group == 0 || most < group {
        return Ok(0);
    }
    let trials = (most / group * group) as usize;
    let (Some(reference), Some(stream)) = (compiled.reference(), Streams::new(seed).next()) else {
        return Ok(0);
    };
    let native = &*compiled.kernel;
    let mut found = kernels_differ(&*reference, native, inputs, (&stream, trials));
    if let (None, Some(form)) = (&found, compiled.form()) {
        let one_group = Effort {
            trials: 1,
            draws: 0,
            samples: 0,
            blocks,
        };
        found = lanes_differ(form, inputs, stream, &one_group).err();
    }
    match found {
        None => Ok(trials as u64),
        Some(found) => Err(Disagreement::certain(
            &found.of,
            &found.after,
            &found.before,
        )),
    }
}
