//! The condition that an answer is given.

use super::share::{Share, lowest};

/// The condition of an answer, and its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// As it was written.
    pub condition: String,
    /// The share of all rolls for which it holds.
    pub share: Share,
    /// Whether the roll has lines or statistics, whose odds given the condition are not known.
    pub leaves_out: bool,
}

impl Given {
    /// This condition, and another one of the rolls for which it holds.
    pub(super) fn and(self, other: Self) -> Self {
        let fractions = self.share.fraction.as_ref().zip(other.share.fraction);
        Self {
            condition: format!("({}) and ({})", self.condition, other.condition),
            share: Share {
                p: self.share.p * other.share.p,
                fraction: fractions
                    .map(|((above, below), (more, of))| lowest(&(above * more), &(below * of))),
                ..Share::of(0.0)
            },
            leaves_out: self.leaves_out || other.leaves_out,
        }
    }
}
