//! The interface of the driver: the trait that every sampling back end's executable implements.

use crate::events::Events;
use crate::moments::Moments;
use crate::rng::Stream;
use crate::span::Span;
use crate::trap::{Trap, TrapCode};
use std::fmt;

/// Where the results of trials go. Each sink is an array of `i64` cells that the caller provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// Cell `t` becomes the result of trial `t`. Checks store 0 or 1.
    Values,
    /// Cell `result - low` is incremented. The results of all trials are known to be in
    /// `low..low + cells`.
    Histogram {
        /// The lowest result.
        low: i64,
        /// The number of cells.
        cells: u32,
    },
    /// The only cell is incremented for each trial whose result is true.
    Count,
    /// The cells of [`crate::moments`]. The results of all trials are known to lie in this range,
    /// and a call runs at most 2^31 trials.
    Moments(Moments),
}

impl Sink {
    /// The number of cells that a call of `trials` trials needs. That of a histogram is a power of
    /// two, so that compiled code stays within the cells by a mask; the cells after the last result
    /// are not changed.
    pub fn cells(self, trials: usize) -> usize {
        match self {
            Sink::Values => trials,
            Sink::Histogram { cells, .. } => (cells as usize).next_power_of_two(),
            Sink::Count => 1,
            Sink::Moments(_) => Moments::CELLS,
        }
    }

    /// Refuses a call with fewer resources than `slots`, or fewer cells than its trials need.
    ///
    /// # Errors
    /// [`Stopped::bad_call`].
    pub fn check_call(
        self,
        (slots, resources): (usize, &[i64]),
        (trials, cells): (usize, &[i64]),
    ) -> Result<(), Stopped> {
        if resources.len() < slots || cells.len() < self.cells(trials) {
            return Err(Stopped::bad_call());
        }
        Ok(())
    }

    /// Adds a trial's result to `cells`, of which there are [`Sink::cells`], as compiled code does;
    /// for kernels that are not compiled. A result outside a histogram's range goes to its last
    /// cell.
    #[inline]
    pub fn record(self, cells: &mut [i64], trial: usize, result: i64) {
        match self {
            Sink::Values => {
                if let Some(cell) = cells.get_mut(trial) {
                    *cell = result;
                }
            }
            Sink::Histogram { low, cells: count } => {
                let index = result.wrapping_sub(low).cast_unsigned();
                let last = u64::from(count).saturating_sub(1);
                // At most `last`, a u32.
                if let Some(cell) = cells.get_mut(index.min(last) as usize) {
                    *cell += 1;
                }
            }
            Sink::Count => {
                if let Some(cell) = cells.first_mut() {
                    *cell += result;
                }
            }
            Sink::Moments(moments) => moments.record(cells, result),
        }
    }
}

/// A trap together with the trial that it ended, counted from 0 in the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The trial.
    pub trial: u64,
    /// The trap.
    pub trap: Trap,
}

impl Stopped {
    /// The end of trial number `trial` of a call by a trap.
    pub fn at(trial: usize) -> impl Fn(Trap) -> Self {
        let trial = trial as u64;
        move |trap| Self { trial, trap }
    }

    /// The refusal of a call with too few resources or cells, or with words that are not an
    /// argument block of the program: a mistake of the caller, which ends the call before its first
    /// trial.
    pub fn bad_call() -> Self {
        Self {
            trial: 0,
            trap: Trap {
                code: TrapCode::Bug,
                span: Span::default(),
            },
        }
    }
}

/// Something that runs trials of one compiled program.
///
/// For equal streams and resources, all kernels of a program give the same results, trap at the
/// same operation of the same trial and leave the stream in the same state.
pub trait Kernel: fmt::Debug + Send + Sync {
    /// The sink that [`Kernel::run`] writes to.
    fn sink(&self) -> Sink;

    /// Empty events with space for the notes of its trials; a rule notes nothing.
    fn events(&self) -> Events {
        Events::default()
    }

    /// The number of trials that a call should run at most: a few thousand, or more if they take no
    /// longer.
    fn slice(&self) -> usize {
        1 << 12
    }

    /// Trials are played in groups of this many, at most [`Kernel::slice`]: calls of whole groups
    /// give the results that one call would.
    fn group(&self) -> usize {
        1
    }

    /// Runs `trials` trials, drawing from `stream`, writing results to `cells` and adding what else
    /// happens to `events`.
    ///
    /// `resources` holds a value for each slot of the program, and `cells` is at least
    /// `self.sink().cells(trials)` long; if either is too short, nothing runs and the call fails as
    /// [`Stopped::bad_call`] says.
    ///
    /// # Errors
    /// The first trial that traps ends the call; the stream is then after that trial's last draw,
    /// or, if trials run in groups ([`crate::rng::lanes`]), after its group's. The trials before it
    /// are in `cells`. What such a call adds to `events` is meaningless.
    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped>;
}
