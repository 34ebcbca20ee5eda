//! A whole run: rounds of chunks until the plan is met.

use super::CHUNK;
use super::gather::Gather;
use super::plan::{Extent, Plan};
use super::round::Shared;
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
    /// Outcomes were asked for, and the kernel keeps their moments alone: [`summarise`] runs it.
    #[error("the kernel keeps no outcomes, but their moments alone")]
    NoOutcomes,
    /// The system gave no threads.
    #[cfg(feature = "parallel")]
    #[error("could not start the worker threads: {0}")]
    Threads(String),
}

/// Runs `kernel` by `plan`; gives the results and what else happened. `resources` holds a value a
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

/// Runs the trials that [`simulate`] runs, and gives their moments alone. A kernel of any sink can
/// be run; a precision is that of the mean.
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

/// Rounds until the plan is met.
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
