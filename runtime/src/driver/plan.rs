//! What the caller decides: how many trials, which seed, and whose threads.

use crate::scale::Scale;
#[cfg(feature = "parallel")]
use {rayon::ThreadPool, std::sync::Arc};

/// How long a run goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Exactly this many trials.
    Trials(u64),
    /// Until the half-width of the 95 % interval (of the mean, or of each outcome's probability) is
    /// at most `half_width`, looked at after 1, 2, 4, 8, ... chunks; at most `most` trials.
    Precision {
        /// The wanted half-width, above 0.
        half_width: f64,
        /// The maximum number of trials.
        most: u64,
    },
}

impl Extent {
    /// The maximum number of trials of the run.
    pub fn most(self) -> u64 {
        match self {
            Extent::Trials(trials) => trials,
            Extent::Precision { most, .. } => most,
        }
    }
}

/// Whose threads run the trials. It does not change the result. Without the `parallel` feature the
/// caller's thread runs all of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Workers {
    /// Threads of the run's own, as many as the machine has; only the caller's if the run is short.
    #[default]
    Auto,
    /// This many threads of the run's own; with 1, the caller's.
    Threads(usize),
    /// The threads of a pool that the caller keeps.
    #[cfg(feature = "parallel")]
    Pool(Arc<ThreadPool>),
}

impl Workers {
    /// The caller's thread only.
    pub const CURRENT: Workers = Workers::Threads(1);
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long.
    pub extent: Extent,
    /// From which seed.
    pub seed: u64,
    /// On whose threads.
    pub workers: Workers,
    /// Whether results are a few named outcomes (false and true, or rungs), so that precision is
    /// judged by their probabilities and not by the mean.
    pub by_probability: bool,
    /// How the results are read.
    pub scale: Scale,
}
