//! Bounds on the values of dice: the modifiers `min2` and `max5`.

use super::Pool;
use crate::compare::CompareOp;
use std::fmt;

/// A bound on the value of each die. All engines and front ends take its meaning from here, so a
/// new one is a variant of this type and a word of the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Lower values are raised to it.
    Min,
    /// Higher values are lowered to it.
    Max,
}

impl Bound {
    /// All bounds.
    pub const ALL: [Bound; 2] = [Bound::Min, Bound::Max];

    /// How values compare with the number that replaces them.
    pub fn replaces(self) -> CompareOp {
        match self {
            Bound::Min => CompareOp::Less,
            Bound::Max => CompareOp::Greater,
        }
    }

    /// The value of a die under a bound. It never falls if the value or the bound rises, so the
    /// bounds of a range are bounded like values.
    pub fn apply(self, value: i64, bound: i64) -> i64 {
        match self.replaces().holds(value.cmp(&bound)) {
            true => bound,
            false => value,
        }
    }
}

/// Its word in the notation and in the text of the IR.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Min => "min",
            Bound::Max => "max",
        })
    }
}

impl Pool {
    /// Bounds the value of each die.
    pub fn bound(&mut self, how: Bound, bound: i64) {
        for die in self.dice.iter_mut().filter(|die| die.is_present()) {
            die.value = how.apply(die.value, bound);
        }
    }
}
