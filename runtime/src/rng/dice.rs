//! Sources of faces: a random stream or given faces.

use super::{AliasTable, Stream, draw};
use crate::trap::TrapCode;

/// A source of faces.
pub trait Dice {
    /// The face of a die of `sides` sides, in `1..=sides`.
    ///
    /// # Errors
    /// A script that ran out, or a face that the die does not have.
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode>;

    /// Which of these faces a die shows, counted from 1.
    ///
    /// # Errors
    /// As for [`Dice::roll`].
    fn face_of(&mut self, faces: &[i64]) -> Result<u64, TrapCode> {
        self.roll(faces.len() as u64)
    }

    /// The sum of `count` dice whose single faces are not needed: a source may draw several of them
    /// from one word.
    ///
    /// # Errors
    /// As for [`Dice::roll`].
    fn packed(&mut self, count: u32, sides: u32) -> Result<u64, TrapCode> {
        // At most 2^32 faces of at most 2^32.
        (0..count).try_fold(0, |sum, _| Ok(sum + self.roll(sides.into())?))
    }

    /// An outcome of a table. A source of faces gives the index of the outcome, 1 for the lowest,
    /// like the face of a die with this many sides.
    ///
    /// # Errors
    /// As for [`Dice::roll`].
    fn drawn(&mut self, table: &AliasTable) -> Result<i64, TrapCode> {
        let shown = self.roll(table.outcomes())?;
        Ok(table.outcome(shown.saturating_sub(1)))
    }

    /// A word shared by dice whose sides have this product, from 1 to [`draw::PACK_LIMIT`]; a
    /// source of faces rolls a die with this many sides instead.
    ///
    /// # Errors
    /// As for [`Dice::roll`].
    fn shared_word(&mut self, product: u64) -> Result<u64, TrapCode> {
        let face = u128::from(self.roll(product)? - 1);
        // Below 2^64, since the face is below the product.
        Ok((face << 64).div_ceil(u128::from(product.max(1))) as u64)
    }
}

impl Dice for Stream {
    #[inline]
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        Ok(draw::die(self, sides))
    }

    fn packed(&mut self, count: u32, sides: u32) -> Result<u64, TrapCode> {
        Ok(draw::packed_sum(self, count, sides))
    }

    fn drawn(&mut self, table: &AliasTable) -> Result<i64, TrapCode> {
        Ok(table.draw(self))
    }

    fn shared_word(&mut self, product: u64) -> Result<u64, TrapCode> {
        Ok(draw::shared_word(self, product))
    }
}

/// The faces of a fate die.
pub const FATE_FACES: [i64; 3] = [-1, 0, 1];

/// Faces as people give them, in draw order: the numbers that the dice show. That of a fate die is
/// its value, those of other dice with faces of their own are counted from 1.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    faces: &'a [i64],
    used: usize,
}

impl<'a> Given<'a> {
    /// These faces, of which the first `used` are used up.
    pub fn new(faces: &'a [i64], used: usize) -> Self {
        Self { faces, used }
    }

    /// The number of used faces.
    pub fn used(&self) -> usize {
        self.used
    }

    fn next(&mut self, place: impl Fn(i64) -> Option<u64>) -> Result<u64, TrapCode> {
        let face = *self.faces.get(self.used).ok_or(TrapCode::FacesRanOut)?;
        let place = place(face).ok_or(TrapCode::ImpossibleFace)?;
        self.used += 1;
        Ok(place)
    }
}

impl Dice for Given<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.next(|face| {
            u64::try_from(face)
                .ok()
                .filter(|face| (1..=sides).contains(face))
        })
    }

    fn face_of(&mut self, faces: &[i64]) -> Result<u64, TrapCode> {
        if faces != FATE_FACES {
            return self.roll(faces.len() as u64);
        }
        self.next(|face| {
            (1..)
                .zip(faces)
                .find(|(_, value)| **value == face)
                .map(|(at, _)| at)
        })
    }
}

/// The number that people give for the face at `place`, counted from 1, of a die with these faces.
pub fn given_face(faces: &[i64], place: u64) -> i64 {
    let index = usize::try_from(place.saturating_sub(1)).ok();
    let value = index.and_then(|index| faces.get(index)).copied();
    value
        .filter(|_| faces == FATE_FACES)
        .unwrap_or(place.cast_signed())
}

/// Faces given in advance, in draw order, each counted from 1.
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

    /// The number of faces that were requested and accepted.
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
