//! The objects of constants (values known before a trial).
//!
//! Constants never change, so a constant object is not part of any state: it is in a heap of its
//! own, at negative addresses, which packing leaves as they are.

use super::plan::Pure;
use super::reads::Word;
use dicec_lang::hir::{ConstantId, Type};
use dicec_runtime::bug;
use rustc_hash::FxHashMap;

/// The constants that are objects.
#[derive(Default)]
pub(super) struct Constants {
    /// The heap: the word at the address `at` is at the index `-at - 1`, so an object's words are
    /// in reverse order. Nothing is at -1.
    pub(super) heap: Vec<Word>,
    pub(super) known: FxHashMap<(ConstantId, Type), i64>,
}

impl Constants {
    /// The address of new words.
    fn place(&mut self, words: impl DoubleEndedIterator<Item = i64>) -> i64 {
        if self.heap.is_empty() {
            self.heap.push(Word::new(0));
        }
        self.heap.extend(words.rev().map(Word::new));
        -(self.heap.len() as i64)
    }

    /// The word of a value whose parts are all constant.
    pub(super) fn store(&mut self, value: Pure) -> i64 {
        match value {
            Pure::Word(word) => word,
            Pure::Object(parts) => {
                let words = self.all(parts);
                self.place(words.into_iter())
            }
            Pure::List(parts) => {
                let words = self.all(parts);
                let length = words.len() as i64;
                let body = self.place([length].into_iter().chain(words));
                self.place([body].into_iter())
            }
            other => bug!("{other:?} is not known").raise(),
        }
    }

    fn all(&mut self, parts: Vec<Pure>) -> Vec<i64> {
        parts.into_iter().map(|part| self.store(part)).collect()
    }
}
