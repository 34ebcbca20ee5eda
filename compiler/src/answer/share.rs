//! A probability with its precision.

use dashu_int::UBig;
use num_integer::Integer;

/// A probability with its precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The probability.
    pub p: f64,
    /// The same in lowest terms, if that was computed.
    pub fraction: Option<(UBig, UBig)>,
    /// Whether the fraction is shown however long it is.
    pub in_full: bool,
    /// The 95 % interval, if it was sampled.
    pub interval: Option<(f64, f64)>,
}

impl Share {
    /// A probability of unknown precision.
    pub(super) fn of(p: f64) -> Self {
        Self {
            p,
            fraction: None,
            in_full: false,
            interval: None,
        }
    }
}

/// A fraction in lowest terms.
pub(super) fn lowest(weight: &UBig, total: &UBig) -> (UBig, UBig) {
    let divisor = weight.gcd(total);
    (weight / &divisor, total / &divisor)
}
