//! A range of chunks, run by as many workers as there are threads.

use super::CHUNK;
use super::gather::Gather;
use super::plan::Plan;
use super::portion::Portion;
use crate::control::Control;
use crate::events::Events;
use crate::kernel::{Kernel, Sink, Stopped};
use crate::rng::{Stream, Streams};
use crate::scale::Scale;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The chunks still to be given out. Workers take them in order, so that the jump from one stream
/// to the next is paid once per chunk.
pub(super) struct Feed {
    streams: Streams,
    next: u64,
}

impl Feed {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            streams: Streams::new(seed),
            next: 0,
        }
    }

    /// The next chunk below `end` and its stream.
    fn take(&mut self, end: u64) -> Option<(u64, Stream)> {
        if self.next >= end {
            return None;
        }
        let chunk = self.next;
        self.next += 1;
        Some((chunk, self.streams.next()?))
    }
}

/// All that the workers of a run share.
pub(super) struct Shared<'a, K: ?Sized> {
    pub(super) kernel: &'a K,
    pub(super) resources: &'a [i64],
    pub(super) control: &'a Control,
    pub(super) feed: Mutex<Feed>,
    /// How results are read.
    scale: Scale,
    /// The trials of the whole run; the last chunk may be short.
    pub(super) trials: u64,
    /// Trials done so far.
    pub(super) done: AtomicU64,
    /// The lowest chunk that trapped. Chunks below it still run to their end, so that the trap that
    /// is reported is the first one, whichever thread met it.
    trapped_chunk: AtomicU64,
    /// The lowest trap: its trial in the run, and the trap.
    first_trap: Mutex<Option<Stopped>>,
}

impl<'a, K: Kernel + ?Sized> Shared<'a, K> {
    pub(super) fn new(
        kernel: &'a K,
        resources: &'a [i64],
        control: &'a Control,
        plan: &Plan,
    ) -> Self {
        Self {
            kernel,
            resources,
            control,
            feed: Mutex::new(Feed::new(plan.seed)),
            scale: plan.scale,
            trials: plan.max_trials(),
            done: AtomicU64::new(0),
            trapped_chunk: AtomicU64::new(u64::MAX),
            first_trap: Mutex::new(None),
        }
    }

    /// The lowest trap so far.
    pub(super) fn first_trap(&self) -> Option<Stopped> {
        *self
            .first_trap
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes and runs chunks below `end` until none is left, the run is stopped, or a lower chunk
    /// trapped.
    pub(super) fn work<G: Gather>(&self, end: u64) -> (G, Events) {
        let sink = self.kernel.sink();
        let mut events = self.kernel.events();
        let mut cells = vec![0; sink.cells(self.kernel.slice())];
        let mut gathered = G::new(sink, self.scale);
        let mut portion = Portion::new(self.kernel);
        let mut ran = 0;
        while !self.control.is_stopping() {
            let next = {
                let mut feed = self.feed.lock().unwrap_or_else(PoisonError::into_inner);
                feed.take(end)
            };
            let Some((chunk, stream)) = next else { break };
            if chunk >= self.trapped_chunk.load(Ordering::Relaxed) {
                break;
            }
            let results = (&mut gathered, &mut events);
            ran += self.run_chunk(chunk, stream, (&mut portion, &mut cells), results);
        }
        match sink {
            // Nobody asks for these results, and its last slice counted more than `ran` has.
            _ if self.first_trap().is_some() => {}
            Sink::Values | Sink::Moments(_) => {}
            Sink::Histogram { low, .. } => gathered.counts(low, &as_counts(&cells)),
            Sink::Count => {
                let hits = as_counts(&cells)[0];
                gathered.counts(0, &[ran - hits, hits]);
            }
        }
        (gathered, events)
    }

    /// Runs one chunk in portions; returns how many trials it ran.
    fn run_chunk(
        &self,
        chunk: u64,
        mut stream: Stream,
        (portion, cells): (&mut Portion, &mut [i64]),
        (gathered, events): (&mut impl Gather, &mut Events),
    ) -> u64 {
        let first = chunk * CHUNK;
        let length = CHUNK.min(self.trials - first);
        let mut ran = 0;
        while ran < length && !self.control.is_stopping() {
            // Between calls the caller can stop the run and is told of its progress.
            let trials = portion.of(length - ran);
            let (kernel, resources) = (self.kernel, self.resources);
            let run = portion.timed(|| kernel.run(&mut stream, resources, trials, cells, events));
            if let Err(stopped) = run {
                self.note_trap(chunk, first + ran + stopped.trial, stopped);
                break;
            }
            gathered.slice(self.kernel.sink(), cells, trials);
            ran += trials as u64;
            let done = self.done.fetch_add(trials as u64, Ordering::Relaxed) + trials as u64;
            self.control.report(done, self.trials);
        }
        ran
    }

    fn note_trap(&self, chunk: u64, trial: u64, stopped: Stopped) {
        self.trapped_chunk.fetch_min(chunk, Ordering::Relaxed);
        let mut first = self
            .first_trap
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if first.is_none_or(|known| trial < known.trial) {
            *first = Some(Stopped {
                trial,
                trap: stopped.trap,
            });
        }
    }
}

/// Cells of counts are never negative: they start at zero and only rise.
fn as_counts(cells: &[i64]) -> Vec<u64> {
    cells.iter().map(|&count| count.unsigned_abs()).collect()
}
