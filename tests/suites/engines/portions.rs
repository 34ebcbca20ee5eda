//! A driver divides a run into calls as it likes, as long as they have whole groups of trials
//! ([`Kernel::group`]): results, lines, statistics and the generator are those of one call.

use dicec_compiler::Bound;
use dicec_compiler::unstable::Sampling;
use dicec_native::jit::JitKernel;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_tests::answers::bound;
use dicec_tests::corpus::sources;
use dicec_tests::{engines, stages};
use rayon::prelude::*;

/// One in this many scripts is divided.
const EVERY: usize = 3;

/// The trials of a call, if its groups have fewer.
const TRIALS: usize = 100;

/// Compares a kernel's calls; whether no trial trapped, as nothing is said of others.
fn divides(kernel: &dyn Kernel, inputs: &[i64], text: &str) -> bool {
    let group = kernel.group();
    let few = group * (TRIALS / group).max(1);
    let whole = engines::run_in_calls(kernel, inputs, 7, &[few + 2 * group]);
    let parts = engines::run_in_calls(kernel, inputs, 7, &[group, few, group]);
    if whole.stopped.is_none() {
        assert_eq!(parts, whole, "calls of {group} trials of {text}");
    }
    whole.stopped.is_none()
}

/// Compares the calls of the kernels of a script: how many scalar ones, lanes and relays there are.
fn kernels(roll: &Bound, text: &str) -> [usize; 3] {
    let module = stages::module(roll, true, Sampling::Fused);
    let inputs = roll.inputs(&module).expect("no bug");
    let scalar = JitKernel::compile(module, Sink::Values).expect("native code");
    let mut counts = [usize::from(divides(&scalar, &inputs, text)), 0, 0];
    for (form, inputs) in engines::forms(roll) {
        let relays = form.in_relays();
        for (place, form) in [(1, Some(form)), (2, relays)] {
            let Some(form) = form else { continue };
            let [_, native] = engines::lane_kernels(&form, Sink::Values);
            counts[place] += usize::from(divides(&*native, &inputs, text));
        }
    }
    counts
}

#[test]
fn calls_of_whole_groups_give_what_one_call_does() {
    let scripts = sources().par_iter().step_by(EVERY);
    let counts = scripts.filter_map(|source| Some(kernels(&bound(&source.text)?, &source.text)));
    let all = counts.reduce(
        || [0; 3],
        |one, other| std::array::from_fn(|place| one[place] + other[place]),
    );
    assert!(all.iter().all(|count| *count >= 10), "{all:?}");
}
