//! The struct that compiled code receives: the only memory that it reads and writes.
//!
//! Its layout is the contract between the JIT, which emits loads and stores at [`offset`]s, and whoever calls the
//! kernel. Building one is safe; following its pointers is the caller's promise, made where the kernel is called.

/// What a kernel reads and writes. All fields are plain words, so that any bit pattern is valid.
#[derive(Debug)]
#[repr(C)]
pub struct Context {
    /// The generator's state: read at the start, written at the end of a call and at a trap.
    pub state: [u64; 4],
    /// The resource values, by slot.
    pub resources: *const i64,
    /// The cells of the sink, see [`crate::kernel::Sink`].
    pub cells: *mut i64,
    /// How many trials to run.
    pub trials: u64,
    /// Written at a trap: the trial, counted from 0 in this call.
    pub trap_trial: u64,
    /// Written at a trap: which instruction, see [`crate::kernel::Kernel`].
    pub trap_site: u64,
}

/// Byte offsets of [`Context`]'s fields.
pub mod offset {
    use super::Context;
    use std::mem::offset_of;

    /// Of [`Context::state`]; its words follow each other.
    pub const STATE: usize = offset_of!(Context, state);
    /// Of [`Context::resources`].
    pub const RESOURCES: usize = offset_of!(Context, resources);
    /// Of [`Context::cells`].
    pub const CELLS: usize = offset_of!(Context, cells);
    /// Of [`Context::trials`].
    pub const TRIALS: usize = offset_of!(Context, trials);
    /// Of [`Context::trap_trial`].
    pub const TRAP_TRIAL: usize = offset_of!(Context, trap_trial);
    /// Of [`Context::trap_site`].
    pub const TRAP_SITE: usize = offset_of!(Context, trap_site);
}

/// What a kernel returns: 0, or the [`crate::trap::TrapCode`] that ended it.
pub type Status = u32;

/// The [`Status`] of a call that ran all its trials.
pub const STATUS_OK: Status = 0;

/// What compiled code calls: the few operations that are too long to be emitted. They return whatever bits they get, and
/// none of them panics.
pub mod call {
    /// A function of two decimal numbers.
    pub type Binary = extern "C" fn(f64, f64) -> f64;

    /// The power of [`crate::real::pow`], before that looks at it.
    pub extern "C" fn pow(a: f64, b: f64) -> f64 {
        libm::pow(a, b)
    }

    /// The remainder of [`crate::real::remainder`], before that looks at it.
    pub extern "C" fn remainder(a: f64, b: f64) -> f64 {
        libm::fmod(a, b)
    }
}
