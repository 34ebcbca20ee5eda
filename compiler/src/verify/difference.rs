//! A difference between two versions of a program.

use std::fmt;

/// The first thing that was found to differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The subject of the comparison: "trial 3 of seed 7", "the chance of result 6".
    pub of: String,
    /// It before the rewrite, or as it should be.
    pub before: String,
    /// It afterwards.
    pub after: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, before, after } = self;
        write!(f, "{of} is {before} before and {after} after")
    }
}
