//! Converts between the two forms of a distribution: a column, and a table of packed states.

use super::column::Column;
use super::dist::Dist;
use super::share::Share;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};

impl<W: Weight> Dist<W> {
    /// A distribution over some of the states of this column.
    pub(super) fn part(&self, column: &Column<W>, states: Range<usize>) -> Self {
        let mut part = Self::new(self.live.clone());
        part.total = self.total.clone();
        let shares = column
            .states(states)
            .map(|state| (state, column.share(state)));
        part.scatter(column, shares);
        part
    }

    /// The column of this distribution, with room for these rows too: this row with these numbers
    /// at `place`; see [`Column::cover`]. `None` if the states have to be packed.
    pub(super) fn column_for(
        &mut self,
        row: Vec<i64>,
        place: usize,
        numbers: &RangeInclusive<i64>,
        states: u64,
    ) -> Option<&mut Column<W>> {
        if self.shares.is_empty() && self.column.is_none() {
            self.column = Column::empty(row, place, numbers, states);
        } else {
            let column = self.column.as_mut()?;
            column.cover(&row, place, numbers, states)?;
        }
        self.column.as_mut()
    }

    /// Turns a table in which at most one word varies into a column.
    pub(super) fn unpack(&mut self) {
        if self.shares.is_empty() {
            return;
        }
        let layout = self.layout.clone();
        // Column 0 is the length of the rows, which is the same in all rows of a column.
        let mut varied = layout.varied();
        let first = varied.next();
        let place = first.unwrap_or(0);
        if first == Some(0) || varied.next().is_some() {
            return;
        }
        let states = 0..self.shares.len();
        let number = |state| layout.read(self.key(state), place);
        let least = states.clone().map(number).min();
        let most = states.clone().map(number).max();
        let Some((least, most)) = least.zip(most) else {
            return;
        };
        let empty = Column::empty(self.row(0), place, &(least..=most), states.len() as u64);
        let Some(mut column) = empty else {
            return;
        };
        for state in states {
            let share = &self.shares[state];
            let to = column.state(number(state));
            column.weights[to] = share.weight.clone();
            column.add_bounds(state == 0, share.roundings(), share.fuel());
        }
        (self.keys, self.shares, self.slots) = (Vec::new(), Vec::new(), Vec::new());
        self.direct = false;
        self.column = Some(column);
    }

    /// Turns a column into a table of packed states.
    pub(super) fn pack(&mut self) {
        if let Some(column) = self.column.take() {
            let states = column.states(0..column.weights.len());
            let shares = states.map(|state| (state, column.share(state)));
            self.scatter(&column, shares);
        }
    }

    /// Adds states of a column.
    fn scatter(&mut self, column: &Column<W>, shares: impl Iterator<Item = (usize, Share<W>)>) {
        let columns = column.row(0).len() + 1;
        let ranges = (0..columns).map(|place| (place, column.range(place)));
        self.cover(ranges);
        let layout = self.layout.clone();
        let mut key = vec![0; layout.stride()];
        for (state, share) in shares {
            key.fill(0);
            for place in 0..columns {
                layout.write(&mut key, place, column.word(state, place));
            }
            self.insert(&key, share);
        }
    }

    /// Adds the states of another column, if together they still are one.
    pub(super) fn join_column(&mut self, other: &Column<W>, factor: Option<&W>) -> bool {
        let numbers = other.range(other.place());
        let states = other.weights.len() as u64;
        if self.column.is_none() {
            return false;
        }
        let Some(column) = self.column_for(other.row(0), other.place(), &numbers, states) else {
            return false;
        };
        let first = column.state(other.word(0, column.place()));
        let one = W::from_u64(1);
        let sums = &mut column.weights[first..][..other.weights.len()];
        W::add_scaled(sums, &other.weights, factor.unwrap_or(&one));
        column.add_bounds(false, other.roundings, other.fuel);
        column.roundings = column.roundings.saturating_add(1);
        column.mixed |= other.mixed;
        true
    }
}
