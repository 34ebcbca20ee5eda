//! A whole run: ranges of chunks until the plan is met.

use super::CHUNK;
use super::chunks::Shared;
use super::gather::Gather;
use super::plan::{Extent, Plan};
use super::team::Team;
use crate::control::Control;
use crate::events::Events;
use crate::kernel::{Kernel, Sink};
use crate::stats::{Summary, Tally};
use crate::trap::Trap;
use std::sync::atomic::Ordering;
use thiserror::Error;

/// Why a run gave no result.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// A trial trapped. It is the run's first one that does, for any number of threads.
    #[error("{trap} (trial {trial} of seed {seed})")]
    Trapped {
        /// What happened and where.
        trap: Trap,
        /// The trial, counted from 0.
        trial: u64,
        /// The seed of the run.
        seed: u64,
    },
    /// The caller cancelled.
    #[error("cancelled after {done} trials")]
    Cancelled {
        /// Trials that had run by then.
        done: u64,
    },
    /// Outcomes were asked for, but the kernel keeps only their moments: use [`summarise`].
    #[error("the kernel keeps only moments, not outcomes")]
    NoOutcomes,
    /// The system gave no threads.
    #[cfg(feature = "parallel")]
    #[error("could not start the worker threads: {0}")]
    Threads(String),
}

/// Runs `kernel` by `plan`; returns the results and the events. `resources` holds a value for each
/// slot of the program.
///
/// # Errors
/// See [`RunError`].
pub fn simulate<K: Kernel + ?Sized>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
) -> Result<(Tally, Events), RunError> {
    if matches!(kernel.sink(), Sink::Moments(_)) {
        return Err(RunError::NoOutcomes);
    }
    run(kernel, resources, plan, control)
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
) -> Result<(Summary, Events), RunError> {
    run(kernel, resources, plan, control)
}

/// Runs ranges of chunks until the plan is met.
fn run<K: Kernel + ?Sized, G: Gather>(
    kernel: &K,
    resources: &[i64],
    plan: &Plan,
    control: &Control,
) -> Result<(G, Events), RunError> {
    let trials = plan.extent.most();
    let shared = Shared::new(kernel, resources, control, plan);
    let team = Team::new(&plan.workers, trials)?;
    let chunks = trials.div_ceil(CHUNK);
    let mut gathered = G::new(kernel.sink(), plan.scale);
    let mut events = kernel.events();
    let mut end = match plan.extent {
        Extent::Trials(_) => chunks,
        Extent::Precision { .. } => 1.min(chunks),
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
        // A cancel that came after the last trial lost nothing.
        if control.is_cancelled() && done < end.saturating_mul(CHUNK).min(trials) {
            return Err(RunError::Cancelled { done });
        }
        if end >= chunks || is_precise(plan, &gathered) {
            return Ok((gathered, events));
        }
        end = (end * 2).min(chunks);
    }
}

/// Whether the 95 % interval is as narrow as the plan asks.
fn is_precise(plan: &Plan, gathered: &impl Gather) -> bool {
    match plan.extent {
        Extent::Trials(_) => false,
        Extent::Precision { half_width, .. } => {
            gathered.half_width(plan.by_probability) <= half_width
        }
    }
}
