//! A value of the function in lanes: a vector with a trial in each lane, and a constant.

use cranelift::codegen::ir as clif;
use dicec_runtime::rng::lanes::Die;

/// A number: `offset + vector`, `offset - vector`, or `offset` alone. Truth values are vectors of 0
/// and -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lane {
    pub(super) vector: Option<clif::Value>,
    pub(super) negated: bool,
    pub(super) offset: i64,
    /// The face, if the vector is just the face of a die.
    pub(super) face: Option<Face>,
}

/// A die's face: a vector and `above`; it rises with the word `x` that it was drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Face {
    pub(super) x: clif::Value,
    /// How many bits of the word count.
    pub(super) bits: u32,
    pub(super) die: Die,
    pub(super) above: i64,
}

impl Lane {
    pub(super) fn new(vector: clif::Value, offset: i64) -> Self {
        Self {
            vector: Some(vector),
            negated: false,
            offset,
            face: None,
        }
    }

    /// A face, as a vector of its distance from `face.above`.
    pub(super) fn face(vector: clif::Value, face: Face) -> Self {
        Self {
            face: Some(face),
            ..Self::new(vector, face.above)
        }
    }

    pub(super) fn constant(offset: i64) -> Self {
        Self {
            vector: None,
            negated: false,
            offset,
            face: None,
        }
    }

    pub(super) fn offset(self) -> i64 {
        self.offset
    }

    /// The number of all lanes, if it is known.
    pub(super) fn as_constant(self) -> Option<i64> {
        self.vector.is_none().then_some(self.offset)
    }

    pub(super) fn plus(self, offset: i64) -> Self {
        Self {
            offset: self.offset.wrapping_add(offset),
            ..self
        }
    }

    pub(super) fn negative(self) -> Self {
        Self {
            negated: !self.negated,
            offset: self.offset.wrapping_neg(),
            ..self
        }
    }
}
