//! The struct that compiled code receives: the only memory that it reads and writes.
//!
//! Its layout is the contract between the JIT, which emits loads and stores at [`offset`]s, and whoever calls the
//! kernel. Building one is safe; following its pointers is the caller's promise, made where the kernel is called
//! and kept in [`call`].

pub mod call;

use crate::pool::{Pool, Step};

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
    /// The pools of a trial; only [`call::step`] looks at them.
    pub pools: *mut Pool,
    /// How many pools there are.
    pub pool_count: u64,
    /// The steps that the code takes on its pools, by their numbers there.
    pub steps: *const PoolStep,
    /// How many steps there are.
    pub step_count: u64,
    /// Written by [`call::step`]: [`STATUS_OK`], or the trap code that the step ended in.
    pub step_status: u32,
}

/// A step, and the pool that it is taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStep {
    /// The number of the pool.
    pub pool: u32,
    /// What is done to it.
    pub step: Step,
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
    /// Of [`Context::step_status`].
    pub const STEP_STATUS: usize = offset_of!(Context, step_status);
}

/// What a kernel returns: 0, or the [`crate::trap::TrapCode`] that ended it.
pub type Status = u32;

/// The [`Status`] of a call that ran all its trials.
pub const STATUS_OK: Status = 0;
