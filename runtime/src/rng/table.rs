//! One outcome of many dice from one word: an alias table of the exact odds.
//!
//! Walker, "An Efficient Method for Generating Discrete Random Variables with General Distributions" (1977), in whole numbers all the
//! way: the odds of each outcome are those of the dice, weight for weight, and no threshold is rounded.
//!
//! **The layout**, part of the seed contract. A table of `n` outcomes has `2^k` columns, the least power of two that is at least `n` and 2.
//! Column `c` stands for the `c`-th outcome from below; those beyond the last have no weight. All weights are multiplied by `2^k`, so that
//! the columns hold the total weight on average; then the highest column that has less (of those that had less from the start, unless another
//! came to have less since, the latest first) is filled up from the highest column that has more, which becomes its *alias*. So a column
//! is shared by two outcomes: its own and its alias's.
//!
//! A word's top `k` bits are the column. Its other `64 - k` bits are the first digit of a fraction in `0..1`: below the column's own share it means the
//! column's outcome, otherwise the alias's. That share is a fraction of the total, whose digits may go on for ever. The table holds the first one; where the
//! word's equals it, more words are drawn, digits of 64 bits, until one differs or the share's are all zero from there on (less than once in
//! 2^50 draws).

use super::Stream;
use crate::bug;
use crate::pmf::Pmf;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

/// The most outcomes of a table: 32 KiB of columns, which stay in the cache.
const MOST_OUTCOMES: usize = 1 << 12;

/// The most bits that all weights of a table may have together. They are what building it takes its time for: about a millisecond here.
const MOST_BITS: u64 = 1 << 20;

/// The outcomes of dice, ready to be drawn.
#[derive(Clone, Debug)]
pub struct AliasTable {
    /// `k`: there are 2^k columns.
    bits: u32,
    /// A word a column: above its lowest `bits` bits the first digit of its own share, in them its alias. Behind the columns, where outcomes are not
    /// consecutive, that of each.
    words: Vec<u64>,
    /// How many outcomes there are.
    outcomes: usize,
    /// The lowest one.
    least: i64,
    /// What is left of each share behind that digit, in units of it, times the total.
    rests: Vec<BigUint>,
    total: BigUint,
}

impl AliasTable {
    /// The table of a law; `None` if it has none: too many outcomes, too much work to build it, or nothing to choose from.
    pub fn new(law: &Pmf<BigUint>) -> Option<Self> {
        let outcomes = law.len();
        let digits = law.total().bits().saturating_mul(outcomes as u64);
        if !(2..=MOST_OUTCOMES).contains(&outcomes) || digits > MOST_BITS {
            return None;
        }
        let total = law.total().clone();
        let size = outcomes.next_power_of_two();
        let bits = size.trailing_zeros();
        let mut weights: Vec<BigUint> = law.iter().map(|(_, weight)| weight << bits).collect();
        weights.resize(size, BigUint::ZERO);
        let (mut words, mut rests) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for (column, alias) in share_out(&mut weights, &total).into_iter().enumerate() {
            // A column that is full is its own alias: whatever is drawn, it means the same.
            let share = if alias == column {
                BigUint::ZERO
            } else {
                &weights[column] << (u64::BITS - bits)
            };
            // The share is less than the total, so its digit has at most `64 - bits` bits.
            let (digit, rest) = share.div_rem(&total);
            let digit = digit.to_u64();
            let digit = digit.unwrap_or_else(|| bug!("a share beyond its digits").raise());
            words.push(digit << bits | alias as u64);
            rests.push(rest);
        }
        let consecutive = law.min().checked_add(outcomes as i64 - 1) == Some(law.max());
        if !consecutive {
            words.extend(law.iter().map(|(outcome, _)| outcome.cast_unsigned()));
            // Columns without weight mean nothing, but every column has a word.
            words.resize(2 * size, 0);
        }
        Some(Self {
            bits,
            words,
            outcomes,
            least: law.min(),
            rests,
            total,
        })
    }

    /// The number of columns as a power of two: the exponent.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many outcomes there are, at least 2.
    pub fn outcomes(&self) -> u64 {
        self.outcomes as u64
    }

    /// The columns, and the outcomes behind them if they are not consecutive, as compiled code reads them: see the module.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The lowest outcome if all are consecutive, so that column `c` stands for so much and `c`.
    pub fn first(&self) -> Option<i64> {
        (self.words.len() == self.rests.len()).then_some(self.least)
    }

    /// The outcome that a column stands for: one of the first [`AliasTable::outcomes`].
    pub fn outcome(&self, column: u64) -> i64 {
        match self.first() {
            // A column's number is below 2^12, and its outcome is one.
            Some(first) => first.wrapping_add(column as i64),
            None => {
                let place = self.rests.len() + column as usize;
                let outcome = self.words.get(place).copied();
                outcome.map_or(self.least, u64::cast_signed)
            }
        }
    }

    /// Draws an outcome.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> i64 {
        let word = stream.word();
        let column = word >> (u64::BITS - self.bits);
        let fraction = word << self.bits;
        let entry = self.words[column as usize];
        let drawn = if (fraction ^ entry) >> self.bits == 0 {
            self.settle(column, stream)
        } else if fraction < entry {
            column
        } else {
            self.alias(entry)
        };
        self.outcome(drawn)
    }

    /// The column that is meant where a word's first digit equals that of its column's share: itself or its alias.
    #[cold]
    pub fn settle(&self, column: u64, stream: &mut Stream) -> u64 {
        let place = column as usize;
        let (Some(&entry), Some(rest)) = (self.words.get(place), self.rests.get(place)) else {
            return column;
        };
        let mut rest = rest.clone();
        while !rest.is_zero() {
            let (digit, behind) = (rest << u64::BITS).div_rem(&self.total);
            // The rest was less than the total.
            let digit = digit.to_u64().unwrap_or(u64::MAX);
            match stream.word().cmp(&digit) {
                Ordering::Less => return column,
                Ordering::Greater => break,
                Ordering::Equal => rest = behind,
            }
        }
        self.alias(entry)
    }

    fn alias(&self, entry: u64) -> u64 {
        entry & ((1 << self.bits) - 1)
    }

    /// The distribution of what [`AliasTable::draw`] gives, added up from the columns as they are drawn from.
    pub fn law(&self) -> Pmf<BigUint> {
        let whole = &self.total << (u64::BITS - self.bits);
        let shares = self.words.iter().zip(&self.rests).zip(0_u64..);
        let entries = shares.flat_map(|((&entry, rest), column)| {
            let own = &self.total * (entry >> self.bits) + rest;
            let other = &whole - &own;
            let outcomes = [column, self.alias(entry)].map(|column| self.outcome(column));
            outcomes.into_iter().zip([own, other])
        });
        // The columns hold something, so there is a law.
        Pmf::from_weights(entries).unwrap_or_else(|| Pmf::point(self.least))
    }
}

/// Gives each column that has less than `share` an alias, from whose weight it is filled up; leaves each column its own weight. Columns
/// that need none are their own.
fn share_out(weights: &mut [BigUint], share: &BigUint) -> Vec<usize> {
    let mut aliases: Vec<usize> = (0..weights.len()).collect();
    let (mut short, mut long): (Vec<usize>, Vec<usize>) =
        (0..weights.len()).partition(|&column| weights[column] < *share);
    while let (Some(poor), Some(&rich)) = (short.pop(), long.last()) {
        aliases[poor] = rich;
        let lacking = share - &weights[poor];
        weights[rich] -= lacking;
        if weights[rich] < *share {
            long.pop();
            short.push(rich);
        }
    }
    aliases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmf::Budget;
    use std::num::NonZeroU64;

    fn dice(count: u32, sides: u32) -> Pmf<BigUint> {
        let faces = NonZeroU64::new(sides.into()).expect("sides");
        Pmf::pool(count.into(), faces, &mut Budget::default()).expect("few dice")
    }

    fn table(count: u32, sides: u32) -> AliasTable {
        AliasTable::new(&dice(count, sides)).expect("dice that have a table")
    }

    /// Shares of columns, digits and rests together, are the odds: equal as fractions, not nearly so.
    fn assert_law(law: &Pmf<BigUint>) {
        let drawn = AliasTable::new(law).expect("a table").law();
        assert_eq!(drawn.len(), law.len());
        for ((outcome, weight), (value, odds)) in drawn.iter().zip(law.iter()) {
            assert_eq!(outcome, value);
            assert_eq!(weight * law.total(), odds * drawn.total(), "{outcome}");
        }
    }

    #[test]
    fn the_law_is_that_of_the_dice() {
        let few = (1..40).flat_map(|count| [2, 3, 4, 5, 6, 7, 20].map(|sides| (count, sides)));
        for (count, sides) in few.chain([(100, 6), (64, 8), (200, 2), (20, 100), (1, 4096)]) {
            assert_law(&dice(count, sides));
        }
    }

    /// Outcomes may lie anywhere, and weigh what they like.
    #[test]
    fn the_law_is_any() {
        let ends = [(i64::MIN, 1), (-7, 1000), (i64::MAX, 3)];
        let lone = [(i64::MAX - 1, 5), (i64::MAX, 1)];
        let squares: Vec<(i64, u64)> = (0..40_i64).map(|n| (n * n, n.unsigned_abs() + 1)).collect();
        for law in [&ends[..], &lone, &squares] {
            let law = law.iter().map(|&(value, weight)| (value, weight.into()));
            assert_law(&Pmf::from_weights(law).expect("weights"));
        }
    }

    #[test]
    fn sizes_are_bounded() {
        assert_eq!(table(100, 6).words().len(), 512);
        assert_eq!(table(1, 4096).words().len(), 4096);
        for (count, sides) in [(0, 6), (9, 1), (1, 4097), (1000, 5)] {
            assert!(
                AliasTable::new(&dice(count, sides)).is_none(),
                "{count}d{sides}"
            );
        }
    }

    /// A stream whose next two words are these.
    fn stream_of(first: u64, second: u64) -> Stream {
        // The first step leaves 0 and `change.rotate_left(45)` in the outer words of the state.
        let change = second.rotate_right(4);
        let last = first
            .wrapping_sub(change)
            .rotate_right(23)
            .wrapping_sub(change);
        let stream = Stream::from_state([change, last ^ change, 1, last]);
        let mut ahead = stream.clone();
        assert_eq!([ahead.word(), ahead.word()], [first, second]);
        stream
    }

    /// What a draw from these words means: the fraction that all their digits make, against the share of the column.
    fn meaning(table: &AliasTable, words: &[u64]) -> i64 {
        let (column, fraction) = (words[0] >> (64 - table.bits), words[0] << table.bits);
        let entry = table.words[column as usize];
        let own = &table.total * (entry >> table.bits) + &table.rests[column as usize];
        let drawn = words[1..]
            .iter()
            .fold(BigUint::from(fraction >> table.bits), |digits, &word| {
                (digits << 64_u32) + word
            });
        let more = 64 * (words.len() as u64 - 1);
        let below = drawn * &table.total < own << more;
        table.outcome(if below { column } else { table.alias(entry) })
    }

    /// At, just below and just above each share, and where a second word has to decide.
    #[test]
    fn words_that_meet_a_share_are_settled_by_more() {
        let doubled = dice(5, 7).map(&mut Budget::default(), |sum| Ok::<_, ()>(2 * sum));
        let doubled = doubled.expect("few sums");
        let doubled = AliasTable::new(&doubled).expect("a table");
        for table in [table(100, 6), doubled, table(3, 2)] {
            for (column, &entry) in table.words[..table.rests.len()].iter().enumerate() {
                let start = (column as u64) << (64 - table.bits);
                let at = start | entry >> table.bits;
                let digit = (&table.rests[column] << 64_u32) / &table.total;
                let digit = digit.to_u64().expect("a digit");
                for first in [at.wrapping_sub(1), at, at.wrapping_add(1)] {
                    for second in [0, digit.wrapping_sub(1), digit, digit.wrapping_add(1), 1] {
                        let mut stream = stream_of(first, second);
                        let mut words = stream.clone();
                        let words: [u64; 3] = std::array::from_fn(|_| words.word());
                        assert_eq!(table.draw(&mut stream), meaning(&table, &words));
                    }
                }
            }
        }
    }

    /// Pins the layout: if this test has to change, results for a given seed change for every user.
    #[test]
    fn sums_of_a_seed_are_pinned() {
        let mut stream = Stream::from_seed(42);
        let hundred = table(100, 6);
        let sums: [i64; 6] = std::array::from_fn(|_| hundred.draw(&mut stream));
        assert_eq!(sums, [362, 346, 379, 355, 360, 401]);
    }
}
