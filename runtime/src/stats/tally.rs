//! [`Tally`]: counts of sampled outcomes, and their statistics.

use super::Summary;
use super::cells::{Groups, MAX_GROUPS, Row};
use super::sums::Sums;
use crate::bug;
use crate::scale::Scale;

/// Counts of `i64` outcomes, in memory that does not grow with the number of samples.
///
/// Outcomes are numbers or the keys of floats; the [`Scale`] says which. Only mean and
/// variance ask for it. Every value is kept apart while there are at most
/// [`MAX_GROUPS`](super::MAX_GROUPS) of them. Beyond that, values are grouped by floor(v / 2^k),
/// with the least k that makes the groups few enough; [`resolution`](Self::resolution) is 2^k.
/// Count, extremes, mean and variance remain exact.
///
/// Two tallies of the same values give the same answers, whatever the order of recording and
/// merging.
#[derive(Clone, Debug)]
pub struct Tally {
    scale: Scale,
    store: Store,
}

#[derive(Clone, Debug)]
enum Store {
    /// The array knows everything; nothing else is updated in the hot path. It grows while the
    /// values lie close enough together.
    Dense(Row),
    /// The sums cannot be computed from groups, so they are kept in addition.
    Sparse(Groups, Sums),
}

impl Tally {
    /// An empty tally for outcomes on `scale`. If a `range` `(lo, len)` is given, outcomes are
    /// expected in `lo..lo + len`, and the tally begins with an array for them, unless the range
    /// is wider than [`MAX_DENSE`](super::MAX_DENSE) or passes the end of `i64`. A value outside of
    /// the range is counted, too.
    pub fn new(scale: Scale, range: Option<(i64, usize)>) -> Self {
        let row = range.and_then(|(lo, len)| Row::new(lo, len));
        Self {
            scale,
            store: Store::Dense(row.unwrap_or_default()),
        }
    }

    /// An empty tally for whole numbers in `lo..lo + len`.
    pub fn dense(lo: i64, len: usize) -> Self {
        Self::new(Scale::Whole, Some((lo, len)))
    }

    /// An empty tally for any whole numbers.
    pub fn sparse() -> Self {
        Self::new(Scale::Whole, None)
    }

    /// A sparse tally with at most this many groups; tests use fewer than [`MAX_GROUPS`].
    #[cfg(test)]
    pub(super) fn with_groups(most: usize) -> Self {
        Self {
            scale: Scale::Whole,
            store: Store::Sparse(Groups::new(most), Sums::new(Scale::Whole)),
        }
    }

    /// Counts one outcome.
    pub fn record(&mut self, v: i64) {
        self.add(v, 1);
    }

    /// Counts many outcomes.
    pub fn record_all(&mut self, values: &[i64]) {
        for v in values {
            self.add(*v, 1);
        }
    }

    /// Adds counts: `counts[i]` of the value `lo + i`. Counts of values beyond `i64` are ignored.
    pub fn add_counts(&mut self, lo: i64, counts: &[u64]) {
        for (index, times) in counts.iter().enumerate() {
            let value = i64::try_from(index)
                .ok()
                .and_then(|index| lo.checked_add(index));
            if let Some(value) = value {
                self.add(value, *times);
            }
        }
    }

    /// Adds everything that `other` has counted; its outcomes are read on this tally's scale.
    pub fn merge(&mut self, other: &Self) {
        match &other.store {
            Store::Dense(row) => row.outcomes().for_each(|(v, times)| self.add(v, times)),
            Store::Sparse(groups, sums) if other.scale == self.scale => {
                let (mine, my_sums) = self.spill();
                mine.merge(groups);
                my_sums.merge(sums);
            }
            Store::Sparse(groups, _) => {
                let outcomes = groups.outcomes().into_iter();
                outcomes.for_each(|(v, times)| self.add(v, times));
            }
        }
    }

    /// How the outcomes are read.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The number of outcomes counted. (All counts saturate at 2^64 - 1.)
    pub fn count(&self) -> u64 {
        match &self.store {
            Store::Dense(row) => row
                .outcomes()
                .fold(0, |sum, (_, times)| sum.saturating_add(times)),
            Store::Sparse(_, sums) => sums.count(),
        }
    }

    /// The smallest outcome; `None` when there is none.
    pub fn min(&self) -> Option<i64> {
        self.sums().min()
    }

    /// The greatest outcome; `None` when there is none.
    pub fn max(&self) -> Option<i64> {
        self.sums().max()
    }

    /// The mean of the outcomes; `None` when there is none.
    pub fn mean(&self) -> Option<f64> {
        self.sums().mean()
    }

    /// The sample variance (over n - 1); `None` below two outcomes.
    pub fn variance(&self) -> Option<f64> {
        self.sums().variance()
    }

    /// The sample standard deviation; `None` below two outcomes.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The smallest outcome v such that at least a share `p` of all is at most v; `None` when there
    /// is none. `p` is brought into 0..=1 (NaN counts as 0). Where values are grouped, it is the
    /// first value of a group, brought into `min..=max`.
    pub fn quantile(&self, p: f64) -> Option<i64> {
        let sums = self.sums();
        let (min, max) = (sums.min()?, sums.max()?);
        let p = if p.is_nan() { 0.0 } else { p.clamp(0.0, 1.0) };
        if p == 1.0 {
            return Some(max);
        }
        let n = sums.count() as f64;
        let mut below = 0_u64;
        for (v, times) in self.outcomes() {
            below = below.saturating_add(times);
            // The quotient instead of p n, so that 7 of 100 reach 0.07.
            if below as f64 / n >= p {
                return Some(v.clamp(min, max));
            }
        }
        Some(max)
    }

    /// The number of consecutive values that share a count, 2^k; 1 if every value has its own.
    pub fn resolution(&self) -> u64 {
        match &self.store {
            Store::Dense(_) => 1,
            Store::Sparse(groups, _) => 1 << groups.shift(),
        }
    }

    /// How many different outcomes (groups) were counted, at most: those of an array are not all
    /// met.
    pub fn distinct(&self) -> usize {
        match &self.store {
            Store::Dense(row) => row.len(),
            Store::Sparse(groups, _) => groups.len(),
        }
    }

    /// Each outcome (each group's first value) and its count, ascending.
    pub fn outcomes(
        &self,
    ) -> impl ExactSizeIterator<Item = (i64, u64)> + DoubleEndedIterator + use<> {
        let outcomes = match &self.store {
            Store::Dense(row) => row.outcomes().collect(),
            Store::Sparse(groups, _) => groups.outcomes(),
        };
        outcomes.into_iter()
    }

    /// The number of outcomes that are at least `x`; a group counts as its first value.
    pub fn at_least(&self, x: i64) -> u64 {
        let outcomes = self.outcomes().filter(|(v, _)| *v >= x);
        outcomes.fold(0, |sum, (_, times)| sum.saturating_add(times))
    }

    /// The share of outcomes that are at least `x`, in 0..=1; 0 when there is none.
    pub fn share_at_least(&self, x: i64) -> f64 {
        match self.count() {
            0 => 0.0,
            n => self.at_least(x) as f64 / n as f64,
        }
    }

    /// Counts `value` `times` over.
    fn add(&mut self, value: i64, times: u64) {
        match &mut self.store {
            Store::Dense(row) => match row.slot(value) {
                Some(count) => *count = count.saturating_add(times),
                None if times > 0 => self.add_outside(value, times),
                None => {}
            },
            Store::Sparse(groups, sums) if times > 0 => {
                groups.add(value, times);
                sums.add(value, times);
            }
            Store::Sparse(..) => {}
        }
    }

    /// The same for a value that the array does not reach.
    #[cold]
    fn add_outside(&mut self, value: i64, times: u64) {
        if let Store::Dense(row) = &mut self.store
            && let Some(longer) = row.reaching(value)
        {
            *row = longer;
        } else {
            self.spill();
        }
        self.add(value, times);
    }

    /// The parts of a sparse tally, made from the array if necessary.
    fn spill(&mut self) -> (&mut Groups, &mut Sums) {
        if let Store::Dense(row) = &self.store {
            let mut groups = Groups::new(MAX_GROUPS);
            row.outcomes().for_each(|(v, times)| groups.add(v, times));
            self.store = Store::Sparse(groups, self.sums());
        }
        match &mut self.store {
            Store::Sparse(groups, sums) => (groups, sums),
            Store::Dense(_) => bug!("the array was replaced above").raise(),
        }
    }

    /// The summary of the same outcomes: equal to that of a run that kept only a summary.
    pub fn summary(&self) -> Summary {
        Summary::of(self.scale, self.sums())
    }

    /// Count, extremes and power sums.
    fn sums(&self) -> Sums {
        match &self.store {
            Store::Dense(row) => {
                let mut sums = Sums::new(self.scale);
                row.outcomes().for_each(|(v, times)| sums.add(v, times));
                sums
            }
            Store::Sparse(_, sums) => sums.clone(),
        }
    }
}

impl Default for Tally {
    /// A [`sparse`](Tally::sparse) tally.
    fn default() -> Self {
        Self::sparse()
    }
}
