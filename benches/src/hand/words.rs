//! Blocks of 16-bit words for vector code, and dice from them.

use super::generator::Generator;
use dicec_runtime::rng::Streams;
use std::array::from_fn;

/// The number of words in a block: few enough to stay in the L1 cache.
pub(super) const BLOCK: usize = 256;

/// The number of generators side by side: a loop over this many becomes one over vectors.
const GENERATORS: usize = BLOCK / 4;

/// The product's generator, several streams in parallel.
pub(super) struct Generators {
    s: [[u64; GENERATORS]; 4],
}

impl Generators {
    pub(super) fn new() -> Self {
        let streams: Vec<_> = Streams::new(42).take(GENERATORS).collect();
        let states: [_; GENERATORS] = from_fn(|stream| streams[stream].state());
        Self {
            s: from_fn(|word| from_fn(|stream| states[stream][word])),
        }
    }

    /// Words for dice whose sides have this product: none that Lemire's method rejects.
    #[inline(always)]
    pub(super) fn fill(&mut self, words: &mut [u16; BLOCK], product: u32) {
        self.fill_with_any(words);
        let least = least(product);
        if least == 0 {
            return;
        }
        // Enough at once that most parts have nothing to reject.
        for part in words.chunks_exact_mut(64) {
            let mut any = false;
            for word in part.iter() {
                any |= word.wrapping_mul(product as u16) < least;
            }
            if any {
                self.replace(part, product);
            }
        }
    }

    #[inline(always)]
    fn fill_with_any(&mut self, words: &mut [u16; BLOCK]) {
        let words: &mut [u64; GENERATORS] = pulp::bytemuck::cast_mut(words);
        let [s0, s1, s2, s3] = &mut self.s;
        for g in 0..GENERATORS {
            let word = s0[g].wrapping_add(s3[g]).rotate_left(23);
            words[g] = word.wrapping_add(s0[g]);
            let (t2, t3) = (s2[g] ^ s0[g], s3[g] ^ s1[g]);
            s2[g] = t2 ^ (s1[g] << 17);
            s0[g] ^= t3;
            s1[g] ^= t2;
            s3[g] = t3.rotate_left(45);
        }
    }

    /// Draws rejected words again, from the first stream.
    #[inline(never)]
    fn replace(&mut self, words: &mut [u16], product: u32) {
        for word in words {
            while word.wrapping_mul(product as u16) < least(product) {
                let mut first = Generator::from_state(self.s.map(|word| word[0]));
                *word = first.word() as u16;
                for (word, state) in self.s.iter_mut().zip(first.state()) {
                    word[0] = state;
                }
            }
        }
    }
}

/// The least that the dice may leave of a word.
fn least(product: u32) -> u16 {
    ((1 << 16) % product) as u16
}

/// A face minus 1; the rest of the word is left for the next die.
#[inline(always)]
pub(super) fn die(word: &mut u16, sides: u16) -> u16 {
    let wide = u32::from(*word) * u32::from(sides);
    *word = wide as u16;
    (wide >> 16) as u16
}
