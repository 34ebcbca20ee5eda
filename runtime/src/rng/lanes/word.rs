//! A lane word and its dice: Lemire's step on one word again and again, as in [`crate::rng::draw`], in the arithmetic that vector
//! instructions have.
//!
//! **V16** has a signed product of which the high half comes rounded: `mulhrs(a, h) = (a h + 2^14) >> 15`. For a die of `s = 2h`
//! sides, `d = ceil(2^15 / s)` and `e = d s - 2^15`, the lane word `x` (signed, `X = x + 2^15`) gives
//!
//! ```text
//! r = mulhrs(saturate(x - d), h) = floor((X s - e) / 2^16) - h      (-h if that is less)
//! face = r + h + 1
//! x = x s                                                           (the low half)
//! ```
//!
//! The low half of `x s` is that of `X s`, since `s` is even. But for `e` this is Lemire's step on `X`; and the next die finds
//! its `X` with the top bit flipped, which turns its faces by half a round (`2^15 s` is a multiple of 2^16, so no face is torn). So
//! the faces of all dice stand for one number `N < P`, the product of the sides, and the last low half is `X P - N 2^16`: it is at
//! least a threshold `t`, congruent to 2^16 modulo `P`, for exactly `(2^16 - t) / P` words of each `N`. Where `e` makes a die's face
//! differ, its low half is below `e`, and so the last one is below `e` times the sides of the dice that follow: `t` is raised by
//! multiples of `P` to the sum of these, and such words are rejected. An odd die is half of one with twice its sides.
//!
//! **V32** has the low half of products alone. The word keeps its top `L` bits, so that `x s` with any of its sides fits 32 bits:
//! `face = (x s >> L) + 1`, `x = x s mod 2^L`, rejected below `2^L mod P`: Lemire's step as it stands.

use super::Tier;

/// Words of several dice are rejected with at most this chance, in 2^-16: less than 1 in 100.
const SHARED_REJECTION: u64 = 640;

/// Most sides that a V16 word is multiplied by: one in 32 is rejected at worst.
const MOST_SIDES_16: u32 = 1 << 10;

/// The same in V32, where a word keeps 18 bits at least: one in 16.
const MOST_SIDES_32: u32 = 1 << 14;

/// A die of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die {
    /// The sides that the word is multiplied by.
    pub drawn: u32,
    /// Whether they are twice those of the die: two of them are one face.
    pub halved: bool,
}

impl Die {
    fn new(tier: Tier, sides: u32) -> Option<Self> {
        let most = match tier {
            Tier::V16 => MOST_SIDES_16,
            Tier::V32 => MOST_SIDES_32,
        };
        if sides > most {
            return None;
        }
        // A die of one side takes nothing from the word.
        let halved = tier == Tier::V16 && sides % 2 == 1 && sides > 1;
        let drawn = sides.max(1) << u32::from(halved);
        (drawn <= most).then_some(Self { drawn, halved })
    }

    /// The sides of the die.
    pub fn sides(self) -> u32 {
        self.drawn >> u32::from(self.halved)
    }

    /// V16: `d`, what is taken from the word.
    pub fn shift(self) -> u32 {
        (1_u32 << 15).div_ceil(self.drawn)
    }

    /// V16: `e`, how far the product is off by that.
    fn error(self) -> u64 {
        u64::from(self.shift() * self.drawn - (1 << 15))
    }
}

/// A lane word: the dice that it gives, in order, and when it is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    tier: Tier,
    dice: Vec<Die>,
    bits: u32,
    reject: u32,
}

impl Word {
    /// Words for dice of these sides, as many dice in each as it can share; `None` where one of them fits no word.
    pub(super) fn pack(tier: Tier, sides: impl Iterator<Item = u32>) -> Option<Vec<Self>> {
        let mut words: Vec<Self> = Vec::new();
        for sides in sides {
            let die = Die::new(tier, sides)?;
            let shared = words.last().and_then(|word| {
                let dice = word.dice.iter().copied().chain([die]).collect();
                let more = Self::new(tier, dice)?;
                (more.rejected_of_65536() <= SHARED_REJECTION).then_some(more)
            });
            match (shared, words.last_mut()) {
                (Some(shared), Some(last)) => *last = shared,
                _ => words.push(Self::new(tier, vec![die])?),
            }
        }
        Some(words)
    }

    /// A word of these dice, if some words are accepted.
    fn new(tier: Tier, dice: Vec<Die>) -> Option<Self> {
        let bits = match tier {
            Tier::V16 => 16,
            Tier::V32 => {
                let largest = dice.iter().map(|die| die.drawn).max().unwrap_or(1);
                // At most 31: the word stays positive where a lane is signed.
                32 - largest.next_power_of_two().trailing_zeros().max(1)
            }
        };
        let size = 1_u64 << bits;
        let (mut product, mut error) = (1_u64, 0);
        for die in &dice {
            product *= u64::from(die.drawn);
            if tier == Tier::V16 && die.drawn > 1 {
                error = error * u64::from(die.drawn) + die.error();
            }
            if product > size || error > size {
                return None;
            }
        }
        let rest = size % product;
        let missing = error.saturating_sub(rest).div_ceil(product);
        let reject = rest + missing * product;
        (reject < size).then_some(Self {
            tier,
            dice,
            bits,
            // Below 2^31.
            reject: reject as u32,
        })
    }

    /// The dice, in draw order.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// How many of the lane word's bits count: the top ones.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The lane word is rejected if less than this is left of it.
    pub fn reject(&self) -> u32 {
        self.reject
    }

    /// How many of 65536 words are rejected, rounded up.
    pub(super) fn rejected_of_65536(&self) -> u64 {
        (u64::from(self.reject) << 16).div_ceil(1 << self.bits)
    }

    /// Calls `face` with each face that a lane's bits give; says whether they count.
    pub fn draw(&self, lane: u32, face: impl FnMut(u64)) -> bool {
        match self.tier {
            // A lane has 16 bits.
            Tier::V16 => self.draw_16(lane as u16, face),
            Tier::V32 => self.draw_32(lane >> (32 - self.bits), face),
        }
    }

    fn draw_16(&self, lane: u16, mut face: impl FnMut(u64)) -> bool {
        let mut x = lane.cast_signed();
        for die in &self.dice {
            if die.drawn == 1 {
                face(1);
                continue;
            }
            // Both are at most 2^14.
            let (half, shift) = ((die.drawn / 2) as i16, die.shift() as i16);
            let rounded = mulhrs(x.saturating_sub(shift), half);
            x = x.wrapping_mul(die.drawn as i16);
            // From 0 to one less than the sides that were drawn.
            let from_zero = (rounded + half).unsigned_abs();
            face(u64::from(from_zero >> u32::from(die.halved)) + 1);
        }
        u32::from(x.cast_unsigned()) >= self.reject
    }

    fn draw_32(&self, word: u32, mut face: impl FnMut(u64)) -> bool {
        let mut x = word;
        for die in &self.dice {
            // Below 2^32: the word's bits leave room for the sides.
            let product = x * die.drawn;
            x = product & ((1 << self.bits) - 1);
            face(u64::from(product >> self.bits) + 1);
        }
        x >= self.reject
    }
}

/// The product's high half, rounded: what `pmulhrsw` and `sqrdmulh` give where neither factor is the lowest number twice.
fn mulhrs(a: i16, b: i16) -> i16 {
    // At most 2^30, and so at most 2^15 after the shift.
    ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16
}
