//! The results of single trials, in the caller's buffer.

use super::CHUNK;
use super::plan::Plan;
use super::run::RunError;
use super::team::Team;
use crate::control::Control;
use crate::events::Events;
use crate::kernel::{Kernel, Sink, Stopped};
use crate::rng::Streams;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most chunks that a thread takes at once: 2 MiB of results, a huge page. Two threads that first
/// write to the same page each have the system clear one, and one of them is thrown away.
const MAX_TAKEN: u64 = 4;

/// Runs a trial for each element of `samples` and stores its result there: the trials that
/// [`super::simulate`] counts, in order. The extent of the plan is ignored. The kernel's sink has
/// to be [`Sink::Values`].
///
/// # Errors
/// See [`RunError`].
pub fn sample<K: Kernel + ?Sized>(
    kernel: &K,
    inputs: &[i64],
    samples: &mut [i64],
    plan: &Plan,
    control: &Control,
) -> Result<Events, RunError> {
    if kernel.sink() != Sink::Values {
        return Err(RunError::NoOutcomes);
    }
    let trials = samples.len() as u64;
    let team = Team::new(&plan.workers, trials)?;
    // Each thread comes back a few times, so that all of them end together.
    let taken = (trials / CHUNK / (8 * team.threads() as u64)).clamp(1, MAX_TAKEN);
    let chunks = samples.chunks_mut(CHUNK as usize);
    let feed = Mutex::new(chunks.zip(Streams::new(plan.seed)).zip(0_u64..));
    let done = AtomicU64::new(0);
    let first_trap: Mutex<Option<(u64, Stopped)>> = Mutex::new(None);
    let locked_trap = || first_trap.lock().unwrap_or_else(PoisonError::into_inner);
    let take = || -> Vec<_> {
        let mut feed = feed.lock().unwrap_or_else(PoisonError::into_inner);
        feed.by_ref().take(taken as usize).collect()
    };
    let parts = team.each(|| {
        let mut events = kernel.events();
        // Chunks are given out in order, so the ones that are taken after a trap need not run.
        let chunks = iter::from_fn(|| {
            let chunks = take();
            (!chunks.is_empty() && locked_trap().is_none()).then_some(chunks)
        });
        for ((chunk, mut stream), number) in chunks.flatten() {
            if control.is_cancelled() {
                break;
            }
            let mut ran = 0;
            for slice in chunk.chunks_mut(kernel.slice().max(1)) {
                if control.is_cancelled() {
                    break;
                }
                let run = kernel.run(&mut stream, inputs, slice.len(), slice, &mut events);
                if let Err(stopped) = run {
                    let trial = number * CHUNK + ran + stopped.trial;
                    let mut first = locked_trap();
                    if first.is_none_or(|(known, _)| trial < known) {
                        *first = Some((trial, stopped));
                    }
                    break;
                }
                ran += slice.len() as u64;
            }
            let done = done.fetch_add(ran, Ordering::Relaxed) + ran;
            control.report(done, trials);
        }
        events
    });
    if let Some((trial, stopped)) = *locked_trap() {
        let (trap, seed) = (stopped.trap, plan.seed);
        return Err(RunError::Trapped { trap, trial, seed });
    }
    let done = done.load(Ordering::Relaxed);
    if done < trials {
        return Err(RunError::Cancelled { done });
    }
    let mut events = kernel.events();
    for part in parts {
        events.merge(&part);
    }
    Ok(events)
}
