//! The stop rule of a precision. It is tested between ranges of chunks, when all workers are done,
//! and reads integers that merge in any order: so the number of trials does not depend on the
//! threads.

use super::gather::Gather;
use super::plan::{Extent, Judged, Plan};
use crate::events::Events;
use crate::scale::Scale;
use crate::stats::{Tally, Z95, wilson_half_width};

/// Whether the 95 % interval is as narrow as the plan asks.
pub(super) fn is_precise(plan: &Plan, results: &impl Gather, events: &Events) -> bool {
    let wanted = match plan.extent {
        Extent::Trials(_) => return false,
        Extent::Precision { half_width, .. } => half_width,
        Extent::OfRange { share, .. } => share,
    };
    match &plan.judged {
        Judged::Mean => is_known(plan.extent, results),
        Judged::Probabilities => results.of_probabilities() <= wanted,
        Judged::Events(None) => {
            let trials = results.trials();
            // A line that comes more than once per trial has no probability.
            let width = |times: u64| wilson_half_width(times.min(trials), trials, Z95);
            events.lines.iter().all(|(_, times)| width(times) <= wanted)
        }
        Judged::Events(Some(scales)) => {
            let known = events.stats().iter().zip(&scales.known);
            let known = known.map(|(stat, &scale)| (stat, scale));
            let named = events.named().iter();
            let mut stats = known.chain(named.map(|(_, stat)| (stat, scales.named)));
            stats.all(|(stat, scale)| {
                stat.count() == 0 || is_known(plan.extent, &on_scale(stat, scale))
            })
        }
    }
}

/// Whether the mean is known to the wanted precision. It is if there is no spread at all, although
/// the range is 0.
fn is_known(extent: Extent, numbers: &impl Gather) -> bool {
    match extent {
        Extent::Trials(_) => false,
        Extent::Precision { half_width, .. } => numbers.of_mean() <= half_width,
        Extent::OfRange { share, .. } => numbers.of_mean() <= share * numbers.range(),
    }
}

/// The numbers of a statistic, which is counted without its scale.
fn on_scale(stat: &Tally, scale: Scale) -> Tally {
    let mut numbers = Tally::new(scale, None);
    for (outcome, count) in stat.outcomes() {
        numbers.add_counts(outcome, &[count]);
    }
    numbers
}
