//! Where faces come from: a random stream or a script.

use super::{Stream, draw};
use crate::trap::TrapCode;

/// A source of faces.
pub trait Dice {
    /// The face of a die of `sides` sides, in `1..=sides`.
    ///
    /// # Errors
    /// A script that ran out or names a face that the die does not have.
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode>;
}

impl Dice for Stream {
    #[inline]
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        Ok(draw::die(self, sides))
    }
}

/// Faces given in advance, in draw order.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    faces: &'a [u64],
    used: usize,
}

impl<'a> Scripted<'a> {
    /// A script of these faces.
    pub fn new(faces: &'a [u64]) -> Self {
        Self { faces, used: 0 }
    }

    /// How many faces were asked for and accepted.
    pub fn used(&self) -> usize {
        self.used
    }
}

impl Dice for Scripted<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        let face = *self.faces.get(self.used).ok_or(TrapCode::FacesRanOut)?;
        if !(1..=sides).contains(&face) {
            return Err(TrapCode::ImpossibleFace);
        }
        self.used += 1;
        Ok(face)
    }
}
