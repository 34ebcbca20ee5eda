//! The states of a piece as seen from the states that enter its block: their words, and what an
//! answer about them demands of the entry states ([`Needs`]).

use super::column::{Column, Ranges};
use super::compare::narrowed;
use super::needs::Needs;
use super::piece::Piece;
use super::question::{Question, constant};
use super::side::{SMALL, Side};
use dicec_runtime::pmf::Weight;
use std::ops::RangeInclusive;

/// The range of an unconstrained word.
const ALL: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// A piece together with the entry states that it is relative to.
pub(super) struct Seen<'a, W> {
    pub(super) piece: &'a Piece<W>,
    pub(super) input: &'a Column<W>,
}

impl<W: Weight> Ranges for Seen<'_, W> {
    fn known_range(&self, column: usize) -> Option<RangeInclusive<i64>> {
        let Some(word) = column.checked_sub(1) else {
            let length = self.piece.row.len() as i64;
            return Some(length..=length);
        };
        let side = *self.piece.row.get(word)?;
        let numbers = self.piece.numbers(column);
        let ends = |least: i64, most: i64| {
            let least = least.saturating_add(*numbers.start());
            least..=most.saturating_add(*numbers.end())
        };
        Some(match side {
            Side::Word(word) => ends(word, word),
            Side::Column(from, add) => {
                let range = self.input.known_range(from as usize)?;
                ends(
                    range.start().saturating_add(add),
                    range.end().saturating_add(add),
                )
            }
            Side::Floored(from, add, least) => {
                let range = self.input.known_range(from as usize)?;
                let range = ends(
                    range.start().saturating_add(add),
                    range.end().saturating_add(add),
                );
                let least = i64::from(least);
                *range.start().max(&least)..=*range.end().max(&least)
            }
        })
    }
}

impl<W: Weight> Seen<'_, W> {
    /// Adds the constraints on the entry states under which `question` has this answer. With
    /// `others`, more questions about the same words follow, so the words are fixed.
    pub(super) fn note(&self, question: Question, answer: i64, others: bool, needs: &mut Needs) {
        match question {
            _ if others => self.need_all(question, needs),
            Question::Resource(_) | Question::Word(0) => {}
            Question::Word(place) => self.need_word(place, needs),
            Question::Small(place) => self.need(place, -SMALL..=SMALL, needs),
            Question::Compare(op, Side::Column(place, add), right) => {
                let word = match right {
                    Side::Word(word) => Some(word),
                    Side::Column(other, by) => {
                        self.need_word(other, needs);
                        constant(self, other).and_then(|word| word.checked_add(by))
                    }
                    Side::Floored(..) => None,
                };
                let word = word.and_then(|word| word.checked_sub(add));
                match (word, self.known_range(place as usize)) {
                    (Some(word), Some(range)) => {
                        let side = if *range.end() < word {
                            i64::MIN..=word.saturating_sub(1)
                        } else if *range.start() > word {
                            word.saturating_add(1)..=i64::MAX
                        } else {
                            ALL
                        };
                        let needed = narrowed(op, answer != 0, &ALL, word);
                        // An excluded number narrows the range only at an end of it.
                        let needed = if needed == ALL { side } else { needed };
                        self.need(place, needed, needs);
                    }
                    _ => self.need_all(question, needs),
                }
            }
            Question::Compare(..) => self.need_all(question, needs),
        }
    }

    fn need_all(&self, question: Question, needs: &mut Needs) {
        question
            .columns()
            .for_each(|column| self.need_word(column, needs));
    }

    /// Fixes the word in a column to its value in the entry states.
    fn need_word(&self, column: u32, needs: &mut Needs) {
        if let Some(Side::Column(from, _) | Side::Floored(from, ..)) = self.side(column)
            && let Some(range) = self.input.known_range(from as usize)
        {
            needs.add(from as usize, range);
        }
    }

    /// Constrains the word in a column to a range.
    fn need(&self, column: u32, range: RangeInclusive<i64>, needs: &mut Needs) {
        let numbers = self.piece.numbers(column as usize);
        let before = |add: i64| {
            let least = match *range.start() {
                i64::MIN => i64::MIN,
                least => least.saturating_sub(add).saturating_sub(*numbers.start()),
            };
            let most = match *range.end() {
                i64::MAX => i64::MAX,
                most => most.saturating_sub(add).saturating_sub(*numbers.end()),
            };
            least..=most
        };
        match self.side(column) {
            None | Some(Side::Word(_)) => {}
            Some(Side::Column(from, add)) => needs.add(from as usize, before(add)),
            Some(Side::Floored(from, add, floor)) => {
                let mut before = before(add);
                if range.contains(&i64::from(floor)) {
                    before = i64::MIN..=*before.end();
                }
                needs.add(from as usize, before);
            }
        }
    }

    fn side(&self, column: u32) -> Option<Side> {
        let word = (column as usize).checked_sub(1)?;
        self.piece.row.get(word).copied()
    }

    /// The row of the first of these states.
    pub(super) fn row(&self) -> Vec<i64> {
        let columns = 1..=self.piece.row.len();
        let state = |column: u32| self.input.word(0, column as usize);
        let words = columns.zip(&self.piece.row).map(|(column, side)| {
            let number = *self.piece.numbers(column).start();
            match *side {
                Side::Word(word) => word.saturating_add(number),
                Side::Column(from, add) => state(from).saturating_add(add).saturating_add(number),
                Side::Floored(from, add, least) => {
                    let word = state(from).saturating_add(add).saturating_add(number);
                    word.max(least.into())
                }
            }
        });
        words.collect()
    }
}
