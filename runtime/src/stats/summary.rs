//! [`Summary`]: the moments of sampled outcomes, without the outcomes.

use super::interval::{Z95, standard_error};
use super::sums::Sums;
use crate::moments::Moments;
use crate::scale::Scale;

/// The number of outcomes, their mean and spread, the smallest and the greatest: everything that a
/// [`Tally`](super::Tally) knows except how often each outcome occurred. It takes a few words of
/// memory, however many outcomes there are.
///
/// Everything is an integer, so two summaries of the same values are equal, whatever the order of
/// recording and merging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    scale: Scale,
    sums: Sums,
}

impl Summary {
    /// Of no outcomes yet, on `scale`.
    pub fn new(scale: Scale) -> Self {
        Self::of(scale, Sums::new(scale))
    }

    pub(super) fn of(scale: Scale, sums: Sums) -> Self {
        Self { scale, sums }
    }

    /// Records many outcomes.
    pub fn record_all(&mut self, values: &[i64]) {
        for &value in values {
            self.sums.add(value, 1);
        }
    }

    /// Records counts: `counts[i]` of the value `lo + i`. Counts of values beyond `i64` are
    /// ignored.
    pub fn add_counts(&mut self, lo: i64, counts: &[u64]) {
        for (value, &times) in (lo..=i64::MAX).zip(counts) {
            self.sums.add(value, times);
        }
    }

    /// Records the results of `trials` trials of whole numbers, which a kernel left in its
    /// [cells](crate::moments).
    pub fn add_moments(&mut self, moments: Moments, cells: &[i64], trials: u64) {
        if let Some(cells) = cells.first_chunk()
            && trials > 0
        {
            self.sums.add_power_sums(&moments.read(cells, trials));
        }
    }

    /// Adds all outcomes of `other`, which has the same scale.
    pub fn merge(&mut self, other: &Self) {
        self.sums.merge(&other.sums);
    }

    /// How the outcomes are read.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The number of outcomes. (It saturates at 2^64 - 1.)
    pub fn count(&self) -> u64 {
        self.sums.count()
    }

    /// The smallest outcome; `None` when there is none.
    pub fn min(&self) -> Option<i64> {
        self.sums.min()
    }

    /// The greatest outcome; `None` when there is none.
    pub fn max(&self) -> Option<i64> {
        self.sums.max()
    }

    /// The mean of the outcomes; `None` when there is none.
    pub fn mean(&self) -> Option<f64> {
        self.sums.mean()
    }

    /// The sample variance (over n - 1); `None` below two outcomes.
    pub fn variance(&self) -> Option<f64> {
        self.sums.variance()
    }

    /// The sample standard deviation; `None` below two outcomes.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean; `None` below two outcomes.
    pub fn standard_error(&self) -> Option<f64> {
        Some(standard_error(self.sd()?, self.count()))
    }

    /// Half the width of the 95 % interval of the mean; `None` below two outcomes.
    pub fn half_width(&self) -> Option<f64> {
        Some(Z95 * self.standard_error()?)
    }

    /// The 95 % interval of the mean; `None` below two outcomes.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (mean, half) = (self.mean()?, self.half_width()?);
        Some((mean - half, mean + half))
    }
}
