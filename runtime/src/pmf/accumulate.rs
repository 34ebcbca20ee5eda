//! Collects (value, weight) pairs in any order into a table: the last step of `combine`, `map`,
//! `mixture`, `series` and `order`.
//!
//! Values close to each other go into an array indexed by value, which is several times faster than
//! hashing. If the span becomes too large for the number of additions, the cells move to a hash
//! map.

use rustc_hash::FxHashMap;

use super::budget::{Budget, Exhausted, Resource};
use super::table::{Pmf, Values};
use super::weight::Weight;

/// The maximum number of array cells per expected addition: beyond it most cells would stay empty,
/// and hashing is cheaper.
const CELLS_PER_ADDITION: u64 = 4;

/// An array of this many cells is always acceptable.
const SMALL_SPAN: u64 = 256;

/// The sum of weights by value.
pub(super) struct Accumulator<W> {
    cells: Cells<W>,
    /// Additions announced so far.
    expected: u64,
    /// The maximum number of distinct values; at most `limit`.
    most: u64,
    /// The budget's limit, for the error.
    limit: u64,
}

enum Cells<W> {
    /// Weights of consecutive values; zero is absent.
    Dense {
        first: i64,
        weights: Vec<W>,
    },
    Sparse(FxHashMap<i64, W>),
}

impl<W: Weight> Accumulator<W> {
    /// Creates an empty accumulator with no additions announced.
    pub(super) fn new() -> Self {
        Self {
            cells: Cells::Dense {
                first: 0,
                weights: Vec::new(),
            },
            expected: 0,
            most: 0,
            limit: 0,
        }
    }

    /// Announces further additions, whose weights count as `storage` outcomes each.
    pub(super) fn prepare(&mut self, additions: u64, storage: u64, budget: &Budget) {
        self.limit = budget.limits().outcomes;
        self.most = self.limit / storage.max(1);
        self.expected = self.expected.saturating_add(additions);
    }

    /// Adds a nonzero weight.
    ///
    /// # Errors
    /// [`Exhausted`] when the table would have too many outcomes.
    pub(super) fn add(&mut self, value: i64, weight: &W) -> Result<(), Exhausted> {
        if let Cells::Dense { first, weights } = &mut self.cells {
            // A value below `first` wraps to a huge offset.
            let offset = value.wrapping_sub(*first) as u64;
            if value >= *first && offset < weights.len() as u64 {
                weights[offset as usize].add(weight);
                return Ok(());
            }
        }
        self.add_outside(value, weight)
    }

    /// Adds a table's weights, times a nonzero `factor`, at its values plus `shift`, which do not
    /// overflow.
    ///
    /// # Errors
    /// [`Exhausted`] when the table would have too many outcomes.
    pub(super) fn add_scaled(
        &mut self,
        table: &Pmf<W>,
        shift: i64,
        factor: &W,
    ) -> Result<(), Exhausted> {
        let widest = self.widest();
        if let (Values::Run(_), Cells::Dense { first, weights }) = (&table.values, &mut self.cells)
        {
            let low = table.min().wrapping_add(shift);
            let high = table.max().wrapping_add(shift);
            if widen(first, weights, low, widest) && widen(first, weights, high, widest) {
                let from = low.wrapping_sub(*first) as usize;
                W::add_scaled(&mut weights[from..][..table.len()], &table.weights, factor);
                return Ok(());
            }
        }
        for (value, weight) in table.iter() {
            self.add(value.wrapping_add(shift), &weight.mul(factor))?;
        }
        Ok(())
    }

    /// The maximum number of array cells.
    fn widest(&self) -> u64 {
        CELLS_PER_ADDITION
            .saturating_mul(self.expected.min(self.most))
            .max(SMALL_SPAN)
    }

    /// [`add`](Self::add) for a value outside of the array.
    #[cold]
    fn add_outside(&mut self, value: i64, weight: &W) -> Result<(), Exhausted> {
        let widest = self.widest();
        if let Cells::Dense { first, weights } = &mut self.cells {
            if widen(first, weights, value, widest) {
                weights[value.wrapping_sub(*first) as usize].add(weight);
                return Ok(());
            }
            let first = *first;
            let cells = std::mem::take(weights).into_iter().enumerate();
            let occupied = cells.filter(|(_, w)| !w.is_zero());
            self.cells = Cells::Sparse(
                occupied
                    .map(|(index, w)| (first.wrapping_add(index as i64), w))
                    .collect(),
            );
        }
        let Cells::Sparse(cells) = &mut self.cells else {
            return Ok(());
        };
        cells.entry(value).or_insert_with(W::zero).add(weight);
        if cells.len() as u64 > self.most {
            return Err(self.refusal());
        }
        Ok(())
    }

    /// Multiplies every weight, after [`prepare`](Self::prepare) announced the storage of the
    /// products.
    ///
    /// # Errors
    /// [`Exhausted`] when that is too much.
    pub(super) fn scale(&mut self, factor: &W) -> Result<(), Exhausted> {
        let occupied = match &self.cells {
            Cells::Dense { weights, .. } => weights.iter().filter(|w| !w.is_zero()).count(),
            Cells::Sparse(cells) => cells.len(),
        };
        if occupied as u64 > self.most {
            return Err(self.refusal());
        }
        match &mut self.cells {
            Cells::Dense { weights, .. } => {
                for w in weights.iter_mut().filter(|w| !w.is_zero()) {
                    *w = w.mul(factor);
                }
            }
            Cells::Sparse(cells) => cells.values_mut().for_each(|w| *w = w.mul(factor)),
        }
        Ok(())
    }

    /// Upper bound of the number of cells.
    pub(super) fn len(&self) -> u64 {
        match &self.cells {
            Cells::Dense { weights, .. } => weights.len() as u64,
            Cells::Sparse(cells) => cells.len() as u64,
        }
    }

    /// The table of the collected weights, whose sum is `total`. At least one must have been added.
    ///
    /// # Errors
    /// [`Exhausted`] when it has too many outcomes.
    pub(super) fn finish(self, total: W, roundings: u64) -> Result<Pmf<W>, Exhausted> {
        let refusal = self.refusal();
        let table = match self.cells {
            Cells::Dense { first, mut weights } => {
                let used = weights
                    .iter()
                    .rposition(|w| !w.is_zero())
                    .map_or(0, |last| last + 1);
                weights.truncate(used);
                let empty = weights.iter().take_while(|w| w.is_zero()).count();
                weights.drain(..empty);
                Pmf::from_dense(first.wrapping_add(empty as i64), weights, total, roundings)
            }
            Cells::Sparse(cells) => {
                let mut entries: Vec<(i64, W)> = cells.into_iter().collect();
                entries.sort_unstable_by_key(|(value, _)| *value);
                let (values, weights) = entries.into_iter().unzip();
                Pmf::from_sorted(values, weights, total, roundings)
            }
        };
        if table.len() as u64 > self.most {
            return Err(refusal);
        }
        Ok(table)
    }

    fn refusal(&self) -> Exhausted {
        Exhausted {
            resource: Resource::Outcomes,
            limit: self.limit,
        }
    }
}

/// Widens the array so that it holds `value`, at least doubling it. Returns `false` and changes
/// nothing if that takes more than `widest` cells.
fn widen<W: Weight>(first: &mut i64, weights: &mut Vec<W>, value: i64, widest: u64) -> bool {
    if weights.is_empty() {
        *first = value;
        weights.push(W::zero());
        return true;
    }
    let last = first.wrapping_add(weights.len() as i64 - 1);
    let (low, high) = ((*first).min(value), last.max(value));
    let needed = (high.wrapping_sub(low) as u64).saturating_add(1);
    if needed == weights.len() as u64 {
        return true;
    }
    if needed > widest {
        return false;
    }
    let length = needed.max((2 * weights.len() as u64).min(widest));
    let spare = (length - needed) as i64;
    if value < *first {
        let new_first = low.saturating_sub(spare);
        let added = first.wrapping_sub(new_first) as usize;
        weights.splice(0..0, std::iter::repeat_n(W::zero(), added));
        *first = new_first;
    } else {
        let new_last = high.saturating_add(spare);
        let length = new_last.wrapping_sub(*first) as usize + 1;
        weights.resize(length, W::zero());
    }
    true
}
