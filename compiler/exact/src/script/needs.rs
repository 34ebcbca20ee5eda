//! Path conditions of a piece: the constraints on the entry state under which a block takes this
//! path. A state that meets them reuses the cached result.

use super::column::Ranges;
use std::ops::RangeInclusive;

/// A path condition: for each column of the entry state, the range that its word must be in.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs(Vec<(usize, RangeInclusive<i64>)>);

impl Needs {
    pub(super) fn add(&mut self, column: usize, range: RangeInclusive<i64>) {
        match self.0.iter_mut().find(|(known, _)| *known == column) {
            Some((_, known)) => {
                *known = *known.start().max(range.start())..=*known.end().min(range.end());
            }
            None => self.0.push((column, range)),
        }
    }

    /// Whether all of these states meet the condition.
    pub(super) fn hold(&self, states: &impl Ranges) -> bool {
        self.0.iter().all(|(column, range)| {
            states
                .known_range(*column)
                .is_some_and(|known| range.contains(known.start()) && range.contains(known.end()))
        })
    }
}
