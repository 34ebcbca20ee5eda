//! A number in the lanes of a kernel. In 8-bit lanes, a number that does not fit has two *halves*,
//! each with eight trials in 16-bit lanes.

use super::lane::Lane;
use crate::analysis::Interval;

/// A value, for all trials of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Number {
    /// In the kernel's own lanes; truth values always are.
    One(Lane),
    /// The first eight trials and the others, where lanes have 8 bits.
    Halves([Lane; 2]),
}

/// A value and the interval that it is in.
pub(super) type Ranged = (Number, Interval);

/// The interval of masks.
pub(super) const TRUTHS: Interval = Interval { low: -1, high: 0 };

impl Number {
    pub(super) fn constant(number: i64) -> Self {
        Self::One(Lane::constant(number))
    }
}
