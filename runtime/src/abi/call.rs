//! The functions that compiled code calls: the few operations that are too long to inline. None of
//! them panics.
#![allow(
    unsafe_code,
    reason = "compiled code passes the context as a pointer; the SAFETY argument is the kernel's contract"
)]

use super::{Context, STATUS_OK, Status};
use crate::ops::OpResult;
use crate::rng::{Dice, Stream};
use crate::script::Workspace;
use crate::trap::TrapCode;
use std::slice;

/// A function of two floats. Whatever bits it gets, it returns some.
pub type Binary = extern "C" fn(f64, f64) -> f64;

/// A function that takes the context and up to three numbers.
pub type Call = unsafe extern "C" fn(*mut Context, u64, i64, i64) -> i64;

/// The power of [`crate::float::pow`], before that looks at it.
pub extern "C" fn pow(a: f64, b: f64) -> f64 {
    libm::pow(a, b)
}

/// The remainder of [`crate::float::remainder`], before that looks at it.
pub extern "C" fn remainder(a: f64, b: f64) -> f64 {
    libm::fmod(a, b)
}

/// Takes the step with the number `step` ([`Context::steps`]) with up to two numbers; returns its
/// result, and its status in [`Context::call_status`]. The generator continues from
/// [`Context::state`] and leaves its state there.
///
/// # Safety
/// `context` points to a context that nothing else uses during the call, whose `pools` and `steps`
/// point to as many of each as their counts say.
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
    leave(context, result)
}

/// Resolves a draw from the table with the number `table` whose first word did not determine which
/// of the two outcomes of its column it is, see
/// [`AliasTable::resolve`](crate::rng::AliasTable::resolve). The generator continues from
/// [`Context::state`] and leaves its state there.
///
/// # Safety
/// `context` points to a context that nothing else uses during the call, whose `tables` point to as
/// many as their count says.
pub unsafe extern "C" fn settle(context: *mut Context, table: u64, column: i64, _: i64) -> i64 {
    // SAFETY: the caller's promise.
    let context = unsafe { &mut *context };
    // SAFETY: the caller's promise; the count is that of a slice, so it fits a usize.
    let tables = unsafe { slice::from_raw_parts(context.tables, context.table_count as usize) };
    let table = usize::try_from(table)
        .ok()
        .and_then(|table| tables.get(table));
    let Some(table) = table else {
        return column;
    };
    let mut stream = Stream::from_state(context.state);
    let drawn = table.resolve(column.cast_unsigned(), &mut stream);
    context.state = stream.state();
    drawn.cast_signed()
}

/// Leaves a status in the context; gives the result.
fn leave(context: &mut Context, result: OpResult) -> i64 {
    match result {
        Ok(value) => {
            context.call_status = STATUS_OK;
            value
        }
        Err(code) => {
            context.call_status = code as Status;
            0
        }
    }
}

/// Does something with a script's workspace.
///
/// # Safety
/// `context` points to a context that nothing else uses during the call, and its workspace to one
/// that is used by nothing else either.
unsafe fn with_workspace(
    context: *mut Context,
    work: impl FnOnce(&mut Context, &mut Workspace) -> OpResult,
) -> i64 {
    // SAFETY: the caller's promise.
    let context = unsafe { &mut *context };
    // SAFETY: the caller's promise; the workspace is not part of the context.
    let workspace = unsafe { &mut *context.script.workspace };
    let result = work(context, workspace);
    leave(context, result)
}

/// Updates the location of memory for compiled code.
fn show_memory(context: &mut Context, workspace: &mut Workspace) {
    context.script.free = workspace.memory.free() as u64;
    context.script.memory_words = workspace.memory.len() as u64;
    context.script.memory = workspace.memory.words_mut().as_mut_ptr();
}

/// Makes sure that memory has words up to `end`.
///
/// # Safety
/// That of all functions here: `context` points to a context that nothing else uses during the
/// call, and its workspace to one that is used by nothing else either.
pub unsafe extern "C" fn grow(context: *mut Context, end: u64, _: i64, _: i64) -> i64 {
    let work = |context: &mut Context, workspace: &mut Workspace| {
        let free = context.script.free;
        workspace
            .memory
            .reach(usize::try_from(end).unwrap_or(usize::MAX))?;
        show_memory(context, workspace);
        context.script.free = free;
        Ok(0)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Puts `value` at the end of the list at `list`, which may have `most` elements; gives its new
/// length.
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn append(context: *mut Context, most: u64, list: i64, value: i64) -> i64 {
    let work = |context: &mut Context, workspace: &mut Workspace| {
        // Both come from a u32 and from memory's own addresses.
        workspace.memory.set_free(context.script.free as usize);
        let length = workspace.memory.append(list, value, most as u32);
        show_memory(context, workspace);
        length
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Moves words by one, see [`Memory::shift`](crate::script::Memory::shift): up unless `up` is 0.
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn shift(context: *mut Context, up: u64, address: i64, count: i64) -> i64 {
    let work = |_: &mut Context, workspace: &mut Workspace| {
        workspace.memory.shift(address, count, up != 0);
        Ok(count)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Gives the text of two texts, paid for `values` texts from [`super::ScriptContext::fuel`].
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn join(context: *mut Context, values: u64, a: i64, b: i64) -> i64 {
    let work = |context: &mut Context, workspace: &mut Workspace| {
        let joined = workspace.join([a, b], values, &mut context.script.fuel);
        context.script.texts_are_many = u64::from(workspace.texts.are_many());
        joined
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Forgets the texts that trials put together; see [`super::ScriptContext::texts_are_many`].
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn forget(context: *mut Context, _: u64, _: i64, _: i64) -> i64 {
    let work = |context: &mut Context, workspace: &mut Workspace| {
        workspace.forget();
        context.script.texts_are_many = 0;
        Ok(0)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Notes a line.
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn line(context: *mut Context, site: u64, text: i64, _: i64) -> i64 {
    let work = |_: &mut Context, workspace: &mut Workspace| {
        // A site's number is a u32.
        let noted = workspace.notes.line(site as u32, text, &workspace.texts);
        noted.map(|()| text)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Notes a number under a statistic.
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn stat(context: *mut Context, stat: u64, value: i64, _: i64) -> i64 {
    let work = |_: &mut Context, workspace: &mut Workspace| {
        // A statistic's number is a u32.
        workspace.notes.stat(stat as u32, value);
        Ok(value)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
}

/// Notes a number under the statistic whose name is a text between the words of a site.
///
/// # Safety
/// As for [`grow`].
pub unsafe extern "C" fn named_stat(
    context: *mut Context,
    site: u64,
    text: i64,
    value: i64,
) -> i64 {
    let work = |_: &mut Context, workspace: &mut Workspace| {
        let Workspace { notes, texts, .. } = workspace;
        // A site's number is a u32.
        let noted = notes.named_stat(site as u32, text, value, texts);
        noted.map(|()| value)
    };
    // SAFETY: the caller's promise.
    unsafe { with_workspace(context, work) }
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
