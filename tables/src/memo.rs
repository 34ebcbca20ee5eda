//! Answers by the values that a question reads, so that equal rows are computed once.
//!
//! A tuple gets a number when it is first asked for; [`Memo::pending`] are those without an answer
//! yet. Keys lie one after another in one array, because a million small allocations would be most
//! of the memory.

use crate::answer::Answer;
use crate::back_off::BackOff;
use dicec_compiler::Failure;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// The approximate size of a tuple and its answer.
const TUPLE_BYTES: usize = 100;

/// The result of a tuple.
pub(super) type Solved = Result<Answer, Box<Failure>>;

/// The tuples of one expression.
#[derive(Default)]
pub(super) struct Memo {
    /// Values in a tuple.
    width: usize,
    count: usize,
    /// The further size of the answers, in bytes.
    bytes: usize,
    keys: Vec<i64>,
    numbers: HashTable<u32>,
    /// The answers of the first tuples; the rest are pending.
    answers: Vec<Solved>,
    /// Which tuples are not tried.
    pub(super) back_off: BackOff,
}

impl Memo {
    /// For tuples of `width` values.
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Its capacity: tuples of [`TUPLE_BYTES`] each, and the size of large answers in the same
    /// unit.
    pub(super) fn weight(&self) -> usize {
        self.count + self.bytes / TUPLE_BYTES
    }

    /// Forgets everything except which tuples are not tried; numbers given out before mean nothing
    /// any more.
    pub(super) fn clear(&mut self) {
        *self = Self {
            back_off: std::mem::take(&mut self.back_off),
            ..Self::new(self.width)
        };
    }

    /// The number of a tuple that was asked for before.
    pub(super) fn find(&self, tuple: &[i64]) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(tuple);
        let is_it = |number: &u32| self.tuple(*number as usize) == tuple;
        self.numbers.find(hash, is_it).copied()
    }

    /// The number of a tuple, a new one if it was not asked for before.
    pub(super) fn number(&mut self, tuple: &[i64]) -> u32 {
        if let Some(number) = self.find(tuple) {
            return number;
        }
        let hasher = FxBuildHasher;
        let (keys, width) = (&self.keys, self.width);
        let key = |number: &u32| &keys[*number as usize * width..][..width];
        let hash = hasher.hash_one(tuple);
        // Callers keep the count far below 2^32.
        let number = self.count as u32;
        self.numbers
            .insert_unique(hash, number, |number| hasher.hash_one(key(number)));
        self.keys.extend_from_slice(tuple);
        self.count += 1;
        number
    }

    /// The values of a number.
    pub(super) fn tuple(&self, number: usize) -> &[i64] {
        &self.keys[number * self.width..][..self.width]
    }

    /// The numbers of the tuples without an answer.
    pub(super) fn pending(&self) -> Range<usize> {
        self.answers.len()..self.count
    }

    /// Takes the answers of pending tuples, in the order of their numbers.
    pub(super) fn answer(&mut self, answers: impl IntoIterator<Item = Solved>) {
        let first = self.answers.len();
        self.answers.extend(answers);
        let new = self.answers[first..].iter().flatten();
        self.bytes += new.map(Answer::bytes).sum::<usize>();
    }

    /// The answer of a tuple that is no longer pending.
    pub(super) fn get(&self, number: u32) -> &Solved {
        &self.answers[number as usize]
    }

    /// The answers so far, in the order of their numbers.
    pub(super) fn answers(&self) -> impl Iterator<Item = &Solved> {
        self.answers.iter()
    }

    /// Whether any answer is sampled.
    pub(super) fn any_sampled(&self) -> bool {
        let sampled = |solved: &Solved| solved.as_ref().is_ok_and(|answer| answer.is_sampled);
        self.answers.iter().any(sampled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(done: u64) -> Solved {
        Err(Box::new(Failure::Cancelled {
            done,
            units: "rows",
        }))
    }

    #[test]
    fn equal_tuples_have_one_number() {
        let mut memo = Memo::new(2);
        assert_eq!(memo.number(&[1, 2]), 0);
        assert_eq!(memo.number(&[2, 1]), 1);
        assert_eq!(memo.number(&[1, 2]), 0);
        assert_eq!(memo.pending(), 0..2);
        assert_eq!(memo.tuple(1), [2, 1]);
        memo.answer([failed(0), failed(1)]);
        assert_eq!(memo.number(&[-1, -1]), 2);
        assert_eq!(memo.pending(), 2..3);
        assert_eq!(memo.get(1), &failed(1));
        memo.clear();
        assert_eq!((memo.weight(), memo.number(&[2, 1])), (0, 0));
    }

    #[test]
    fn an_expression_without_resources_has_one_tuple() {
        let mut memo = Memo::new(0);
        assert_eq!((memo.number(&[]), memo.number(&[])), (0, 0));
        assert_eq!(memo.weight(), 1);
        assert!(memo.tuple(0).is_empty());
    }

    #[test]
    fn many_tuples_stay_apart() {
        let mut memo = Memo::new(1);
        for value in 0..10_000 {
            assert_eq!(memo.number(&[value * 1000]), value as u32);
        }
        assert_eq!(memo.number(&[5_000_000]), 5000);
    }
}
