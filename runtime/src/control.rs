//! The caller's hold on long work: cancellation and progress. Simulations and exact answers take it alike.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The caller's hold on work that takes long: it reports progress and can cancel. Clones share one state, so any thread that
/// keeps one can stop the work.
#[derive(Clone, Default)]
pub struct Control(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    progress: Option<Progress>,
}

/// A progress callback: units of work done, and the most that there can be.
type Progress = Box<dyn Fn(u64, u64) + Send + Sync>;

impl Control {
    /// A control that calls `progress(done, most)` now and then, from any thread. The units are trials, or an exact answer's
    /// weight operations.
    pub fn with_progress(progress: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(State {
            cancelled: AtomicBool::new(false),
            progress: Some(Box::new(progress)),
        }))
    }

    /// Asks the work to stop. A simulation does so within a few thousand trials, or some ten thousand fast ones; an exact
    /// answer before its next operation on distributions.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn report(&self, done: u64, most: u64) {
        if let Some(progress) = &self.0.progress {
            progress(done, most);
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
