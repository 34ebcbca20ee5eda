//! Pending updates, here called *flights*: the outcomes of a case that pass on the same words, as
//! operations on packed states. Applying one needs no unpacking.

use super::dist::Dist;
use super::packed::{Layout, Move};
use super::piece::{Piece, fits_piece};
use super::plan::Exit;
use super::share::Share;
use super::side::Side;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A column that is passed on unchanged, but for an addition and a saturation bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Handed {
    pub(super) column: usize,
    /// The column that it comes from.
    pub(super) place: usize,
    /// Its saturation bound.
    pub(super) least: Option<i32>,
}

impl Handed {
    /// The source of a column of a new row, with the constant that is added to it; or its constant
    /// value.
    fn of(column: usize, side: Side) -> Result<(Self, i64), i64> {
        let (place, add, least) = match side {
            Side::Word(word) => return Err(word),
            Side::Column(place, add) => (place, add, None),
            Side::Floored(place, add, least) => (place, add, Some(least)),
        };
        let place = place as usize;
        Ok((
            Self {
                column,
                place,
                least,
            },
            add,
        ))
    }

    fn all(row: &[Side]) -> impl Iterator<Item = (Self, i64)> {
        let columns = row.iter().zip(1..);
        columns.filter_map(|(side, column)| Self::of(column, *side).ok())
    }
}

/// The shape of an outcome: outcomes with the same shape belong to one flight.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Passed {
    exit: Exit,
    words: usize,
    handed: Vec<Handed>,
}

impl Passed {
    pub(super) fn of(exit: Exit, row: &[Side]) -> Self {
        let handed = Handed::all(row).map(|(handed, _)| handed);
        Self {
            exit,
            words: row.len(),
            handed: handed.collect(),
        }
    }
}

/// Outcomes with the same exit that pass on the same words.
pub(super) struct Flight<W> {
    pub(super) exit: Exit,
    /// The columns of the new row that are passed on.
    pub(super) handed: Vec<Handed>,
    /// The columns with constant values.
    pub(super) made: Vec<usize>,
    pub(super) outcomes: Vec<Share<W>>,
    /// One row per outcome: the values of `made`, then the constants that are added to `handed`.
    pub(super) numbers: Vec<i64>,
    /// The range of each number of such a row.
    pub(super) ranges: Vec<RangeInclusive<i64>>,
    /// The last [`Route`], cached.
    route: Mutex<Option<Arc<Route>>>,
    /// The same outcomes as a partial distribution, computed on first use.
    piece: OnceLock<Option<Piece<W>>>,
}

/// The precomputed conversion of the outcomes from one layout to another.
struct Route {
    from: Arc<Layout>,
    to: Arc<Layout>,
    moves: Vec<Move>,
    floored: Vec<FlooredMove>,
    /// The part of the new keys that is the same for all states, one key per outcome.
    keys: Vec<u64>,
}

/// How a saturating column moves: the excess over its saturation bound is added to its bits.
struct FlooredMove {
    place: usize,
    least: i64,
    /// The index of its addend in the row of an outcome.
    added: usize,
    to: usize,
    up: u32,
}

impl FlooredMove {
    #[inline]
    fn code(&self, word: i64, add: i64) -> u64 {
        let word = word.saturating_add(add).max(self.least);
        (word.wrapping_sub(self.least) as u64) << self.up
    }
}

impl Route {
    /// The part of a key that is passed on, if the new key is one word.
    #[inline]
    fn handed(&self, key: &[u64]) -> u64 {
        let mut handed = [0];
        self.moves
            .iter()
            .for_each(|step| step.apply(key, &mut handed));
        handed[0]
    }

    /// Writes the new key of a state for one outcome.
    #[inline]
    fn write(&self, key: &[u64], made: &[u64], into: &mut [u64]) {
        into.copy_from_slice(made);
        self.moves.iter().for_each(|step| step.apply(key, into));
    }
}

impl<W: Weight> Flight<W> {
    /// A flight for outcomes with this exit and shape, still empty.
    pub(super) fn new(exit: Exit, row: &[Side]) -> Self {
        let handed: Vec<Handed> = Handed::all(row).map(|(handed, _)| handed).collect();
        let words = row.iter().zip(1..);
        let words = words.filter(|(side, column)| Handed::of(*column, **side).is_err());
        // Column 0 is the length of the row.
        let made = std::iter::once(0).chain(words.map(|(_, column)| column));
        Self {
            exit,
            handed,
            made: made.collect(),
            outcomes: Vec::new(),
            numbers: Vec::new(),
            ranges: Vec::new(),
            route: Mutex::default(),
            piece: OnceLock::new(),
        }
    }

    /// The flight of consecutive numbers: rows like this one, with a number added to the word in
    /// one column, if that is not 0.
    pub(super) fn of_numbers(
        exit: Exit,
        row: &[Side],
        (place, range): (usize, &RangeInclusive<i64>),
        outcomes: impl Iterator<Item = (i64, Share<W>)>,
    ) -> Self {
        let mut flight = Self::new(exit, row);
        flight.numbers.push(row.len() as i64);
        let words = row.iter().zip(1..);
        let made = words.filter_map(|(side, column)| Handed::of(column, *side).err());
        flight.numbers.extend(made);
        flight.numbers.extend(Handed::all(row).map(|(_, add)| add));
        let numbers = std::mem::take(&mut flight.numbers);
        flight.ranges = numbers.iter().map(|number| *number..=*number).collect();
        let handed = flight.handed.iter().map(|handed| handed.column);
        let mut columns = flight.made.iter().copied().chain(handed);
        let varied = columns.position(|column| column == place && place > 0);
        if let Some(varied) = varied {
            let word = numbers[varied];
            flight.ranges[varied] =
                word.wrapping_add(*range.start())..=word.wrapping_add(*range.end());
        }
        let most = outcomes.size_hint().1.unwrap_or(0);
        flight.numbers.reserve(most * numbers.len());
        flight.outcomes.reserve(most);
        for (number, share) in outcomes {
            let start = flight.numbers.len();
            flight.numbers.extend_from_slice(&numbers);
            if let Some(varied) = varied {
                let word = &mut flight.numbers[start + varied];
                *word = word.wrapping_add(number);
            }
            flight.outcomes.push(share);
        }
        flight
    }

    /// The states of a piece as outcomes of its block.
    pub(super) fn of_piece(exit: Exit, piece: &Piece<W>) -> Self {
        let share = |weight: &W| Share::new(weight.clone(), piece.roundings, piece.fuel);
        let outcomes = (piece.first..).zip(&piece.weights);
        let outcomes = outcomes.filter(|(_, weight)| !weight.is_zero());
        let outcomes = outcomes.map(|(number, weight)| (number, share(weight)));
        let numbers = piece.numbers(piece.place);
        Self::of_numbers(exit, &piece.row, (piece.place, &numbers), outcomes)
    }

    /// Whether an outcome passes on the same words and has the same exit.
    pub(super) fn takes(&self, exit: Exit, row: &[Side]) -> bool {
        self.exit == exit
            && self.width() == row.len() + 1
            && Handed::all(row)
                .map(|(handed, _)| handed)
                .eq(self.handed.iter().copied())
    }

    /// Adds an outcome of the same shape.
    pub(super) fn push(&mut self, row: &[Side], share: Share<W>) {
        let first = self.numbers.len();
        self.numbers.push(row.len() as i64);
        let columns = || row.iter().zip(1..);
        let made = columns().filter_map(|(side, column)| Handed::of(column, *side).err());
        self.numbers.extend(made);
        self.numbers.extend(Handed::all(row).map(|(_, add)| add));
        self.outcomes.push(share);
        let numbers = &self.numbers[first..];
        if first == 0 {
            let ranges = numbers.iter().map(|number| *number..=*number);
            self.ranges = ranges.collect();
            return;
        }
        for (range, number) in self.ranges.iter_mut().zip(numbers) {
            if !range.contains(number) {
                *range = *number.min(range.start())..=*number.max(range.end());
            }
        }
    }

    /// Its approximate size in words, with the piece that may be cached for it.
    pub(super) fn size(&self) -> usize {
        let outcomes = self.outcomes.len();
        let spans = self
            .ranges
            .iter()
            .map(|range| range.end().abs_diff(*range.start()));
        let widest = spans.max().unwrap_or(0).saturating_add(1);
        let piece = match fits_piece(widest, outcomes) {
            true => widest as usize + self.width(),
            false => 0,
        };
        2 * outcomes * (self.width() + 4) + 4 * self.width() + piece + 32
    }

    /// The same outcomes as a partial distribution; `None` if more than one word varies, or one in
    /// too wide a range.
    pub(super) fn piece(&self) -> Option<&Piece<W>> {
        let piece = self.piece.get_or_init(|| self.to_piece());
        piece.as_ref()
    }

    fn to_piece(&self) -> Option<Piece<W>> {
        let (made, added) = self.ranges.split_at(self.made.len());
        let words = usize::try_from(*made.first()?.start()).ok()?;
        let mut row = vec![Side::Word(0); words];
        for (column, range) in self.made.iter().zip(made).skip(1) {
            row[column - 1] = Side::Word(*range.start());
        }
        for (handed, range) in self.handed.iter().zip(added) {
            let (from, add) = (handed.place as u32, *range.start());
            row[handed.column - 1] = match handed.least {
                Some(least) => Side::Floored(from, add, least),
                None => Side::Column(from, add),
            };
        }
        let handed = self.handed.iter().map(|handed| handed.column);
        let columns = self.made.iter().copied().chain(handed);
        let varied = columns.zip(&self.ranges).enumerate();
        let mut varied = varied.filter(|(_, (_, range))| range.start() != range.end());
        let Some((index, (place, range))) = varied.next() else {
            return Piece::of(
                row,
                0,
                0..=0,
                self.outcomes.iter().map(|outcome| (0, outcome)),
            );
        };
        if place == 0 || varied.next().is_some() {
            return None;
        }
        let first = *range.start();
        let numbers = 0..=range.end().checked_sub(first)?;
        let varied = self.numbers.iter().skip(index).step_by(self.width());
        let varied = varied.map(|number| number - first);
        Piece::of(row, place, numbers, varied.zip(&self.outcomes))
    }

    /// Accumulates the outcomes of some states of `input` into the distribution at the exit;
    /// `total` is the total of the weights.
    pub(super) fn pour(&self, input: &Dist<W>, states: Range<usize>, total: &W, to: &mut Dist<W>) {
        to.pack();
        let factor = to.align(total);
        let factor = factor.as_ref();
        let route = self.route(input.layout(), to);
        let stride = route.to.stride();
        match route.floored.as_slice() {
            [] if stride == 1 => {
                for state in states {
                    let (handed, share) = (route.handed(input.key(state)), input.share(state));
                    for (made, outcome) in route.keys.iter().zip(&self.outcomes) {
                        let share = share.of(outcome).scaled(factor);
                        to.insert(&[handed.wrapping_add(*made)], share);
                    }
                }
            }
            [floored] if stride == 1 => {
                self.pour_floored((&route, floored), input, states, factor, to)
            }
            all => {
                let mut key = vec![0; stride];
                for state in states {
                    let (from, share) = (input.key(state), input.share(state));
                    let made = route.keys.chunks(stride).zip(&self.outcomes);
                    for ((made, outcome), numbers) in made.zip(self.numbers.chunks(self.width())) {
                        route.write(from, made, &mut key);
                        for floored in all {
                            let word = route.from.read(from, floored.place);
                            let code = floored.code(word, numbers[floored.added]);
                            key[floored.to] = key[floored.to].wrapping_add(code);
                        }
                        to.insert(&key, share.of(outcome).scaled(factor));
                    }
                }
            }
        }
    }

    /// The same with one saturating column: consecutive outcomes that saturate are merged into one.
    fn pour_floored(
        &self,
        (route, floored): (&Route, &FlooredMove),
        input: &Dist<W>,
        states: Range<usize>,
        factor: Option<&W>,
        to: &mut Dist<W>,
    ) {
        let added = || self.numbers.iter().skip(floored.added);
        for state in states {
            let (from, share) = (input.key(state), input.share(state));
            let (handed, word) = (route.handed(from), route.from.read(from, floored.place));
            let mut last: Option<(u64, Share<W>)> = None;
            let outcomes = route.keys.iter().zip(&self.outcomes);
            for ((made, outcome), add) in outcomes.zip(added().step_by(self.width())) {
                let key = handed.wrapping_add(*made);
                let key = key.wrapping_add(floored.code(word, *add));
                let share = share.of(outcome).scaled(factor);
                match &mut last {
                    Some((same, sum)) if *same == key => sum.join(share),
                    _ => {
                        if let Some((key, share)) = last.replace((key, share)) {
                            to.insert(&[key], share);
                        }
                    }
                }
            }
            if let Some((key, share)) = last {
                to.insert(&[key], share);
            }
        }
    }

    /// Whether different states of this layout stay different after an outcome, because every
    /// varying column is passed on.
    pub(super) fn is_injective(&self, layout: &Layout) -> bool {
        let handed = |column| self.handed.iter().any(|handed| handed.place == column);
        layout.varied().all(handed) && self.handed.iter().all(|handed| handed.least.is_none())
    }

    /// Moves all states at once, if each has one outcome and they stay different; `to` is empty.
    pub(super) fn pass(&self, input: &Dist<W>, total: &W, to: &mut Dist<W>) {
        let Some(outcome) = self.outcomes.first() else {
            return;
        };
        let factor = to.align(total);
        let route = self.route(input.layout(), to);
        let stride = route.to.stride();
        to.extend(input.len(), |state, keys| {
            let place = keys.len();
            keys.resize(place + stride, 0);
            route.write(input.key(state), &route.keys, &mut keys[place..]);
            input.share(state).of(outcome).scaled(factor.as_ref())
        });
    }

    fn route(&self, from: &Arc<Layout>, to: &mut Dist<W>) -> Arc<Route> {
        let mut known = self.route.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(route) = &*known
            && Arc::ptr_eq(&route.from, from)
            && Arc::ptr_eq(&route.to, to.layout())
        {
            return route.clone();
        }
        self.cover(from, to);
        let layout = to.layout();
        let (mut moves, mut floored) = (Vec::new(), Vec::new());
        let mut key = vec![0_u64; layout.stride()];
        for (handed, added) in self.handed.iter().zip(self.made.len()..) {
            let range = from.range(handed.place);
            let base = match handed.least {
                Some(least) => {
                    let (to, up) = layout.position(handed.column);
                    floored.push(FlooredMove {
                        place: handed.place,
                        least: least.into(),
                        added,
                        to,
                        up,
                    });
                    least.into()
                }
                None if range.start() == range.end() => *range.start(),
                None => {
                    moves.push(layout.step(handed.column, from, handed.place));
                    continue;
                }
            };
            let (word, code) = layout.code(handed.column, base);
            key[word] = key[word].wrapping_add(code);
        }
        let mut keys = Vec::with_capacity(self.outcomes.len() * key.len());
        for numbers in self.numbers.chunks(self.width()) {
            let first = keys.len();
            keys.extend_from_slice(&key);
            let (made, added) = numbers.split_at(self.made.len());
            let made = self.made.iter().zip(made);
            let made = made.map(|(column, number)| layout.code(*column, *number));
            let added = self.handed.iter().zip(added);
            let added = added.filter(|(handed, _)| handed.least.is_none());
            let added = added.map(|(handed, by)| layout.growth(handed.column, *by));
            for (word, code) in made.chain(added) {
                keys[first + word] = keys[first + word].wrapping_add(code);
            }
        }
        let route = Arc::new(Route {
            from: from.clone(),
            to: layout.clone(),
            moves,
            floored,
            keys,
        });
        *known = Some(route.clone());
        route
    }

    /// Makes room in the layout of `to` for all outcomes of states of another layout.
    fn cover(&self, from: &Layout, to: &mut Dist<W>) {
        let (made, added) = self.ranges.split_at(self.made.len());
        let handed = self.handed.iter().zip(added).map(|(handed, added)| {
            let range = from.range(handed.place);
            let mut least = range.start().saturating_add(*added.start());
            let mut most = range.end().saturating_add(*added.end());
            if let Some(floor) = handed.least {
                (least, most) = (least.max(floor.into()), most.max(floor.into()));
                // The numbers of such a column are stored relative to its bound.
                least = least.min(floor.into());
            }
            (handed.column, least..=most)
        });
        let made = self.made.iter().copied().zip(made.iter().cloned());
        let mut columns: Vec<_> = handed.chain(made).collect();
        columns.sort_unstable_by_key(|(column, _)| *column);
        to.cover(columns.into_iter());
    }

    /// The rows of its outcomes for a state with this row, and their shares.
    pub(super) fn rows(&self, input: &[i64]) -> impl Iterator<Item = (Vec<i64>, &Share<W>)> {
        let rows = self.numbers.chunks(self.width()).map(|numbers| {
            let (made, added) = numbers.split_at(self.made.len());
            let mut row = vec![0; self.width() - 1];
            // Column 0 is the length of the row.
            for (column, number) in self.made.iter().zip(made).skip(1) {
                row[column - 1] = *number;
            }
            for (handed, add) in self.handed.iter().zip(added) {
                let word = input[handed.place - 1].wrapping_add(*add);
                row[handed.column - 1] = handed.least.map_or(word, |least| word.max(least.into()));
            }
            row
        });
        rows.zip(&self.outcomes)
    }

    /// The length of a row of an outcome.
    pub(super) fn width(&self) -> usize {
        self.made.len() + self.handed.len()
    }
}
