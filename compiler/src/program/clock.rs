//! Measures how long trials take. `wasm32-unknown-unknown` has no clock, and the standard library's
//! clock panics there.

use std::time::Duration;

/// Runs `work` and returns how long it took: zero if there is no clock.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    let start = std::time::Instant::now();
    let result = work();
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return (result, start.elapsed());
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    (result, Duration::ZERO)
}
