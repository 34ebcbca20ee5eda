//! Dice that are identified by where they are rolled: the streams of a session (a player's
//! executions of a roll).
//!
//! A die of a session is a function of the seed of the session, the path of its roll, its sides,
//! and how many dice with the same sides that roll drew before it. So it depends neither on other
//! rolls nor on the order of choices. The derivation is part of the seed contract:
//!
//! ```text
//! mix(z)     = the finaliser of SplitMix64, applied to z + 0x9e3779b97f4a7c15
//! key        = mix(seed), then for each word w of the path: key = mix(key xor w)
//! words      = the path's length in bytes, then its bytes, eight a word, little endian,
//!              the last word padded with zeros
//! stream     = xoshiro256++, seeded (by SplitMix64, as for every seed) with mix(key xor sides)
//! ```
//!
//! The dice of the roll with these sides are drawn from the stream in their order, each by
//! [`draw::die`](super::draw::die).

use super::Stream;

/// What SplitMix64 adds in each step: 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The streams of the dice at one path of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathKey(u64);

impl PathKey {
    /// The dice at `path` in the session with this seed.
    pub fn new(seed: u64, path: &str) -> Self {
        let bytes = path.as_bytes();
        // Memory holds fewer than 2^64 bytes.
        let mut key = mix(mix(seed) ^ bytes.len() as u64);
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            key = mix(key ^ u64::from_le_bytes(word));
        }
        Self(key)
    }

    /// The stream of the dice with this many sides.
    pub fn stream(self, sides: u64) -> Stream {
        Stream::from_seed(mix(self.0 ^ sides))
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014, with Stafford's constants), one step
/// on.
fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::draw;
    use std::collections::HashSet;

    fn faces(seed: u64, path: &str, sides: u64) -> [u64; 6] {
        let mut stream = PathKey::new(seed, path).stream(sides);
        std::array::from_fn(|_| draw::die(&mut stream, sides))
    }

    /// The first words of SplitMix64 from the state 0, as in its reference implementation.
    #[test]
    fn the_finaliser_is_that_of_splitmix64() {
        let words = [0, STEP].map(mix);
        assert_eq!(words, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    /// Pins the seed contract: if this test has to change, the dice of every session change.
    #[test]
    fn golden_faces() {
        assert_eq!(faces(42, "", 20), GOLDEN[0]);
        assert_eq!(faces(42, "rutr", 6), GOLDEN[1]);
        assert_eq!(faces(u64::MAX, "w12rLwcri", 1_000_000_000), GOLDEN[2]);
    }

    /// Computed by an independent program from the description above.
    const GOLDEN: [[u64; 6]; 3] = [
        [17, 14, 18, 16, 5, 16],
        [1, 5, 4, 1, 4, 6],
        [
            920_761_383,
            958_362_419,
            173_343_017,
            783_462_206,
            536_340_111,
            431_218_063,
        ],
    ];

    #[test]
    fn paths_that_differ_have_streams_that_differ() {
        let paths = ["", "r", "rr", "rrrrrrrr", "rrrrrrrrr", "w", "w2", "L", "\0"];
        let seeds = [0, 1, 2, 1 << 63];
        let mut seen = HashSet::new();
        for path in paths {
            for seed in seeds {
                for sides in [4, 6, 20] {
                    seen.insert(PathKey::new(seed, path).stream(sides).state());
                }
            }
        }
        assert_eq!(seen.len(), paths.len() * seeds.len() * 3);
    }
}
