//! How a simulation is asked for.

use crate::bounds::Bounds;
use crate::wrong::Wrong;
use dicec_compiler::{Extent, Simulation, random_seed};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where a precision gives up, if the request does not say.
const MAX_TRIALS: u64 = 10_000_000_000;

/// How long a simulation runs, and from which seed.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct SampleRequest {
    /// Exactly this many trials.
    trials: Option<u64>,
    /// Until the 95 % interval is at most this far from the middle.
    precision: Option<f64>,
    /// Where a precision gives up.
    max_trials: Option<u64>,
    /// The seed of the rolls: the same one gives the same result. Random if it is left out.
    seed: Option<u64>,
}

impl SampleRequest {
    /// Whether it is said how long the simulation is.
    pub(crate) fn has_extent(&self) -> bool {
        self.trials.is_some() || self.precision.is_some()
    }

    /// The seed that is asked for.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The simulation, which is `usual` but for what is asked for, and for the bounds.
    ///
    /// # Errors
    /// Numbers that no simulation has.
    pub(crate) fn simulation(
        &self,
        usual: Simulation,
        bounds: &Bounds,
    ) -> Result<Simulation, Wrong> {
        let extent = match (self.trials, self.precision) {
            (Some(_), Some(_)) => {
                let message = "there are both \"trials\" and a \"precision\"";
                return Err(Wrong::request(message, "leave one of them out"));
            }
            (Some(0), None) => {
                return Err(Wrong::request(
                    "a simulation has at least 1 trial",
                    "give more",
                ));
            }
            (Some(trials), None) if trials > bounds.trials => {
                let message = format!("a simulation here has at most {} trials", bounds.trials);
                return Err(Wrong::request(message, "give fewer, or use the command"));
            }
            (Some(trials), None) => Extent::Trials(trials),
            (None, Some(half_width)) if half_width > 0.0 && half_width.is_finite() => {
                Extent::Precision {
                    half_width,
                    most: self.max_trials.unwrap_or(MAX_TRIALS).min(bounds.trials),
                }
            }
            (None, Some(other)) => {
                let message = format!("\"precision\": {other} is not above 0");
                return Err(Wrong::request(message, "write 0.001 for 0.1 %"));
            }
            (None, None) => usual.extent,
        };
        let mut simulation = usual.seed(self.seed.unwrap_or_else(random_seed));
        simulation.extent = extent;
        Ok(simulation)
    }
}
