//! The number types of the algorithms on weights: floats, integers of any size, and machine
//! integers for weights that are known to fit.

use super::kernel::Draw;

/// A non-negative number.
///
/// Like [`Weight`](super::Weight) it is sealed: public because that trait's supertrait must be.
pub trait Number: Clone {
    /// No ways.
    fn zero() -> Self;

    /// The number `n`; above 2^53 an `f64` is rounded.
    fn from_u64(n: u64) -> Self;

    /// Whether this is [`zero`](Self::zero).
    fn is_zero(&self) -> bool;

    /// Adds `other` to this number.
    fn add(&mut self, other: &Self);

    /// The product, which is zero only when a factor is: an `f64` product that would round to zero
    /// becomes the smallest normal number, so that possible outcomes stay in the table.
    fn mul(&self, other: &Self) -> Self;

    /// Adds each weight times `factor` to the sum at its index; of zeros nothing. A product never
    /// becomes zero, as in [`mul`](Self::mul). Both slices have one length.
    fn add_scaled(sums: &mut [Self], weights: &[Self], factor: &Self);

    /// Adds the product of the weight at `i` and the factor at `j` to the sum at `i + j - skip`,
    /// for all `i + j` from `skip` on. Each of these has a sum, and there are no others.
    fn add_products(sums: &mut [Self], weights: &[Self], factors: &[Self], skip: usize) {
        add_rows(sums, weights, factors, skip);
    }

    /// The factors of a die that shows none of the earlier faces: `face` is the weight of the next
    /// face, `rest` that of all later faces.
    fn draw(face: &Self, rest: &Self) -> Draw<Self>;
}

/// [`Number::add_products`], a factor at a time.
pub(super) fn add_rows<N: Number>(sums: &mut [N], weights: &[N], factors: &[N], skip: usize) {
    for (row, factor) in factors.iter().enumerate() {
        let low = skip.saturating_sub(row);
        if let Some(weights) = weights.get(low..).filter(|_| !factor.is_zero()) {
            let sums = &mut sums[row + low - skip..][..weights.len()];
            N::add_scaled(sums, weights, factor);
        }
    }
}

/// Exact weights of dice whose number of combinations fits. All intermediate counts are at most
/// that number, so nothing wraps.
macro_rules! machine_number {
    ($($machine:ty),*) => {$(
        impl Number for $machine {
            fn zero() -> Self {
                0
            }

            fn from_u64(n: u64) -> Self {
                Self::from(n)
            }

            fn is_zero(&self) -> bool {
                *self == 0
            }

            fn add(&mut self, other: &Self) {
                *self = self.wrapping_add(*other);
            }

            fn mul(&self, other: &Self) -> Self {
                self.wrapping_mul(*other)
            }

            fn add_scaled(sums: &mut [Self], weights: &[Self], factor: &Self) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    sum.add(&weight.mul(factor));
                }
            }

            /// Counts, as for integers of any size.
            fn draw(face: &Self, rest: &Self) -> Draw<Self> {
                Draw {
                    face: *face,
                    later: 1,
                    any_later: *rest,
                }
            }
        }
    )*};
}

machine_number!(u64, u128);
