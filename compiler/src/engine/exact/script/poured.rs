//! Pieces for the states of a column: where both vary in one word, their numbers add up, and their
//! weights are convolved.

use super::case::Side;
use super::column::Column;
use super::dist::Dist;
use super::piece::Piece;
use dicec_runtime::pmf::Weight;
use std::borrow::Cow;
use std::ops::Range;
use std::slice;

impl<W: Weight> Piece<W> {
    /// Adds what becomes of some states of a column to the distribution that they lead to; `total`
    /// is the total of the weights. `false` if they do not make a column there.
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
        // What does not get above the least number is added up there.
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

    /// The column of the word that varies after that, or 0, and whether the states of the column,
    /// which are this many, differ there; `None` if more than one word varies.
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

/// The sum of the products of weights whose indices add up to less than this.
fn low<W: Weight>(states: &[W], own: &[W], end: usize) -> W {
    // The first ones meet all states, the others fewer and fewer.
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

/// The sums of the weights up to each of them.
fn running_sums<W: Weight>(weights: &[W]) -> Vec<W> {
    let mut sum = W::zero();
    let sums = weights.iter().map(|weight| {
        sum.add(weight);
        sum.clone()
    });
    sums.collect()
}

impl Side {
    /// What it is for a state of a column, without its floor.
    #[inline]
    fn of<W>(self, column: &Column<W>, state: usize) -> i64 {
        match self {
            Side::Word(word) => word,
            Side::Column(from, add) | Side::Floored(from, add, _) => {
                column.word(state, from as usize).saturating_add(add)
            }
        }
    }

    /// Its floor.
    fn least(self) -> Option<i64> {
        match self {
            Side::Floored(_, _, least) => Some(least.into()),
            Side::Word(_) | Side::Column(..) => None,
        }
    }
}
