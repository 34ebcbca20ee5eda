//! The outcomes of a segment, by the words that it reads of a state. Few words of a state decide
//! what happens to it, and the others are passed on unchanged: so a segment is computed once for
//! all states that give the same answers to the same questions, a [`Case`], and replayed for each
//! of them on its packed form.
//!
//! [`super::known`] holds the known cases.

use super::dist::{Dist, Share};
use super::notes::Notes;
use super::packed::{Layout, Move};
use super::reads::{is_small, resolved};
use crate::hir::CompareOp;
use dicec_runtime::pmf::Weight;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

/// A word, as it is in every state of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// This one.
    Word(i64),
    /// The word of the row in this column, whatever it is, plus a number. Only small words are
    /// added to.
    Column(u32, i64),
    /// The same, but at least this.
    Floored(u32, i64, i32),
}

/// What can be asked about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The word in a column; column 0 is the length of the row.
    Word(u32),
    /// Whether a comparison holds.
    Compare(CompareOp, Side, Side),
    /// Whether the word in a column is small ([`super::reads::SMALL`]).
    Small(u32),
}

impl Question {
    /// The answer, if all rows give the same.
    pub(super) fn resolved(self, layout: &Layout) -> Option<i64> {
        match self {
            Question::Compare(op, Side::Column(place, 0), Side::Word(word)) => {
                let range = layout.known_range(place as usize)?;
                Some(i64::from(resolved(op, range, word)?))
            }
            Question::Small(place) => {
                let range = layout.known_range(place as usize)?;
                let small = is_small(*range.start()) && is_small(*range.end());
                small.then_some(1)
            }
            Question::Word(place) => {
                let constant = layout.is_constant(place as usize);
                constant.then(|| self.answer(layout, &[]))
            }
            Question::Compare(_, left, right) => {
                let constant = |side| match side {
                    Side::Word(_) => true,
                    Side::Column(place, _) | Side::Floored(place, ..) => {
                        layout.is_constant(place as usize)
                    }
                };
                (constant(left) && constant(right)).then(|| self.answer(layout, &[]))
            }
        }
    }

    #[inline]
    pub(super) fn answer(self, layout: &Layout, key: &[u64]) -> i64 {
        let word = |side| match side {
            Side::Word(word) => word,
            Side::Column(place, add) => layout.read(key, place as usize).wrapping_add(add),
            Side::Floored(place, add, least) => {
                let word = layout.read(key, place as usize).wrapping_add(add);
                word.max(least.into())
            }
        };
        match self {
            Question::Word(place) => layout.read(key, place as usize),
            Question::Compare(op, left, right) => i64::from(op.holds(word(left).cmp(&word(right)))),
            Question::Small(place) => i64::from(is_small(layout.read(key, place as usize))),
        }
    }
}

/// Where a state goes from a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    Next,
    /// Into the tail, by [`Segment::entries`](super::plan::Segment::entries).
    Inner(usize),
    Break,
    Continue,
    Return,
}

/// The outcomes of all states that give the same answers.
pub(super) struct Case<W> {
    pub(super) flights: Vec<Flight<W>>,
    /// The total of the weights.
    pub(super) total: W,
    /// The maximum fuel that is burnt.
    pub(super) fuel: u64,
    /// What is counted.
    pub(super) count: Rc<Count>,
    outcomes: usize,
}

/// What is counted in a case besides its outcomes, for a state of probability 1.
#[derive(Default)]
pub(super) struct Count {
    /// What is noted.
    pub(super) notes: Notes,
    /// The index of the call that it makes, among all calls.
    pub(super) call: Option<usize>,
    /// The probability of what its dice leave out.
    pub(super) residual: f64,
}

impl Count {
    /// Whether there is nothing to count.
    pub(super) fn is_empty(&self) -> bool {
        self.call.is_none() && self.residual == 0.0 && self.notes.len() == 0
    }
}

/// Outcomes with the same exit that pass on the same words.
pub(super) struct Flight<W> {
    pub(super) exit: Exit,
    /// The columns of the new row that are passed on.
    handed: Vec<Handed>,
    /// The columns that are computed.
    made: Vec<usize>,
    outcomes: Vec<Share<W>>,
    /// One row per outcome: the computed numbers, then what is added to the columns that are passed
    /// on.
    numbers: Vec<i64>,
    route: RefCell<Option<Rc<Route>>>,
}

/// A column that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Handed {
    column: usize,
    /// The column that it comes from.
    place: usize,
    /// The least number that it has after that.
    least: Option<i32>,
}

/// How the outcomes of a flight move from one layout to another.
struct Route {
    from: Rc<Layout>,
    to: Rc<Layout>,
    moves: Vec<Move>,
    /// The columns with a floor, with the index of what is added to them among the numbers of an
    /// outcome.
    floored: Vec<(Handed, usize)>,
    /// The part that is the same for all states: one key per outcome.
    keys: Vec<u64>,
}

impl Route {
    /// What is passed on of a key, if the new key is one word.
    #[inline]
    fn handed(&self, key: &[u64]) -> u64 {
        let mut handed = [0];
        self.moves
            .iter()
            .for_each(|step| step.apply(key, &mut handed));
        handed[0]
    }

    /// The new key of a state, for an outcome.
    #[inline]
    fn write(&self, key: &[u64], made: &[u64], into: &mut [u64]) {
        into.copy_from_slice(made);
        self.moves.iter().for_each(|step| step.apply(key, into));
    }
}

impl<W: Weight> Case<W> {
    pub(super) fn outcomes(&self) -> usize {
        self.outcomes
    }

    pub(super) fn size(&self) -> usize {
        let flight = |flight: &Flight<W>| {
            let outcome = flight.made.len() + flight.handed.len() + 4;
            2 * flight.outcomes.len() * outcome + 2 * flight.handed.len() + 32
        };
        16 + 8 * self.count.notes.len() + self.flights.iter().map(flight).sum::<usize>()
    }
}

/// A case under construction.
pub(super) struct Draft<W> {
    pub(super) count: Count,
    /// The total of the weights.
    pub(super) total: W,
    fuel: u64,
    outcomes: IndexMap<(Exit, Vec<Side>), Share<W>, FxBuildHasher>,
}

impl<W: Weight> Draft<W> {
    pub(super) fn new() -> Self {
        Self {
            count: Count::default(),
            total: W::from_u64(1),
            fuel: 0,
            outcomes: IndexMap::default(),
        }
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

    /// The case, after all outcomes were added.
    pub(super) fn finish(self) -> Case<W> {
        let outcomes = self.outcomes.len();
        let mut flights: IndexMap<_, Flight<W>, FxBuildHasher> = IndexMap::default();
        for ((exit, row), share) in self.outcomes {
            let (mut handed, mut made) = (Vec::new(), vec![0]);
            let (mut numbers, mut added) = (vec![row.len() as i64], Vec::new());
            for (side, column) in row.iter().zip(1..) {
                let (place, add, least) = match side {
                    Side::Word(word) => {
                        made.push(column);
                        numbers.push(*word);
                        continue;
                    }
                    Side::Column(place, add) => (*place as usize, *add, None),
                    Side::Floored(place, add, least) => (*place as usize, *add, Some(*least)),
                };
                handed.push(Handed {
                    column,
                    place,
                    least,
                });
                added.push(add);
            }
            numbers.append(&mut added);
            let key = (exit, row.len(), handed.clone());
            let flight = flights.entry(key).or_insert_with(|| Flight {
                exit,
                handed,
                made,
                outcomes: Vec::new(),
                numbers: Vec::new(),
                route: RefCell::default(),
            });
            flight.outcomes.push(share);
            flight.numbers.extend(numbers);
        }
        Case {
            flights: flights.into_values().collect(),
            total: self.total,
            fuel: self.fuel,
            count: Rc::new(self.count),
            outcomes,
        }
    }
}

impl<W: Weight> Flight<W> {
    /// Adds the outcomes of some states of `input` to the distribution that they lead to; `total`
    /// is the total of the weights.
    pub(super) fn pour(&self, input: &Dist<W>, states: Range<usize>, total: &W, to: &mut Dist<W>) {
        let factor = to.align(total);
        let route = self.route(input.layout(), to);
        let stride = route.to.stride();
        if !route.floored.is_empty() {
            self.pour_floored(&route, input, states, factor.as_ref(), to);
            return;
        }
        if stride == 1 {
            for state in states {
                let (handed, share) = (route.handed(input.key(state)), input.share(state));
                for (made, outcome) in route.keys.iter().zip(&self.outcomes) {
                    let share = share.of(outcome).scaled(factor.as_ref());
                    to.insert(&[handed.wrapping_add(*made)], share);
                }
            }
            return;
        }
        let mut key = vec![0; stride];
        for state in states {
            let share = input.share(state);
            for (made, outcome) in route.keys.chunks(stride).zip(&self.outcomes) {
                route.write(input.key(state), made, &mut key);
                to.insert(&key, share.of(outcome).scaled(factor.as_ref()));
            }
        }
    }

    /// The same if there are floors.
    fn pour_floored(
        &self,
        route: &Route,
        input: &Dist<W>,
        states: Range<usize>,
        factor: Option<&W>,
        to: &mut Dist<W>,
    ) {
        let stride = route.to.stride();
        let mut key = vec![0; stride];
        for state in states {
            let (from, share) = (input.key(state), input.share(state));
            let made = route.keys.chunks(stride).zip(&self.outcomes);
            for ((made, outcome), numbers) in made.zip(self.numbers.chunks(self.width())) {
                route.write(from, made, &mut key);
                for (handed, added) in &route.floored {
                    let word = route.from.read(from, handed.place) + numbers[*added];
                    let word = handed.least.map_or(word, |least| word.max(least.into()));
                    let (at, code) = route.to.code(handed.column, word);
                    key[at] = key[at].wrapping_add(code);
                }
                to.insert(&key, share.of(outcome).scaled(factor));
            }
        }
    }

    /// Whether states of this layout that differ still do so after an outcome: all that they differ
    /// in is passed on.
    pub(super) fn is_injective(&self, layout: &Layout) -> bool {
        let handed = |column| {
            let mut all = self.handed.iter();
            all.any(|handed| handed.place == column && handed.least.is_none())
        };
        layout.varied().all(handed) && self.handed.iter().all(|handed| handed.least.is_none())
    }

    /// The same for all states, if they have one outcome each and stay apart; nothing is in `to`.
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

    fn route(&self, from: &Rc<Layout>, to: &mut Dist<W>) -> Rc<Route> {
        let mut known = self.route.borrow_mut();
        if let Some(route) = &*known
            && Rc::ptr_eq(&route.from, from)
            && Rc::ptr_eq(&route.to, to.layout())
        {
            return route.clone();
        }
        let handed = self.handed.iter().zip(self.made.len()..);
        let handed = handed.map(|(handed, added)| {
            let (range, added) = (from.range(handed.place), self.range(added));
            let mut least = range.start().saturating_add(*added.start());
            let mut most = range.end().saturating_add(*added.end());
            if let Some(floor) = handed.least {
                (least, most) = (least.max(floor.into()), most.max(floor.into()));
            }
            (handed.column, least..=most)
        });
        let made = self.made.iter().enumerate();
        let made = made.map(|(place, column)| (*column, self.range(place)));
        let mut columns: Vec<_> = handed.chain(made).collect();
        columns.sort_unstable_by_key(|(column, _)| *column);
        to.cover(columns.into_iter());
        let layout = to.layout();
        let (mut moves, mut key) = (Vec::new(), vec![0_u64; layout.stride()]);
        let mut floored = Vec::new();
        for (handed, added) in self.handed.iter().zip(self.made.len()..) {
            let range = from.range(handed.place);
            if handed.least.is_some() {
                floored.push((*handed, added));
            } else if range.start() == range.end() {
                let (word, code) = layout.code(handed.column, *range.start());
                key[word] = key[word].wrapping_add(code);
            } else {
                moves.push(layout.step(handed.column, from, handed.place));
            }
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
        let route = Rc::new(Route {
            from: from.clone(),
            to: layout.clone(),
            moves,
            floored,
            keys,
        });
        *known = Some(route.clone());
        route
    }

    /// The numbers of an outcome.
    fn width(&self) -> usize {
        self.made.len() + self.handed.len()
    }

    /// The range of one of the numbers of each outcome.
    fn range(&self, place: usize) -> RangeInclusive<i64> {
        let numbers = self.numbers.iter().skip(place).step_by(self.width());
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for number in numbers {
            (least, most) = (least.min(*number), most.max(*number));
        }
        least..=most
    }
}
