//! Stores the results of single trials in the caller's buffer, as elements of any type.

use super::CHUNK;
use super::element::Element;
use super::error::RunError;
use super::plan::Plan;
use super::portion::Portion;
use super::team::Team;
use crate::control::Control;
use crate::events::Events;
use crate::kernel::{Kernel, Sink, Stopped};
use crate::rng::{Stream, Streams};
use crate::scale::Scale;
use crate::trap::Trap;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The size of a huge page. A thread takes at most this much at once: if two threads write to the
/// same page first, the system clears two pages, and one of them is discarded.
const PAGE: usize = 2 << 20;

/// Runs a trial for each element of `samples` and stores its result there: the trials that
/// [`super::simulate`] counts, in order. Results are read by the plan's scale, and its extent is
/// ignored. The kernel's sink has to be [`Sink::Values`].
///
/// # Errors
/// See [`RunError`]. A result that is not among the numbers of the elements is one, too.
pub fn sample<K: Kernel + ?Sized, E: Element>(
    kernel: &K,
    inputs: &[i64],
    samples: &mut [E],
    plan: &Plan,
    control: &Control,
) -> Result<Events, RunError> {
    if kernel.sink() != Sink::Values {
        return Err(RunError::NoOutcomes);
    }
    let (trials, scale) = (samples.len() as u64, plan.scale);
    let team = Team::new(&plan.workers, trials)?;
    // Each thread comes back a few times, so that all of them end together.
    let page = PAGE / (CHUNK as usize * size_of::<E>().max(1));
    let taken = trials / CHUNK / (8 * team.threads() as u64);
    let taken = taken.min(page as u64).max(1);
    let chunks = samples.chunks_mut(CHUNK as usize);
    let feed = Mutex::new(chunks.zip(Streams::new(plan.seed)).zip(0_u64..));
    let done = AtomicU64::new(0);
    let first_end: Mutex<Option<(u64, End)>> = Mutex::new(None);
    let locked_end = || first_end.lock().unwrap_or_else(PoisonError::into_inner);
    let take = || -> Vec<_> {
        let mut feed = feed.lock().unwrap_or_else(PoisonError::into_inner);
        feed.by_ref().take(taken as usize).collect()
    };
    let parts = team.each(|| {
        let mut worker = Worker {
            kernel,
            inputs,
            scale,
            control,
            results: Vec::new(),
            portion: Portion::new(kernel),
            events: kernel.events(),
        };
        // Chunks are given out in order, so those that are taken after one that ended early need
        // not run.
        let chunks = iter::from_fn(|| {
            let chunks = take();
            (!chunks.is_empty() && locked_end().is_none()).then_some(chunks)
        });
        for ((chunk, mut stream), number) in chunks.flatten() {
            if control.is_cancelled() {
                break;
            }
            let (ran, end) = worker.fill(&mut stream, chunk);
            if let Some((trial, end)) = end {
                let trial = number * CHUNK + trial;
                let mut first = locked_end();
                if first.is_none_or(|(known, _)| trial < known) {
                    *first = Some((trial, end));
                }
            }
            let done = done.fetch_add(ran, Ordering::Relaxed) + ran;
            control.report(done, trials);
        }
        worker.events
    });
    let seed = plan.seed;
    match *locked_end() {
        Some((trial, End::Trap(trap))) => return Err(RunError::Trapped { trap, trial, seed }),
        Some((trial, End::DoesNotFit(result))) => {
            let result = scale.show(result);
            return Err(RunError::DoesNotFit {
                result,
                trial,
                seed,
            });
        }
        None => {}
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

/// The reason why a run ends early.
#[derive(Clone, Copy)]
enum End {
    Trap(Trap),
    /// This result is not among the numbers of the elements.
    DoesNotFit(i64),
}

/// The state of a thread.
struct Worker<'k, K: ?Sized> {
    kernel: &'k K,
    inputs: &'k [i64],
    scale: Scale,
    control: &'k Control,
    /// Results that are to be converted.
    results: Vec<i64>,
    portion: Portion,
    events: Events,
}

impl<K: Kernel + ?Sized> Worker<'_, K> {
    /// Fills a chunk: the number of trials that ran, and the one that ended the run, if one did.
    fn fill<E: Element>(
        &mut self,
        stream: &mut Stream,
        chunk: &mut [E],
    ) -> (u64, Option<(u64, End)>) {
        let (mut ran, mut rest) = (0, chunk);
        while !rest.is_empty() && !self.control.is_cancelled() {
            let (slice, others) = rest.split_at_mut(self.portion.of(rest.len() as u64));
            let mut portion = self.portion;
            let filled = portion.timed(|| self.fill_slice(stream, slice));
            self.portion = portion;
            if let Err((trial, end)) = filled {
                return (ran, Some((ran + trial, end)));
            }
            ran += slice.len() as u64;
            rest = others;
        }
        (ran, None)
    }

    fn fill_slice<E: Element>(
        &mut self,
        stream: &mut Stream,
        slice: &mut [E],
    ) -> Result<(), (u64, End)> {
        let trials = slice.len();
        let (kernel, inputs) = (self.kernel, self.inputs);
        let trapped = |stopped: Stopped| (stopped.trial, End::Trap(stopped.trap));
        let events = &mut self.events;
        if let Some(cells) = E::cells(slice) {
            return kernel
                .run(stream, inputs, trials, cells, events)
                .map_err(trapped);
        }
        if self.results.len() < trials {
            self.results.resize(trials, 0);
        }
        let results = &mut self.results[..trials];
        let run = kernel.run(stream, inputs, trials, results, events);
        // A result that does not fit may come before the trial that traps.
        let ran = run.map_or_else(|stopped| stopped.trial as usize, |()| trials);
        let fits = E::convert(self.scale, &results[..ran], &mut slice[..ran]);
        fits.map_err(|at| (at as u64, End::DoesNotFit(results[at])))?;
        run.map_err(trapped)
    }
}
