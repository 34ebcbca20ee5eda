//! A lane word and its dice: Lemire's step on one word again and again, as in [`crate::rng::draw`],
//! in the arithmetic that vector instructions have.
//!
//! **W16** has a signed product of which the high half comes rounded: `mulhrs(a, h) = (a h + 2^14)
//! >> 15`. For a die of `s = 2h` sides, `d = ceil(2^15 / s)` and `e = d s - 2^15`, the lane word
//! `x` (signed, `X = x + 2^15`) gives
//!
//! ```text
//! r = mulhrs(saturate(x - d), h) = floor((X s - e) / 2^16) - h      (-h if that is less)
//! face = r + h + 1
//! x = x s                                                           (the low half)
//! ```
//!
//! The low half of `x s` is that of `X s`, since `s` is even. But for `e` this is Lemire's step on
//! `X`; and the next die finds its `X` with the top bit flipped, which turns its faces by half a
//! round (`2^15 s` is a multiple of 2^16, so no face is torn). So the faces of all dice stand for
//! one number `N < P`, the product of the sides, and the last low half is `X P - N 2^16`: it is at
//! least a threshold `t`, congruent to 2^16 modulo `P`, for exactly `(2^16 - t) / P` words of each
//! `N`. Where `e` makes a die's face differ, its low half is below `e`, and so the last one is
//! below `e` times the sides of the dice that follow: `t` is raised by multiples of `P` to the sum
//! of these, and such words are rejected. An odd die is half of one with twice its sides.
//!
//! **W32** has only the low half of products. The word keeps its top `L` bits, so that `x s` with
//! any of its sides fits 32 bits: `face = (x s >> L) + 1`, `x = x s mod 2^L`, rejected below `2^L
//! mod P`: exactly Lemire's step.

use super::Joint;

/// Words of several dice are rejected with at most this chance, in 2^-16: less than 1 in 100.
const SHARED_REJECTION: u64 = 640;

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
    fn new(width: WordWidth, sides: u32) -> Option<Self> {
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

    fn face_16(self, x: i16) -> u32 {
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
    fn face_32(self, x: u32, bits: u32) -> u32 {
        ((x * self.drawn) >> bits) + 1
    }

    /// W16: `e`, the error of the product because of that.
    fn error(self) -> u64 {
        u64::from(self.shift() * self.drawn - (1 << 15))
    }
}

/// A lane word: the dice that it gives, in order, and when it is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    width: WordWidth,
    dice: Vec<Die>,
    bits: u32,
    reject: u32,
}

impl Word {
    /// Words for dice of these sides, as many dice in each as it can share; `None` where one of
    /// them fits no word.
    pub(super) fn pack(width: WordWidth, sides: impl Iterator<Item = u32>) -> Option<Vec<Self>> {
        let mut words: Vec<Self> = Vec::new();
        for sides in sides {
            let die = Die::new(width, sides)?;
            let shared = words.last().and_then(|word| {
                let dice = word.dice.iter().copied().chain([die]).collect();
                let more = Self::new(width, dice)?;
                (more.rejected_of_65536() <= SHARED_REJECTION).then_some(more)
            });
            match (shared, words.last_mut()) {
                (Some(shared), Some(last)) => *last = shared,
                _ => words.push(Self::new(width, vec![die])?),
            }
        }
        Some(words)
    }

    /// A word of these dice, if some words are accepted.
    fn new(width: WordWidth, dice: Vec<Die>) -> Option<Self> {
        let bits = match width {
            WordWidth::W16 => 16,
            WordWidth::W32 => {
                let largest = dice.iter().map(|die| die.drawn).max()?;
                // At most 31: the word stays positive where a lane is signed.
                32 - largest.next_power_of_two().trailing_zeros().max(1)
            }
        };
        let size = 1_u64 << bits;
        let mut product = 1_u64;
        for die in &dice {
            product *= u64::from(die.drawn);
            if product > size {
                return None;
            }
        }
        let error = match width {
            WordWidth::W16 => error(&dice),
            WordWidth::W32 => 0,
        };
        if error > size {
            return None;
        }
        let rest = size % product;
        let missing = error.saturating_sub(rest).div_ceil(product);
        let reject = rest + missing * product;
        (reject < size).then_some(Self {
            width,
            dice,
            bits,
            // Below 2^31.
            reject: reject as u32,
        })
    }

    /// How wide the word is.
    pub fn width(&self) -> WordWidth {
        self.width
    }

    /// The dice, in draw order.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// The number of bits of the lane word that count: the top ones.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The threshold below which the rest of the lane word rejects it.
    pub fn reject(&self) -> u32 {
        self.reject
    }

    /// The number of rejected words out of 65536, rounded up.
    pub(super) fn rejected_of_65536(&self) -> u64 {
        (u64::from(self.reject) << 16).div_ceil(1 << self.bits)
    }

    /// The same draw with fewer dice: its equal dice read as larger ones of at most `most` sides,
    /// each of as many as fit. Gives what each of them stands for, too. `None` where the word's
    /// dice differ, or where some number of theirs would not be read right.
    pub fn joined(&self, most: u32) -> Option<(Self, Vec<Joint>)> {
        let (&die, others) = self.dice.split_first()?;
        let equal = others.iter().all(|&other| other == die);
        if self.width != WordWidth::W16 || !equal || die.drawn < 2 || die.drawn > most {
            return None;
        }
        let fit = most.ilog(die.drawn) as usize;
        let joints: Vec<Joint> = self
            .dice
            .chunks(fit)
            .map(|dice| Joint::new(die, dice.len() as u32))
            .collect();
        let dice: Vec<Die> = joints.iter().map(|joint| joint.die()).collect();
        // The larger dice are wrong for other words; all of these have to be rejected.
        let exact = error(&dice) <= u64::from(self.reject);
        let word = Self {
            dice,
            ..self.clone()
        };
        exact.then_some((word, joints))
    }

    /// Calls `face` with each face that a lane's bits give; returns whether they count.
    pub fn draw(&self, lane: u32, face: impl FnMut(u64)) -> bool {
        match self.width {
            // A lane has 16 bits.
            WordWidth::W16 => self.draw_16(lane as u16, face),
            WordWidth::W32 => self.draw_32(lane >> (32 - self.bits), face),
        }
    }

    fn draw_16(&self, lane: u16, mut face: impl FnMut(u64)) -> bool {
        let mut x = lane.cast_signed();
        for die in &self.dice {
            face(die.face_16(x).into());
            x = x.wrapping_mul(die.drawn as i16);
        }
        u32::from(x.cast_unsigned()) >= self.reject
    }

    fn draw_32(&self, word: u32, mut face: impl FnMut(u64)) -> bool {
        let mut x = word;
        for die in &self.dice {
            face(die.face_32(x, self.bits).into());
            x = (x * die.drawn) & ((1 << self.bits) - 1);
        }
        x >= self.reject
    }
}

/// W16: below this number of what is left of a word, some die's face may be off. The product of the
/// sides is at most 2^16.
fn error(dice: &[Die]) -> u64 {
    let dice = dice.iter().filter(|die| die.drawn > 1);
    dice.fold(0, |error, die| error * u64::from(die.drawn) + die.error())
}

/// The product's high half, rounded: what `pmulhrsw` and `sqrdmulh` give where neither factor is
/// the lowest number twice.
fn mulhrs(a: i16, b: i16) -> i16 {
    // At most 2^30, and so at most 2^15 after the shift.
    ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16
}
