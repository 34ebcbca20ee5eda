//! Memoised steps, here called *cases*: the outcomes of a segment as a function of the words that
//! it reads. Few words of a state decide what happens to it, and the others are passed on
//! unchanged. So a segment is computed once for all states that give the same answers to the same
//! questions, and replayed for each of them on its packed form.
//!
//! [`super::known`] holds the cached cases.

use super::bill::Bill;
use super::column::Ranges;
use super::dist::Share;
use super::flight::{Flight, Passed};
use super::notes::Notes;
use super::reads::{is_small, mirrored, resolved};
use super::roll_distributions::Rolled;
use dicec_lang::hir::CompareOp;
use dicec_runtime::pmf::Weight;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A symbolic word, the same expression in every state of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// A constant.
    Word(i64),
    /// The word in this column of the row, plus a constant. Constants are added only to small
    /// words.
    Column(u32, i64),
    /// The same, saturated: at least the third number.
    Floored(u32, i64, i32),
}

impl Side {
    /// The column that it depends on.
    pub(super) fn column(self) -> Option<u32> {
        match self {
            Side::Word(_) => None,
            Side::Column(place, _) | Side::Floored(place, ..) => Some(place),
        }
    }

    /// Its value in a row, whose columns `read` reads.
    #[inline]
    pub(super) fn number(self, read: impl Fn(usize) -> i64) -> i64 {
        match self {
            Side::Word(word) => word,
            Side::Column(place, add) => read(place as usize).wrapping_add(add),
            Side::Floored(place, add, least) => {
                let word = read(place as usize).wrapping_add(add);
                word.max(least.into())
            }
        }
    }

    /// The range of its values in these states.
    fn range(self, states: &impl Ranges) -> Option<RangeInclusive<i64>> {
        let (place, add, least) = match self {
            Side::Word(word) => return Some(word..=word),
            Side::Column(place, add) => (place, add, None),
            Side::Floored(place, add, least) => (place, add, Some(i64::from(least))),
        };
        let range = states.known_range(place as usize)?;
        let ends = [range.start(), range.end()].map(|end| end.checked_add(add));
        let [Some(first), Some(last)] = ends else {
            return None;
        };
        let least = least.unwrap_or(i64::MIN);
        Some(first.max(least)..=last.max(least))
    }
}

/// The only number of a range, if it has just one.
fn point(range: &RangeInclusive<i64>) -> Option<i64> {
    (range.start() == range.end()).then(|| *range.start())
}

/// A question about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The word in a column; column 0 is the length of the row.
    Word(u32),
    /// The result of a comparison.
    Compare(CompareOp, Side, Side),
    /// Whether the word in a column is small ([`super::reads::SMALL`]).
    Small(u32),
    /// The value of a resource.
    Resource(u32),
}

impl Question {
    /// The columns that it reads.
    pub(super) fn columns(self) -> impl Iterator<Item = u32> {
        let columns = match self {
            Question::Word(place) | Question::Small(place) => [Some(place), None],
            Question::Compare(_, left, right) => [left.column(), right.column()],
            Question::Resource(_) => [None; 2],
        };
        columns.into_iter().flatten()
    }

    /// The words that it compares, with their columns, if they are the same in all rows.
    pub(super) fn pair(self, states: &impl Ranges) -> Option<Pair> {
        let Question::Compare(_, Side::Column(one, _), Side::Column(two, _)) = self else {
            return None;
        };
        let words = (constant(states, one)?, constant(states, two)?);
        Some(((one, two), words))
    }

    /// The answer, if it compares the words of this pair.
    pub(super) fn of_pair(self, pair: Option<Pair>) -> Option<i64> {
        let (columns, (left, right)) = pair?;
        match self {
            Question::Compare(op, Side::Column(one, add), Side::Column(two, by))
                if (one, two) == columns =>
            {
                let (left, right) = (left.wrapping_add(add), right.wrapping_add(by));
                Some(i64::from(op.holds(left.cmp(&right))))
            }
            _ => None,
        }
    }

    /// The answer, if it is the same for all rows.
    pub(super) fn resolved(self, states: &impl Ranges, resources: &[i64]) -> Option<i64> {
        match self {
            Question::Resource(slot) => resources.get(slot as usize).copied(),
            Question::Small(place) => {
                let range = states.known_range(place as usize)?;
                let small = is_small(*range.start()) && is_small(*range.end());
                small.then_some(1)
            }
            Question::Word(place) => constant(states, place),
            Question::Compare(op, left, right) => {
                let (left, right) = (left.range(states)?, right.range(states)?);
                let answer = match (point(&left), point(&right)) {
                    (_, Some(word)) => resolved(op, &left, word),
                    (Some(word), None) => resolved(mirrored(op), &right, word),
                    (None, None) => None,
                };
                answer.map(i64::from)
            }
        }
    }

    /// A lower bound on the number of states, from the first on, that give the same answer, if the
    /// question compares words of which one grows from state to state. `word` reads a column of a
    /// state.
    pub(super) fn alike(self, states: usize, word: impl Fn(usize, usize) -> i64) -> Option<usize> {
        let Question::Compare(_, left, right) = self else {
            return None;
        };
        let order = |state| {
            let [left, right] = [left, right].map(|side| side.number(|place| word(state, place)));
            left.cmp(&right)
        };
        let first = order(0);
        let (mut alike, mut others) = (1, states);
        while alike < others {
            let middle = alike.midpoint(others);
            match order(middle) == first {
                true => alike = middle + 1,
                false => others = middle,
            }
        }
        Some(alike)
    }

    /// The answer for a row, whose columns `read` reads.
    #[inline]
    pub(super) fn answer(self, read: impl Fn(usize) -> i64, resources: &[i64]) -> i64 {
        let word = |side: Side| side.number(&read);
        match self {
            Question::Word(place) => read(place as usize),
            Question::Compare(op, left, right) => i64::from(op.holds(word(left).cmp(&word(right)))),
            Question::Small(place) => i64::from(is_small(read(place as usize))),
            Question::Resource(slot) => resources[slot as usize],
        }
    }
}

/// The word in a column, if it is the same in all rows.
pub(super) fn constant(states: &impl Ranges, place: u32) -> Option<i64> {
    point(&states.known_range(place as usize)?)
}

/// Two columns, and the words there.
pub(super) type Pair = ((u32, u32), (i64, i64));

/// Where a state leaves a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    Next,
    /// Into a block of the tail, by its index in
    /// [`Segment::entries`](super::plan::Segment::entries).
    Inner(usize),
    Break,
    Continue,
    Return,
}

/// The outcomes of a segment for all states that give the same answers.
pub(super) struct Case<W> {
    pub(super) flights: Vec<Flight<W>>,
    /// The total of the weights.
    pub(super) total: W,
    /// The maximum fuel that the segment burns.
    pub(super) fuel: u64,
    /// What it counts besides its outcomes.
    pub(super) count: Arc<Count>,
    outcomes: usize,
    /// The recorded cost of computing it.
    pub(super) bill: Bill<W>,
}

/// Everything a case counts besides its outcomes, for a state of probability 1.
#[derive(Default)]
pub(super) struct Count {
    /// Its lines and statistics.
    pub(super) notes: Notes,
    /// The index of the call that it makes, among all calls.
    pub(super) call: Option<usize>,
    /// The probability that its dice leave out.
    pub(super) residual: f64,
}

impl Count {
    /// Whether there is nothing to count.
    pub(super) fn is_empty(&self) -> bool {
        self.call.is_none() && self.residual == 0.0 && self.notes.len() == 0
    }
}

impl<W: Weight> Case<W> {
    pub(super) fn outcomes(&self) -> usize {
        self.outcomes
    }

    pub(super) fn size(&self) -> usize {
        16 + 8 * self.count.notes.len() + self.flights.iter().map(Flight::size).sum::<usize>()
    }
}

/// A case under construction.
pub(super) struct Draft<W> {
    pub(super) count: Count,
    /// The total of the weights.
    pub(super) total: W,
    /// Its roll.
    pub(super) rolled: Option<Arc<Rolled<W>>>,
    fuel: u64,
    /// The outcomes of a roll, if all that differs between them is one number to which the result
    /// is added.
    flight: Option<Flight<W>>,
    outcomes: IndexMap<(Exit, Vec<Side>), Share<W>, FxBuildHasher>,
}

impl<W: Weight> Draft<W> {
    pub(super) fn new() -> Self {
        Self {
            count: Count::default(),
            total: W::from_u64(1),
            rolled: None,
            fuel: 0,
            flight: None,
            outcomes: IndexMap::default(),
        }
    }

    /// Sets all outcomes at once.
    pub(super) fn fly(&mut self, flight: Flight<W>) {
        let fuels = flight.outcomes.iter().map(Share::fuel);
        self.fuel = fuels.fold(self.fuel, Ord::max);
        self.flight = Some(flight);
    }

    /// Adds an outcome.
    pub(super) fn add(&mut self, exit: Exit, row: Vec<Side>, share: Share<W>) {
        self.fuel = self.fuel.max(share.fuel());
        match self.outcomes.entry((exit, row)) {
            Entry::Occupied(known) => known.into_mut().join(share),
            Entry::Vacant(place) => {
                place.insert(share);
            }
        }
    }

    /// The finished case, after all outcomes were added.
    pub(super) fn finish(self) -> Case<W> {
        let mut flights: Vec<Flight<W>> = self.flight.into_iter().collect();
        let mut known: FxHashMap<_, usize> = FxHashMap::default();
        for ((exit, row), share) in self.outcomes {
            // Most outcomes pass on the same words as the previous one.
            let last = flights.last_mut().filter(|last| last.takes(exit, &row));
            if let Some(last) = last {
                last.push(&row, share);
                continue;
            }
            let place = *known.entry(Passed::of(exit, &row)).or_insert(flights.len());
            if place == flights.len() {
                flights.push(Flight::new(exit, &row));
            }
            flights[place].push(&row, share);
        }
        let outcomes = flights.iter().map(|flight| flight.outcomes.len()).sum();
        Case {
            flights,
            total: self.total,
            fuel: self.fuel,
            count: Arc::new(self.count),
            outcomes,
            bill: Bill::open(self.rolled),
        }
    }
}
