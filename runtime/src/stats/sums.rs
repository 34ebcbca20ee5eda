//! Count, extremes and exact power sums of recorded values: all integers, so the order of recording
//! does not matter.

use crate::bug;
use dashu_int::{IBig, UBig};

use super::float_moments::FloatMoments;
use crate::moments::PowerSums;
use crate::pmf::ratio;
use crate::scale::Scale;

/// The sums that a tally has about its values besides their counts.
///
/// Sound up to a count of 2^64 - 1, beyond which it saturates; no machine gets there by sampling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    count: u64,
    /// Least and greatest value; `None` before the first.
    range: Option<(i64, i64)>,
    moments: Moments,
}

/// The power sums of the numbers that the values represent.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Moments {
    Whole(WholeMoments),
    Float(FloatMoments),
}

impl Sums {
    /// Of nothing yet.
    pub(super) fn new(scale: Scale) -> Self {
        Self {
            count: 0,
            range: None,
            moments: match scale {
                Scale::Whole => Moments::Whole(WholeMoments::default()),
                Scale::Float => Moments::Float(FloatMoments::default()),
            },
        }
    }

    /// Records `value` `times` over.
    pub(super) fn add(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        self.count = self.count.saturating_add(times);
        self.widen(value, value);
        match &mut self.moments {
            Moments::Whole(moments) => moments.add(value, times),
            Moments::Float(moments) => moments.add(value, times),
        }
    }

    /// Records whole numbers of which these sums are known; on the scale of floats, nothing.
    pub(super) fn add_power_sums(&mut self, found: &PowerSums) {
        let Moments::Whole(moments) = &mut self.moments else {
            return;
        };
        moments.sum = moments.sum.saturating_add(found.sum);
        moments.add_squares(found.squares, 0);
        self.count = self.count.saturating_add(found.count);
        self.widen(found.least, found.greatest);
    }

    /// Adds everything that `other`, of the same scale, has recorded.
    pub(super) fn merge(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        if let Some((least, greatest)) = other.range {
            self.widen(least, greatest);
        }
        match (&mut self.moments, &other.moments) {
            (Moments::Whole(mine), Moments::Whole(others)) => mine.merge(others),
            (Moments::Float(mine), Moments::Float(others)) => mine.merge(others),
            // Only tallies of the same scale merge their sums.
            (Moments::Whole(_), Moments::Float(_)) | (Moments::Float(_), Moments::Whole(_)) => {
                bug!("sums of whole numbers and of floats meet").raise()
            }
        }
    }

    fn widen(&mut self, low: i64, high: i64) {
        let (least, greatest) = self.range.unwrap_or((low, high));
        self.range = Some((least.min(low), greatest.max(high)));
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn min(&self) -> Option<i64> {
        self.range.map(|(least, _)| least)
    }

    pub(super) fn max(&self) -> Option<i64> {
        self.range.map(|(_, greatest)| greatest)
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| match &self.moments {
            Moments::Whole(moments) => moments.sum as f64 / self.count as f64,
            Moments::Float(moments) => moments.mean(self.count),
        })
    }

    /// The sample variance (over n - 1), from the exact sums, so without cancellation.
    pub(super) fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| match &self.moments {
            Moments::Whole(moments) => moments.variance(self.count),
            Moments::Float(moments) => moments.variance(self.count),
        })
    }
}

/// The sum and the sum of squares of whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct WholeMoments {
    /// Sum of the values: at most 2^64 of magnitude 2^63.
    sum: i128,
    /// Sum of the squares, below 2^190: the low 128 bits and the rest.
    squares_low: u128,
    squares_high: u64,
}

impl WholeMoments {
    fn add(&mut self, value: i64, times: u64) {
        // Below 2^127 in magnitude.
        let sum = i128::from(value) * i128::from(times);
        self.sum = self.sum.saturating_add(sum);
        let square = u128::from(value.unsigned_abs()).pow(2);
        // The product of 126 and 64 bits, by halves of the square.
        let low = (square & u128::from(u64::MAX)) * u128::from(times);
        let high = (square >> 64) * u128::from(times);
        self.add_squares(low, 0);
        self.add_squares(high << 64, (high >> 64) as u64);
    }

    fn merge(&mut self, other: &Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.add_squares(other.squares_low, other.squares_high);
    }

    fn add_squares(&mut self, low: u128, high: u64) {
        let (sum, carry) = self.squares_low.overflowing_add(low);
        self.squares_low = sum;
        self.squares_high = self
            .squares_high
            .saturating_add(high)
            .saturating_add(u64::from(carry));
    }

    fn variance(&self, count: u64) -> f64 {
        let squares = (UBig::from(self.squares_high) << 128) + self.squares_low;
        let sum = IBig::from(self.sum);
        // n sum(v^2) - sum(v)^2 over n (n - 1); not negative by Cauchy and Schwarz, unless
        // saturated.
        let (left, right) = (squares * count, sum.sqr());
        let spread = if left > right {
            left - right
        } else {
            UBig::ZERO
        };
        let divisor = UBig::from(count) * (count - 1);
        ratio(&spread, &divisor)
    }
}
