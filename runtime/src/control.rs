//! How a caller controls long work: cancellation and progress, for simulations and exact answers.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Reports the progress of long work and cancels it. Clones share one state, so any thread with a
/// clone can stop the work.
#[derive(Clone, Default)]
pub struct Control(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    finishing: AtomicBool,
    progress: Option<Progress>,
}

/// A progress callback: the units of work done, and their maximum number.
type Progress = Box<dyn Fn(u64, u64) + Send + Sync>;

impl Control {
    /// A control that calls `progress(done, maximum)` from time to time, from any thread. The units
    /// are trials, or weight operations of an exact answer.
    pub fn with_progress(progress: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(State {
            cancelled: AtomicBool::new(false),
            finishing: AtomicBool::new(false),
            progress: Some(Box::new(progress)),
        }))
    }

    /// Asks the work to stop. A simulation stops within a few thousand trials (fast kernels: some
    /// ten thousand), an exact answer before its next operation on distributions.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Asks a simulation to end as soon as with [`Control::cancel`], but with the results of the
    /// trials done so far; if there are none, it is cancelled. It says nothing to work that has no
    /// partial result, such as an exact answer.
    pub fn finish(&self) {
        self.0.finishing.store(true, Ordering::Relaxed);
    }

    /// Whether a simulation is to end now.
    pub fn is_stopping(&self) -> bool {
        self.is_cancelled() || self.0.finishing.load(Ordering::Relaxed)
    }

    /// Reports progress: the units done, and their maximum number.
    pub fn report(&self, done: u64, most: u64) {
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
