//! Symbolic words: a word of a state as an expression that holds in other states too.

use super::column::Ranges;
use std::ops::RangeInclusive;

/// Words of at most this magnitude are *small*: if one of them is added to another, or one is
/// subtracted from another, the result is a number.
pub(super) const SMALL: i64 = 1 << 61;

/// A symbolic word, the same expression in every state of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// A constant.
    Word(i64),
    /// The word in this column of the row, plus a constant. Constants are added only to small
    /// words.
    Column(u32, i64),
    /// The same, saturated: at least the third number.
    Floored(u32, i64, i32),
}

impl Side {
    /// The column that it depends on.
    pub(super) fn column(self) -> Option<u32> {
        match self {
            Side::Word(_) => None,
            Side::Column(place, _) | Side::Floored(place, ..) => Some(place),
        }
    }

    /// Its value in a row, whose columns `read` reads.
    #[inline]
    pub(super) fn number(self, read: impl Fn(usize) -> i64) -> i64 {
        match self {
            Side::Word(word) => word,
            Side::Column(place, add) => read(place as usize).wrapping_add(add),
            Side::Floored(place, add, least) => {
                let word = read(place as usize).wrapping_add(add);
                word.max(least.into())
            }
        }
    }

    /// The range of its values in these states.
    pub(super) fn range(self, states: &impl Ranges) -> Option<RangeInclusive<i64>> {
        let (place, add, least) = match self {
            Side::Word(word) => return Some(word..=word),
            Side::Column(place, add) => (place, add, None),
            Side::Floored(place, add, least) => (place, add, Some(i64::from(least))),
        };
        let range = states.known_range(place as usize)?;
        let ends = [range.start(), range.end()].map(|end| end.checked_add(add));
        let [Some(first), Some(last)] = ends else {
            return None;
        };
        let least = least.unwrap_or(i64::MIN);
        Some(first.max(least)..=last.max(least))
    }
}

pub(super) fn is_small(number: i64) -> bool {
    (-SMALL..=SMALL).contains(&number)
}
