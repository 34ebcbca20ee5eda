//! The weights of a [`Pmf`](super::Pmf). The exact engine is generic over this trait; the choice
//! between speed (`f64`) and exact fractions (`UBig`) is a type argument.

use std::fmt;

use super::kernel::Kernel;

/// A non-negative weight: P(v) is the weight of v over the table's total.
///
/// Implemented by `f64` and [`UBig`](dashu_int::UBig), and sealed: the tables rely on
/// properties of these two types.
///
/// * `f64` weights are probabilities: a table's total is 1, and every weight carries the relative
///   error that [`Pmf::error_bound`](super::Pmf::error_bound) states.
/// * `UBig` weights are exact counts over a common total, which is not reduced: that of `n` dice
///   with `s` sides is s^n.
pub trait Weight: Kernel + Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The weight of an impossible outcome.
    fn zero() -> Self;

    /// The weight `n`; above 2^53 an `f64` is rounded.
    fn from_u64(n: u64) -> Self;

    /// Whether this is [`zero`](Self::zero).
    fn is_zero(&self) -> bool;

    /// Adds `other` to this weight.
    fn add(&mut self, other: &Self);

    /// The product, which is zero only when a factor is: an `f64` product that would round to zero
    /// becomes the smallest normal number, so that possible outcomes stay in the table.
    fn mul(&self, other: &Self) -> Self;

    /// `self / total` for a nonzero `total`. The nearest `f64` for exact weights, whatever their
    /// size; one that is too small or too large for an `f64` gives 0 or infinity.
    fn ratio(&self, total: &Self) -> f64;
}
