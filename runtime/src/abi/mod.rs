//! The struct that compiled code receives: the only memory that it reads and writes.
//!
//! Its layout is the contract between the JIT, which emits loads and stores at [`offset`]s, and the
//! caller of the kernel. Building one is safe; the caller must guarantee that its pointers are
//! valid, and [`call`] relies on that.

pub mod call;

use crate::pool::{Pool, Step};
use crate::rng::AliasTable;
use crate::script::Workspace;
use std::ptr;
use std::sync::Arc;

/// The state that a kernel reads and writes. All fields are plain words, so that any bit pattern is
/// valid.
#[derive(Debug)]
#[repr(C)]
pub struct Context {
    /// The generator's state: read at the start, written at the end of a call and at a trap.
    pub state: [u64; 4],
    /// The resource values, by slot.
    pub resources: *const i64,
    /// The cells of the sink, see [`crate::kernel::Sink`].
    pub cells: *mut i64,
    /// The number of trials to run; for a vector kernel, of groups.
    pub trials: u64,
    /// Written at a trap: the trial, counted from 0 in this call.
    pub trap_trial: u64,
    /// Written at a trap: which instruction, see [`crate::kernel::Kernel`].
    pub trap_site: u64,
    /// The pools of a trial; only [`call::step`] looks at them.
    pub pools: *mut Pool,
    /// The number of pools.
    pub pool_count: u64,
    /// The steps that the code takes on its pools, by their numbers there.
    pub steps: *const PoolStep,
    /// The number of steps.
    pub step_count: u64,
    /// The columns of each of the tables, which compiled code draws from.
    pub columns: *const *const u64,
    /// The tables; only [`call::settle`] looks at them.
    pub tables: *const Arc<AliasTable>,
    /// The number of tables.
    pub table_count: u64,
    /// Written by called functions: [`STATUS_OK`], or a trap code.
    pub call_status: u32,
    /// The states of a vector kernel's two generators, in place of [`Context::state`]: the first
    /// word of both, the second of both, and so on.
    pub twins: [u64; 8],
    /// The part that only scripts have.
    pub script: ScriptContext,
}

/// The further state that a script's kernel reads and writes.
#[derive(Debug)]
#[repr(C)]
pub struct ScriptContext {
    /// The words of [`Workspace::memory`].
    pub memory: *mut i64,
    /// The number of words that have addresses, a power of two.
    pub memory_words: u64,
    /// Where the next record or list goes. Functions that are called find it here and leave it
    /// here.
    pub free: u64,
    /// The number of words that each trial begins with: the first ones of [`Context::resources`].
    pub image_words: u64,
    /// The places of those words that a trial may have changed.
    pub written: *const u32,
    /// The number of these addresses.
    pub written_count: u64,
    /// The fuel that is left; as for [`ScriptContext::free`].
    pub fuel: i64,
    /// The cells of lines, by site and text.
    pub lines: *mut u64,
    /// The number of texts with a cell at each site.
    pub line_width: u64,
    /// The cells of statistics, one after the other.
    pub stats: *mut u64,
    /// The counters of each lane of a vector kernel.
    pub counters: *mut u32,
    /// The addresses of the functions, by their numbers.
    pub functions: *const usize,
    /// Written by [`call::join`]: not 0 if [`call::forget`] has to be called before the next trial.
    pub texts_are_many: u64,
    /// Memory, texts and notes, for called functions.
    pub workspace: *mut Workspace,
}

impl Default for ScriptContext {
    fn default() -> Self {
        Self {
            memory: ptr::null_mut(),
            memory_words: 0,
            free: 0,
            image_words: 0,
            written: ptr::null(),
            written_count: 0,
            fuel: 0,
            lines: ptr::null_mut(),
            line_width: 0,
            stats: ptr::null_mut(),
            counters: ptr::null_mut(),
            functions: ptr::null(),
            texts_are_many: 0,
            workspace: ptr::null_mut(),
        }
    }
}

/// A step, and the pool that it is taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStep {
    /// The number of the pool.
    pub pool: u32,
    /// The step.
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
    /// Of [`Context::columns`].
    pub const COLUMNS: usize = offset_of!(Context, columns);
    /// Of [`Context::call_status`].
    pub const CALL_STATUS: usize = offset_of!(Context, call_status);
    /// Of [`Context::twins`]; its words follow each other.
    pub const TWINS: usize = offset_of!(Context, twins);
    /// Of [`super::ScriptContext::memory`].
    pub const MEMORY: usize = offset_of!(Context, script.memory);
    /// Of [`super::ScriptContext::memory_words`].
    pub const MEMORY_WORDS: usize = offset_of!(Context, script.memory_words);
    /// Of [`super::ScriptContext::free`].
    pub const FREE: usize = offset_of!(Context, script.free);
    /// Of [`super::ScriptContext::image_words`].
    pub const IMAGE_WORDS: usize = offset_of!(Context, script.image_words);
    /// Of [`super::ScriptContext::written`].
    pub const WRITTEN: usize = offset_of!(Context, script.written);
    /// Of [`super::ScriptContext::written_count`].
    pub const WRITTEN_COUNT: usize = offset_of!(Context, script.written_count);
    /// Of [`super::ScriptContext::fuel`].
    pub const FUEL: usize = offset_of!(Context, script.fuel);
    /// Of [`super::ScriptContext::lines`].
    pub const LINES: usize = offset_of!(Context, script.lines);
    /// Of [`super::ScriptContext::line_width`].
    pub const LINE_WIDTH: usize = offset_of!(Context, script.line_width);
    /// Of [`super::ScriptContext::stats`].
    pub const STATS: usize = offset_of!(Context, script.stats);
    /// Of [`super::ScriptContext::counters`].
    pub const COUNTERS: usize = offset_of!(Context, script.counters);
    /// Of [`super::ScriptContext::functions`].
    pub const FUNCTIONS: usize = offset_of!(Context, script.functions);
    /// Of [`super::ScriptContext::texts_are_many`].
    pub const TEXTS_ARE_MANY: usize = offset_of!(Context, script.texts_are_many);
}

/// The status of a kernel: 0, or the [`crate::trap::TrapCode`] that ended it.
pub type Status = u32;

/// The [`Status`] of a call that ran all its trials.
pub const STATUS_OK: Status = 0;
