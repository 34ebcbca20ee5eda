//! Interned values: the templates of texts, and the tuples of records and lists that never change.
//! Equal ones have one index, so states compare them by a word.

use dicec_runtime::bug;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

#[derive(Default)]
pub(super) struct Values {
    texts: IndexSet<Box<str>, FxBuildHasher>,
    tuples: IndexSet<Box<[i64]>, FxBuildHasher>,
}

impl Values {
    /// The word of the text with this template.
    pub(super) fn text(&mut self, template: &str) -> i64 {
        let place = match self.texts.get_index_of(template) {
            Some(place) => place,
            None => self.texts.insert_full(template.into()).0,
        };
        place as i64
    }

    /// The template of a text.
    pub(super) fn template(&self, text: i64) -> &str {
        let place = usize::try_from(text).ok();
        // Words of type text are indices of known templates.
        place
            .and_then(|place| self.texts.get_index(place))
            .unwrap_or_else(|| bug!("no text has the index {text}").raise())
    }

    /// The word of the tuple with these words.
    pub(super) fn tuple(&mut self, words: &[i64]) -> i64 {
        let place = match self.tuples.get_index_of(words) {
            Some(place) => place,
            None => self.tuples.insert_full(words.into()).0,
        };
        place as i64
    }

    /// The words of a tuple.
    pub(super) fn words(&self, tuple: i64) -> &[i64] {
        let place = usize::try_from(tuple).ok();
        place
            .and_then(|place| self.tuples.get_index(place))
            .unwrap_or_else(|| bug!("no record or list has the index {tuple}").raise())
    }

    /// The number of texts and tuples.
    pub(super) fn len(&self) -> usize {
        self.texts.len() + self.tuples.len()
    }
}
