//! A partial distribution, here called a *piece*: states at a point inside a block, relative to the
//! states that enter it. Its words are symbolic (an entry column plus a constant), and at most one
//! of them varies. [`super::compose`] takes pieces through the segments of the block,
//! [`Flight::piece`](super::flight::Flight::piece) makes one from the outcomes of a case, and
//! [`super::poured`] accumulates them into a column.

use super::column::{Column, Ranges, is_dense};
use super::live::Live;
use super::needs::Needs;
use super::share::Share;
use super::side::Side;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};
use std::slice;

/// A case with fewer outcomes than this is treated as if it had this many.
const FEW: usize = 1 << 7;

/// Whether a case with this many outcomes is dense enough for a piece of this many numbers.
pub(super) fn fits_piece(numbers: u64, outcomes: usize) -> bool {
    is_dense(numbers, outcomes.max(FEW) as u64)
}

/// A partial distribution; see the module.
#[derive(Clone, Debug)]
pub(super) struct Piece<W> {
    /// The symbolic words: each is a constant, or a column of the entry state plus a constant.
    pub(super) row: Vec<Side>,
    /// The column that varies, from 1 on, or 0 if none does: the numbers are added to its word.
    pub(super) place: usize,
    /// The number that belongs to the first weight.
    pub(super) first: i64,
    /// The weights of consecutive numbers; the first and the last are not zero.
    pub(super) weights: Vec<W>,
    pub(super) roundings: u64,
    /// The maximum fuel of a state since the block began, and whether some states may have burnt
    /// less.
    pub(super) fuel: u64,
    pub(super) mixed: bool,
}

/// Splits a word into its base and the constant that is added to it.
fn parts(side: Side) -> (Side, i64) {
    match side {
        Side::Word(word) => (Side::Word(0), word),
        Side::Column(from, add) => (Side::Column(from, 0), add),
        Side::Floored(from, add, least) => (Side::Floored(from, 0, least), add),
    }
}

/// A word plus a constant.
fn plus(side: Side, by: i64) -> Option<Side> {
    Some(match side {
        Side::Word(word) => Side::Word(word.checked_add(by)?),
        Side::Column(from, add) => Side::Column(from, add.checked_add(by)?),
        Side::Floored(from, add, least) => Side::Floored(from, add.checked_add(by)?, least),
    })
}

impl<W: Weight> Piece<W> {
    /// The identity: the entry states themselves, with this many columns.
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

    /// The range of the numbers that are added to the word in a column.
    pub(super) fn numbers(&self, column: usize) -> RangeInclusive<i64> {
        match column == self.place && column > 0 {
            true => self.first..=self.first.saturating_add(self.weights.len() as i64 - 1),
            false => 0..=0,
        }
    }

    /// The range of the numbers that vary.
    pub(super) fn numbers_that_vary(&self) -> RangeInclusive<i64> {
        self.numbers(self.place)
    }

    /// The variable that holds the varying numbers, if it holds nothing else.
    pub(super) fn local(&self, live: &Live) -> Option<usize> {
        let word = self.place.checked_sub(1)?;
        let is_all = self.weights.len() > 1 && self.row[word] == Side::Word(0);
        live.values.get(word).copied().filter(|_| is_all)
    }

    /// The states with these words, and numbers with these shares added to the word at `place`.
    /// `None` if the numbers are too sparse.
    pub(super) fn of<'a>(
        row: Vec<Side>,
        place: usize,
        numbers: RangeInclusive<i64>,
        shares: impl ExactSizeIterator<Item = (i64, &'a Share<W>)>,
    ) -> Option<Self>
    where
        W: 'a,
    {
        let (first, last) = numbers.into_inner();
        let count = usize::try_from(last.checked_sub(first)?)
            .ok()?
            .checked_add(1)?;
        if !fits_piece(count as u64, shares.len()) {
            return None;
        }
        let mut piece = Self {
            row,
            place,
            first,
            weights: vec![W::zero(); count],
            roundings: 0,
            fuel: 0,
            mixed: false,
        };
        let mut least_fuel = u64::MAX;
        for (number, share) in shares {
            piece.weights[(number - first) as usize].add(&share.weight);
            piece.roundings = share.roundings().max(piece.roundings);
            piece.fuel = share.fuel().max(piece.fuel);
            least_fuel = share.fuel().min(least_fuel);
        }
        piece.mixed = least_fuel < piece.fuel;
        Some(piece.folded())
    }

    /// The number of possible numbers: those with a weight.
    pub(super) fn outcomes(&self) -> u64 {
        let possible = self.weights.iter().filter(|weight| !weight.is_zero());
        possible.count() as u64
    }

    /// The possible numbers with their shares, as the results of a roll.
    pub(super) fn results(&self) -> impl Iterator<Item = (i64, Share<W>)> {
        let numbers = (self.first..).zip(&self.weights);
        let numbers = numbers.filter(|(_, weight)| !weight.is_zero());
        numbers.map(|(number, weight)| (number, Share::new(weight.clone(), self.roundings, 0)))
    }

    /// The same states with one number of weight 1: only the words, and the fuel.
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

    /// The length of its row of weights.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Its probability, relative to the entry states, and the number of roundings.
    pub(super) fn mass(&self) -> (f64, u64) {
        let mut sum = W::zero();
        self.weights.iter().for_each(|weight| sum.add(weight));
        let additions = self.weights.len() as u64;
        (
            sum.ratio(&W::from_u64(1)),
            self.roundings.saturating_add(additions),
        )
    }

    /// Splits its states in two, the half with the greater numbers first.
    pub(super) fn halves(&self) -> [Self; 2] {
        let middle = self.weights.len() / 2;
        let is_there = |number: &usize| !self.weights[*number].is_zero();
        // The first and the last weight are not zero.
        let last = (0..middle).rev().find(is_there).unwrap_or(0);
        let first = (middle..self.weights.len()).find(is_there);
        let first = first.unwrap_or(self.weights.len() - 1);
        [self.part(first..self.weights.len()), self.part(0..last + 1)]
    }

    /// The states whose numbers have these indices.
    fn part(&self, numbers: Range<usize>) -> Self {
        let part = Self {
            row: self.row.clone(),
            first: self.first.saturating_add(numbers.start as i64),
            weights: self.weights[numbers].to_vec(),
            ..*self
        };
        part.folded()
    }

    /// Composes two pieces: `next` applied to these states. `None` if more than one number would
    /// vary.
    pub(super) fn then(&self, next: &Self) -> Option<Self> {
        let (row, own) = self.row_then(next)?;
        if own.is_some_and(|own| next.place > 0 && next.place != own) {
            return None;
        }
        let place = own.unwrap_or(next.place);
        let added = place
            .checked_sub(1)
            .map_or(0, |word| parts(next.row[word]).1);
        let first = own.map_or(0, |_| self.first);
        let mut after = Self {
            row,
            place,
            first: first.checked_add(added)?.checked_add(next.first)?,
            weights: Vec::new(),
            roundings: self.roundings.saturating_add(next.roundings),
            fuel: self.fuel.saturating_add(next.fuel),
            mixed: self.mixed || next.mixed,
        };
        let sum = own.is_none().then(|| self.sum());
        let weights = sum.as_ref().map_or(&self.weights[..], slice::from_ref);
        let numbers = weights.len() + next.weights.len() - 1;
        let outcomes = next.outcomes();
        if !is_dense(
            numbers as u64,
            outcomes.saturating_mul(weights.len() as u64),
        ) {
            return None;
        }
        after.weights.resize(numbers, W::zero());
        W::add_products(&mut after.weights, weights, &next.weights, 0);
        let additions = match own {
            // One rounding for each addition of the sum, and one for the product.
            None => self.weights.len() as u64,
            Some(_) if next.place == 0 => 1,
            Some(_) => 1 + outcomes.min(self.weights.len() as u64),
        };
        after.roundings = after.roundings.saturating_add(additions);
        if place > 0 {
            let least = match next.row[place - 1] {
                Side::Floored(_, _, least) => Some(i64::from(least)),
                Side::Word(_) | Side::Column(..) => None,
            };
            after.lay_floor(least)?;
        }
        Some(after.folded())
    }

    /// The words of the composition, and the column that the own number is in then, if it is in
    /// any. `None` if it would be in more than one.
    fn row_then(&self, next: &Self) -> Option<(Vec<Side>, Option<usize>)> {
        let mut row = Vec::with_capacity(next.row.len());
        let mut own = None;
        for (column, side) in (1..).zip(&next.row) {
            let (from, add, least) = match *side {
                // The numbers that are added to it stay separate.
                Side::Word(_) if column == next.place => {
                    row.push(Side::Word(0));
                    continue;
                }
                Side::Word(_) => {
                    row.push(*side);
                    continue;
                }
                Side::Column(from, add) => (from as usize, add, None),
                Side::Floored(from, add, least) => (from as usize, add, Some(least)),
            };
            let word = self.row[from - 1];
            if (add, least) == (0, None) && from != self.place && column != next.place {
                row.push(word);
                continue;
            }
            let is_own = from == self.place && self.weights.len() > 1;
            if is_own && own.replace(column).is_some() {
                return None;
            }
            row.push(match is_own || column == next.place {
                true => floored(word, &next.added(column, add)?, least)?,
                false => {
                    let by = add.checked_add(*self.numbers(from).start())?;
                    added_to(word, by, least)?
                }
            });
        }
        Some((row, own))
    }

    /// The range of what is added to a word that `next` passes on in this column with `add`.
    fn added(&self, column: usize, add: i64) -> Option<RangeInclusive<i64>> {
        let numbers = self.numbers(column);
        Some(add.checked_add(*numbers.start())?..=add.checked_add(*numbers.end())?)
    }

    /// The same piece; a number that is the only one becomes part of its word.
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

    /// Moves the constant of the varying word into the numbers. If the numbers are all of the word,
    /// those below the saturation bound `least` are raised to it.
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

    /// Merges states with the same words, except for one number; `false` if more than one differs.
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

    /// The word in a column without its numbers, and the range of the numbers.
    fn word_at(&self, place: usize) -> (Side, RangeInclusive<i64>) {
        let (base, by) = parts(self.row[place - 1]);
        let numbers = self.numbers(place);
        (
            base,
            numbers.start().saturating_add(by)..=numbers.end().saturating_add(by),
        )
    }

    /// Makes this column the varying one; `false` if another one varies.
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
}

/// A word plus a constant, with the saturation bound of the sum.
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

/// A word plus these numbers, with the saturation bound of the sum. What is added to a saturating
/// word must be negative: then it does not matter when the bound is applied.
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

/// The common base of two words with their numbers.
fn common<W: Weight>(
    (one, of_one): &(Side, RangeInclusive<i64>),
    (two, of_two): &(Side, RangeInclusive<i64>),
    input: &Column<W>,
) -> Option<Side> {
    let raised = |plain: u32, numbers: &RangeInclusive<i64>, from: u32, least: i32| {
        // Not below the bound before, and nothing was added.
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
