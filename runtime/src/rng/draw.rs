//! Turns random words into faces without any bias.
//!
//! A die takes the high half of the 128-bit product `word * sides` and redraws the word when the
//! low half is below `2^64 mod sides` (Lemire, "Fast Random Integer Generation in an Interval",
//! 2019). Packed draws take several dice from one word by repeating that step on the low half, and
//! redraw when the last low half is below `2^64 mod sides^k` (Brackett-Rozinsky and Lemire,
//! "Batched Ranged Random Integer Generation", 2024).
//!
//! **Shared words** do the same for dice with different sides, whose faces are taken one by one:
//! [`shared_word`] redraws by the product of all their sides, [`face`] takes a die, and [`rest`] is
//! the word for the next die. The dice of one word are independent of each other, so a trial may
//! use any of them.
//!
//! The mapping of words to dice is the **draw layout**, part of the seed contract. The sums of many
//! dice have a separate layout, see [`AliasTable`](super::AliasTable).

use super::Stream;

/// Packed and shared draws use one word for several dice while the product of their sides is at
/// most this: then fewer than 1 word in 256 is redrawn.
pub const PACK_LIMIT: u64 = 1 << 56;

/// One die of `sides` sides (0 counts as 1), from a word of its own: a face in `1..=sides`.
#[inline]
pub fn die(stream: &mut Stream, sides: u64) -> u64 {
    let sides = sides.max(1);
    loop {
        let (high, low) = wide_multiply(stream.word(), sides);
        // The threshold is below `sides`: most words are accepted without the division.
        if low >= sides || low >= reject_below(sides) {
            return high + 1;
        }
    }
}

/// The sum of `count` dice of `sides` sides, [`dice_per_word`] of them from each word. The last
/// word holds only the remaining dice.
#[inline]
pub fn packed_sum(stream: &mut Stream, count: u32, sides: u32) -> u64 {
    let share = dice_per_word(sides);
    let mut sum = 0;
    let mut left = count;
    while left > 0 {
        let dice = left.min(share);
        sum += packed_word(stream, dice, sides);
        left -= dice;
    }
    sum
}

/// The sum of `dice` dice from one word.
fn packed_word(stream: &mut Stream, dice: u32, sides: u32) -> u64 {
    let sides = u64::from(sides.max(1));
    let reject = reject_below(sides.pow(dice));
    loop {
        let mut word = stream.word();
        let mut sum = 0;
        for _ in 0..dice {
            let (high, low) = wide_multiply(word, sides);
            sum += high + 1;
            word = low;
        }
        if word >= reject {
            return sum;
        }
    }
}

/// A word from which dice can be taken whose sides have this product, at least 1.
#[inline]
pub fn shared_word(stream: &mut Stream, product: u64) -> u64 {
    let reject = reject_below(product);
    loop {
        let word = stream.word();
        if word.wrapping_mul(product) >= reject {
            return word;
        }
    }
}

/// The face in `1..=sides` of the next die of a word or of its rest.
#[inline]
pub fn face(word: u64, sides: u32) -> u64 {
    wide_multiply(word, u64::from(sides.max(1))).0 + 1
}

/// The rest of a word after that die.
#[inline]
pub fn rest(word: u64, sides: u32) -> u64 {
    word.wrapping_mul(u64::from(sides.max(1)))
}

/// The number of dice with `sides` sides that one word yields in a packed draw, at least 1. Dice
/// with a single side need no randomness; 64 of them count as one word.
pub fn dice_per_word(sides: u32) -> u32 {
    let sides = u64::from(sides.max(1));
    if sides == 1 {
        return 64;
    }
    let (mut dice, mut product) = (0, 1_u64);
    while product <= PACK_LIMIT / sides {
        product *= sides;
        dice += 1;
    }
    dice
}

/// `2^64 mod base`: a low half below it would favour some faces. `base` is at least 1.
pub fn reject_below(base: u64) -> u64 {
    let base = base.max(1);
    base.wrapping_neg() % base
}

/// The high and low halves of the 128-bit product.
#[inline]
fn wide_multiply(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_below_the_limit() {
        assert_eq!(dice_per_word(1), 64);
        assert_eq!(dice_per_word(6), 21);
        assert_eq!(dice_per_word(20), 12);
        assert_eq!(dice_per_word(1_000_000_000), 1);
        for sides in 2..2000_u32 {
            let dice = dice_per_word(sides);
            assert!(u64::from(sides).pow(dice) <= PACK_LIMIT);
            assert!(u128::from(sides).pow(dice + 1) > u128::from(PACK_LIMIT));
        }
    }

    /// The argument of the module documentation for words of 16 bits instead of 64, over all words:
    /// among the accepted words, each combination of faces occurs equally often.
    #[test]
    fn rejection_is_exact_on_a_small_word() {
        for (sides, dice) in [(6_u32, 1), (6, 3), (20, 2), (7, 4), (3, 5), (100, 1)] {
            let base = sides.pow(dice);
            let reject = (1_u32 << 16) % base;
            let mut seen = std::collections::HashMap::new();
            for start in 0..1_u32 << 16 {
                let (mut word, mut faces) = (start, Vec::new());
                for _ in 0..dice {
                    let product = word * sides;
                    faces.push(product >> 16);
                    word = product & 0xffff;
                }
                if word >= reject {
                    *seen.entry(faces).or_insert(0_u32) += 1;
                }
            }
            assert_eq!(seen.len(), base as usize);
            assert!(seen.values().all(|&count| count == (1 << 16) / base));
        }
    }

    /// Taking dice one by one equals the packed draw: in the sum of the faces, the words, and the
    /// rejected words.
    #[test]
    fn shared_words_are_packed_ones_in_parts() {
        let (mut stream, mut packed) = (Stream::from_seed(5), Stream::from_seed(5));
        for _ in 0..1000 {
            let mut word = shared_word(&mut stream, 20_u64.pow(12));
            let mut sum = 0;
            for _ in 0..12 {
                sum += face(word, 20);
                word = rest(word, 20);
            }
            assert_eq!(sum, packed_sum(&mut packed, 12, 20));
        }
        assert_eq!(stream.state(), packed.state());
    }

    /// The same for different sides: over all words of 16 bits, each combination of faces occurs
    /// equally often.
    #[test]
    fn shared_rejection_is_exact_on_a_small_word() {
        for sides in [[20_u32, 8, 8], [6, 20, 3], [100, 7, 2], [8, 8, 20]] {
            let product: u32 = sides.iter().product();
            let reject = (1_u32 << 16) % product;
            let mut seen = std::collections::HashMap::new();
            for start in 0..1_u32 << 16 {
                if (start * product) & 0xffff < reject {
                    continue;
                }
                let mut word = start;
                let faces = sides.map(|sides| {
                    let product = word * sides;
                    word = product & 0xffff;
                    product >> 16
                });
                *seen.entry(faces).or_insert(0_u32) += 1;
            }
            assert_eq!(seen.len(), product as usize);
            assert!(seen.values().all(|&count| count == (1 << 16) / product));
        }
    }

    #[test]
    fn faces_of_a_seed_are_pinned() {
        let mut stream = Stream::from_seed(42);
        let faces: Vec<u64> = (0..10).map(|_| die(&mut stream, 6)).collect();
        assert_eq!(faces, [5, 2, 6, 5, 5, 4, 1, 4, 2, 6]);
        assert_eq!(packed_sum(&mut stream, 100, 6), 334);
    }
}
