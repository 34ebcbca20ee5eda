//! What the code inside a roll knows of it: the dice that may shift its degree, and the degree.

use crate::ir::Value;

/// The state inside a roll.
#[derive(Default)]
pub(super) struct Inside {
    /// On the left of a `vs`: the natural dice so far.
    pub(super) naturals: Option<Naturals>,
    /// The grade that a `vs` gave.
    pub(super) grade: Option<Value>,
}

/// The dice of a left side that may shift the grade.
#[derive(Clone, Copy)]
pub(super) struct Naturals {
    /// The sides that such a die has.
    pub(super) sides: u32,
    /// How many there are.
    pub(super) count: Value,
    /// The sum of their faces, which is the face if there is one die.
    pub(super) face: Value,
}
