//! A *column*: states that differ in at most one number, such as hit points or a sum, stored as the
//! weights of consecutive numbers. Applying an outcome to all of them adds a multiple of one row of
//! weights to another, so a roll is a convolution.
//!
//! The states of a column share one bound on their roundings and one on their fuel. If the bound on
//! the fuel exceeds the limit of a trial, but not all states may have burnt as much, the odds are
//! computed again without columns.

use super::share::Share;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};

/// A column may have at most this many numbers more than states, or at most `DENSE` times as many.
const SPARE: u64 = 64;
const DENSE: u64 = 4;

/// The maximum number of numbers of a column.
const MAX_NUMBERS: u64 = 1 << 20;

/// A dense row of weights; see the module.
#[derive(Clone, Debug)]
pub(super) struct Column<W> {
    /// The row of one of the states; its word at `place` is ignored.
    row: Vec<i64>,
    /// The varying column, from 1 on, or 0 if there is only one state.
    place: usize,
    /// The number of the first weight.
    first: i64,
    /// The weights by number; the first and the last are not zero.
    pub(super) weights: Vec<W>,
    pub(super) roundings: u64,
    pub(super) fuel: u64,
    /// Whether some states may have burnt less fuel than the bound.
    pub(super) mixed: bool,
}

/// The ranges of the words of the states at a point.
pub(super) trait Ranges {
    /// The range of the words in a column, if there is such a column.
    fn known_range(&self, column: usize) -> Option<RangeInclusive<i64>>;
}

impl<W> Ranges for Column<W> {
    fn known_range(&self, column: usize) -> Option<RangeInclusive<i64>> {
        (column <= self.row.len()).then(|| self.range(column))
    }
}

/// Some states of a column.
pub(super) struct Part<'c, W> {
    column: &'c Column<W>,
    states: Range<usize>,
}

impl<W> Ranges for Part<'_, W> {
    fn known_range(&self, column: usize) -> Option<RangeInclusive<i64>> {
        match column == self.column.place && column > 0 {
            true => {
                let Range { start, end } = self.states;
                Some(self.column.number(start)..=self.column.number(end - 1))
            }
            false => self.column.known_range(column),
        }
    }
}

impl<W: Weight> Column<W> {
    /// One state.
    pub(super) fn single(row: &[i64], share: Share<W>) -> Self {
        Self {
            row: row.to_vec(),
            place: 0,
            first: 0,
            roundings: share.roundings(),
            fuel: share.fuel(),
            mixed: false,
            weights: vec![share.weight],
        }
    }

    /// A column without states, to be filled after [`Column::cover`].
    pub(super) fn empty(
        row: Vec<i64>,
        place: usize,
        numbers: &RangeInclusive<i64>,
        states: u64,
    ) -> Option<Self> {
        let mut column = Self {
            first: *numbers.start(),
            row,
            place,
            weights: Vec::new(),
            roundings: 0,
            fuel: 0,
            mixed: false,
        };
        let length = match place {
            0 => 1,
            _ => span(numbers).filter(|length| is_dense(*length, states))?,
        };
        column
            .weights
            .resize(usize::try_from(length).ok()?, W::zero());
        Some(column)
    }

    /// The row of a state.
    pub(super) fn row(&self, state: usize) -> Vec<i64> {
        let mut row = self.row.clone();
        if let Some(word) = self.place.checked_sub(1).and_then(|at| row.get_mut(at)) {
            *word = self.number(state);
        }
        row
    }

    /// The probability of a state.
    pub(super) fn share(&self, state: usize) -> Share<W> {
        Share::new(self.weights[state].clone(), self.roundings, self.fuel)
    }

    /// The indices of the states with a weight.
    pub(super) fn states(&self, among: Range<usize>) -> impl Iterator<Item = usize> {
        among.filter(|state| !self.weights[*state].is_zero())
    }

    /// The sum of some weights.
    pub(super) fn sum(&self, states: Range<usize>) -> W {
        let mut sum = W::zero();
        self.weights[states]
            .iter()
            .for_each(|weight| sum.add(weight));
        sum
    }

    /// Makes room for rows like this one with these numbers at `place` (at 0: for this row only).
    /// `states` is an upper bound on how many there are. Returns the varying column; `None` if more
    /// than one column would vary, or if the numbers would be too sparse.
    pub(super) fn cover(
        &mut self,
        row: &[i64],
        place: usize,
        numbers: &RangeInclusive<i64>,
        states: u64,
    ) -> Option<usize> {
        if row.len() != self.row.len() {
            return None;
        }
        let mut both = match (self.place, place) {
            (0, place) | (place, 0) => place,
            (one, two) => (one == two).then_some(one)?,
        };
        for (column, (one, two)) in (1..).zip(self.row.iter().zip(row)) {
            if one != two && both == 0 {
                both = column;
            } else if one != two && both != column {
                return None;
            }
        }
        if both == 0 {
            return Some(0);
        }
        let new = match place {
            0 => row[both - 1]..=row[both - 1],
            _ => numbers.clone(),
        };
        let old = self.range(both);
        let all = *old.start().min(new.start())..=*old.end().max(new.end());
        let length = span(&all)?;
        if length != self.weights.len() as u64 {
            let most = states.saturating_add(self.states(0..self.weights.len()).count() as u64);
            if !is_dense(length, most) {
                return None;
            }
            let before = old.start().wrapping_sub(*all.start()) as usize;
            let mut weights = Vec::with_capacity(length as usize);
            weights.resize(before, W::zero());
            weights.append(&mut self.weights);
            weights.resize(length as usize, W::zero());
            self.weights = weights;
        }
        (self.place, self.first) = (both, *all.start());
        Some(both)
    }

    /// Updates the bounds for states that are added; `first` if there were none before.
    pub(super) fn add_bounds(&mut self, first: bool, roundings: u64, fuel: u64) {
        self.mixed |= !first && self.fuel != fuel;
        self.roundings = self.roundings.max(roundings);
        self.fuel = self.fuel.max(fuel);
    }

    /// The index of the state with this number.
    pub(super) fn state(&self, number: i64) -> usize {
        match self.place {
            0 => 0,
            _ => number.wrapping_sub(self.first) as usize,
        }
    }
}

impl<W> Column<W> {
    /// Some of its states.
    pub(super) fn part(&self, states: Range<usize>) -> Part<'_, W> {
        Part {
            column: self,
            states,
        }
    }

    /// The number of a state.
    pub(super) fn number(&self, state: usize) -> i64 {
        self.first.wrapping_add(state as i64)
    }

    /// The word of a state in a column; in column 0 the length of its row.
    #[inline]
    pub(super) fn word(&self, state: usize, column: usize) -> i64 {
        match column {
            0 => self.row.len() as i64,
            _ if column == self.place => self.number(state),
            _ => self.row[column - 1],
        }
    }

    /// The number of words of a state.
    pub(super) fn words(&self) -> usize {
        self.row.len()
    }

    /// The varying column, or 0 if there is only one state.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// The numbers in a column.
    pub(super) fn range(&self, column: usize) -> RangeInclusive<i64> {
        match column {
            _ if column == self.place && column > 0 => {
                let last = self.weights.len() as i64 - 1;
                self.first..=self.first.wrapping_add(last)
            }
            _ => {
                let word = self.word(0, column);
                word..=word
            }
        }
    }
}

/// Whether this many numbers are dense enough for this many states.
pub(super) fn is_dense(numbers: u64, states: u64) -> bool {
    let most = states.saturating_mul(DENSE).saturating_add(SPARE);
    numbers <= most.min(MAX_NUMBERS)
}

/// How many numbers are in a range.
fn span(numbers: &RangeInclusive<i64>) -> Option<u64> {
    let span = numbers.end().checked_sub(*numbers.start())?;
    u64::try_from(span).ok()?.checked_add(1)
}
