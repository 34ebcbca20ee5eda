//! Intervals of whole numbers: the domain of range analysis.

use crate::ir::OpenRange;
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES};
use dicec_runtime::ops;

/// All whole numbers from `low` to `high`, both included; `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
}

impl Interval {
    /// Every `i64`.
    pub const ALL: Interval = Interval {
        low: i64::MIN,
        high: i64::MAX,
    };

    /// The range of an open word.
    pub(crate) const fn open(range: OpenRange) -> Self {
        let numbers = range.numbers();
        Self {
            low: *numbers.start(),
            high: *numbers.end(),
        }
    }

    /// False and true as 0 and 1.
    pub(super) const TRUTHS: Interval = Interval { low: 0, high: 1 };

    /// The interval of a truth value as a number.
    pub(crate) fn truth(value: bool) -> Self {
        Self::point(value.into())
    }

    /// The interval between two numbers, in either order.
    pub fn new(a: i64, b: i64) -> Self {
        Self {
            low: a.min(b),
            high: a.max(b),
        }
    }

    /// One number.
    pub fn point(value: i64) -> Self {
        Self::new(value, value)
    }

    /// The number, if there is only one.
    pub fn single(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The number of its elements.
    pub fn width(self) -> u128 {
        // Never negative, since `low <= high`.
        (i128::from(self.high) - i128::from(self.low) + 1).unsigned_abs()
    }

    /// Its numbers in order, if they are at most this many.
    pub(crate) fn numbers(self, most: usize) -> Option<Vec<i64>> {
        (self.width() <= most as u128).then(|| (self.low..=self.high).collect())
    }

    /// The smallest interval that holds both.
    pub fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// This interval, with each bound that `next` moves widened to the smallest or greatest `i64`.
    pub(crate) fn widen(self, next: Self) -> Self {
        Self {
            low: if next.low < self.low {
                i64::MIN
            } else {
                self.low
            },
            high: if next.high > self.high {
                i64::MAX
            } else {
                self.high
            },
        }
    }

    /// The results of an operation whose extremes are at the corners of its operands' ranges, if
    /// none of them overflows.
    fn corners(self, other: Self, op: impl Fn(i128, i128) -> i128) -> Option<Self> {
        let (a, b) = (self.wide(), other.wide());
        let corners = [op(a.0, b.0), op(a.0, b.1), op(a.1, b.0), op(a.1, b.1)];
        let low = corners.into_iter().min()?;
        let high = corners.into_iter().max()?;
        Some(Self {
            low: low.try_into().ok()?,
            high: high.try_into().ok()?,
        })
    }

    fn wide(self) -> (i128, i128) {
        (self.low.into(), self.high.into())
    }

    /// The sums, if none overflows.
    pub(crate) fn add(self, other: Self) -> Option<Self> {
        self.corners(other, |a, b| a + b)
    }

    /// The differences, if none overflows.
    pub(crate) fn sub(self, other: Self) -> Option<Self> {
        self.corners(other, |a, b| a - b)
    }

    /// The products, if none overflows.
    pub(crate) fn mul(self, other: Self) -> Option<Self> {
        // At most 2^126.
        self.corners(other, |a, b| a * b)
    }

    /// The bitwise or.
    pub(crate) fn or(self, other: Self) -> Self {
        if self.low < 0 || other.low < 0 {
            return Self::ALL;
        }
        // All bits up to the highest set bit of either.
        let bits = i64::BITS - self.high.max(other.high).leading_zeros();
        let high = i64::MAX.unbounded_shr(i64::BITS - 1 - bits);
        Self::new(self.low.max(other.low), high)
    }

    /// These numbers with some bits cleared.
    pub(crate) fn and_not(self) -> Self {
        match self.low {
            0.. => Self::new(0, self.high),
            _ => Self::ALL,
        }
    }

    /// The quotients, rounded down, by divisors of at least 1; a lower divisor counts as 1.
    pub(crate) fn div_pos(self, divisor: Self) -> Self {
        let (small, large) = (divisor.low.max(1), divisor.high.max(1));
        let ends = [
            ops::idiv_pos(self.low, small),
            ops::idiv_pos(self.low, large),
            ops::idiv_pos(self.high, small),
            ops::idiv_pos(self.high, large),
        ];
        ends.into_iter()
            .map(Self::point)
            .reduce(Self::join)
            .unwrap_or(Self::ALL)
    }

    /// The quotients of divisions that do not trap, rounded down; 0 if the divisor is 0.
    pub(crate) fn div(self, divisor: Self) -> Self {
        if divisor.low >= 1 {
            return self.div_pos(divisor);
        }
        // A quotient is not farther from 0 than the dividend, except that rounding down can turn 0
        // into -1.
        let far = self.low.unsigned_abs().max(self.high.unsigned_abs()).max(1);
        let far = i64::try_from(far).unwrap_or(i64::MAX);
        Self {
            low: if self.low == i64::MIN { i64::MIN } else { -far },
            high: far,
        }
    }

    /// The remainders of divisions that do not trap: they have the sign of the dividend, are not
    /// farther from 0 than it, and are nearer to 0 than the divisor.
    pub(crate) fn rem(self, divisor: Self) -> Self {
        let far = divisor.low.unsigned_abs().max(divisor.high.unsigned_abs());
        // At most 2^63 - 1.
        let far = far.saturating_sub(1).cast_signed();
        Self {
            low: self.low.clamp(-far, 0),
            high: self.high.clamp(0, far),
        }
    }

    /// The pairwise minima.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }

    /// The pairwise maxima.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The intersection, if it is not empty.
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    /// This interval without the only number of `other`, if it has only one; `None` if nothing
    /// remains. Only a number at an end can be removed.
    pub(crate) fn without(self, other: Self) -> Option<Self> {
        match other.single() {
            Some(_) if self == other => None,
            Some(number) if number == self.low => Some(Self::new(number + 1, self.high)),
            Some(number) if number == self.high => Some(Self::new(self.low, number - 1)),
            _ => Some(self),
        }
    }

    /// The part of `self` that is in `other`; all of `self` if there is none.
    pub(crate) fn clip(self, other: Self) -> Self {
        self.meet(other).unwrap_or(self)
    }

    /// The sums of `count` dice of `sides` sides, for counts and sides in range.
    pub(crate) fn pool(count: u32, sides: u32) -> Self {
        Self {
            low: count.into(),
            // At most 10^16.
            high: i64::from(count) * i64::from(sides),
        }
    }

    /// The sums of `count` dice with sides in `sides`, both within their limits.
    pub(crate) fn dice(self, sides: Self) -> Self {
        let most = MAX_DICE_CEILING.into();
        let (fewest, most) = (self.low.clamp(0, most), self.high.clamp(0, most));
        Self {
            low: fewest,
            // At most 10^16.
            high: most * sides.faces().high,
        }
    }

    /// The faces of a die whose sides are in this range.
    pub(crate) fn faces(self) -> Self {
        Self {
            low: 1,
            high: self.high.clamp(1, MAX_SIDES.into()),
        }
    }
}
