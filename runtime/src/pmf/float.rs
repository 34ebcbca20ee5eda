//! `f64` weights: probabilities, fast, with their roundings counted.
//!
//! Each operation only adds and multiplies positive numbers, so relative errors add up and are
//! never amplified: after k roundings a weight is off by at most k u / (1 - k u) of itself, u =
//! 2^-53 (Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1).
//!
//! Underflow is kept out of that count. A weight below [`TRIM`] may be dropped from sums, at an
//! absolute error that the budget keeps far under [`TINY`] times u; an outcome that can happen
//! stays in its table, with the smallest normal number as its weight if need be. So the support is
//! always right, and weights of at least [`TINY`] keep the stated relative error.

use super::kernel::{Common, Draw, Entries, Kernel, PoolCost, Table};
use super::number::{Number, add_rows};
use super::weight::Weight;
use super::window::Window;

/// The smallest `f64` weight for which [`Pmf::error_bound`](super::Pmf::error_bound) holds; smaller
/// weights are right to within this, absolutely.
pub const TINY: f64 = 1e-260;

/// Weights below this may be left out of sums: at most [`DEFAULT_WORK`](super::DEFAULT_WORK) of
/// them, which is 2e-287 in total.
const TRIM: f64 = 1e-295;

/// The largest accepted sum of raw weights: so far from infinity that roundings cannot reach it.
const MAX_SUM: f64 = 1e300;

/// Integers up to this are exact in an `f64`.
const EXACT_INTEGERS: u64 = 1 << 53;

impl Number for f64 {
    fn zero() -> Self {
        0.0
    }

    fn from_u64(n: u64) -> Self {
        n as Self
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        *self += other;
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        let product = self * other;
        if product >= Self::MIN_POSITIVE || *self == 0.0 || *other == 0.0 {
            product
        } else {
            Self::MIN_POSITIVE
        }
    }

    /// Raises the weights whose product would underflow, so that none is computed: it would take a
    /// hundred times longer. Free of branches, so that it runs on vectors.
    fn add_scaled(sums: &mut [Self], weights: &[Self], factor: &Self) {
        let factor = factor.max(Self::MIN_POSITIVE);
        let least = 2.0 * Self::MIN_POSITIVE / factor;
        for (sum, &w) in sums.iter_mut().zip(weights) {
            let product = w.max(least) * factor;
            *sum += if w == 0.0 { 0.0 } else { product };
        }
    }

    /// Four factors at a time, as long as no product underflows.
    fn add_products(sums: &mut [Self], weights: &[Self], factors: &[Self], skip: usize) {
        let (short, long) = if weights.len() < factors.len() {
            (weights, factors)
        } else {
            (factors, weights)
        };
        let none_underflows = || least(short).0 * least(long).0 >= Self::MIN_POSITIVE;
        if short.len() > 1 && none_underflows() {
            add_all(sums, (short, long), skip);
        } else {
            add_rows(sums, long, short, skip);
        }
    }

    /// Conditional probabilities, so that weights stay probabilities; the sum of the two is an
    /// addition of positive numbers, not a difference from 1.
    fn draw(face: &Self, rest: &Self) -> Draw<Self> {
        let both = face + rest;
        Draw {
            face: face / both,
            later: rest / both,
            any_later: rest / both,
        }
    }
}

impl Weight for f64 {
    fn ratio(&self, total: &Self) -> f64 {
        self / total
    }

    fn to_machine(&self) -> Option<u128> {
        None
    }

    fn from_machine(weight: u128) -> Self {
        weight as Self
    }
}

impl Kernel for f64 {
    const ROUNDING: f64 = Self::EPSILON / 2.0;

    fn add_cost(_: &Self) -> u64 {
        1
    }

    fn mul_cost(_: &Self, _: &Self) -> u64 {
        1
    }

    fn storage(_: &Self, _: &Self) -> u64 {
        1
    }

    /// Counts the weights that [`pool`](Self::pool) writes. After n dice half a table holds
    /// `n (s - 1) / 2` weights, or, trimmed, 37 standard deviations: a uniform die is strictly
    /// sub-Gaussian, so `P(|S - mean| >= t) <= 2 exp(-t^2 / 2 var)` with `var = n s^2 / 12`. That
    /// is less than [`TRIM`] for any `t` above `10.7 s sqrt(n)`.
    fn pool_cost(count: u64, sides: u64) -> PoolCost {
        let (n, s) = (count as Self, sides as Self);
        let batch = Self::from_u64(batch(sides));
        let whole = n * s / 4.0;
        let trimmed = (2.0 / 3.0) * 10.7 * s * n.sqrt() + batch * s;
        let passes = Self::from(sides.ilog2());
        PoolCost {
            // A conversion from float saturates.
            work: (n * whole.min(trimmed) * passes + n * s) as u64,
            storage: 1,
        }
    }

    /// Works on counts, which are exact while they stay under 2^53, and divides by the number of
    /// combinations once for each batch of dice.
    fn pool(count: u64, sides: u64) -> Table<Self> {
        let batch = batch(sides);
        let mut window = Window::new(sides as usize, count as usize, 1.0);
        // The number of combinations that the weights have not been divided by yet.
        let mut combinations = sides as Self;
        let mut undivided = 1;
        loop {
            let done = window.dice() as u64 == count;
            if done || undivided == batch {
                window
                    .half_mut()
                    .iter_mut()
                    .for_each(|w| *w /= combinations);
                window.trim(|w| w < TRIM);
                (combinations, undivided) = (1.0, 0);
            }
            if done {
                break;
            }
            window.add_die();
            combinations *= sides as Self;
            undivided += 1;
        }
        Table {
            weights: window.into_table(Self::MIN_POSITIVE, |w| w),
            total: 1.0,
            roundings: pool_roundings(count, sides, batch),
        }
    }

    fn checked_sum<'a>(weights: impl Iterator<Item = &'a Self>) -> Option<Self> {
        let mut sum = 0.0;
        for w in weights {
            if w.is_nan() || *w < 0.0 {
                return None;
            }
            sum += w;
        }
        (sum > 0.0 && sum <= MAX_SUM).then_some(sum)
    }

    fn normalise(weights: &mut [Self], total: Self) -> Self {
        for w in weights.iter_mut().filter(|w| **w > 0.0) {
            *w = (*w / total).max(Self::MIN_POSITIVE);
        }
        1.0
    }

    fn convolve(a: &[Self], b: &[Self]) -> Option<Vec<Self>> {
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let (least_short, gaps_short) = least(short);
        let (least_long, gaps_long) = least(long);
        if least_short * least_long >= Self::MIN_POSITIVE {
            return Some(convolve_all(short, long));
        }
        // A zero in the result would no longer tell a gap from an underflow.
        (!gaps_short && !gaps_long).then(|| convolve_trimmed(short, long))
    }

    fn common(_: &Self, _: &Self) -> Common<Self> {
        Common {
            acc_factor: 1.0,
            part_factor: 1.0,
            denominator: 1.0,
        }
    }

    fn product_total(_: &Self, _: &Self) -> Self {
        1.0
    }

    fn mean<'a>(entries: impl Entries<'a, Self>, _: &Self) -> f64 {
        let centre = twice_centre(entries.clone());
        (centre as Self + mean_offset(entries, centre)) / 2.0
    }

    fn variance<'a>(entries: impl Entries<'a, Self>, _: &Self) -> f64 {
        let centre = twice_centre(entries.clone());
        let mean = mean_offset(entries.clone(), centre);
        let squares = entries.map(|(v, w)| (twice_offset(v, centre) - mean).powi(2) * w);
        squares.sum::<Self>() / 4.0
    }
}

/// Twice the middle of the range, which may lie between two integers. Moments are measured from
/// there: so the mean of a symmetric table is exact however its mass is rounded, and values far
/// from zero lose no digits.
fn twice_centre<'a>(entries: impl Entries<'a, f64>) -> i128 {
    let end = |entry: Option<(i64, &f64)>| entry.map_or(0, |(v, _)| i128::from(v));
    end(entries.clone().next()) + end(entries.clone().next_back())
}

/// Twice the distance of `v` from the middle.
fn twice_offset(v: i64, centre: i128) -> f64 {
    (2 * i128::from(v) - centre) as f64
}

/// Twice the distance of the mean from the middle.
fn mean_offset<'a>(entries: impl Entries<'a, f64>, centre: i128) -> f64 {
    entries.map(|(v, w)| twice_offset(v, centre) * w).sum()
}

/// The maximum number of dice with `sides` sides (at least 1) whose number of combinations is exact
/// in an `f64`.
fn batch(sides: u64) -> u64 {
    let mut dice = 1;
    let mut combinations = sides;
    while let Some(more) = combinations
        .checked_mul(sides)
        .filter(|c| *c <= EXACT_INTEGERS)
    {
        combinations = more;
        dice += 1;
        // With one-sided dice the loop would never end.
        if combinations == 1 {
            break;
        }
    }
    dice
}

/// The roundings that a weight of [`Kernel::pool`] goes through: none while counts are exact, then
/// the additions of each die, a division a batch, and the conversion of more than 2^53 sides.
fn pool_roundings(count: u64, sides: u64, batch: u64) -> u64 {
    let additions = u64::from(sides.ilog2()) + u64::from(sides.count_ones()) - 1;
    let divisions = count.div_ceil(batch);
    let conversions = if sides > EXACT_INTEGERS { count } else { 0 };
    (count.saturating_sub(batch))
        .saturating_mul(additions)
        .saturating_add(divisions)
        .saturating_add(conversions)
}

/// The smallest weight that is not zero, and whether there are zeros.
fn least(weights: &[f64]) -> (f64, bool) {
    let mut gaps = false;
    let mut least = f64::INFINITY;
    for &w in weights {
        gaps |= w == 0.0;
        least = if w > 0.0 && w < least { w } else { least };
    }
    (least, gaps)
}

/// Every product.
fn convolve_all(short: &[f64], long: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; short.len() + long.len() - 1];
    add_all(&mut sums, (short, long), 0);
    sums
}

/// Adds every product to the sum of its index less `skip`, if there is one. Four rows at a time, so
/// that a sum is loaded and stored once for four products; zeros around `long` spare the loop its
/// edges.
fn add_all(sums: &mut [f64], (short, long): (&[f64], &[f64]), skip: usize) {
    const ROWS: usize = 4;
    let mut padded = vec![0.0; long.len() + 2 * (ROWS - 1)];
    padded[ROWS - 1..ROWS - 1 + long.len()].copy_from_slice(long);
    for (row, factors) in short.chunks(ROWS).enumerate() {
        let mut f = [0.0; ROWS];
        f[..factors.len()].copy_from_slice(factors);
        let first = row * ROWS;
        let low = skip.saturating_sub(first);
        let Some(padded) = padded.get(low..) else {
            continue;
        };
        // The last windows are zeros, with no sums to add them to.
        let sums = &mut sums[first + low - skip..];
        for (sum, w) in sums.iter_mut().zip(padded.windows(ROWS)) {
            *sum += (f[0] * w[3] + f[1] * w[2]) + (f[2] * w[1] + f[3] * w[0]);
        }
    }
}

/// The products that matter, for tables without gaps whose tails are so thin that products
/// underflow (where the processor is a hundred times slower, too). Each row meets the stretch of
/// `long` outside of which every product is below [`TRIM`].
fn convolve_trimmed(short: &[f64], long: &[f64]) -> Vec<f64> {
    // The largest weight up to each index and from each index on: both are monotonic, so they can
    // be searched.
    let running_max = |max: &mut f64, w: &f64| {
        *max = max.max(*w);
        Some(*max)
    };
    let upward: Vec<f64> = long.iter().scan(0.0, running_max).collect();
    let mut downward: Vec<f64> = long.iter().rev().scan(0.0, running_max).collect();
    downward.reverse();
    let mut sums = vec![0.0; short.len() + long.len() - 1];
    for (row, &factor) in short.iter().enumerate() {
        let least = TRIM / factor;
        let from = upward.partition_point(|max| *max < least);
        let to = downward.partition_point(|max| *max >= least);
        let Some(stretch) = long.get(from..to) else {
            continue;
        };
        for (sum, w) in sums[row + from..].iter_mut().zip(stretch) {
            *sum += factor * w;
        }
    }
    sums.iter_mut()
        .for_each(|sum| *sum = sum.max(f64::MIN_POSITIVE));
    sums
}
