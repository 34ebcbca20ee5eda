//! Internal errors at the library's entry points: where there was no error to return, a release
//! build hands on what was found as one; a debug build stops where it was found.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` gives, or the words of what ended it.
///
/// What it worked on is dropped, or was whole at any time: caches are behind locks whose poison
/// does not matter.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    if cfg!(debug_assertions) {
        return Ok(work());
    }
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| told(&*payload))
}

fn told(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("internal error").to_owned()
}
