//! Caches the ranges of functions until they change: many passes change nothing, and the next one
//! analyses the same function.

use super::ranges::{Given, Ranges};
use crate::ir::Function;
use std::rc::Rc;

/// The maximum number of functions in the cache. Passes visit all functions of a module, one after
/// another.
const MAX_KNOWN: usize = 8;

/// A cache of [`Ranges`].
#[derive(Default)]
pub(crate) struct KnownRanges(Vec<Known>);

struct Known {
    function: Function,
    given: Given,
    ranges: Rc<Ranges>,
}

impl KnownRanges {
    /// [`Ranges::within`].
    pub(crate) fn within(&mut self, function: &Function, given: Given) -> Rc<Ranges> {
        let is_it = |known: &&Known| known.given == given && known.function == *function;
        if let Some(known) = self.0.iter().rev().find(is_it) {
            return known.ranges.clone();
        }
        let ranges = Rc::new(Ranges::within(function, given));
        if self.0.len() == MAX_KNOWN {
            self.0.remove(0);
        }
        self.0.push(Known {
            function: function.clone(),
            given,
            ranges: ranges.clone(),
        });
        ranges
    }
}
