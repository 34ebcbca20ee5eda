//! What the caller decides: how many trials, which seed, how many threads, and how to watch or stop the run.

use crate::scale::Scale;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a run goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Exactly this many trials.
    Trials(u64),
    /// Until the half-width of the 95 % interval (of the mean, or of each outcome's probability) is at most
    /// `half_width`, looked at after 1, 2, 4, 8, ... chunks; at most `most` trials.
    Precision {
        /// The wanted half-width, above 0.
        half_width: f64,
        /// Where to give up.
        most: u64,
    },
}

impl Extent {
    /// The highest number of trials that the run can come to.
    pub fn most(self) -> u64 {
        match self {
            Extent::Trials(trials) => trials,
            Extent::Precision { most, .. } => most,
        }
    }
}

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How long.
    pub extent: Extent,
    /// From which seed.
    pub seed: u64,
    /// On how many threads; `None` takes as many as the machine has. It does not change the result.
    pub threads: Option<usize>,
    /// Whether results are a few named outcomes (false and true, or rungs), so that precision is judged by their probabilities
    /// and not by the mean.
    pub by_probability: bool,
    /// How the results are read.
    pub scale: Scale,
}

/// The caller's hold on a running simulation.
#[derive(Default)]
pub struct Control<'a> {
    cancelled: AtomicBool,
    progress: Option<Progress<'a>>,
}

/// A progress callback: trials done, and the most that there can be.
type Progress<'a> = Box<dyn Fn(u64, u64) + Send + Sync + 'a>;

impl<'a> Control<'a> {
    /// A control that calls `progress(done, most)` after each chunk, from any thread.
    pub fn with_progress(progress: impl Fn(u64, u64) + Send + Sync + 'a) -> Self {
        Self {
            cancelled: AtomicBool::new(false),
            progress: Some(Box::new(progress)),
        }
    }

    /// Asks the run to stop; it does so within a few thousand trials, or some ten thousand fast ones.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn report(&self, done: u64, most: u64) {
        if let Some(progress) = &self.progress {
            progress(done, most);
        }
    }
}
