//! Exact power sums of floats, so that the order of recording cannot show in them either.
//!
//! A finite `f64` is a whole number of at most 53 bits (the mantissa) times a power of two.
//! Mantissas and their squares are summed as integers, separately for each power, and combined on
//! request.

use crate::float::from_key;
use crate::pmf::{ratio, signed_ratio};
use dashu_int::{IBig, UBig};

/// The exponent of the last bit of a number whose exponent field is 0.
const LEAST_EXPONENT: i64 = -1075;

/// The bits of a mantissa that are stored.
const FRACTION_BITS: u32 = 52;

/// The sums of the numbers with one power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bin {
    /// Of the mantissas: at most 2^64 of 53 bits and a sign.
    sum: i128,
    /// Of their squares' low 64 bits, and of the rest.
    squares_low: u128,
    squares_high: u128,
}

/// The sum and the sum of squares of recorded keys' numbers. Sound up to a count of 2^64 - 1, as
/// [`super::sums::Sums`] is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FloatMoments {
    /// The exponent field of the first bin.
    first: usize,
    /// At most one for each exponent field, and none before the first record.
    bins: Vec<Bin>,
}

impl FloatMoments {
    /// Records the number of `key` `times` over.
    pub(super) fn add(&mut self, key: i64, times: u64) {
        let bits = from_key(key).to_bits();
        let field = (bits << 1) >> (FRACTION_BITS + 1);
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        // Numbers with the field 0 lack the leading bit and have the exponent of those with 1.
        let mantissa = if field == 0 {
            fraction
        } else {
            fraction | 1 << FRACTION_BITS
        };
        let product = i128::from(mantissa) * i128::from(times);
        let square = u128::from(mantissa).pow(2);
        // The field has 11 bits.
        self.bin(field.max(1) as usize).add(&Bin {
            sum: if key < 0 { -product } else { product },
            squares_low: (square & u128::from(u64::MAX)) * u128::from(times),
            squares_high: (square >> 64) * u128::from(times),
        });
    }

    /// Records everything that `other` has.
    pub(super) fn merge(&mut self, other: &Self) {
        for (field, bin) in (other.first..).zip(&other.bins) {
            self.bin(field).add(bin);
        }
    }

    /// The bin of an exponent field.
    fn bin(&mut self, field: usize) -> &mut Bin {
        if self.bins.is_empty() {
            self.first = field;
        }
        if field < self.first {
            let missing = self.first - field;
            self.bins.splice(0..0, vec![Bin::default(); missing]);
            self.first = field;
        }
        let index = field - self.first;
        if index >= self.bins.len() {
            self.bins.resize(index + 1, Bin::default());
        }
        &mut self.bins[index]
    }

    /// The mean of `count` numbers, which is not 0, rounded once.
    pub(super) fn mean(&self, count: u64) -> f64 {
        let unit = self.unit();
        let numerator = self.sum() << shift(unit);
        signed_ratio(&numerator, &(UBig::from(count) << shift(-unit)))
    }

    /// The sample variance (over n - 1) of at least two numbers, rounded once.
    pub(super) fn variance(&self, count: u64) -> f64 {
        let (left, sum) = (self.squares() * count, self.sum());
        let right = sum.sqr();
        // n sum(v^2) - sum(v)^2 over n (n - 1); not negative by Cauchy and Schwarz, unless
        // saturated.
        let spread = if left > right {
            left - right
        } else {
            UBig::ZERO
        };
        let divisor = UBig::from(count) * count.saturating_sub(1).max(1);
        let unit = 2 * self.unit();
        let spread = spread << shift(unit);
        ratio(&spread, &(divisor << shift(-unit)))
    }

    /// The power of two that the sums are in.
    fn unit(&self) -> i64 {
        // A field is below 2^11.
        self.first as i64 + LEAST_EXPONENT
    }

    fn sum(&self) -> IBig {
        let parts = self.bins.iter().rev();
        parts.fold(IBig::ZERO, |sum, bin| (sum << 1) + bin.sum)
    }

    fn squares(&self) -> UBig {
        let parts = self.bins.iter().rev();
        parts.fold(UBig::ZERO, |sum, bin| {
            (sum << 2) + bin.squares_low + (UBig::from(bin.squares_high) << 64)
        })
    }
}

/// The left shift of a number for a unit of this exponent: 0 if it is negative.
fn shift(exponent: i64) -> usize {
    // Exponents of floats are far below 2^63.
    exponent.max(0) as usize
}

impl Bin {
    fn add(&mut self, other: &Bin) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares_low = self.squares_low.saturating_add(other.squares_low);
        self.squares_high = self.squares_high.saturating_add(other.squares_high);
    }
}
