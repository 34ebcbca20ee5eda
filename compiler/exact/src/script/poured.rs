//! Accumulates a piece, for all states of a column, into the distribution at its exit. If both vary
//! in the same word, their numbers add up and their weights are convolved.

use super::column::Column;
use super::dist::Dist;
use super::piece::Piece;
use super::side::Side;
use dicec_runtime::pmf::Weight;
use std::borrow::Cow;
use std::ops::Range;
use std::slice;

impl<W: Weight> Piece<W> {
    /// Accumulates the successors of some states of a column into `to`; `total` is the total of the
    /// weights. `false` if the successors do not form a column there.
    pub(super) fn pour(
        &self,
        (column, states): (&Column<W>, Range<usize>),
        total: &W,
        to: &mut Dist<W>,
    ) -> bool {
        let Some((place, each)) = self.varied(column, states.len()) else {
            return false;
        };
        let state = states.start;
        let sum = (!each).then(|| column.sum(states.clone()));
        let weights = &column.weights[states];
        let states = sum.as_ref().map_or(weights, slice::from_ref);
        let word = |side: &Side| side.number(|place| column.word(state, place));
        let row: Vec<i64> = self.row.iter().map(word).collect();
        let side = place.checked_sub(1).map(|word| self.row[word]);
        let first = side.map_or(0, |side| side.of(column, state).saturating_add(self.first));
        let least = side.and_then(Side::least);
        // Sums that do not exceed the saturation bound are collected at the bound.
        let last = states.len() + self.weights.len() - 2;
        let below = least.map_or(0, |least| least.saturating_sub(first).max(0));
        let skip = usize::try_from(below).unwrap_or(last).min(last);
        let first = first.max(least.unwrap_or(first));
        let numbers = first..=first.saturating_add((last - skip) as i64);
        let made = (states.len() as u64).saturating_mul(self.outcomes());
        let factor = to.align(total);
        let new = to.is_empty();
        let Some(sums) = to.column_for(row, place, &numbers, made) else {
            return false;
        };
        let to = match (place, sums.place()) {
            (0, place @ 1..) => sums.state(word(&self.row[place - 1])),
            _ => sums.state(first),
        };
        let into = &mut sums.weights[to..=to + last - skip];
        let own = self.scaled(factor.as_ref());
        W::add_products(into, states, &own, skip);
        if skip > 0 {
            into[0].add(&low(states, &own, skip));
        }
        let summed = if each && skip == 0 { 1 } else { weights.len() };
        let roundings = column.roundings.saturating_add(self.roundings);
        let roundings = roundings.saturating_add(summed as u64);
        sums.add_bounds(new, roundings, column.fuel.saturating_add(self.fuel));
        let additions = match each {
            _ if place == 0 || skip > 0 => own.len() + 1,
            true => own.len().min(states.len()),
            false => 1,
        };
        sums.roundings = (sums.roundings).saturating_add(additions as u64 - u64::from(new));
        sums.mixed |= column.mixed || self.mixed;
        true
    }

    /// Its weights times a factor.
    fn scaled(&self, factor: Option<&W>) -> Cow<'_, [W]> {
        match factor {
            Some(factor) => self.weights.iter().map(|own| own.mul(factor)).collect(),
            None => Cow::Borrowed(&self.weights),
        }
    }

    /// The column that varies after the piece, or 0, and whether the states of the column (of which
    /// there are `states`) differ in it. `None` if more than one column would vary.
    fn varied(&self, column: &Column<W>, states: usize) -> Option<(usize, bool)> {
        let varies = |side: &Side| side.column() == Some(column.place() as u32);
        let mut places = (1..).zip(&self.row).filter(|(_, side)| varies(side));
        let place = match states {
            1 => None,
            _ => places.next(),
        };
        match (place, self.place) {
            (None, place) => Some((place, false)),
            (Some((place, _)), own) => {
                let is_it = places.next().is_none() && (own == 0 || own == place);
                is_it.then_some((place, true))
            }
        }
    }
}

/// The sum of all products of weights whose indices add up to less than `end`.
fn low<W: Weight>(states: &[W], own: &[W], end: usize) -> W {
    // The first weights are multiplied with all states, the others with fewer and fewer.
    let (whole, partly) = own.split_at((end + 1).saturating_sub(states.len()).min(own.len()));
    let upto = running_sums(states);
    let mut sum = W::zero();
    whole.iter().for_each(|weight| sum.add(weight));
    let mut low = upto.last().map_or(W::zero(), |all| sum.mul(all));
    let left = (end - whole.len()).min(states.len());
    for (weight, states) in partly.iter().zip(upto[..left].iter().rev()) {
        low.add(&weight.mul(states));
    }
    low
}

/// The prefix sums of the weights.
fn running_sums<W: Weight>(weights: &[W]) -> Vec<W> {
    let mut sum = W::zero();
    let sums = weights.iter().map(|weight| {
        sum.add(weight);
        sum.clone()
    });
    sums.collect()
}

impl Side {
    /// Its value in a state of a column, before saturation.
    #[inline]
    fn of<W>(self, column: &Column<W>, state: usize) -> i64 {
        match self {
            Side::Word(word) => word,
            Side::Column(from, add) | Side::Floored(from, add, _) => {
                column.word(state, from as usize).saturating_add(add)
            }
        }
    }

    /// Its saturation bound.
    fn least(self) -> Option<i64> {
        match self {
            Side::Floored(_, _, least) => Some(least.into()),
            Side::Word(_) | Side::Column(..) => None,
        }
    }
}
