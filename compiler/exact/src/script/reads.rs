//! Dependence tracking: which words of a state a case depends on. An unread word is symbolic, an
//! input column plus a constant, so a counter or a sum can be increased without being read.
//!
//! A *word* is a slot of the state; to *read* it makes its value part of the case's key.

use super::compare::{mirrored, narrowed, resolved};
use super::question::Question;
use super::side::{Side, is_small};
use dicec_lang::hir::CompareOp;
use std::ops::RangeInclusive;

/// The bound of a word that does not saturate.
const NO_FLOOR: i32 = i32::MIN;

/// A word of the current state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    value: i64,
    /// The constant that is added to the word of the row.
    add: i64,
    /// Its column in the row of the state, from 1 on; 0 for a word that was computed.
    from: u32,
    /// Its saturation bound ([`super::floors`]): states store a lower number as this one.
    least: i32,
    /// How often the symbolic result of a roll is added to it, beyond `add`: 1, 0 or -1.
    rolled: i8,
}

impl Word {
    pub(super) fn is_small(self) -> bool {
        is_small(self.value)
    }

    /// A constant word.
    pub(super) const fn new(value: i64) -> Self {
        Self {
            value,
            add: 0,
            from: 0,
            least: NO_FLOOR,
            rolled: 0,
        }
    }

    /// The symbolic result of a roll, for all of its outcomes; `first` is the first of them.
    pub(super) const fn rolled(first: i64) -> Self {
        Self {
            rolled: 1,
            ..Self::new(first)
        }
    }

    /// Whether it saturates.
    pub(super) fn has_floor(self) -> bool {
        self.least != NO_FLOOR
    }

    /// The same word with a saturation bound.
    pub(super) fn with_floor(self, least: i32) -> Self {
        Self { least, ..self }
    }

    /// The words of a row, each with its column.
    pub(super) fn row(words: &[i64]) -> impl Iterator<Item = Self> {
        let words = words.iter().zip(1..);
        words.map(|(value, from)| Self {
            value: *value,
            add: 0,
            from,
            least: NO_FLOOR,
            rolled: 0,
        })
    }
}

/// Results of rolls of at most this magnitude can stay symbolic while they are only moved.
const MAX_ROLLED: i64 = 1 << 40;

/// The constraints on a column that follow from the answers so far.
#[derive(Clone, Debug)]
struct Known {
    /// The range that its number is in.
    range: RangeInclusive<i64>,
    /// Whether it is small; `None` if that was not asked.
    small: Option<bool>,
}

impl Known {
    const NOTHING: Self = Self {
        range: i64::MIN..=i64::MAX,
        small: None,
    };
}

/// The reads of a state, in order.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) asked: Vec<(Question, i64)>,
    /// The constraints, by column of the row.
    known: Vec<Known>,
    /// The resources that were read.
    resources: Vec<usize>,
    /// The results of a roll whose outcomes go through the segment together, and whether the result
    /// was read: then each outcome has to go through by itself.
    results: Option<RangeInclusive<i64>>,
    is_read: bool,
}

impl Reads {
    /// Starts with a row of this length, whose length is the first read.
    pub(super) fn begin(&mut self, length: i64) {
        self.known.clear();
        self.asked.clear();
        self.resources.clear();
        self.asked.push((Question::Word(0), length));
        (self.results, self.is_read) = (None, false);
    }

    /// From now on, a word may depend on the symbolic result of a roll with these outcomes.
    pub(super) fn begin_roll(&mut self, results: RangeInclusive<i64>) {
        self.is_read = *results.start() < -MAX_ROLLED || *results.end() > MAX_ROLLED;
        self.results = Some(results);
    }

    /// Whether the result of the roll was read.
    pub(super) fn reads_roll(&self) -> bool {
        self.is_read
    }

    /// Whether a word depends on the result of the roll.
    pub(super) fn is_rolled(&self, word: Word) -> bool {
        word.rolled != 0
    }

    /// Reads a word.
    pub(super) fn look(&mut self, word: Word) -> i64 {
        self.is_read |= word.rolled != 0;
        if !self.knows(word) {
            let raw = word.value.wrapping_sub(word.add);
            self.known(word.from).range = raw..=raw;
            self.asked.push((Question::Word(word.from), raw));
        }
        word.value
    }

    /// Reads a resource of this value.
    pub(super) fn resource(&mut self, slot: usize, value: i64) {
        if !self.resources.contains(&slot) {
            self.resources.push(slot);
            self.asked.push((Question::Resource(slot as u32), value));
        }
    }

    /// Reads the result of a comparison of two words, not the words themselves.
    pub(super) fn compare(&mut self, op: CompareOp, left: Word, right: Word) -> bool {
        let holds = op.holds(left.value.cmp(&right.value));
        if left.rolled != 0 || right.rolled != 0 {
            self.is_read |= self.compare_rolled(op, left, right).is_none();
            return holds;
        }
        let (op, place, word) = match (self.side(left), self.side(right)) {
            (Side::Word(_), Side::Word(_)) => return holds,
            (Side::Column(one, _), Side::Column(two, _)) if one == two => return holds,
            // Only small columns are added to, so a saturated difference compares like the exact
            // one.
            (Side::Column(place, add), Side::Word(word)) => (op, place, word.saturating_sub(add)),
            (Side::Word(word), Side::Column(place, add)) => {
                (mirrored(op), place, word.saturating_sub(add))
            }
            (left, right) => {
                let question = Question::Compare(op, left, right);
                self.asked.push((question, i64::from(holds)));
                return holds;
            }
        };
        let range = &mut self.known(place).range;
        if resolved(op, range, word).is_none() {
            *range = narrowed(op, holds, range, word);
            let question = Question::Compare(op, Side::Column(place, 0), Side::Word(word));
            self.asked.push((question, i64::from(holds)));
        }
        holds
    }

    /// The result of a comparison between a word that depends on a roll and a number, if it is the
    /// same for all outcomes.
    fn compare_rolled(&self, op: CompareOp, left: Word, right: Word) -> Option<bool> {
        if left.rolled == 0 {
            return self.compare_rolled(mirrored(op), right, left);
        }
        let results = self.results.as_ref()?;
        let is_plain = left.from == 0 && right.rolled == 0 && self.knows(right);
        let at = |end: &i64| {
            let moved = end.checked_mul(left.rolled.into())?;
            left.add.checked_add(moved)
        };
        // An outcome with which the sum overflows may not be one that gets here.
        let (one, two) = (at(results.start())?, at(results.end())?);
        resolved(op, &(one.min(two)..=one.max(two)), right.value).filter(|_| is_plain)
    }

    /// A small word plus a symbolic result, where the word itself may depend on a roll.
    fn moved_by_roll(&mut self, word: Word, by: Word) -> Option<Word> {
        self.is_read |= word.rolled != 0;
        let moved = self.shifted(word, 0);
        self.is_read |= moved.is_none() && !self.knows(word);
        let value = word.value.checked_add(by.value)?;
        let add = moved.map_or(0, |moved| moved.add).checked_add(by.add)?;
        let (add, from) = match moved.filter(|moved| moved.from > 0) {
            Some(moved) => (add, moved.from),
            None => (word.value.checked_add(by.add)?, 0),
        };
        self.is_read |= !is_movable(value) || !is_movable(add);
        Some(Word {
            value,
            add,
            from,
            rolled: by.rolled,
            least: NO_FLOOR,
        })
    }

    /// Reads the column of a word that depends on a roll, and keeps only the roll symbolic.
    fn without_column(&mut self, word: Word) -> Word {
        if word.from == 0 {
            return word;
        }
        let first = self.results.as_ref().map_or(0, |results| *results.start());
        let value = word
            .value
            .wrapping_sub(first.wrapping_mul(word.rolled.into()));
        let rest = Word {
            value,
            rolled: 0,
            ..word
        };
        Word {
            add: self.look(rest),
            from: 0,
            ..word
        }
    }

    /// A small word plus a number, without reading it; `None` if it or the sum may not be small.
    pub(super) fn shifted(&mut self, word: Word, by: i64) -> Option<Word> {
        if word.rolled != 0 {
            let (value, add) = (word.value.checked_add(by)?, word.add.checked_add(by)?);
            self.is_read |= !is_movable(value) || !is_movable(add);
            return Some(Word {
                value,
                add,
                least: NO_FLOOR,
                ..word
            });
        }
        if self.knows(word) {
            let value = word.value.checked_add(by)?;
            return Some(Word::new(value)).filter(|_| is_small(word.value) && is_small(value));
        }
        let add = word.add.checked_add(by).filter(|add| is_small(*add))?;
        let raw = word.value.wrapping_sub(word.add);
        let known = self.known(word.from);
        let small = match known.small {
            Some(small) => small,
            None => {
                let small = is_small(raw);
                known.small = Some(small);
                let question = Question::Small(word.from);
                self.asked.push((question, i64::from(small)));
                small
            }
        };
        small.then(|| Word {
            value: raw + add,
            add,
            from: word.from,
            least: NO_FLOOR,
            rolled: 0,
        })
    }

    /// The symbolic sum of two words; `None` if it has to be computed from both.
    pub(super) fn sum(&mut self, left: Word, right: Word) -> Option<Word> {
        if right.rolled != 0 {
            let by = self.without_column(right);
            return self.moved_by_roll(left, by);
        }
        match (self.knows(left), self.knows(right)) {
            (true, true) => None,
            (true, false) => self.shifted(right, left.value),
            (false, _) => {
                let by = self.look(right);
                self.shifted(left, by)
            }
        }
    }

    /// The symbolic difference of two words; `None` if it has to be computed from both.
    pub(super) fn difference(&mut self, left: Word, right: Word) -> Option<Word> {
        if right.rolled != 0 {
            let by = self.without_column(right);
            let by = Word {
                value: by.value.checked_neg()?,
                add: by.add.checked_neg()?,
                rolled: -by.rolled,
                ..by
            };
            return self.moved_by_roll(left, by);
        }
        if self.knows(left) {
            return None;
        }
        let by = self.look(right).checked_neg()?;
        self.shifted(left, by)
    }

    fn known(&mut self, place: u32) -> &mut Known {
        let place = place as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, Known::NOTHING);
        }
        &mut self.known[place]
    }

    fn knows(&self, word: Word) -> bool {
        let is_one = |known: &Known| known.range.start() == known.range.end();
        let known = || self.known.get(word.from as usize);
        word.rolled == 0 && (word.from == 0 || known().is_some_and(is_one))
    }

    /// A word after the segment, as an expression that holds in all states with the same answers.
    pub(super) fn outcome(&self, word: Word) -> Side {
        match self.side(word) {
            side if word.least == NO_FLOOR => side,
            Side::Word(value) => Side::Word(value.max(word.least.into())),
            Side::Column(place, add) | Side::Floored(place, add, _) => {
                Side::Floored(place, add, word.least)
            }
        }
    }

    /// The same without the result of the roll, and how often that is added.
    pub(super) fn rolled_outcome(&self, word: Word) -> (Side, i8) {
        if word.rolled == 0 {
            return (self.outcome(word), 0);
        }
        let side = match (word.from, word.least) {
            (0, _) => Side::Word(word.add),
            (from, NO_FLOOR) => Side::Column(from, word.add),
            (from, least) => Side::Floored(from, word.add, least),
        };
        (side, word.rolled)
    }

    /// A word as an expression that holds in all states with the same answers so far.
    pub(super) fn side(&self, word: Word) -> Side {
        if self.knows(word) {
            Side::Word(word.value)
        } else {
            Side::Column(word.from, word.add)
        }
    }
}

/// Whether a number stays small, whatever result of a roll is added to it.
fn is_movable(number: i64) -> bool {
    is_small(number.saturating_mul(2))
}
