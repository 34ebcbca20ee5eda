//! The weights of a [`Pmf`](super::Pmf). The exact engine is generic over this trait; the choice
//! between speed (`f64`) and exact fractions (`UBig`) is a type argument.

use std::fmt;

use super::kernel::Kernel;
use super::number::Number;

/// A non-negative weight: P(v) is the weight of v over the table's total.
///
/// Implemented by `f64` and [`UBig`](dashu_int::UBig), and sealed: the tables rely on
/// properties of these two types.
///
/// * `f64` weights are probabilities: a table's total is 1, and every weight carries the relative
///   error that [`Pmf::error_bound`](super::Pmf::error_bound) states.
/// * `UBig` weights are exact counts over a common total, which is not reduced: that of `n` dice
///   with `s` sides is s^n.
pub trait Weight: Number + Kernel + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// `self / total` for a nonzero `total`. The nearest `f64` for exact weights, whatever their
    /// size; one that is too small or too large for an `f64` gives 0 or infinity.
    fn ratio(&self, total: &Self) -> f64;

    /// The weight as a machine integer, if it is exact and fits.
    fn to_machine(&self) -> Option<u128>;

    /// An exact weight that was a machine integer.
    fn from_machine(weight: u128) -> Self;
}
