//! Questions about the words of a state: states that give the same answers have the same case.

use super::column::Ranges;
use super::compare::{mirrored, resolved};
use super::side::{Side, is_small};
use dicec_lang::hir::CompareOp;
use std::ops::RangeInclusive;

/// A question about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The word in a column; column 0 is the length of the row.
    Word(u32),
    /// The result of a comparison.
    Compare(CompareOp, Side, Side),
    /// Whether the word in a column is small ([`super::side::SMALL`]).
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

/// The only number of a range, if it has just one.
fn point(range: &RangeInclusive<i64>) -> Option<i64> {
    (range.start() == range.end()).then(|| *range.start())
}
