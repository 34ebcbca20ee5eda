//! A whole run: ranges of chunks until the plan is fulfilled.

use super::CHUNK;
use super::chunks::Shared;
use super::error::RunError;
use super::gather::Gather;
use super::plan::{Extent, Plan};
use super::precision::is_precise;
use super::team::Team;
use crate::control::Control;
use crate::events::Events;
use crate::kernel::{Kernel, Sink};
use crate::stats::{Summary, Tally};
use std::sync::atomic::Ordering;

/// Why a run with results ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All wanted trials ran.
    Trials,
    /// The results are precise enough.
    Precise,
    /// The maximum number of trials ran before the results were that precise.
    Most,
    /// The caller finished the run ([`Control::finish`]).
    Finished,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Ran<G> {
    /// The accumulated results.
    pub results: G,
    /// The lines and statistics.
    pub events: Events,
    /// Why it ended.
    pub ended: Ended,
}

/// A receiver of intermediate results.
pub type Seen<'s, G> = &'s mut dyn FnMut(&G, &Events);

/// Runs `kernel` by `plan`. `resources` holds a value for each slot of the program.
///
/// # Errors
/// See [`RunError`].
pub fn simulate<K: Kernel + ?Sized>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
) -> Result<Ran<Tally>, RunError> {
    simulate_seen(kernel, resources, plan, control, None)
}

/// The same with intermediate results; these do not affect the result.
///
/// # Errors
/// See [`RunError`].
pub fn simulate_seen<K: Kernel + ?Sized>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
    seen: Option<Seen<'_, Tally>>,
) -> Result<Ran<Tally>, RunError> {
    if matches!(kernel.sink(), Sink::Moments(_)) {
        return Err(RunError::NoOutcomes);
    }
    run(kernel, resources, plan, control, seen)
}

/// Runs the same trials as [`simulate`], but returns only their moments. Takes a kernel of any
/// sink; a precision is that of the mean.
///
/// # Errors
/// See [`RunError`].
pub fn summarise<K: Kernel + ?Sized>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
) -> Result<Ran<Summary>, RunError> {
    summarise_seen(kernel, resources, plan, control, None)
}

/// The same with intermediate results; these do not affect the result.
///
/// # Errors
/// See [`RunError`].
pub fn summarise_seen<K: Kernel + ?Sized>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
    seen: Option<Seen<'_, Summary>>,
) -> Result<Ran<Summary>, RunError> {
    run(kernel, resources, plan, control, seen)
}

/// Runs ranges of chunks until the plan is met.
fn run<K: Kernel + ?Sized, G: Gather>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
    mut seen: Option<Seen<'_, G>>,
) -> Result<Ran<G>, RunError> {
    let trials = plan.max_trials();
    let shared = Shared::new(kernel, resources, control, plan);
    let team = Team::new(&plan.workers, trials)?;
    let chunks = trials.div_ceil(CHUNK);
    let mut gathered = G::new(kernel.sink(), plan.scale);
    let mut events = kernel.events();
    let mut end = match plan.extent {
        Extent::Trials(_) if seen.is_none() => chunks,
        Extent::Trials(_) | Extent::Precision { .. } | Extent::OfRange { .. } => 1.min(chunks),
    };
    loop {
        for (part, happened) in team.each(|| shared.work::<G>(end)) {
            gathered.merge(&part);
            events.merge(&happened);
        }
        if let Some(first) = shared.first_trap() {
            return Err(RunError::Trapped {
                trap: first.trap,
                trial: first.trial,
                seed: plan.seed,
            });
        }
        let done = shared.done.load(Ordering::Relaxed);
        // A request to stop that came after the last trial lost nothing.
        let stopped = control.is_stopping() && done < end.saturating_mul(CHUNK).min(trials);
        if stopped && (control.is_cancelled() || done == 0) {
            return Err(RunError::Cancelled { done });
        }
        let ended = match plan.extent {
            _ if stopped => Some(Ended::Finished),
            Extent::Trials(_) => (end >= chunks).then_some(Ended::Trials),
            _ if is_precise(plan, &gathered, &events) => Some(Ended::Precise),
            _ => (end >= chunks).then_some(Ended::Most),
        };
        if let Some(ended) = ended {
            return Ok(Ran {
                results: gathered,
                events,
                ended,
            });
        }
        if let Some(seen) = &mut seen {
            seen(&gathered, &events);
        }
        end = (end * 2).min(chunks);
    }
}
