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

use super::die::{Die, WordWidth};
use super::joint::Joint;

/// Words of several dice are rejected with at most this chance, in 2^-16: less than 1 in 100.
const SHARED_REJECTION: u64 = 640;

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
