//! The check that an answer has passed.

/// The check that an answer has passed before it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Checked {
    /// The trials of the reference interpreter that it was compared with: fewer than usual if they
    /// take long, and 0 if not even one was cheap enough.
    pub trials: u64,
    /// How many of a simulation's first trials the evaluator of the same code played again; 0 for
    /// exact odds, and if its code was checked before.
    pub replayed: u64,
}
