//! Measures how long trials take. `wasm32-unknown-unknown` has no clock, and the standard library's
//! clock panics there.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// When some work began.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    start: Instant,
}

impl Clock {
    /// Now.
    pub fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            start: Instant::now(),
        }
    }

    /// How long that is ago: zero without a clock.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn elapsed(self) -> Duration {
        self.start.elapsed()
    }

    /// Zero: the target has no clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}
