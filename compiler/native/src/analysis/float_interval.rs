//! Intervals of floats. Range analysis needs them only for floats that are rounded to whole
//! numbers.
//!
//! Rounding is monotonic, so the ends of a sum's or a product's interval follow from those of the
//! operands, computed as the operation itself does.

use super::interval::Interval;
use crate::ir::Op;
use dicec_runtime::float;

/// All floats from `low` to `high`, both finite and included. A value that may be infinite or NaN
/// has no interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FloatInterval {
    low: f64,
    high: f64,
}

impl FloatInterval {
    fn new(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite()).then_some(Self { low, high })
    }

    /// One number, if it is finite.
    pub(super) fn point(value: f64) -> Option<Self> {
        Self::new(value, value)
    }

    /// Whole numbers as floats.
    pub(super) fn of_whole(range: Interval) -> Option<Self> {
        Self::new(float::from_int(range.low), float::from_int(range.high))
    }

    /// The results of an operation on one float, if it does not trap.
    pub(super) fn unary(self, op: Op) -> Option<Self> {
        let Self { low, high } = self;
        match op {
            Op::Finite | Op::Nonzero => Some(self),
            Op::Fneg => Self::new(-high, -low),
            Op::Fabs if low >= 0.0 => Some(self),
            Op::Fabs if high <= 0.0 => Self::new(-high, -low),
            Op::Fabs => Self::new(0.0, high.max(-low)),
            Op::Fsqrt => Self::new(
                float::sqrt(low.max(0.0)).ok()?,
                float::sqrt(high.max(0.0)).ok()?,
            ),
            _ => None,
        }
    }

    /// The results of an operation on two floats, if it does not trap.
    pub(super) fn binary(self, op: Op, other: Self) -> Option<Self> {
        match op {
            Op::Fadd => self.corners(other, |a, b| a + b),
            Op::Fsub => self.corners(other, |a, b| a - b),
            Op::Fmul => self.corners(other, |a, b| a * b),
            Op::Fdiv if other.low > 0.0 || other.high < 0.0 => self.corners(other, |a, b| a / b),
            // It is not farther from 0 than the dividend, and has its sign.
            Op::Frem => Self::new(self.low.min(0.0), self.high.max(0.0)),
            Op::Fmin => Self::new(self.low.min(other.low), self.high.min(other.high)),
            Op::Fmax => Self::new(self.low.max(other.low), self.high.max(other.high)),
            _ => None,
        }
    }

    /// The results of an operation whose extremes are at the corners of its operands' ranges.
    fn corners(self, other: Self, op: impl Fn(f64, f64) -> f64) -> Option<Self> {
        let corners = [
            op(self.low, other.low),
            op(self.low, other.high),
            op(self.high, other.low),
            op(self.high, other.high),
        ];
        if corners.iter().any(|corner| !corner.is_finite()) {
            return None;
        }
        let low = corners.into_iter().reduce(f64::min)?;
        Self::new(low, corners.into_iter().reduce(f64::max)?)
    }

    /// The results of rounding to whole numbers, if that does not trap.
    pub(super) fn rounded(self, op: Op) -> Option<Interval> {
        let round = match op {
            Op::Ffloor => float::floor,
            Op::Fceil => float::ceil,
            Op::Fround => float::round,
            _ => return None,
        };
        // Beyond the range of whole numbers, the operation traps.
        let low = round(self.low).unwrap_or(i64::MIN);
        let high = round(self.high).unwrap_or(i64::MAX);
        (low <= high).then(|| Interval::new(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, high: f64) -> FloatInterval {
        FloatInterval::new(low, high).expect("finite")
    }

    #[test]
    fn ends_are_those_of_the_operands() {
        let (a, b) = (interval(-1.5, 4.0), interval(2.0, 5.0));
        assert_eq!(a.binary(Op::Fmul, b), Some(interval(-7.5, 20.0)));
        assert_eq!(a.binary(Op::Fdiv, b), Some(interval(-0.75, 2.0)));
        assert_eq!(b.binary(Op::Fdiv, a), None);
        assert_eq!(a.binary(Op::Frem, b), Some(interval(-1.5, 4.0)));
        assert_eq!(a.unary(Op::Fabs), Some(interval(0.0, 4.0)));
        assert_eq!(
            interval(-9.0, 4.0).unary(Op::Fsqrt),
            Some(interval(0.0, 2.0))
        );
        let huge = interval(1e300, 1e300);
        assert_eq!(huge.binary(Op::Fmul, huge), None);
    }

    #[test]
    fn rounding_stays_in_range() {
        assert_eq!(
            interval(-1.5, 4.5).rounded(Op::Fround),
            Some(Interval::new(-1, 5))
        );
        assert_eq!(
            interval(0.0, 1e30).rounded(Op::Ffloor),
            Some(Interval::new(0, i64::MAX))
        );
        assert_eq!(
            interval(-1e30, -1e20)
                .rounded(Op::Fceil)
                .map(|range| range.low),
            Some(i64::MIN)
        );
    }
}
