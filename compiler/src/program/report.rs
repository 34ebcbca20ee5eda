//! The result of a simulation.

use super::failure::{Failure, Misuse};
use super::simulation::Simulation;
use crate::answer::Checked;
use dicec_runtime::driver::Ended;
use dicec_runtime::events::Events;
use dicec_runtime::stats::{Summary, Tally};
use std::time::Duration;

/// The result of a simulation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The simulation; with the same seed it gives the same result.
    pub simulation: Simulation,
    /// The kept results: numbers, 0 and 1 for false and true, rungs of degrees, indices of labels;
    /// 0 for each trial of a roll that returns nothing.
    pub results: Results,
    /// The lines of a script, by their templates, and its statistics, by their indices.
    pub events: Events,
    /// The reason why it ended.
    pub ended: Ended,
    /// How long the trials took, without compilation; zero on `wasm32-unknown-unknown`, which has
    /// no clock.
    pub elapsed: Duration,
    /// The check that it passed; none if there was none, for example for intermediate results.
    pub checked: Option<Checked>,
}

/// The results that a simulation kept.
#[derive(Clone, Debug)]
pub enum Results {
    /// The count of each outcome.
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

    /// The count of each outcome.
    ///
    /// # Errors
    /// The simulation kept only moments.
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
