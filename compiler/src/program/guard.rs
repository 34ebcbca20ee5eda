//! Internal errors at the library's entry points: release builds return the panic of a bug as an
//! internal error; debug builds let it through.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of `work`, or the message of its panic.
///
/// The data that `work` changed is dropped, or valid at any time: caches are behind locks whose
/// poison does not matter.
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
