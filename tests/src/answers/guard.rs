//! Comparisons that panic are faults like any others.

use super::{Check, Fault};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are caught and told as faults.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a comparison; a panic in it is a fault like any other.
pub(super) fn guarded<T>(
    check: Check,
    run: impl FnOnce() -> Result<T, String>,
) -> Result<T, Fault> {
    static HOOK: Once = Once::new();
    // libFuzzer's own hook would end the process before the program is made small.
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
    let result = result.unwrap_or_else(|panic| Err(format!("panicked: {}", message(&*panic))));
    result.map_err(|what| Fault { check, what })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no message").to_owned()
}
