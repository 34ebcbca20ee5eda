//! Bernoulli draws with known odds, eight from each lane word of 32 bits: the layout of checks
//! whose dice are all known, so that a trial is nothing but true or false with some probability.
//!
//! Eight draws have 2^8 patterns. With `a` chances in `b` of success, a pattern with `k` successes
//! has the probability `a^k (b - a)^(8 - k) / b^8`, and owns `n_k = floor(2^32 a^k (b - a)^(8 - k)
//! / b^8)` of the 2^32 words. Words are ordered as signed lanes. First come the *open* words, fewer
//! than 2^8, which no pattern owns; then the patterns without a success, those with one, and so on.
//! Patterns with equally many successes are in the order of the number whose bit `c` is draw `c`.
//!
//! So counting successes takes no more than comparing a word with eight bounds
//! ([`Bernoulli::least`]).
//!
//! The pattern of an open word is drawn from what the patterns still lack, in an
//! [alias table](crate::rng::AliasTable): no probability is rounded anywhere. That takes words of
//! the first stream after all lanes have theirs, lane by lane, and the other stream takes as many
//! steps.

use super::{LaneWidth, Twins};
use crate::pmf::Pmf;
use crate::rng::AliasTable;
use dashu_int::UBig;
use num_integer::{Integer, binomial};
use num_traits::ToPrimitive;

/// The number of draws per lane word.
pub(super) const DRAWS: usize = 8;

/// The lanes that words are cut into.
const WIDTH: LaneWidth = LaneWidth::V32;

/// Draws with the same odds.
#[derive(Clone, Debug)]
pub struct Bernoulli {
    /// The probability of success in lowest terms: numerator and denominator.
    chance: (UBig, UBig),
    /// The number of words that a pattern owns, by its number of successes.
    own: [u32; DRAWS + 1],
    /// The number of open words.
    open: u32,
    /// Their patterns; `None` if no word is open.
    rest: Option<AliasTable>,
}

/// Everything else follows from the probability.
impl PartialEq for Bernoulli {
    fn eq(&self, other: &Self) -> bool {
        self.chance == other.chance
    }
}

impl Eq for Bernoulli {}

impl Bernoulli {
    /// Draws that succeed `successes` times in `of`. `None` if that is never or always, or if the
    /// numbers are so large (hundreds of bits) that open words have no table.
    pub fn new(successes: &UBig, of: &UBig) -> Option<Self> {
        if *successes == UBig::ZERO || successes >= of {
            return None;
        }
        let common = successes.gcd(of);
        let (successes, of) = (successes / &common, of / &common);
        let failures = &of - &successes;
        let all = of.pow(DRAWS);
        let mut own = [0; DRAWS + 1];
        let mut lacking = Vec::new();
        for (shown, own) in own.iter_mut().enumerate() {
            let weight = successes.pow(shown) * failures.pow(DRAWS - shown);
            let (words, rest) = (weight << WIDTH.bits() as usize).div_rem(&all);
            // Fewer than all words: no pattern is certain.
            *own = words.to_u32()?;
            lacking.push(rest);
        }
        let taken: u64 = (0_u64..)
            .zip(own)
            .map(|(k, own)| patterns(k) * u64::from(own))
            .sum();
        // Less than one word per pattern.
        let open = ((1 << WIDTH.bits()) - taken) as u32;
        let rest = if open == 0 {
            None
        } else {
            let patterns = (0..1 << DRAWS)
                .map(|pattern: i64| (pattern, lacking[pattern.count_ones() as usize].clone()));
            Some(AliasTable::new(&Pmf::from_weights(patterns)?)?)
        };
        Some(Self {
            chance: (successes, of),
            own,
            open,
            rest,
        })
    }

    /// The probability of success in lowest terms: numerator and denominator.
    pub fn chance(&self) -> (&UBig, &UBig) {
        (&self.chance.0, &self.chance.1)
    }

    /// The number of draws per lane word.
    pub fn per_word(&self) -> usize {
        DRAWS
    }

    /// The number of open words of a lane.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// The lowest lane, read as signed, with at least this many successes of eight. Lanes below
    /// that of 0 successes are open. One more than the highest lane if no lane has that many.
    pub fn least(&self, successes: usize) -> i64 {
        let below = (0_u64..).zip(self.own).take(successes);
        let words: u64 = below.map(|(k, own)| patterns(k) * u64::from(own)).sum();
        // Both are at most 2^32.
        i64::from(i32::MIN) + i64::from(self.open) + words as i64
    }

    /// The patterns of all lanes: bit `c` of each is draw `c`.
    pub(super) fn draw(&self, twins: &mut Twins) -> Vec<u64> {
        let words: Vec<u32> = twins.lanes(WIDTH).collect();
        let patterns = words
            .into_iter()
            .map(|word| self.pattern(word).unwrap_or_else(|| self.resolve(twins)));
        patterns.collect()
    }

    /// The pattern that owns a word, unless the word is open.
    fn pattern(&self, word: u32) -> Option<u64> {
        // Lanes count from the lowest.
        let position = word ^ 1 << (WIDTH.bits() - 1);
        let mut position = u64::from(position.checked_sub(self.open)?);
        let mut before = 0;
        for (successes, own) in (0_u64..).zip(self.own) {
            let words = patterns(successes) * u64::from(own);
            if position < words {
                let pattern = before + position / u64::from(own);
                // Below 2^8, the number of patterns.
                return Some(BY_SUCCESSES[pattern as usize].into());
            }
            position -= words;
            before += patterns(successes);
        }
        None
    }

    /// The pattern of an open word.
    fn resolve(&self, twins: &mut Twins) -> u64 {
        let Some(rest) = &self.rest else { return 0 };
        let mut here = twins.first.clone();
        let pattern = rest.draw(&mut twins.first);
        while here != twins.first {
            here.word();
            twins.second.word();
        }
        pattern.cast_unsigned()
    }
}

/// The number of patterns with this many successes.
fn patterns(successes: u64) -> u64 {
    binomial(DRAWS as u64, successes)
}

/// All patterns, by successes, and among equals by number.
const BY_SUCCESSES: [u8; 1 << DRAWS] = {
    let mut sorted = [0; 1 << DRAWS];
    let (mut filled, mut successes) = (0, 0);
    while successes <= DRAWS as u32 {
        let mut pattern = 0_usize;
        while pattern < sorted.len() {
            if pattern.count_ones() == successes {
                // Below 2^8.
                sorted[filled] = pattern as u8;
                filled += 1;
            }
            pattern += 1;
        }
        successes += 1;
    }
    sorted
};

#[cfg(test)]
mod tests {
    use super::*;

    fn bernoulli(successes: u32, of: u32) -> Bernoulli {
        Bernoulli::new(&successes.into(), &of.into()).expect("odds between never and always")
    }

    fn odds() -> impl Iterator<Item = (u32, u32)> {
        let small = (2..=40).flat_map(|of| (1..of).map(move |successes| (successes, of)));
        small.chain([
            (1, 8000),
            (7999, 8000),
            (1, u32::MAX),
            (u32::MAX - 1, u32::MAX),
            (1 << 31, u32::MAX),
            (123, 1296),
        ])
    }

    /// Words and tables together give each pattern its exact weight.
    #[test]
    fn patterns_have_their_weights() {
        for (successes, of) in odds() {
            let draws = bernoulli(successes, of);
            let open = draws.rest.as_ref().map(AliasTable::distribution);
            let resolved = open.as_ref().map_or(UBig::from(1_u32), |distribution| {
                distribution.total().clone()
            });
            for pattern in 0..1_i64 << DRAWS {
                let shown = pattern.count_ones() as usize;
                let weight = UBig::from(successes).pow(shown)
                    * UBig::from(of - successes).pow(DRAWS - shown);
                let own = &resolved * draws.own[shown];
                let among = open.iter().flat_map(|distribution| distribution.iter());
                let more: UBig = among
                    .filter(|&(value, _)| value == pattern)
                    .map(|(_, weight)| weight * draws.open)
                    .sum();
                let drawn = (own + more) * UBig::from(of).pow(DRAWS);
                assert_eq!(
                    drawn,
                    (weight * &resolved) << 32,
                    "{successes} of {of}, {pattern:b}"
                );
            }
        }
    }

    /// Each pattern owns as many words as it should, in order; the words below the first are open,
    /// and few.
    #[test]
    fn words_stand_in_order() {
        for (successes, of) in odds() {
            let draws = bernoulli(successes, of);
            assert!(draws.open < 256, "{successes} of {of}");
            // A lane from 0 on becomes the word.
            let word = |position: u64| (position as u32) ^ 1 << 31;
            let mut position = u64::from(draws.open);
            assert!((0..position).all(|open| draws.pattern(word(open)).is_none()));
            for shown in 0..=DRAWS {
                assert_eq!(draws.least(shown), position as i64 - (1 << 31));
                for pattern in
                    (0..1_u64 << DRAWS).filter(|pattern| pattern.count_ones() as usize == shown)
                {
                    let own = u64::from(draws.own[shown]);
                    if own > 0 {
                        assert_eq!(draws.pattern(word(position)), Some(pattern));
                        assert_eq!(draws.pattern(word(position + own - 1)), Some(pattern));
                    }
                    position += own;
                }
            }
            assert_eq!(position, 1 << 32, "{successes} of {of}");
        }
    }

    #[test]
    fn certain_checks_have_no_draws() {
        let number = |n: u32| UBig::from(n);
        assert!(Bernoulli::new(&number(0), &number(20)).is_none());
        assert!(Bernoulli::new(&number(20), &number(20)).is_none());
        let huge = number(3).pow(800);
        assert!(Bernoulli::new(&number(1), &huge).is_none());
    }

    /// An open word takes more words from the first stream, and the twins stay in step.
    #[test]
    fn open_words_are_resolved() {
        let draws = bernoulli(1, 3);
        let start = crate::rng::Stream::from_seed(3);
        let mut twins = Twins::new(&start);
        let pattern = draws.resolve(&mut twins);
        assert!(pattern < 256);
        assert_eq!(start.words_until(&twins.first, 9), Some(1));
        assert_eq!(twins.second, twins.first.twin());
    }

    /// Pins the layout: if this test has to change, results for a given seed change for every user.
    #[test]
    fn draws_of_a_seed_are_pinned() {
        let mut twins = Twins::new(&crate::rng::Stream::from_seed(42));
        let draws = bernoulli(13, 20);
        assert_eq!(draws.draw(&mut twins), [238, 61, 180, 217]);
    }
}
