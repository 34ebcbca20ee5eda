//! The run of a simulation, as part of its answer.

use super::checked::Checked;
use dicec_runtime::driver::{Ended, Extent};
use std::time::Duration;

/// A finished simulation: its request and its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How long it was to run.
    pub extent: Extent,
    /// The seed that gives the same result again.
    pub seed: u64,
    /// The back end that ran the trials: `jit` or `interp`.
    pub backend: &'static str,
    /// How dice were drawn: `faithful` or `fused`.
    pub sampling: &'static str,
    /// The number of trials.
    pub trials: u64,
    /// Why it ended.
    pub ended: Ended,
    /// How long they took.
    pub elapsed: Duration,
    /// The check that it has passed; none if there was none.
    pub checked: Option<Checked>,
}

impl Run {
    /// Trials per second.
    pub fn trials_per_second(&self) -> f64 {
        // A clock that has not moved yet counts as its own resolution.
        let seconds = self.elapsed.as_secs_f64().max(1e-9);
        self.trials as f64 / seconds
    }

    /// Why it ended, as documents have it.
    #[cfg(feature = "serde")]
    pub(super) fn ended_word(&self) -> &'static str {
        match self.ended {
            Ended::Trials => "trials",
            Ended::Precise => "precision",
            Ended::Most => "max_trials",
            Ended::Finished => "interrupted",
        }
    }

    /// How long they took, in nanoseconds.
    pub fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.elapsed.as_nanos()).unwrap_or(u64::MAX)
    }
}
