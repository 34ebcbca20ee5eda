//! A distribution over states at one place of a function. Equal states are one.

use super::live::Live;
use dicec_runtime::pmf::Weight;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// How likely a state is.
#[derive(Clone, Debug)]
pub(super) struct Share<W> {
    /// Its weight, over a total that is told beside it.
    pub(super) weight: W,
    /// The roundings that the weight went through, from above.
    pub(super) roundings: u64,
    /// The most fuel that a way to this state took.
    pub(super) fuel: u64,
}

impl<W: Weight> Share<W> {
    /// That of a state that is certain.
    pub(super) fn certain(fuel: u64) -> Self {
        Self {
            weight: W::from_u64(1),
            roundings: 0,
            fuel,
        }
    }

    /// The share of one outcome of what happens in this state: its weight, and the roundings of that.
    pub(super) fn of(&self, weight: &W, roundings: u64) -> Self {
        Self {
            weight: self.weight.mul(weight),
            roundings: self.roundings + roundings + 1,
            fuel: self.fuel,
        }
    }

    fn join(&mut self, other: Self) {
        self.weight.add(&other.weight);
        self.roundings = self.roundings.max(other.roundings) + 1;
        self.fuel = self.fuel.max(other.fuel);
    }
}

/// A distribution over packed states.
pub(super) struct Dist<W> {
    /// What lives in them.
    pub(super) live: Rc<Live>,
    /// What weights are relative to.
    pub(super) total: W,
    words: Vec<i64>,
    states: Vec<State<W>>,
    /// The states by their hashes.
    known: HashTable<Known>,
    /// The hash of the last state.
    last: u64,
}

struct State<W> {
    /// Where its words end; they begin where those of the state before it end.
    end: usize,
    share: Share<W>,
}

struct Known {
    /// Of the words.
    hash: u64,
    state: usize,
}

impl<W: Weight> Dist<W> {
    pub(super) fn new(live: Rc<Live>) -> Self {
        Self {
            live,
            total: W::from_u64(1),
            words: Vec::new(),
            states: Vec::new(),
            known: HashTable::new(),
            last: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// What it counts for among the outcomes of a budget.
    pub(super) fn size(&self) -> u64 {
        let storage = W::storage(&self.total, &self.total);
        (self.states.len() as u64)
            .saturating_mul(storage)
            .saturating_add(self.words.len() as u64 / 16)
    }

    /// The words of a state.
    pub(super) fn words(&self, state: usize) -> &[i64] {
        let begin = state
            .checked_sub(1)
            .map_or(0, |before| self.states[before].end);
        &self.words[begin..self.states[state].end]
    }

    /// How likely a state is.
    pub(super) fn share(&self, state: usize) -> &Share<W> {
        &self.states[state].share
    }

    /// The probability of all states.
    pub(super) fn mass(&self) -> f64 {
        let mut sum = W::zero();
        for state in &self.states {
            sum.add(&state.share.weight);
        }
        sum.ratio(&self.total)
    }

    /// Adds a state, whose weight is over `total`.
    pub(super) fn add(&mut self, words: &[i64], mut share: Share<W>, total: &W) {
        if *total != self.total {
            share.weight = share.weight.mul(&self.align(total));
        }
        let mut hasher = FxHasher::default();
        words.hash(&mut hasher);
        let hash = hasher.finish();
        // States often come one after another that differ in nothing that lives.
        if let Some(last) = self.states.len().checked_sub(1)
            && self.last == hash
            && self.words(last) == words
        {
            return self.states[last].share.join(share);
        }
        let Self {
            words: all, states, ..
        } = self;
        let same = |known: &Known| {
            let begin = |state: usize| state.checked_sub(1).map_or(0, |before| states[before].end);
            known.hash == hash && all[begin(known.state)..states[known.state].end] == *words
        };
        match self.known.entry(hash, same, |known| known.hash) {
            Entry::Occupied(entry) => states[entry.get().state].share.join(share),
            Entry::Vacant(entry) => {
                let state = states.len();
                entry.insert(Known { hash, state });
                all.extend_from_slice(words);
                let end = all.len();
                states.push(State { end, share });
                self.last = hash;
            }
        }
    }

    /// Brings the weights to a total that `total` divides; gives what a weight over that has to be multiplied by.
    fn align(&mut self, total: &W) -> W {
        if self.states.is_empty() {
            self.total = total.clone();
            return W::from_u64(1);
        }
        let common = W::common(&self.total, total);
        if common.denominator != self.total {
            for state in &mut self.states {
                state.share.weight = state.share.weight.mul(&common.acc_factor);
            }
            self.total = common.denominator;
        }
        common.part_factor
    }

    /// Takes all states away.
    pub(super) fn taken(&mut self) -> Self {
        let empty = Self::new(self.live.clone());
        std::mem::replace(self, empty)
    }

    /// Adds all states of another distribution at the same place.
    pub(super) fn join(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        for state in 0..other.len() {
            let share = other.share(state).clone();
            self.add(other.words(state), share, &other.total);
        }
    }
}
