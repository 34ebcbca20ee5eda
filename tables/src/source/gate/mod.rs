//! The gate: checks tables in binary formats before a library reads them. An untrusted file states
//! the lengths of its parts, and the libraries allocate what it states; a failed allocation ends
//! the process, and a server with all its clients. So all stated lengths are first checked against
//! the actual bytes and against a budget.
//!
//! ```text
//! Arrow's stream --ipc-----> one message after the other, whole and within the budget
//! Arrow's file   --blocks--> the same of the messages that its directory names
//! Parquet        --footer--> its directory, then one group of rows after the other:
//!                  pages---> every page's sizes, greatest value and greatest list, which decide
//!                            how many rows are decoded at once
//! ```
//!
//! Damaged bytes within these limits may still cause a panic in the libraries: every call of them
//! is [`caught`].
//!
//! The budget is 256 MiB for a table at once. Of Arrow: a message of 64 MiB, or one of 32 MiB that
//! is held twice while it becomes 64 MiB; the batch before it, which rows still refer to; and
//! dictionaries of 32 MiB. Of Parquet: pages and dictionaries of all columns of 128 MiB, one page
//! of 32 MiB with the buffers of its decoder, and twice a batch of 32 MiB.

pub(super) mod blocks;
pub(super) mod codec;
pub(super) mod delta;
pub(super) mod footer;
mod index;
pub(super) mod ipc;
pub(super) mod levels;
mod pages;
pub(super) mod parquet;
mod schema;
#[cfg(test)]
mod tests;
mod thrift;

use super::BadTable;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// The most bytes of a message of Arrow, as they are in the table or decompressed.
pub(super) const MAX_MESSAGE: u64 = 64 << 20;

/// The most bytes of a message whose buffers are compressed: it is held twice meanwhile.
pub(super) const MAX_COMPRESSED: u64 = 32 << 20;

/// The most bytes of all dictionaries of Arrow.
pub(super) const MAX_DICTIONARIES: u64 = 32 << 20;

/// The most bytes of a directory: of a message's description, or of a Parquet file's footer.
pub(super) const MAX_DIRECTORY: u64 = 16 << 20;

/// The most bytes that such a description may unfold to. Its parts may be referred to many times.
pub(super) const MAX_UNFOLDED: usize = 64 << 20;

/// The most columns, those in structures and lists included.
pub(super) const MAX_FIELDS: usize = 1 << 14;

/// How deep lists and structures may be in each other.
pub(super) const MAX_DEPTH: usize = 32;

/// The most elements of a list in a cell, lists in it included.
pub(super) const MAX_ELEMENTS: usize = 1 << 16;

/// The most bytes of a page of Parquet, as they are in the file and decompressed.
pub(super) const MAX_PAGE: u64 = 32 << 20;

/// The most bytes of the pages and dictionaries of Parquet that are held at once.
pub(super) const MAX_PAGES: u64 = 128 << 20;

/// The most bytes of a batch that is decoded from Parquet.
pub(super) const MAX_BATCH: u64 = 32 << 20;

/// Why something of a table may not be read.
pub(super) type Refusal = String;

/// The error for a part of a table that is too large.
pub(super) fn too_large(what: &str, bytes: u64, most: u64) -> Refusal {
    let most = most >> 20;
    format!("{what} takes {bytes} bytes, and at most {most} MiB are read at once")
}

/// That a table contradicts itself.
pub(super) fn damaged(what: &str) -> Refusal {
    format!("it is damaged, or of another format: {what}")
}

thread_local! {
    /// Whether panics of this thread are caught, and nothing is to be printed about them.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a reader of an untrusted table; a panic in it is a table that cannot be read.
pub(super) fn caught<T>(run: impl FnOnce() -> Result<T, BadTable>) -> Result<T, BadTable> {
    unwound(run).unwrap_or_else(|why| Err(BadTable::damaged(&why)))
}

/// Runs what may panic, and prints nothing about it.
///
/// # Errors
/// The first line of what a panic says.
pub fn unwound<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(before);
    result.map_err(|panic| message(&*panic))
}

/// The text of a panic: its first line, because the rest shows values.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.and_then(|text| text.lines().next());
    let text = text.unwrap_or("its parts do not fit together");
    text.chars().take(200).collect()
}
