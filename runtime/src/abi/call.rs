//! What compiled code calls: the few operations that are too long to be emitted. None of them panics.
#![allow(
    unsafe_code,
    reason = "compiled code passes the context as a pointer; the SAFETY argument is the kernel's contract"
)]

use super::{Context, STATUS_OK, Status};
use crate::rng::{Dice, Stream};
use crate::trap::TrapCode;
use std::slice;

/// A function of two decimal numbers. Whatever bits it gets, it returns some.
pub type Binary = extern "C" fn(f64, f64) -> f64;

/// [`step`].
pub type StepCall = unsafe extern "C" fn(*mut Context, u64, i64, i64) -> i64;

/// The power of [`crate::real::pow`], before that looks at it.
pub extern "C" fn pow(a: f64, b: f64) -> f64 {
    libm::pow(a, b)
}

/// The remainder of [`crate::real::remainder`], before that looks at it.
pub extern "C" fn remainder(a: f64, b: f64) -> f64 {
    libm::fmod(a, b)
}

/// Takes the step with the number `step` ([`Context::steps`]) with up to two numbers; gives its result, and its status in
/// [`Context::step_status`]. The generator goes on from [`Context::state`] and leaves its state there.
///
/// # Safety
/// `context` points to a context that nothing else uses during the call, whose `pools` and `steps` point to as many
/// of each as their counts say.
pub unsafe extern "C" fn step(context: *mut Context, step: u64, first: i64, second: i64) -> i64 {
    // SAFETY: the caller's promise.
    let context = unsafe { &mut *context };
    // SAFETY: the caller's promise; the counts are those of slices, so they fit a usize.
    let steps = unsafe { slice::from_raw_parts(context.steps, context.step_count as usize) };
    // SAFETY: as above; nothing else uses the pools during the call.
    let pools = unsafe { slice::from_raw_parts_mut(context.pools, context.pool_count as usize) };
    let Some(taken) = usize::try_from(step).ok().and_then(|step| steps.get(step)) else {
        return 0;
    };
    let mut words = Words {
        state: context.state,
        stream: None,
    };
    let result = taken
        .step
        .take(pools, taken.pool, [first, second], &mut words);
    if let Some(stream) = words.stream {
        context.state = stream.state();
    }
    match result {
        Ok(value) => {
            context.step_status = STATUS_OK;
            value
        }
        Err(code) => {
            context.step_status = code as Status;
            0
        }
    }
}

/// The generator of a context, which most steps do not need.
struct Words {
    state: [u64; 4],
    /// Set by the first draw.
    stream: Option<Stream>,
}

impl Dice for Words {
    #[inline]
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        let state = self.state;
        let stream = self.stream.get_or_insert_with(|| Stream::from_state(state));
        stream.roll(sides)
    }
}
