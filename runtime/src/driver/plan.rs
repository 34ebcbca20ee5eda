//! The caller's decisions: extent, seed and threads.

use super::CHUNK;
use crate::scale::Scale;
use crate::stats::Z95;
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

    /// The same for a run that judges probabilities. No interval is wider than that of one half
    /// ([`wilson`](crate::stats::wilson)), so one that is wide enough ends within the first chunk.
    pub fn max_for_probabilities(self) -> u64 {
        let (wanted, most) = match self {
            Extent::Trials(trials) => return trials,
            Extent::Precision { half_width, most } => (half_width, most),
            Extent::OfRange { share, most } => (share, most),
        };
        // The interval of n trials, half of them successes, is Z95 / (2 sqrt(n + Z95^2)) wide on
        // either side. One more trial makes up for a rounding error.
        let enough = Z95 * Z95 * (0.25 / (wanted * wanted) - 1.0) + 1.0;
        match enough < CHUNK as f64 {
            true => most.min(enough.ceil().max(1.0) as u64),
            false => most,
        }
    }
}

/// The threads that run the trials. They do not change the result. Without the `parallel` feature
/// the caller's thread runs all of them.
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

/// The target of a precision.
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
    /// The scales of statistics with known names, by index.
    pub known: Vec<Scale>,
    /// The scale of all others.
    pub named: Scale,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long.
    pub extent: Extent,
    /// From which seed.
    pub seed: u64,
    /// The threads.
    pub workers: Workers,
    /// The target of the precision.
    pub judged: Judged,
    /// How the results are read.
    pub scale: Scale,
}

impl Plan {
    /// The maximum number of trials of the run.
    pub(super) fn max_trials(&self) -> u64 {
        match self.judged {
            Judged::Probabilities => self.extent.max_for_probabilities(),
            Judged::Mean | Judged::Events(_) => self.extent.most(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson_half_width;

    #[test]
    fn a_wide_interval_needs_less_than_a_chunk() {
        let most = |half_width| {
            let most = 10_000_000;
            Extent::Precision { half_width, most }.max_for_probabilities()
        };
        assert_eq!((most(0.01), most(0.003)), (9_601, 10_000_000));
        for wanted in [0.5, 0.2, 0.05, 0.01, 0.004] {
            let trials = most(wanted);
            assert!(trials < CHUNK);
            let width = |successes| wilson_half_width(successes, trials, Z95);
            assert!(
                (0..=trials).all(|successes| width(successes) <= wanted),
                "{wanted}"
            );
        }
        assert_eq!(Extent::Trials(7).max_for_probabilities(), 7);
    }
}
