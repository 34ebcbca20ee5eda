//! The cached composites of a question: the outcomes of consecutive segments as one distribution.

use super::case::Count;
use super::needs::Needs;
use super::notes::Mean;
use super::piece::Piece;
use super::plan::Exit;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The cached composites of a question.
pub(super) struct Composites<W> {
    /// By the number of the first segment and the objects of the caller.
    pub(super) blocks: FxHashMap<(usize, usize), Composed<W>>,
}

impl<W> Default for Composites<W> {
    fn default() -> Self {
        Self {
            blocks: FxHashMap::default(),
        }
    }
}

/// The cached composites that begin with one segment.
pub(super) struct Composed<W> {
    /// The number of segments that can be composed, an upper bound that shrinks with each failure.
    pub(super) length: usize,
    pub(super) kept: Vec<Arc<Composite<W>>>,
}

/// The outcomes of consecutive segments, for all states that meet the path condition.
pub(super) struct Composite<W> {
    /// The length of the rows, and the path condition.
    pub(super) words: usize,
    pub(super) needs: Needs,
    /// The number of segments.
    pub(super) length: usize,
    /// The partial distribution at each exit, and the total number of their outcomes.
    pub(super) pieces: Vec<(Exit, Piece<W>)>,
    pub(super) outcomes: u64,
    /// The maximum fuel that is burnt, and whether some states burn less than others.
    pub(super) fuel: u64,
    pub(super) mixed: bool,
    pub(super) counts: Vec<(Arc<Count>, Mean)>,
}
