//! Memoised steps, here called *cases*: the outcomes of a segment as a function of the words that
//! it reads. Few words of a state decide what happens to it, and the others are passed on
//! unchanged. So a segment is computed once for all states that give the same answers to the same
//! questions, and replayed for each of them on its packed form.
//!
//! [`super::known`] holds the cached cases.

use super::flight::{Flight, Passed};
use super::notes::Notes;
use super::plan::Exit;
use super::roll_distributions::Rolled;
use super::share::Share;
use super::side::Side;
use dicec_runtime::pmf::Weight;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The outcomes of a segment for all states that give the same answers.
pub(super) struct Case<W> {
    pub(super) flights: Vec<Flight<W>>,
    /// The total of the weights.
    pub(super) total: W,
    /// The maximum fuel that the segment burns.
    pub(super) fuel: u64,
    /// What it counts besides its outcomes.
    pub(super) count: Arc<Count>,
    outcomes: usize,
    /// The recorded cost of computing it.
    pub(super) bill: Bill<W>,
}

/// Everything a case counts besides its outcomes, for a state of probability 1.
#[derive(Default)]
pub(super) struct Count {
    /// Its lines and statistics.
    pub(super) notes: Notes,
    /// The index of the call that it makes, among all calls.
    pub(super) call: Option<usize>,
    /// The probability that its dice leave out.
    pub(super) residual: f64,
}

impl Count {
    /// Whether there is nothing to count.
    pub(super) fn is_empty(&self) -> bool {
        self.call.is_none() && self.residual == 0.0 && self.notes.len() == 0
    }
}

/// The recorded cost of a [`Case`], with the flags that computing it sets.
pub(super) struct Bill<W> {
    pub(super) work: u64,
    /// The roll at its head, charged once for all cases that share it.
    pub(super) rolled: Option<Arc<Rolled<W>>>,
    /// Whether any of its numbers was not small ([`super::side::SMALL`]).
    pub(super) large: bool,
    /// Whether any of its numbers was clamped to a bound.
    pub(super) clamped: bool,
    /// The number of words that the cache holds for it.
    pub(super) words: u64,
    /// The last question that was charged for it.
    pub(super) paid: AtomicU64,
}

impl<W> Bill<W> {
    /// An empty bill, for a case under construction.
    pub(super) fn open(rolled: Option<Arc<Rolled<W>>>) -> Self {
        Self {
            work: 0,
            rolled,
            large: false,
            clamped: false,
            words: 0,
            paid: AtomicU64::new(0),
        }
    }
}

impl<W: Weight> Case<W> {
    pub(super) fn outcomes(&self) -> usize {
        self.outcomes
    }

    pub(super) fn size(&self) -> usize {
        16 + 8 * self.count.notes.len() + self.flights.iter().map(Flight::size).sum::<usize>()
    }
}

/// A case under construction.
pub(super) struct Draft<W> {
    pub(super) count: Count,
    /// The total of the weights.
    pub(super) total: W,
    /// Its roll.
    pub(super) rolled: Option<Arc<Rolled<W>>>,
    fuel: u64,
    /// The outcomes of a roll, if all that differs between them is one number to which the result
    /// is added.
    flight: Option<Flight<W>>,
    outcomes: IndexMap<(Exit, Vec<Side>), Share<W>, FxBuildHasher>,
}

impl<W: Weight> Draft<W> {
    pub(super) fn new() -> Self {
        Self {
            count: Count::default(),
            total: W::from_u64(1),
            rolled: None,
            fuel: 0,
            flight: None,
            outcomes: IndexMap::default(),
        }
    }

    /// Sets all outcomes at once.
    pub(super) fn fly(&mut self, flight: Flight<W>) {
        let fuels = flight.outcomes.iter().map(Share::fuel);
        self.fuel = fuels.fold(self.fuel, Ord::max);
        self.flight = Some(flight);
    }

    /// Adds an outcome.
    pub(super) fn add(&mut self, exit: Exit, row: Vec<Side>, share: Share<W>) {
        self.fuel = self.fuel.max(share.fuel());
        match self.outcomes.entry((exit, row)) {
            Entry::Occupied(known) => known.into_mut().join(share),
            Entry::Vacant(place) => {
                place.insert(share);
            }
        }
    }

    /// The finished case, after all outcomes were added.
    pub(super) fn finish(self) -> Case<W> {
        let mut flights: Vec<Flight<W>> = self.flight.into_iter().collect();
        let mut known: FxHashMap<_, usize> = FxHashMap::default();
        for ((exit, row), share) in self.outcomes {
            // Most outcomes pass on the same words as the previous one.
            let last = flights.last_mut().filter(|last| last.takes(exit, &row));
            if let Some(last) = last {
                last.push(&row, share);
                continue;
            }
            let place = *known.entry(Passed::of(exit, &row)).or_insert(flights.len());
            if place == flights.len() {
                flights.push(Flight::new(exit, &row));
            }
            flights[place].push(&row, share);
        }
        let outcomes = flights.iter().map(|flight| flight.outcomes.len()).sum();
        Case {
            flights,
            total: self.total,
            fuel: self.fuel,
            count: Arc::new(self.count),
            outcomes,
            bill: Bill::open(self.rolled),
        }
    }
}
