//! The outcomes of a segment, by the words that it reads of a state. Few words of a state decide
//! what happens to it, and the others are passed on unchanged: so a segment is computed once for
//! all states that give the same answers to the same questions, a [`Case`], and replayed for each
//! of them on its packed form.
//!
//! [`super::known`] holds the known cases.

use super::dist::{Dist, Share};
use super::notes::Notes;
use super::packed::{Layout, Move};
use crate::hir::CompareOp;
use dicec_runtime::pmf::Weight;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// A word, as it is in every state of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// This one.
    Word(i64),
    /// The word of the row in this column, whatever it is.
    Column(u32),
}

/// What can be asked about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The word in a column; column 0 is the length of the row.
    Word(u32),
    /// Whether a comparison holds.
    Compare(CompareOp, Side, Side),
}

impl Question {
    /// Whether all rows answer the same.
    pub(super) fn is_resolved(self, layout: &Layout) -> bool {
        let constant = |side| match side {
            Side::Word(_) => true,
            Side::Column(place) => layout.is_constant(place as usize),
        };
        match self {
            Question::Word(place) => layout.is_constant(place as usize),
            Question::Compare(_, left, right) => constant(left) && constant(right),
        }
    }

    #[inline]
    pub(super) fn answer(self, layout: &Layout, key: &[u64]) -> i64 {
        let word = |side| match side {
            Side::Word(word) => word,
            Side::Column(place) => layout.read(key, place as usize),
        };
        match self {
            Question::Word(place) => layout.read(key, place as usize),
            Question::Compare(op, left, right) => i64::from(op.holds(word(left).cmp(&word(right)))),
        }
    }
}

/// Where a state goes from a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    Next,
    /// Into the tail: to the first or the second block of an `if`, to the first iteration of a
    /// loop.
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
    /// The columns of the new row that are passed on, with the columns that they come from.
    handed: Vec<(usize, usize)>,
    /// The columns that are computed.
    made: Vec<usize>,
    outcomes: Vec<Share<W>>,
    /// The computed numbers: one row per outcome.
    numbers: Vec<i64>,
    route: RefCell<Option<Rc<Route>>>,
}

/// How the outcomes of a flight move from one layout to another.
struct Route {
    from: Rc<Layout>,
    to: Rc<Layout>,
    moves: Vec<Move>,
    /// The part that is the same for all states: one key per outcome.
    keys: Vec<u64>,
}

impl<W: Weight> Case<W> {
    pub(super) fn outcomes(&self) -> usize {
        self.outcomes
    }

    pub(super) fn size(&self) -> usize {
        let flight = |flight: &Flight<W>| {
            let outcome = flight.made.len() + 4;
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
            let mut numbers = vec![row.len() as i64];
            for (side, column) in row.iter().zip(1..) {
                match side {
                    Side::Column(place) => handed.push((column, *place as usize)),
                    Side::Word(word) => {
                        made.push(column);
                        numbers.push(*word);
                    }
                }
            }
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
    /// Adds the outcomes of a state of `input` to the distribution that it leads to; `total` is the
    /// total of the weights.
    pub(super) fn take(&self, input: &Dist<W>, state: usize, total: &W, to: &mut Dist<W>) {
        let factor = to.align(total);
        let route = self.route(input.layout(), to);
        let (state, share) = (input.key(state), input.share(state));
        let share = |outcome| share.of(outcome).scaled(factor.as_ref());
        let stride = route.to.stride();
        if stride == 1 {
            let mut handed = [0];
            route
                .moves
                .iter()
                .for_each(|step| step.apply(state, &mut handed));
            for (made, outcome) in route.keys.iter().zip(&self.outcomes) {
                to.insert(&[handed[0] | made], share(outcome));
            }
            return;
        }
        let mut handed = vec![0; stride];
        route
            .moves
            .iter()
            .for_each(|step| step.apply(state, &mut handed));
        let mut key = handed.clone();
        for (made, outcome) in route.keys.chunks(stride).zip(&self.outcomes) {
            let words = key.iter_mut().zip(&handed).zip(made);
            words.for_each(|((word, handed), made)| *word = handed | made);
            to.insert(&key, share(outcome));
        }
    }

    fn route(&self, from: &Rc<Layout>, to: &mut Dist<W>) -> Rc<Route> {
        let mut known = self.route.borrow_mut();
        if let Some(route) = &*known
            && Rc::ptr_eq(&route.from, from)
            && Rc::ptr_eq(&route.to, to.layout())
        {
            return route.clone();
        }
        let handed = self.handed.iter();
        let handed = handed.map(|(column, place)| (*column, from.range(*place)));
        let made = self.made.iter().enumerate();
        let made = made.map(|(place, column)| (*column, self.range(place)));
        let mut columns: Vec<_> = handed.chain(made).collect();
        columns.sort_unstable_by_key(|(column, _)| *column);
        to.cover(columns.into_iter());
        let layout = to.layout();
        let (mut moves, mut key) = (Vec::new(), vec![0; layout.stride()]);
        for (column, place) in &self.handed {
            let range = from.range(*place);
            if range.start() == range.end() {
                layout.write(&mut key, *column, *range.start());
            } else {
                moves.push(layout.step(*column, from, *place));
            }
        }
        let mut keys = Vec::with_capacity(self.outcomes.len() * key.len());
        for numbers in self.numbers.chunks(self.made.len()) {
            let first = keys.len();
            keys.extend_from_slice(&key);
            for (column, number) in self.made.iter().zip(numbers) {
                layout.write(&mut keys[first..], *column, *number);
            }
        }
        let route = Rc::new(Route {
            from: from.clone(),
            to: layout.clone(),
            moves,
            keys,
        });
        *known = Some(route.clone());
        route
    }

    /// The range of the numbers in one computed column.
    fn range(&self, place: usize) -> RangeInclusive<i64> {
        let numbers = self.numbers.iter().skip(place).step_by(self.made.len());
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for number in numbers {
            (least, most) = (least.min(*number), most.max(*number));
        }
        least..=most
    }
}
