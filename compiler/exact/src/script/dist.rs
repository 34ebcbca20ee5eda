//! A distribution over the states at one point of a function, with equal states merged. It is a
//! column ([`super::column`]) while that is possible, and otherwise a hash table of packed states.

use super::column::Column;
use super::live::Live;
use super::notes::Mean;
use super::packed::Layout;
use super::share::Share;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// No state is in this slot.
const EMPTY: u32 = u32::MAX;

/// The maximum number of states of a distribution.
pub(super) const MAX_STATES: u64 = EMPTY as u64 - 1;

/// A table with a slot for every possible key is used if at least one slot in this many is expected
/// to be filled.
const DIRECT: usize = 64;

/// A distribution over packed states.
pub(super) struct Dist<W> {
    /// The variables that are live at this point.
    pub(super) live: Arc<Live>,
    /// The total that the weights are relative to.
    pub(super) total: W,
    /// The states as a column; then the table is empty.
    pub(super) column: Option<Column<W>>,
    pub(super) layout: Arc<Layout>,
    /// The keys of the states, one after another.
    pub(super) keys: Vec<u64>,
    pub(super) shares: Vec<Share<W>>,
    /// The states by their keys: each is in the slot that its key hashes to, or in the next free
    /// one. The number of slots is a power of two.
    pub(super) slots: Vec<u32>,
    /// Whether every possible key has a slot of its own.
    pub(super) direct: bool,
}

impl<W: Weight> Dist<W> {
    pub(super) fn new(live: Arc<Live>) -> Self {
        Self {
            layout: live.layout(),
            live,
            total: W::from_u64(1),
            column: None,
            keys: Vec::new(),
            shares: Vec::new(),
            slots: Vec::new(),
            direct: false,
        }
    }

    /// The number of states; for a column, an upper bound.
    pub(super) fn len(&self) -> usize {
        let numbers = self.column.as_ref().map(|column| column.weights.len());
        numbers.unwrap_or(self.shares.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its states, if they are a column.
    pub(super) fn column(&self) -> Option<&Column<W>> {
        self.column.as_ref()
    }

    /// The layout of the packed states.
    pub(super) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The number of words of its longest state.
    pub(super) fn longest(&self) -> u64 {
        let length = match &self.column {
            Some(column) => column.word(0, 0),
            None => *self.layout.range(0).end(),
        };
        length.unsigned_abs()
    }

    /// The number of outcomes that it counts in the budget.
    pub(super) fn size(&self) -> u64 {
        let storage = W::storage(&self.total, &self.total);
        (self.len() as u64)
            .saturating_mul(storage)
            .saturating_add(self.keys.len() as u64 / 8)
    }

    /// The key of a state.
    pub(super) fn key(&self, state: usize) -> &[u64] {
        let stride = self.layout.stride();
        &self.keys[state * stride..][..stride]
    }

    /// The row of a state.
    pub(super) fn row(&self, state: usize) -> Vec<i64> {
        match &self.column {
            Some(column) => column.row(state),
            None => self.layout.row(self.key(state)).collect(),
        }
    }

    /// The share of a packed state.
    pub(super) fn share(&self, state: usize) -> &Share<W> {
        &self.shares[state]
    }

    /// The total probability of its states.
    pub(super) fn mass(&self) -> f64 {
        let mut sum = match &self.column {
            Some(column) => column.sum(0..column.weights.len()),
            None => W::zero(),
        };
        for share in &self.shares {
            sum.add(&share.weight);
        }
        sum.ratio(&self.total)
    }

    /// The probability of some states.
    pub(super) fn mean(&self, states: Range<usize>) -> Mean {
        if let Some(column) = &self.column {
            let additions = states.len() as u64;
            return Mean {
                value: column.sum(states).ratio(&self.total),
                roundings: column.roundings.saturating_add(additions),
            };
        }
        let mut mean = Mean::default();
        for share in &self.shares[states] {
            mean.add(Mean {
                value: share.weight.ratio(&self.total),
                roundings: share.roundings(),
            });
        }
        mean
    }

    /// The maximum fuel of its states.
    pub(super) fn fuel(&self) -> u64 {
        let column = self.column.as_ref().map_or(0, |column| column.fuel);
        self.shares.iter().map(Share::fuel).fold(column, Ord::max)
    }

    /// Subtracts this fuel from all states, which must be packed.
    pub(super) fn burn_less(&mut self, fuel: u64) {
        for share in self.shares.iter_mut().filter(|_| fuel > 0) {
            let burnt = share.fuel().saturating_sub(fuel);
            *share = share.clone().with_fuel(burnt);
        }
    }

    /// Adds states that differ from each other and from all others, by their keys.
    pub(super) fn extend(&mut self, states: usize, add: impl Fn(usize, &mut Vec<u64>) -> Share<W>) {
        self.keys.reserve(states * self.layout.stride());
        self.shares.reserve(states);
        for state in 0..states {
            let share = add(state, &mut self.keys);
            self.shares.push(share);
        }
        // The slots are assigned again when the next state is added.
        self.slots = Vec::new();
        self.direct = false;
    }

    /// Adds a state by its row.
    pub(super) fn add(&mut self, row: &[i64], share: Share<W>) {
        if self.is_empty() {
            self.column = Some(Column::single(row, share));
            return;
        }
        self.pack();
        let length = row.len() as i64;
        let words = row.iter().map(|word| *word..=*word).enumerate();
        let columns = words.map(|(place, word)| (place + 1, word));
        self.cover(std::iter::once((0, length..=length)).chain(columns));
        let mut key = vec![0; self.layout.stride()];
        self.layout.write(&mut key, 0, length);
        for (place, word) in row.iter().enumerate() {
            self.layout.write(&mut key, place + 1, *word);
        }
        self.insert(&key, share);
    }

    /// Adds a state by its key, with a weight relative to the total. This is the hottest code of
    /// the exact engine.
    #[inline(always)]
    pub(super) fn insert(&mut self, key: &[u64], share: Share<W>) {
        if self.live.is_apart() {
            self.keys.extend_from_slice(key);
            self.shares.push(share);
            return;
        }
        let full = !self.direct && (self.shares.len() + 1) * 2 > self.slots.len();
        if full || self.slots.is_empty() {
            self.spread();
        }
        let slot = self.slot(key);
        match self.shares.get_mut(self.slots[slot] as usize) {
            Some(known) => known.join(share),
            None => {
                // The budget allows no more states than that.
                self.slots[slot] = self.shares.len() as u32;
                self.keys.extend_from_slice(key);
                self.shares.push(share);
            }
        }
    }

    /// The slot of a key, or the free slot where it belongs.
    #[inline]
    fn slot(&self, key: &[u64]) -> usize {
        if self.direct {
            return key[0] as usize;
        }
        if let [key] = key {
            return self.probe(hash(&[*key]), |state| self.keys[state] == *key);
        }
        self.probe(hash(key), |state| self.key(state) == key)
    }

    /// The first slot from `hash` on that is free or holds the wanted state.
    #[inline]
    fn probe(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash as usize & last;
        while self.slots[slot] != EMPTY && !is_it(self.slots[slot] as usize) {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Doubles the number of slots.
    fn spread(&mut self) {
        let least = (4 * self.len()).next_power_of_two().max(8);
        let all = self.layout.bits();
        let all = all.and_then(|bits| 1_usize.checked_shl(bits));
        let all = all.filter(|all| all / DIRECT <= least);
        self.direct = all.is_some();
        let slots = all.unwrap_or(least);
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        for state in 0..self.len() {
            let slot = self.slot(self.key(state));
            self.slots[slot] = state as u32;
        }
    }

    /// Makes room for these numbers in these columns.
    pub(super) fn cover(
        &mut self,
        columns: impl Iterator<Item = (usize, RangeInclusive<i64>)> + Clone,
    ) {
        let held = |(column, numbers): (usize, _)| self.layout.holds(column, &numbers);
        if columns.clone().all(held) {
            return;
        }
        let mut layout = Layout::clone(&self.layout);
        for (column, numbers) in columns {
            if self.is_empty() {
                // A column that was constant may have another value now, such as the number of an
                // iteration.
                layout.renew(column, &numbers);
            }
            layout.cover(column, &numbers);
        }
        layout.arrange();
        self.change(Arc::new(layout));
    }

    /// Repacks all states into another layout, which has room for them.
    fn change(&mut self, layout: Arc<Layout>) {
        if !self.is_empty() && !layout.same_keys(&self.layout) {
            let mut keys = Vec::with_capacity(self.len() * layout.stride());
            for state in 0..self.len() {
                layout.convert(&self.layout, self.key(state), &mut keys);
            }
            self.keys = keys;
            self.slots.clear();
        }
        self.live.grown(&layout);
        self.layout = layout;
    }

    /// Prepares for weights relative to `total`. If there is a result, each weight must be
    /// multiplied by it.
    pub(super) fn align(&mut self, total: &W) -> Option<W> {
        if *total == self.total {
            return None;
        }
        if self.is_empty() {
            self.total = total.clone();
            return None;
        }
        let common = W::common(&self.total, total);
        if common.denominator != self.total {
            for weight in self
                .column
                .iter_mut()
                .flat_map(|column| &mut column.weights)
            {
                *weight = weight.mul(&common.acc_factor);
            }
            for share in &mut self.shares {
                share.weight = share.weight.mul(&common.acc_factor);
            }
            self.total = common.denominator;
        }
        Some(common.part_factor)
    }

    /// Moves all states to another distribution at the same point.
    pub(super) fn move_into(&mut self, other: &mut Self) {
        if !self.is_empty() {
            let empty = Self::new(self.live.clone());
            other.join(std::mem::replace(self, empty));
        }
    }

    /// Adds all states of another distribution at the same point.
    pub(super) fn join(&mut self, mut other: Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other;
            return;
        }
        let factor = self.align(&other.total);
        if other
            .column
            .as_ref()
            .is_some_and(|other| self.join_column(other, factor.as_ref()))
        {
            return;
        }
        self.pack();
        other.pack();
        for state in 0..other.len() {
            let share = other.share(state).clone().scaled(factor.as_ref());
            if Arc::ptr_eq(&self.layout, &other.layout) {
                self.insert(other.key(state), share);
            } else {
                self.add(&other.row(state), share);
            }
        }
    }
}

/// Hashes keys to slots.
fn hash(key: &[u64]) -> u64 {
    key.iter().fold(0, |hash: u64, word| {
        let product = u128::from(hash.rotate_left(5) ^ word) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    })
}
