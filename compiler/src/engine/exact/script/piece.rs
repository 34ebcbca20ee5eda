//! States at a point inside a block, relative to the states that enter it: what their words are
//! made of, and at most one number that has several values. [`super::compose`] takes them through
//! the segments of the block.

use super::case::{Exit, Side};
use super::column::{Column, Ranges, is_dense};
use super::dist::Share;
use super::flight::Flight;
use super::live::Live;
use super::seen::Needs;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Piece<W> {
    /// The words, by those of the states that enter the block.
    pub(super) row: Vec<Side>,
    /// The column that varies, from 1 on, or 0: a number is added to it.
    place: usize,
    /// The number of the first weight.
    first: i64,
    /// By number; the first and the last are not zero.
    weights: Vec<W>,
    roundings: u64,
    /// The maximum fuel of a state since the block began, and whether some may have burnt less.
    pub(super) fuel: u64,
    pub(super) mixed: bool,
}

/// What a word is, and what is added to it.
fn parts(side: Side) -> (Side, i64) {
    match side {
        Side::Word(word) => (Side::Word(0), word),
        Side::Column(from, add) => (Side::Column(from, 0), add),
        Side::Floored(from, add, least) => (Side::Floored(from, 0, least), add),
    }
}

/// A word with more added to it.
fn plus(side: Side, by: i64) -> Option<Side> {
    Some(match side {
        Side::Word(word) => Side::Word(word.checked_add(by)?),
        Side::Column(from, add) => Side::Column(from, add.checked_add(by)?),
        Side::Floored(from, add, least) => Side::Floored(from, add.checked_add(by)?, least),
    })
}

impl<W: Weight> Piece<W> {
    /// The states that enter the block, with words in this many columns.
    pub(super) fn entering(words: usize) -> Self {
        Self {
            row: (1..)
                .take(words)
                .map(|column| Side::Column(column, 0))
                .collect(),
            place: 0,
            first: 0,
            weights: vec![W::from_u64(1)],
            roundings: 0,
            fuel: 0,
            mixed: false,
        }
    }

    /// What is added to the word in a column.
    pub(super) fn numbers(&self, column: usize) -> RangeInclusive<i64> {
        match column == self.place && column > 0 {
            true => self.first..=self.first.saturating_add(self.weights.len() as i64 - 1),
            false => 0..=0,
        }
    }

    /// The numbers that vary.
    pub(super) fn numbers_that_vary(&self) -> RangeInclusive<i64> {
        self.numbers(self.place)
    }

    /// The variable that these numbers are in, if nothing else is.
    pub(super) fn local(&self, live: &Live) -> Option<usize> {
        let word = self.place.checked_sub(1)?;
        let is_all = self.weights.len() > 1 && self.row[word] == Side::Word(0);
        live.values.get(word).copied().filter(|_| is_all)
    }

    /// Its numbers as the results of a roll.
    pub(super) fn results(&self) -> impl Iterator<Item = (i64, Share<W>)> {
        let numbers = (self.first..).zip(&self.weights);
        let numbers = numbers.filter(|(_, weight)| !weight.is_zero());
        numbers.map(|(number, weight)| (number, Share::new(weight.clone(), self.roundings, 0)))
    }

    /// The same states without their numbers.
    pub(super) fn without_numbers(&self) -> Self {
        Self {
            row: self.row.clone(),
            place: 0,
            first: 0,
            weights: vec![W::from_u64(1)],
            roundings: 0,
            ..*self
        }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Its probability, if that of the states that enter is 1.
    pub(super) fn mass(&self) -> (f64, u64) {
        let mut sum = W::zero();
        self.weights.iter().for_each(|weight| sum.add(weight));
        let additions = self.weights.len() as u64;
        (
            sum.ratio(&W::from_u64(1)),
            self.roundings.saturating_add(additions),
        )
    }

    /// Its states in two parts, the one with the greater numbers first.
    pub(super) fn halves(&self) -> [Self; 2] {
        let middle = self.weights.len() / 2;
        let is_there = |number: &usize| !self.weights[*number].is_zero();
        // The first and the last are there.
        let last = (0..middle).rev().find(is_there).unwrap_or(0);
        let first = (middle..self.weights.len()).find(is_there);
        let first = first.unwrap_or(self.weights.len() - 1);
        [self.part(first..self.weights.len()), self.part(0..last + 1)]
    }

    /// Those of its states that have one of some numbers, by their index.
    fn part(&self, numbers: Range<usize>) -> Self {
        let part = Self {
            row: self.row.clone(),
            first: self.first.saturating_add(numbers.start as i64),
            weights: self.weights[numbers].to_vec(),
            ..*self
        };
        part.folded()
    }

    /// Its states after the outcomes of a flight that all of them have; `None` if more than one
    /// number would vary.
    pub(super) fn after(&self, flight: &Flight<W>) -> Option<Self> {
        let (made, added) = flight.ranges.split_at(flight.made.len());
        let length = *made.first()?.start();
        let mut row = vec![Side::Word(0); usize::try_from(length).ok()?];
        let mut varied = None;
        let mut vary = |column: usize, index: usize| match varied {
            None => {
                varied = Some((column, index));
                Some(())
            }
            Some(_) => None,
        };
        for (index, (column, range)) in flight.made.iter().zip(made).enumerate().skip(1) {
            if range.start() == range.end() {
                row[column - 1] = Side::Word(*range.start());
            } else {
                vary(*column, index)?;
            }
        }
        // The columns that its own number is handed to.
        let mut own: Option<(usize, i64)> = None;
        let handed = flight.handed.iter().zip(added);
        for (index, (handed, range)) in (flight.made.len()..).zip(handed) {
            let fixed = range.start() == range.end();
            let is_own = handed.place == self.place && self.weights.len() > 1;
            let side = self.row[handed.place - 1];
            row[handed.column - 1] = match (fixed, is_own) {
                (true, false) => {
                    let by = range
                        .start()
                        .checked_add(*self.numbers(handed.place).start())?;
                    added_to(side, by, handed.least)?
                }
                _ => floored(side, range, handed.least)?,
            };
            if is_own {
                let by = if fixed { *range.start() } else { 0 };
                if own.replace((handed.column, by)).is_some() {
                    return None;
                }
            }
            if !fixed {
                vary(handed.column, index)?;
            }
        }
        let least = |column: usize| {
            let handed = flight.handed.iter().find(|handed| handed.column == column);
            handed.and_then(|handed| handed.least).map(i64::from)
        };
        let fuels = || flight.outcomes.iter().map(|outcome| outcome.fuel());
        let (least_fuel, fuel) = (fuels().min()?, fuels().max()?);
        let roundings = flight
            .outcomes
            .iter()
            .map(|outcome| outcome.roundings())
            .max()?;
        let mut after = Self {
            row,
            place: 0,
            first: 0,
            weights: Vec::new(),
            roundings: self.roundings.saturating_add(roundings).saturating_add(1),
            fuel: self.fuel.saturating_add(fuel),
            mixed: self.mixed || least_fuel != fuel,
        };
        match (own, varied) {
            (own, None) => {
                let [outcome] = flight.outcomes.as_slice() else {
                    return None;
                };
                match own {
                    Some((column, by)) => {
                        after.place = column;
                        after.first = self.first.checked_add(by)?;
                        after.weights = vec![W::zero(); self.weights.len()];
                        W::add_scaled(&mut after.weights, &self.weights, &outcome.weight);
                    }
                    None => after.weights = vec![self.sum().mul(&outcome.weight)],
                }
                after.count_sum(own.is_none(), self.weights.len());
            }
            (None, Some((column, index))) => {
                after.place = column;
                let (sum, one) = (self.sum(), self.weights.len());
                after.spread(flight, index, &[sum])?;
                after.count_sum(true, one);
            }
            (Some((column, _)), Some((other, index))) => {
                if column != other {
                    return None;
                }
                after.place = column;
                after.first = self.first;
                after.spread(flight, index, &self.weights)?;
                let additions = flight.outcomes.len().min(self.weights.len()) as u64;
                after.roundings = after.roundings.saturating_add(additions);
            }
        }
        if after.place > 0 {
            after.lay_floor(least(after.place))?;
        }
        Some(after.folded())
    }

    /// The same, with a number that is the only one as part of its word.
    fn folded(mut self) -> Self {
        if self.place > 0
            && self.weights.len() == 1
            && let Some(sum) = plus(self.row[self.place - 1], self.first)
        {
            self.row[self.place - 1] = sum;
            (self.place, self.first) = (0, 0);
        }
        self
    }

    fn sum(&self) -> W {
        let mut sum = W::zero();
        self.weights.iter().for_each(|weight| sum.add(weight));
        sum
    }

    fn count_sum(&mut self, summed: bool, numbers: usize) {
        if summed {
            self.roundings = self.roundings.saturating_add(numbers as u64 - 1);
        }
    }

    /// Sets the weights: those of the outcomes of a flight, by one of its numbers, times `weights`.
    fn spread(&mut self, flight: &Flight<W>, index: usize, weights: &[W]) -> Option<()> {
        let range = &flight.ranges[index];
        let span = range.end().checked_sub(*range.start())?;
        let span = u64::try_from(span)
            .ok()?
            .checked_add(weights.len() as u64)?;
        if !is_dense(span, (flight.outcomes.len() * weights.len()) as u64) {
            return None;
        }
        self.first = self.first.checked_add(*range.start())?;
        self.weights = vec![W::zero(); span as usize];
        let numbers = flight.numbers.iter().skip(index).step_by(flight.width());
        for (number, outcome) in numbers.zip(&flight.outcomes) {
            let at = (number - range.start()) as usize;
            W::add_scaled(
                &mut self.weights[at..][..weights.len()],
                weights,
                &outcome.weight,
            );
        }
        Some(())
    }

    /// Puts what is added to the word that varies into its numbers, and raises numbers that are all
    /// of it to a floor.
    fn lay_floor(&mut self, least: Option<i64>) -> Option<()> {
        let (base, by) = parts(self.row[self.place - 1]);
        self.row[self.place - 1] = base;
        self.first = self.first.checked_add(by)?;
        if let (Side::Word(_), Some(least)) = (base, least) {
            let below = least.saturating_sub(self.first).max(0) as u64;
            if below > 0 {
                let below = (below as usize).min(self.weights.len() - 1);
                let mut sum = W::zero();
                let low = self.weights.drain(..=below);
                low.for_each(|weight| sum.add(&weight));
                self.weights.insert(0, sum);
                self.first = least;
                self.roundings = self.roundings.saturating_add(below as u64);
            }
        }
        Some(())
    }

    /// Adds states with the same words, except for one number; `false` if they are not such.
    pub(super) fn join(&mut self, other: &mut Self, input: &Column<W>, needs: &mut Needs) -> bool {
        if self.row.len() != other.row.len() {
            return false;
        }
        let mut place = match (self.place, other.place) {
            (0, place) | (place, 0) => place,
            (one, two) if one == two => one,
            _ => return false,
        };
        let rows = self.row.iter().zip(&other.row);
        for (column, (one, two)) in (1..).zip(rows) {
            if one == two || column == place {
                continue;
            }
            if place != 0 {
                return false;
            }
            place = column;
        }
        if place > 0 {
            let [one, two] = [&*self, &*other].map(|piece| piece.word_at(place));
            let Some(base) = common(&one, &two, input) else {
                return false;
            };
            if let Side::Floored(from, _, least) = base
                && one.0 != two.0
            {
                needs.add(from as usize, i64::from(least)..=i64::MAX);
            }
            if !self.varies(place, base) || !other.varies(place, base) {
                return false;
            }
        }
        self.add(other)
    }

    /// The word in a column without its numbers, and the numbers.
    fn word_at(&self, place: usize) -> (Side, RangeInclusive<i64>) {
        let (base, by) = parts(self.row[place - 1]);
        let numbers = self.numbers(place);
        (
            base,
            numbers.start().saturating_add(by)..=numbers.end().saturating_add(by),
        )
    }

    /// Makes a column the one that varies.
    fn varies(&mut self, place: usize, base: Side) -> bool {
        let (_, by) = parts(self.row[place - 1]);
        let Some(first) = self.first.checked_add(by) else {
            return false;
        };
        (self.place, self.first) = (place, first);
        self.row[place - 1] = base;
        true
    }

    /// Adds the weights of states that vary in the same column.
    fn add(&mut self, other: &Self) -> bool {
        let last = |piece: &Self| piece.first.saturating_add(piece.weights.len() as i64 - 1);
        let least = self.first.min(other.first);
        let most = last(self).max(last(other));
        let span = most.saturating_sub(least).saturating_add(1) as u64;
        if !is_dense(span, (self.weights.len() + other.weights.len()) as u64) {
            return false;
        }
        let before = (self.first - least) as usize;
        if before > 0 || span as usize > self.weights.len() {
            let mut weights = vec![W::zero(); span as usize];
            let old = self.weights.drain(..);
            weights[before..]
                .iter_mut()
                .zip(old)
                .for_each(|(to, weight)| *to = weight);
            self.weights = weights;
            self.first = least;
        }
        let at = (other.first - least) as usize;
        let sums = &mut self.weights[at..][..other.weights.len()];
        W::add_scaled(sums, &other.weights, &W::from_u64(1));
        self.roundings = self.roundings.max(other.roundings).saturating_add(1);
        self.mixed |= other.mixed || self.fuel != other.fuel;
        self.fuel = self.fuel.max(other.fuel);
        true
    }

    /// The outcomes of the block that lead to these states.
    pub(super) fn flight(&self, exit: Exit) -> Flight<W> {
        let share = |weight: &W| Share::new(weight.clone(), self.roundings, self.fuel);
        let outcomes = (self.first..).zip(&self.weights);
        let outcomes = outcomes.filter(|(_, weight)| !weight.is_zero());
        let outcomes = outcomes.map(|(number, weight)| (number, share(weight)));
        let numbers = self.numbers(self.place);
        Flight::of_numbers(exit, &self.row, (self.place, &numbers), outcomes)
    }
}

/// A word that something is added to, with the floor that it then has.
fn added_to(side: Side, by: i64, least: Option<i32>) -> Option<Side> {
    let side = match side {
        Side::Floored(..) if by == 0 && least.is_none() => return Some(side),
        side => floored(side, &(by..=by), least)?,
    };
    let sum = plus(side, by)?;
    Some(match (sum, least) {
        (Side::Word(word), Some(least)) => Side::Word(word.max(least.into())),
        (sum, _) => sum,
    })
}

/// A word that these numbers are added to, with the floor that it then has. What is added to a word
/// with a floor has to be negative: then it does not matter when the floor is laid.
fn floored(side: Side, by: &RangeInclusive<i64>, least: Option<i32>) -> Option<Side> {
    match (side, least) {
        (Side::Floored(_, _, floor), Some(least)) => {
            (floor == least && *by.end() <= 0).then_some(side)
        }
        (Side::Floored(..), None) => (*by == (0..=0)).then_some(side),
        (Side::Column(from, add), Some(least)) => Some(Side::Floored(from, add, least)),
        (Side::Word(_) | Side::Column(..), _) => Some(side),
    }
}

/// The word that two words with their numbers have in common.
fn common<W: Weight>(
    (one, of_one): &(Side, RangeInclusive<i64>),
    (two, of_two): &(Side, RangeInclusive<i64>),
    input: &Column<W>,
) -> Option<Side> {
    let raised = |plain: u32, numbers: &RangeInclusive<i64>, from: u32, least: i32| {
        // Not below the floor before, and nothing was added.
        let range = input.known_range(plain as usize)?;
        (plain == from && *numbers == (0..=0) && *range.start() >= i64::from(least))
            .then_some(Side::Floored(from, 0, least))
    };
    match (*one, *two) {
        (one, two) if one == two => Some(one),
        (Side::Column(plain, _), Side::Floored(from, _, least)) => {
            raised(plain, of_one, from, least)
        }
        (Side::Floored(from, _, least), Side::Column(plain, _)) => {
            raised(plain, of_two, from, least)
        }
        _ => None,
    }
}
