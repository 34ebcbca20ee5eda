//! The settings of a simulation in a request.

use crate::bounds::Bounds;
use crate::watch::Watch;
use crate::wrong::Wrong;
use dicec_compiler::unstable::Extent;
use dicec_compiler::{Bound, Failure, Report, Simulation, random_seed};
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
            (None, None) => within(usual.extent, bounds.trials),
        };
        let mut simulation = usual.seed(self.seed.unwrap_or_else(random_seed));
        simulation.extent = extent;
        Ok(simulation)
    }
}

/// The same simulation with at most this many trials.
pub(crate) fn within(extent: Extent, trials: u64) -> Extent {
    match extent {
        Extent::Trials(wanted) => Extent::Trials(wanted.min(trials)),
        Extent::Precision { half_width, most } => Extent::Precision {
            half_width,
            most: most.min(trials),
        },
        Extent::OfRange { share, most } => Extent::OfRange {
            share,
            most: most.min(trials),
        },
    }
}

/// Simulates, and tells the documents of what is known so far, which `document` makes.
///
/// # Errors
/// A trap, or that it was cancelled.
pub(crate) fn simulate(
    bound: &Bound,
    simulation: &Simulation,
    watch: &Watch<'_>,
    document: impl Fn(Report) -> Result<String, Wrong>,
) -> Result<Report, Failure> {
    let Some(partial) = watch.partial else {
        return bound.simulate_with(simulation, watch.control);
    };
    let mut tell = |so_far: Report| {
        // A partial result without a document is only missed: the whole one tells what is wrong.
        if partial.is_due()
            && let Ok(document) = document(so_far)
        {
            partial.take(&document);
        }
    };
    bound.simulate_seen(simulation, watch.control, Some(&mut tell))
}
