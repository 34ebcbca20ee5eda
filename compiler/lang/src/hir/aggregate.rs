//! Blocks that iterate over elements are primitives: an [`Aggregate`] names the block's own
//! variables, by which the parts from the script are found (`ValueBlock::reduction` and
//! `ValueBlock::sorting`). Only front ends and [`crate::check`] make them; [`super::verify`] checks
//! the shape of each. Analyses of the order of elements must test the primitive, never the shape of
//! statements that a script could also contain.

use super::LocalId;
use dicec_runtime::pool::Selector;

/// The computation of a block over elements. The variables in it are the block's own: neither code
/// outside of it nor the parts from the script may use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// The sum of the dice of a value: this variable holds it, and its terms are the elements. The
    /// statements up to the one that assigns it only compute the value.
    Rolled(LocalId),
    /// `sum`: the value for each element is put in one variable, and added to the other.
    Sum {
        /// The sum.
        total: LocalId,
        /// The value for an element.
        value: LocalId,
    },
    /// `count`: the number of elements that pass.
    Count(LocalId),
    /// `any` (`by` is true) and `all` (it is false): whether a condition held for an element, which
    /// ends the loop.
    Decided {
        /// The answer; `by` if an element decided it.
        answer: LocalId,
        /// See above.
        by: bool,
    },
    /// `min` and `max` of a value for each element.
    Extreme(Search),
    /// `min` and `max` of the elements themselves, beginning with the first one.
    ExtremeOf {
        /// The list.
        list: LocalId,
        /// The best one so far.
        best: LocalId,
    },
    /// `[value for x : list]`, and lists that are joined: this list begins empty, and values are
    /// appended to it. So no other list is the same before the block ends.
    Collected(LocalId),
    /// A sort: this list is sorted by its elements. It is the block's own, or a variable of the
    /// script that is sorted in place.
    Sorted(LocalId),
    /// The dice of this list that a selector drops are marked as dropped.
    Selected {
        /// The list.
        list: LocalId,
        /// Which end is kept or dropped.
        selector: Selector,
    },
    /// Something of a random one of the elements: `pick`.
    Pick {
        /// The index of the random one, or the number itself.
        index: LocalId,
        /// The list of those that pass, if they are collected.
        passing: Option<LocalId>,
    },
    /// `draw`: the element of this list at a random index, which is removed. The list is a variable
    /// of the block or of the script.
    Drawn {
        /// The list.
        list: LocalId,
        /// The index.
        index: LocalId,
    },
    /// Something of the first one with the least or greatest key: `least`, `most`.
    Best {
        /// The search for the key.
        search: Search,
        /// The index of the best one, or the number itself.
        index: LocalId,
    },
}

/// The variables of a search for the least or greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The value of the element that is looked at.
    pub value: LocalId,
    /// The best one so far.
    pub best: LocalId,
    /// Its initial value.
    pub limit: LocalId,
    /// Whether there was an element.
    pub found: LocalId,
}

impl Aggregate {
    /// Calls `see` with each variable that is the block's own.
    pub fn each_own(&self, see: &mut dyn FnMut(LocalId)) {
        let of_search = |search: &Search| {
            let Search {
                value,
                best,
                limit,
                found,
            } = *search;
            [value, best, limit, found]
        };
        match self {
            // The variable may be one of the script, or is used after it.
            Aggregate::Sorted(_) | Aggregate::Selected { .. } => {}
            Aggregate::Sum { total, value } => [*total, *value].into_iter().for_each(see),
            Aggregate::Rolled(own)
            | Aggregate::Count(own)
            | Aggregate::Decided { answer: own, .. }
            | Aggregate::Collected(own) => see(*own),
            Aggregate::Extreme(search) => of_search(search).into_iter().for_each(see),
            Aggregate::ExtremeOf { list, best } => [*list, *best].into_iter().for_each(see),
            Aggregate::Drawn { index, .. } => see(*index),
            Aggregate::Pick { index, passing } => {
                std::iter::once(*index).chain(*passing).for_each(see);
            }
            Aggregate::Best { search, index } => {
                of_search(search).into_iter().chain([*index]).for_each(see);
            }
        }
    }

    /// Whether a variable is the block's own.
    pub fn owns(&self, local: LocalId) -> bool {
        let mut owns = false;
        self.each_own(&mut |own| owns |= own == local);
        owns
    }
}
