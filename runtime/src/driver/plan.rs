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
    /// The same, but the half-width of a mean is measured in ranges: from the least to the greatest
    /// number seen so far. Probabilities have the range 1.
    OfRange {
        /// The wanted half-width as a share of the range, above 0.
        share: f64,
        /// The maximum number of trials.
        most: u64,
    },
}

impl Extent {
    /// The maximum number of trials of the run.
    pub fn most(self) -> u64 {
        match self {
            Extent::Trials(trials) => trials,
            Extent::Precision { most, .. } | Extent::OfRange { most, .. } => most,
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

/// What a precision is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The mean of the results.
    Mean,
    /// The probability of each result: they are a few named outcomes (false and true, or rungs).
    Probabilities,
    /// The means of the statistics, whose numbers are on these scales; without statistics the
    /// probability of each line. There are no results.
    Events(Option<StatScales>),
}

/// How the numbers of statistics are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatScales {
    /// Those of the statistics whose names are known, by index.
    pub known: Vec<Scale>,
    /// Those of all others.
    pub named: Scale,
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
    /// What a precision is about.
    pub judged: Judged,
    /// How the results are read.
    pub scale: Scale,
}
