//! Coins of known odds, eight from each lane word of 32 bits: the layout of checks of which every die is known, and which are nothing but
//! true or false with some chance.
//!
//! Eight coins fall in 2^8 ways. With `a` chances in `b` of heads, a way that shows `k` heads has a share of `a^k (b - a)^(8 - k) / b^8`, and
//! `n_k = floor(2^32 a^k (b - a)^(8 - k) / b^8)` of the 2^32 words are its own. In the order of the lanes, which are read as signed, there come
//! first the *open* words, which are nobody's and less than 2^8; then the ways without heads, those with one and so on, and among equals by the
//! number of which coin `c` is bit `c`.
//!
//! So who wants to know how many coins show heads compares a word with eight bounds ([`Coins::least`]), and that is all.
//!
//! Which way an open word means is drawn from what the ways lack, in an [alias table](crate::rng::AliasTable): no chance is rounded anywhere. It
//! takes words of the first stream when all lanes have theirs, lane after lane, and the other stream takes as many steps.

use super::{Tier, Twins};
use crate::pmf::Pmf;
use crate::rng::AliasTable;
use num_bigint::BigUint;
use num_integer::{Integer, binomial};
use num_traits::ToPrimitive;

/// How many coins a lane word gives.
pub(super) const COINS: usize = 8;

/// As many lanes as a draw has words for.
const TIER: Tier = Tier::V32;

/// Coins that are alike.
#[derive(Clone, Debug)]
pub struct Coins {
    /// The chance of heads: so many of so many, in lowest terms.
    chance: (BigUint, BigUint),
    /// How many words each way has that shows so many heads.
    own: [u32; COINS + 1],
    /// How many words are open.
    open: u32,
    /// What they mean; `None` if there are none.
    rest: Option<AliasTable>,
}

/// All else follows from the chance.
impl PartialEq for Coins {
    fn eq(&self, other: &Self) -> bool {
        self.chance == other.chance
    }
}

impl Eq for Coins {}

impl Coins {
    /// Coins that show heads `heads` times in `of`. `None` if that is never or always, or if the numbers are so large (hundreds of bits) that
    /// open words have no table.
    pub fn new(heads: &BigUint, of: &BigUint) -> Option<Self> {
        if *heads == BigUint::ZERO || heads >= of {
            return None;
        }
        let common = heads.gcd(of);
        let (heads, of) = (heads / &common, of / &common);
        let tails = &of - &heads;
        let all = of.pow(COINS as u32);
        let mut own = [0; COINS + 1];
        let mut lacking = Vec::new();
        for (shown, own) in (0..=COINS as u32).zip(&mut own) {
            let weight = heads.pow(shown) * tails.pow(COINS as u32 - shown);
            let (words, rest) = (weight << TIER.bits()).div_rem(&all);
            // Less than all words, as no way is certain.
            *own = words.to_u32()?;
            lacking.push(rest);
        }
        let taken: u64 = (0_u64..)
            .zip(own)
            .map(|(k, own)| ways(k) * u64::from(own))
            .sum();
        // Less than a word a way.
        let open = ((1 << TIER.bits()) - taken) as u32;
        let rest = if open == 0 {
            None
        } else {
            let ways =
                (0..1 << COINS).map(|way: i64| (way, lacking[way.count_ones() as usize].clone()));
            Some(AliasTable::new(&Pmf::from_weights(ways)?)?)
        };
        Some(Self {
            chance: (heads, of),
            own,
            open,
            rest,
        })
    }

    /// The chance of heads: so many of so many, in lowest terms.
    pub fn chance(&self) -> (&BigUint, &BigUint) {
        (&self.chance.0, &self.chance.1)
    }

    /// How many coins a lane word gives.
    pub fn a_word(&self) -> usize {
        COINS
    }

    /// How many words of a lane are open.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// The least lane that shows so many heads of eight or more, read as signed: lanes below that of 0 heads are open. One more than the
    /// highest lane if none shows so many.
    pub fn least(&self, heads: usize) -> i64 {
        let below = (0_u64..).zip(self.own).take(heads);
        let words: u64 = below.map(|(k, own)| ways(k) * u64::from(own)).sum();
        // Both are at most 2^32.
        i64::from(i32::MIN) + i64::from(self.open) + words as i64
    }

    /// Draws the coins of all lanes: bit `c` of each is coin `c`.
    pub(super) fn draw(&self, twins: &mut Twins) -> Vec<u64> {
        let words: Vec<u32> = twins.lanes(TIER).collect();
        let ways = words
            .into_iter()
            .map(|word| self.way(word).unwrap_or_else(|| self.settle(twins)));
        ways.collect()
    }

    /// The way that a word means, unless it is open.
    fn way(&self, word: u32) -> Option<u64> {
        // Lanes count from the lowest.
        let place = word ^ 1 << (TIER.bits() - 1);
        let mut place = u64::from(place.checked_sub(self.open)?);
        let mut before = 0;
        for (heads, own) in (0_u64..).zip(self.own) {
            let words = ways(heads) * u64::from(own);
            if place < words {
                let way = before + place / u64::from(own);
                // Below 2^8, as there are so many ways.
                return Some(BY_HEADS[way as usize].into());
            }
            place -= words;
            before += ways(heads);
        }
        None
    }

    /// The way that an open word means.
    fn settle(&self, twins: &mut Twins) -> u64 {
        let Some(rest) = &self.rest else { return 0 };
        let mut here = twins.first.clone();
        let way = rest.draw(&mut twins.first);
        while here != twins.first {
            here.word();
            twins.second.word();
        }
        way.cast_unsigned()
    }
}

/// In how many ways so many of the coins show heads.
fn ways(heads: u64) -> u64 {
    binomial(COINS as u64, heads)
}

/// All ways, by how many coins show heads, and among equals by number.
const BY_HEADS: [u8; 1 << COINS] = {
    let mut sorted = [0; 1 << COINS];
    let (mut filled, mut heads) = (0, 0);
    while heads <= COINS as u32 {
        let mut way = 0_usize;
        while way < sorted.len() {
            if way.count_ones() == heads {
                // Below 2^8.
                sorted[filled] = way as u8;
                filled += 1;
            }
            way += 1;
        }
        heads += 1;
    }
    sorted
};

#[cfg(test)]
mod tests {
    use super::*;

    fn coins(heads: u32, of: u32) -> Coins {
        Coins::new(&heads.into(), &of.into()).expect("coins")
    }

    fn chances() -> impl Iterator<Item = (u32, u32)> {
        let small = (2..=40).flat_map(|of| (1..of).map(move |heads| (heads, of)));
        small.chain([
            (1, 8000),
            (7999, 8000),
            (1, u32::MAX),
            (u32::MAX - 1, u32::MAX),
            (1 << 31, u32::MAX),
            (123, 1296),
        ])
    }

    /// Words and tables together give each way its weight, not nearly but exactly.
    #[test]
    fn ways_have_their_weights() {
        for (heads, of) in chances() {
            let coins = coins(heads, of);
            let open = coins.rest.as_ref().map(AliasTable::law);
            let settled = open
                .as_ref()
                .map_or(BigUint::from(1_u32), |law| law.total().clone());
            for way in 0..1_i64 << COINS {
                let shown = way.count_ones();
                let weight = BigUint::from(heads).pow(shown)
                    * BigUint::from(of - heads).pow(COINS as u32 - shown);
                let own = &settled * coins.own[shown as usize];
                let among = open.iter().flat_map(|law| law.iter());
                let more: BigUint = among
                    .filter(|&(value, _)| value == way)
                    .map(|(_, weight)| weight * coins.open)
                    .sum();
                let drawn = (own + more) * BigUint::from(of).pow(COINS as u32);
                assert_eq!(
                    drawn,
                    (weight * &settled) << 32_u32,
                    "{heads} of {of}, {way:b}"
                );
            }
        }
    }

    /// Each way has as many words as it should, in order; what is below the first is open, and is rare.
    #[test]
    fn words_stand_in_order() {
        for (heads, of) in chances() {
            let coins = coins(heads, of);
            assert!(coins.open < 256, "{heads} of {of}");
            // A lane from 0 on becomes the word.
            let word = |place: u64| (place as u32) ^ 1 << 31;
            let mut place = u64::from(coins.open);
            assert!((0..place).all(|open| coins.way(word(open)).is_none()));
            for shown in 0..=COINS {
                assert_eq!(coins.least(shown), place as i64 - (1 << 31));
                for way in (0..1_u64 << COINS).filter(|way| way.count_ones() as usize == shown) {
                    let own = u64::from(coins.own[shown]);
                    if own > 0 {
                        assert_eq!(coins.way(word(place)), Some(way));
                        assert_eq!(coins.way(word(place + own - 1)), Some(way));
                    }
                    place += own;
                }
            }
            assert_eq!(place, 1 << 32, "{heads} of {of}");
        }
    }

    #[test]
    fn certain_checks_are_no_coins() {
        let number = |n: u32| BigUint::from(n);
        assert!(Coins::new(&number(0), &number(20)).is_none());
        assert!(Coins::new(&number(20), &number(20)).is_none());
        let huge = number(3).pow(800);
        assert!(Coins::new(&number(1), &huge).is_none());
    }

    /// An open word takes more words from the first stream, and the twins stay in step.
    #[test]
    fn open_words_are_settled() {
        let coins = coins(1, 3);
        let start = crate::rng::Stream::from_seed(3);
        let mut twins = Twins::new(&start);
        let way = coins.settle(&mut twins);
        assert!(way < 256);
        assert_eq!(start.words_until(&twins.first, 9), Some(1));
        assert_eq!(twins.second, twins.first.twin());
    }

    /// Pins the layout: if this test has to change, results for a given seed change for every user.
    #[test]
    fn coins_of_a_seed_are_pinned() {
        let mut twins = Twins::new(&crate::rng::Stream::from_seed(42));
        let coins = coins(13, 20);
        assert_eq!(coins.draw(&mut twins), [238, 61, 180, 217]);
    }
}
