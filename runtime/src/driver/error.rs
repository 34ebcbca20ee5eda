//! Why a run gave no result.

use crate::scale::Shown;
use crate::trap::Trap;
use thiserror::Error;

/// Why a run gave no result.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// A trial trapped. It is the run's first one that does, for any number of threads.
    #[error("{trap} (trial {trial} of seed {seed})")]
    Trapped {
        /// The trap.
        trap: Trap,
        /// The trial, counted from 0.
        trial: u64,
        /// The seed of the run.
        seed: u64,
    },
    /// The caller cancelled, or finished the run before any trial was done.
    #[error("cancelled after {done} trials")]
    Cancelled {
        /// Trials that had run by then.
        done: u64,
    },
    /// A sample is not among the numbers of the array that was to take it. It is the run's first
    /// one, for any number of threads.
    #[error("the result {result} does not fit in the array (trial {trial} of seed {seed})")]
    DoesNotFit {
        /// The result.
        result: Shown,
        /// The trial, counted from 0.
        trial: u64,
        /// The seed of the run.
        seed: u64,
    },
    /// Outcomes are wanted, but the kernel keeps only their moments: use
    /// [`summarise`](super::summarise).
    #[error("the kernel keeps only moments, not outcomes")]
    NoOutcomes,
    /// The system gave no threads.
    #[cfg(feature = "parallel")]
    #[error("could not start the worker threads: {0}")]
    Threads(String),
}
