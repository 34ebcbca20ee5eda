//! What comes of a simulation.

use super::failure::{Failure, Misuse};
use super::simulation::Simulation;
use dicec_runtime::events::Events;
use dicec_runtime::stats::{Summary, Tally};
use std::time::Duration;

/// The result of a simulation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// What was run: its seed gives the same result again.
    pub simulation: Simulation,
    /// What was kept of the results: numbers, 0 and 1 for false and true, rungs of degrees, indices
    /// of labels; 0 in each trial of a roll that gives nothing.
    pub results: Results,
    /// The lines of a script, by their templates, and its statistics, by their indices.
    pub events: Events,
    /// How long the trials took, compilation aside; nothing on `wasm32-unknown-unknown`, which has
    /// no clock.
    pub elapsed: Duration,
}

/// What a simulation kept of its results.
#[derive(Clone, Debug)]
pub enum Results {
    /// How often each outcome came.
    Outcomes(Tally),
    /// The mean, the spread and the extremes.
    Moments(Summary),
}

impl Report {
    /// How many trials ran.
    pub fn trials(&self) -> u64 {
        match &self.results {
            Results::Outcomes(tally) => tally.count(),
            Results::Moments(summary) => summary.count(),
        }
    }

    /// How often each outcome came.
    ///
    /// # Errors
    /// The simulation kept moments alone.
    pub fn tally(&self) -> Result<&Tally, Failure> {
        match &self.results {
            Results::Outcomes(tally) => Ok(tally),
            Results::Moments(_) => Err(Misuse::NotKept.into()),
        }
    }

    /// [`Report::tally`] by value.
    ///
    /// # Errors
    /// As for [`Report::tally`].
    pub fn into_tally(self) -> Result<Tally, Failure> {
        match self.results {
            Results::Outcomes(tally) => Ok(tally),
            Results::Moments(_) => Err(Misuse::NotKept.into()),
        }
    }

    /// The mean, the spread and the extremes.
    pub fn summary(&self) -> Summary {
        match &self.results {
            Results::Outcomes(tally) => tally.summary(),
            Results::Moments(summary) => summary.clone(),
        }
    }
}
