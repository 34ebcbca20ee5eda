//! [`UBig`] weights: exact counts over an exact total, so that answers are fractions.

use crate::bug;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::kernel::{Common, Draw, Entries, Kernel, PoolCost, Table};
use super::number::Number;
use super::recurrence::pool_recurrence;
use super::weight::Weight;
use super::window::Window;

/// Bits in a word of the cost model.
const WORD: u64 = 64;

/// The bits of the machine integers that short weights are computed with.
const MACHINE_BITS: u64 = 128;

/// The cost of an operation in addition to that of its words: one or two allocations.
const OVERHEAD: u64 = 8;

/// Words of a weight that count as one more outcome: see
/// [`Limits::outcomes`](super::Limits::outcomes).
const WORDS_PER_OUTCOME: u64 = 32;

impl Number for UBig {
    fn zero() -> Self {
        Self::ZERO
    }

    fn from_u64(n: u64) -> Self {
        Self::from(n)
    }

    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn add_scaled(sums: &mut [Self], weights: &[Self], factor: &Self) {
        for (sum, w) in sums.iter_mut().zip(weights) {
            *sum += w * factor;
        }
    }

    /// The factors are counts: a later draw multiplies by its own count.
    fn draw(face: &Self, rest: &Self) -> Draw<Self> {
        Draw {
            face: face.clone(),
            later: Self::from(1_u32),
            any_later: rest.clone(),
        }
    }
}

impl Weight for UBig {
    fn ratio(&self, total: &Self) -> f64 {
        ratio(self, total)
    }

    fn to_machine(&self) -> Option<u128> {
        self.to_u128()
    }

    fn from_machine(weight: u128) -> Self {
        Self::from(weight)
    }
}

impl Kernel for UBig {
    const ROUNDING: f64 = 0.0;

    fn add_cost(total: &Self) -> u64 {
        words(bits(total)) + OVERHEAD
    }

    fn mul_cost(total: &Self, other: &Self) -> u64 {
        let products = words(bits(total)).saturating_mul(words(bits(other)));
        products.saturating_add(2 * OVERHEAD)
    }

    fn storage(total: &Self, other: &Self) -> u64 {
        1 + words(bits(total).saturating_add(bits(other))) / WORDS_PER_OUTCOME
    }

    /// Each weight of half the table is a few passes over its words (see [`pool_recurrence`]), and
    /// a copy.
    fn pool_cost(count: u64, sides: u64) -> PoolCost {
        // ilog2 + 1 bounds the bits of one factor of the total from above.
        let bits = count.saturating_mul(u64::from(sides.ilog2()) + 1);
        let outcomes = count.saturating_mul(sides);
        PoolCost {
            work: outcomes
                .saturating_mul(words(bits).saturating_mul(4).saturating_add(2 * OVERHEAD)),
            storage: 1 + words(bits) / WORDS_PER_OUTCOME,
        }
    }

    /// By machine integers while the number of combinations fits in 128 bits (49d6), else by a
    /// recurrence.
    fn pool(count: u64, sides: u64) -> Table<Self> {
        // The budget has bounded the table's length, so the number of dice is a usize.
        let total: Self = Self::from(sides).pow(count as usize);
        let weights = if bits(&total) <= MACHINE_BITS {
            let mut window = Window::new(sides as usize, count as usize, 1_u128);
            while (window.dice() as u64) < count {
                window.add_die();
            }
            window.into_table(Self::ZERO, Self::from)
        } else {
            pool_recurrence(count, sides)
        };
        Table {
            weights,
            total,
            roundings: 0,
        }
    }

    fn checked_sum<'a>(weights: impl Iterator<Item = &'a Self>) -> Option<Self> {
        let total: Self = weights.sum();
        (!Zero::is_zero(&total)).then_some(total)
    }

    fn normalise(_: &mut [Self], total: Self) -> Self {
        total
    }

    /// By machine integers while every sum fits in 128 bits. Otherwise by Kronecker substitution:
    /// each table becomes one number with a slot of bits for each weight, wide enough for every
    /// sum, so that one multiplication (faster than quadratic for long numbers) does all.
    fn convolve(a: &[Self], b: &[Self]) -> Option<Vec<Self>> {
        let widest = |table: &[Self]| table.iter().map(bits).max().unwrap_or(0);
        let terms = a.len().min(b.len()) as u64;
        let slot = widest(a) + widest(b) + u64::from(terms.ilog2()) + 1;
        if slot <= MACHINE_BITS {
            return Some(convolve_machine(a, b));
        }
        // The budget has bounded the tables, whose bits are in memory.
        let slot = slot as usize;
        let product = Self::from_chunks(a.iter(), slot) * Self::from_chunks(b.iter(), slot);
        let mut sums = product.to_chunks(slot).into_vec();
        sums.resize(a.len() + b.len() - 1, Self::ZERO);
        Some(sums)
    }

    fn common(acc: &Self, total: &Self) -> Common<Self> {
        // Most totals are powers of one number, so one divides the other: that is far cheaper to
        // test than a greatest common divisor.
        let (denominator, rest) = if acc >= total {
            (acc, total)
        } else {
            (total, acc)
        };
        let denominator = if denominator.is_multiple_of(rest) {
            denominator.clone()
        } else {
            acc.lcm(total)
        };
        Common {
            acc_factor: &denominator / acc,
            part_factor: &denominator / total,
            denominator,
        }
    }

    fn product_total(total: &Self, other: &Self) -> Self {
        total * other
    }

    fn mean<'a>(entries: impl Entries<'a, Self>, total: &Self) -> f64 {
        signed_ratio(&first_moment(entries), total)
    }

    fn variance<'a>(entries: impl Entries<'a, Self>, total: &Self) -> f64 {
        let first = first_moment(entries.clone());
        let mut second = Self::ZERO;
        for (v, w) in entries {
            let magnitude = u128::from(v.unsigned_abs());
            second += w * (magnitude * magnitude);
        }
        // E[v^2] - E[v]^2 over the common denominator total^2; never negative (Jensen), and exact.
        let spread = second * total - first.sqr();
        ratio(&spread, &(total * total))
    }
}

/// `numerator / denominator` as the nearest `f64`, however long both are; 0 or infinity where it is
/// out of range. The denominator must not be zero.
pub(crate) fn ratio(numerator: &UBig, denominator: &UBig) -> f64 {
    if let (Some(n), Some(d)) = (exact_f64(numerator), exact_f64(denominator)) {
        return n / d;
    }
    if Zero::is_zero(numerator) {
        return 0.0;
    }
    // Bit lengths are far below 2^63: memory ends first.
    let shift = bits(denominator) as i64 - bits(numerator) as i64 + 65;
    let distance = shift.unsigned_abs() as usize;
    let (quotient, rest) = if shift >= 0 {
        (numerator << distance).div_rem(denominator)
    } else {
        numerator.div_rem(&(denominator << distance))
    };
    // The quotient has 65 or 66 bits. A last bit that says whether something was cut off makes the
    // conversion below round as if it saw all of them.
    let sticky = u128::from(!Zero::is_zero(&rest));
    let quotient = quotient.to_u128();
    let quotient = quotient.unwrap_or_else(|| bug!("a quotient of over 66 bits").raise()) | sticky;
    scale(quotient as f64, -shift)
}

/// The value, if an `f64` holds it exactly.
fn exact_f64(n: &UBig) -> Option<f64> {
    n.to_u64().filter(|_| bits(n) <= 53).map(|n| n as f64)
}

/// `x * 2^exponent`, for an x of about 2^65.
fn scale(x: f64, exponent: i64) -> f64 {
    let power = |e: i64| f64::from_bits(((1023 + e) as u64) << 52);
    // Beyond these the result is 0 or infinity anyway.
    let mut rest = exponent.clamp(-2000, 2000);
    let mut x = x;
    while rest != 0 {
        let step = rest.clamp(-1000, 1000);
        x *= power(step);
        rest -= step;
    }
    x
}

/// [`ratio`] with a sign.
pub(crate) fn signed_ratio(numerator: &IBig, denominator: &UBig) -> f64 {
    let magnitude = ratio(&numerator.unsigned_abs(), denominator);
    match numerator.sign() {
        Sign::Negative => -magnitude,
        Sign::Positive => magnitude,
    }
}

/// The sum of value times weight.
fn first_moment<'a>(entries: impl Iterator<Item = (i64, &'a UBig)>) -> IBig {
    let (mut above, mut below) = (UBig::ZERO, UBig::ZERO);
    for (v, w) in entries {
        let side = if v < 0 { &mut below } else { &mut above };
        *side += w * v.unsigned_abs();
    }
    IBig::from(above) - IBig::from(below)
}

/// The number of words for this many bits, at least 1.
fn words(bits: u64) -> u64 {
    bits / WORD + 1
}

/// The sums of products, none of which has more than [`MACHINE_BITS`].
fn convolve_machine(a: &[UBig], b: &[UBig]) -> Vec<UBig> {
    let machine = |table: &[UBig]| table.iter().map(machine).collect::<Vec<u128>>();
    let (a, b) = (machine(a), machine(b));
    let mut sums = vec![0_u128; a.len() + b.len() - 1];
    for (row, factor) in a.iter().enumerate() {
        for (sum, weight) in sums[row..].iter_mut().zip(&b) {
            *sum += factor * weight;
        }
    }
    sums.into_iter().map(UBig::from).collect()
}

/// A weight of at most [`MACHINE_BITS`].
fn machine(weight: &UBig) -> u128 {
    let machine = weight.to_u128();
    machine.unwrap_or_else(|| bug!("a weight of over 128 bits").raise())
}

/// The number of bits; 0 has none.
pub(crate) fn bits(number: &UBig) -> u64 {
    number.bit_len() as u64
}
