//! One outcome of many dice from one word: an alias table of the exact odds.
//!
//! Walker, "An Efficient Method for Generating Discrete Random Variables with General
//! Distributions" (1977), computed in whole numbers: the odds of each outcome are exactly those of
//! the dice, and no threshold is rounded.
//!
//! **The layout**, part of the seed contract. A table of `n` outcomes has `2^k` columns, the least
//! power of two that is at least `n` and 2. Column `c` represents the `c`-th outcome from below;
//! columns beyond the last outcome have no weight. All weights are multiplied by `2^k`, so a column
//! holds the total weight on average. Then a column that has less is filled up from the highest
//! column that has more, which becomes its *alias*. The next column to fill is the one that most
//! recently came to have less; if there is none, the highest of those that had less from the start.
//! So two outcomes share a column: its own and that of its alias.
//!
//! The top `k` bits of a word are the column. The other `64 - k` bits are the first digit of a
//! fraction in `0..1`. If the fraction is below the column's own share, the draw is the outcome of
//! the column, otherwise that of the alias. The share is a fraction of the total, and its digits
//! may never end. The table holds the first digit. If the word has the same digit, more words are
//! drawn as digits of 64 bits, until one differs or all remaining digits of the share are zero
//! (less than once in 2^50 draws).

use super::Stream;
use crate::bug;
use crate::pmf::{Pmf, bits};
use dashu_int::UBig;
use num_integer::Integer;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// The maximum number of outcomes of a table: 32 KiB of columns, which stay in the cache.
const MAX_OUTCOMES: usize = 1 << 12;

/// The bits of a digit.
const DIGIT: usize = u64::BITS as usize;

/// The maximum number of bits of all weights of a table together. They determine the time to build
/// it: about a millisecond at this limit.
const MAX_BITS: u64 = 1 << 20;

/// The outcomes of dice, ready to be drawn.
#[derive(Clone, Debug)]
pub struct AliasTable {
    /// `k`: there are 2^k columns.
    bits: u32,
    /// One word per column: its lowest `bits` bits are the alias, the others the first digit of its
    /// own share. If the outcomes are not consecutive, they follow the columns.
    words: Vec<u64>,
    /// The number of outcomes.
    outcomes: usize,
    /// The lowest one.
    least: i64,
    /// The remainder of each share after that digit, in units of the digit, times the total.
    rests: Vec<UBig>,
    total: UBig,
}

impl AliasTable {
    /// The table of a distribution; `None` if it has none: too many outcomes, too much work to
    /// build it, or nothing to choose from.
    pub fn new(distribution: &Pmf<UBig>) -> Option<Self> {
        let outcomes = distribution.len();
        let digits = bits(distribution.total()).saturating_mul(outcomes as u64);
        if !(2..=MAX_OUTCOMES).contains(&outcomes) || digits > MAX_BITS {
            return None;
        }
        let total = distribution.total().clone();
        let size = outcomes.next_power_of_two();
        let index_bits = size.trailing_zeros();
        let mut weights: Vec<UBig> = distribution
            .iter()
            .map(|(_, weight)| weight << index_bits as usize)
            .collect();
        weights.resize(size, UBig::ZERO);
        let (mut words, mut rests) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for (column, alias) in share_out(&mut weights, &total).into_iter().enumerate() {
            // A full column is its own alias: every draw gives the same outcome.
            let share = if alias == column {
                UBig::ZERO
            } else {
                &weights[column] << (u64::BITS - index_bits) as usize
            };
            // The share is less than the total, so its digit has at most `64 - index_bits` bits.
            let (digit, rest) = share.div_rem(&total);
            let digit = digit.to_u64();
            let digit = digit.unwrap_or_else(|| bug!("a share beyond its digits").raise());
            words.push(digit << index_bits | alias as u64);
            rests.push(rest);
        }
        let consecutive =
            distribution.min().checked_add(outcomes as i64 - 1) == Some(distribution.max());
        if !consecutive {
            words.extend(
                distribution
                    .iter()
                    .map(|(outcome, _)| outcome.cast_unsigned()),
            );
            // Columns without weight are never drawn, but every column has a word.
            words.resize(2 * size, 0);
        }
        Some(Self {
            bits: index_bits,
            words,
            outcomes,
            least: distribution.min(),
            rests,
            total,
        })
    }

    /// The number of columns as a power of two: the exponent.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of outcomes, at least 2.
    pub fn outcomes(&self) -> u64 {
        self.outcomes as u64
    }

    /// The columns, followed by the outcomes if they are not consecutive, as compiled code reads
    /// them: see the module.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The lowest outcome if all are consecutive; then column `c` represents this outcome plus `c`.
    pub fn first(&self) -> Option<i64> {
        (self.words.len() == self.rests.len()).then_some(self.least)
    }

    /// The outcome of a column, one of the first [`AliasTable::outcomes`].
    pub fn outcome(&self, column: u64) -> i64 {
        match self.first() {
            // A column's number is below 2^12, and its outcome is one.
            Some(first) => first.wrapping_add(column as i64),
            None => {
                let index = self.rests.len() + column as usize;
                let outcome = self.words.get(index).copied();
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
            self.resolve(column, stream)
        } else if fraction < entry {
            column
        } else {
            self.alias(entry)
        };
        self.outcome(drawn)
    }

    /// Resolves a draw whose first digit equals that of the column's share: returns the column or
    /// its alias.
    #[cold]
    pub fn resolve(&self, column: u64, stream: &mut Stream) -> u64 {
        let index = column as usize;
        let (Some(&entry), Some(rest)) = (self.words.get(index), self.rests.get(index)) else {
            return column;
        };
        let mut rest = rest.clone();
        while !rest.is_zero() {
            let (digit, behind) = (rest << DIGIT).div_rem(&self.total);
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

    /// The exact distribution of [`AliasTable::draw`], added up over the columns.
    pub fn distribution(&self) -> Pmf<UBig> {
        let whole = &self.total << (u64::BITS - self.bits) as usize;
        let shares = self.words.iter().zip(&self.rests).zip(0_u64..);
        let entries = shares.flat_map(|((&entry, rest), column)| {
            let own = &self.total * (entry >> self.bits) + rest;
            let other = &whole - &own;
            let outcomes = [column, self.alias(entry)].map(|column| self.outcome(column));
            outcomes.into_iter().zip([own, other])
        });
        // The columns hold all of the distribution, which is not empty.
        Pmf::from_weights(entries).unwrap_or_else(|| bug!("a table of no outcomes").raise())
    }
}

/// Gives each column that has less than `share` an alias that fills it up; on return, `weights`
/// holds each column's own weight. A full column is its own alias.
fn share_out(weights: &mut [UBig], share: &UBig) -> Vec<usize> {
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

    fn dice(count: u32, sides: u32) -> Pmf<UBig> {
        let faces = NonZeroU64::new(sides.into()).expect("sides");
        Pmf::pool(count.into(), faces, &mut Budget::default()).expect("few dice")
    }

    fn table(count: u32, sides: u32) -> AliasTable {
        AliasTable::new(&dice(count, sides)).expect("dice that have a table")
    }

    /// The shares of columns, digits and remainders together, are the odds: equal as fractions, not
    /// only approximately.
    fn assert_distribution(distribution: &Pmf<UBig>) {
        let drawn = AliasTable::new(distribution)
            .expect("a table")
            .distribution();
        assert_eq!(drawn.len(), distribution.len());
        for ((outcome, weight), (value, odds)) in drawn.iter().zip(distribution.iter()) {
            assert_eq!(outcome, value);
            assert_eq!(
                weight * distribution.total(),
                odds * drawn.total(),
                "{outcome}"
            );
        }
    }

    #[test]
    fn the_distribution_is_that_of_the_dice() {
        let few = (1..40).flat_map(|count| [2, 3, 4, 5, 6, 7, 20].map(|sides| (count, sides)));
        for (count, sides) in few.chain([(100, 6), (64, 8), (200, 2), (20, 100), (1, 4096)]) {
            assert_distribution(&dice(count, sides));
        }
    }

    /// Outcomes and weights may be arbitrary.
    #[test]
    fn any_distribution_works() {
        let ends = [(i64::MIN, 1), (-7, 1000), (i64::MAX, 3)];
        let lone = [(i64::MAX - 1, 5), (i64::MAX, 1)];
        let squares: Vec<(i64, u64)> = (0..40_i64).map(|n| (n * n, n.unsigned_abs() + 1)).collect();
        for distribution in [&ends[..], &lone, &squares] {
            let distribution = distribution
                .iter()
                .map(|&(value, weight)| (value, weight.into()));
            assert_distribution(&Pmf::from_weights(distribution).expect("weights"));
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

    /// The outcome of a draw from these words: compares the fraction of all their digits with the
    /// share of the column.
    fn meaning(table: &AliasTable, words: &[u64]) -> i64 {
        let (column, fraction) = (words[0] >> (64 - table.bits), words[0] << table.bits);
        let entry = table.words[column as usize];
        let own = &table.total * (entry >> table.bits) + &table.rests[column as usize];
        let drawn = words[1..]
            .iter()
            .fold(UBig::from(fraction >> table.bits), |digits, &word| {
                (digits << DIGIT) + word
            });
        let more = DIGIT * (words.len() - 1);
        let below = drawn * &table.total < own << more;
        table.outcome(if below { column } else { table.alias(entry) })
    }

    /// Tests draws at, just below and just above each share, and draws that need a second word.
    #[test]
    fn words_that_equal_a_share_are_resolved_by_more() {
        let doubled = dice(5, 7).map(&mut Budget::default(), |sum| Ok::<_, ()>(2 * sum));
        let doubled = doubled.expect("few sums");
        let doubled = AliasTable::new(&doubled).expect("a table");
        for table in [table(100, 6), doubled, table(3, 2)] {
            for (column, &entry) in table.words[..table.rests.len()].iter().enumerate() {
                let start = (column as u64) << (64 - table.bits);
                let at = start | entry >> table.bits;
                let digit = (&table.rests[column] << DIGIT) / &table.total;
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
