//! Byte ranges of a rule's source. They are part of the runtime so that a trap can name its
//! location.

use std::fmt;
use std::ops::Range;

/// A half-open byte range `start..end` of one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte; never below `start`.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; an `end` below `start` gives an empty range at `start`.
    pub fn new(start: u32, end: u32) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The range that begins this many bytes further on.
    pub fn shifted(self, bytes: u32) -> Span {
        Span::new(self.start + bytes, self.end + bytes)
    }

    /// The range as `usize`, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
