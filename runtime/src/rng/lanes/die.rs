//! A die of a lane word: one step of Lemire's method, in the arithmetic of vectors (see `word`).

/// The maximum number that a W16 word is multiplied by: at worst, one word in 32 is rejected.
const MAX_SIDES_16: u32 = 1 << 10;

/// The same in W32, where a word keeps 18 bits at least: one in 16.
const MAX_SIDES_32: u32 = 1 << 14;

/// How wide a lane word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordWidth {
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
}

impl WordWidth {
    /// The number of bits of a word.
    pub fn bits(self) -> u32 {
        match self {
            WordWidth::W16 => 16,
            WordWidth::W32 => 32,
        }
    }
}

/// A die of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Die {
    /// The sides that the word is multiplied by.
    pub drawn: u32,
    /// Whether they are twice those of the die: two of them are one face.
    pub halved: bool,
}

impl Die {
    pub(super) fn new(width: WordWidth, sides: u32) -> Option<Self> {
        let most = match width {
            WordWidth::W16 => MAX_SIDES_16,
            WordWidth::W32 => MAX_SIDES_32,
        };
        if sides > most {
            return None;
        }
        // A die of one side takes nothing from the word.
        let halved = width == WordWidth::W16 && sides % 2 == 1 && sides > 1;
        let drawn = sides.max(1) << u32::from(halved);
        (drawn <= most).then_some(Self { drawn, halved })
    }

    /// The sides of the die.
    pub fn sides(self) -> u32 {
        self.drawn >> u32::from(self.halved)
    }

    /// W16: `d`, the number that is subtracted from the word.
    pub fn shift(self) -> u32 {
        (1_u32 << 15).div_ceil(self.drawn)
    }

    /// The least number in a lane that shows this face or a higher one: W16 reads a lane as signed,
    /// and W32 has but the word's `bits`. `None` if the die has no such face.
    pub fn least(self, width: WordWidth, bits: u32, face: u32) -> Option<i64> {
        // Faces rise with the number in the lane.
        let (mut least, mut end) = match width {
            WordWidth::W16 => (i64::from(i16::MIN), 1 << 15),
            WordWidth::W32 => (0, 1 << bits),
        };
        if face > self.sides() {
            return None;
        }
        while least < end {
            let middle = (least + end) >> 1;
            let shown = match width {
                // Both are within their lanes.
                WordWidth::W16 => self.face_16(middle as i16),
                WordWidth::W32 => self.face_32(middle as u32, bits),
            };
            if shown < face {
                least = middle + 1;
            } else {
                end = middle;
            }
        }
        Some(least)
    }

    #[inline]
    pub(super) fn face_16(self, x: i16) -> u32 {
        if self.drawn == 1 {
            return 1;
        }
        // Both are at most 2^14.
        let (half, shift) = ((self.drawn / 2) as i16, self.shift() as i16);
        let rounded = mulhrs(x.saturating_sub(shift), half);
        // From 0 to one less than the sides that were drawn.
        let from_zero = u32::from((rounded + half).unsigned_abs());
        (from_zero >> u32::from(self.halved)) + 1
    }

    /// `x` has `bits` bits, which leaves room for the sides.
    #[inline]
    pub(super) fn face_32(self, x: u32, bits: u32) -> u32 {
        ((x * self.drawn) >> bits) + 1
    }

    /// W16: `e`, the error of the product because of that.
    pub(super) fn error(self) -> u64 {
        u64::from(self.shift() * self.drawn - (1 << 15))
    }
}

/// The product's high half, rounded: what `pmulhrsw` and `sqrdmulh` give where neither factor is
/// the lowest number twice.
fn mulhrs(a: i16, b: i16) -> i16 {
    // At most 2^30, and so at most 2^15 after the shift.
    ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16
}
