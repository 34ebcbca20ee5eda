//! The table itself, [`Pmf`], and its plain accessors. Construction (`pool`, `combine`, `mixture`)
//! and questions (`query`) are in other files.

use std::borrow::Cow;

use super::weight::Weight;
use crate::bug;

/// A finite probability mass function: distinct values in ascending order, each with a nonzero
/// weight.
///
/// P(v) = weight / total. A table is never empty. Weights are `f64` by default (probabilities,
/// total 1, see [`error_bound`](Self::error_bound)); `Pmf<UBig>` holds exact counts.
#[derive(Clone, Debug)]
pub struct Pmf<W = f64> {
    pub(super) values: Values,
    /// One nonzero weight per value, at least one.
    pub(super) weights: Vec<W>,
    pub(super) total: W,
    /// An upper bound on the number of roundings of any one weight.
    pub(super) roundings: u64,
}

/// The values of a table: most are a run of integers, which needs no storage and no search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Consecutive values from this one on.
    Run(i64),
    /// Ascending values with at least one gap.
    List(Vec<i64>),
}

impl Values {
    /// The value at an index of the table. A run never passes the end of `i64`, so nothing wraps.
    fn at(&self, index: usize) -> i64 {
        match self {
            Self::Run(first) => first.wrapping_add(index as i64),
            Self::List(values) => values[index],
        }
    }

    /// The index of the first value that is at least `value`, in a table of `length`.
    fn lower_bound(&self, value: i64, length: usize) -> usize {
        match self {
            // The difference of two i64 with value >= first fits in a u64.
            Self::Run(first) if value >= *first => {
                (value.wrapping_sub(*first) as u64).min(length as u64) as usize
            }
            Self::Run(_) => 0,
            Self::List(values) => values.partition_point(|v| *v < value),
        }
    }
}

/// The sum of rounded weights may differ from 1 by this much.
const MAX_DRIFT: f64 = 1e-12;

impl<W: Weight> Pmf<W> {
    /// The certain value `v`.
    pub fn point(v: i64) -> Self {
        Self {
            values: Values::Run(v),
            weights: vec![W::from_u64(1)],
            total: W::from_u64(1),
            roundings: 0,
        }
    }

    /// A table from raw weights in any order: those of equal values add up, zeros are left out, and
    /// `f64` weights are divided by their sum. For custom faces, `d{1,1,2,3}`.
    ///
    /// `None` when nothing has a weight, a weight is negative or not a number, or the sum is above
    /// 1e300. The weights themselves count as exact in the error bound.
    pub fn from_weights(entries: impl IntoIterator<Item = (i64, W)>) -> Option<Self> {
        let mut entries: Vec<(i64, W)> = entries.into_iter().collect();
        let total = W::checked_sum(entries.iter().map(|(_, w)| w))?;
        entries.retain(|(_, w)| !w.is_zero());
        entries.sort_by_key(|(v, _)| *v);
        let count = entries.len() as u64;
        entries.dedup_by(|(later, more), (kept, weight)| {
            let same = later == kept;
            if same {
                weight.add(more);
            }
            same
        });
        let (values, mut weights): (Vec<i64>, Vec<W>) = entries.into_iter().unzip();
        let total = W::normalise(&mut weights, total);
        // The sum and each merged weight are at most `count` additions; the division is one more.
        let roundings = 2 * count + 1;
        Some(Self::from_sorted(values, weights, total, roundings))
    }

    /// A table from ascending values and their weights, of which there is at least one and none is
    /// zero.
    pub(super) fn from_sorted(values: Vec<i64>, weights: Vec<W>, total: W, roundings: u64) -> Self {
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
            bug!("a distribution over nothing").raise();
        };
        let is_run = last.wrapping_sub(first) as u64 == (values.len() as u64).saturating_sub(1);
        Self {
            values: if is_run {
                Values::Run(first)
            } else {
                Values::List(values)
            },
            weights,
            total,
            roundings,
        }
    }

    /// A table from the weights of consecutive values from `first` on, not all zero; zeros are
    /// gaps.
    pub(super) fn from_dense(first: i64, mut weights: Vec<W>, total: W, roundings: u64) -> Self {
        if weights.iter().any(W::is_zero) {
            let values = Values::Run(first);
            let occupied = |(index, w): (usize, &W)| (!w.is_zero()).then(|| values.at(index));
            let values = weights.iter().enumerate().filter_map(occupied).collect();
            weights.retain(|w| !w.is_zero());
            return Self::from_sorted(values, weights, total, roundings);
        }
        Self {
            values: Values::Run(first),
            weights,
            total,
            roundings,
        }
    }

    /// The weights of `min..=max`, zero in the gaps. The caller has checked that the span is small.
    pub(super) fn dense(&self) -> Cow<'_, [W]> {
        let Values::List(values) = &self.values else {
            return Cow::Borrowed(&self.weights);
        };
        let mut dense = vec![W::zero(); self.span() as usize + 1];
        for (value, weight) in values.iter().zip(&self.weights) {
            dense[value.wrapping_sub(self.min()) as usize] = weight.clone();
        }
        Cow::Owned(dense)
    }

    /// `max - min`.
    pub(super) fn span(&self) -> u64 {
        self.max().wrapping_sub(self.min()) as u64
    }

    /// The entries in ascending order of values.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, &W)> + ExactSizeIterator + Clone {
        let at = |(index, weight)| (self.values.at(index), weight);
        self.weights.iter().enumerate().map(at)
    }

    /// The entries as (value, probability), in ascending order of values.
    pub fn probabilities(&self) -> impl DoubleEndedIterator<Item = (i64, f64)> + ExactSizeIterator {
        self.iter()
            .map(|(value, weight)| (value, weight.ratio(&self.total)))
    }

    /// The number of possible values, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a table is never empty")]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The total that the weights are relative to: their sum for exact weights, 1 for `f64`.
    pub fn total(&self) -> &W {
        &self.total
    }

    /// The weight of `v`; `None` when it cannot occur.
    pub fn weight(&self, v: i64) -> Option<&W> {
        let index = self.lower_bound(v);
        let weight = self.weights.get(index)?;
        (self.values.at(index) == v).then_some(weight)
    }

    /// P(v), 0 when it cannot occur.
    pub fn probability(&self, v: i64) -> f64 {
        self.weight(v).map_or(0.0, |w| w.ratio(&self.total))
    }

    /// The smallest possible value.
    pub fn min(&self) -> i64 {
        self.values.at(0)
    }

    /// The largest possible value.
    pub fn max(&self) -> i64 {
        self.values.at(self.weights.len() - 1)
    }

    /// A bound on the relative error of every weight, and so of every probability: 0 for exact
    /// weights (their conversion to `f64` rounds once more), and for `f64` the counted roundings
    /// times 2^-53.
    ///
    /// The bound is conservative: most roundings cancel. `f64` weights below [`TINY`](super::TINY)
    /// are not covered; they are right to within `TINY`, absolutely.
    pub fn error_bound(&self) -> f64 {
        error_bound::<W>(self.roundings)
    }

    /// An upper bound on the number of roundings of any one weight, from which
    /// [`error_bound`](Self::error_bound) is computed.
    pub fn roundings(&self) -> u64 {
        self.roundings
    }

    /// The table, if its raw weights had this many roundings. Each of them affects its own weight
    /// and the sum that divides it.
    #[must_use]
    pub fn with_roundings(mut self, roundings: u64) -> Self {
        self.roundings = self.roundings.saturating_add(roundings.saturating_mul(2));
        self
    }

    /// The same with weights that add up to 1, if they are rounded and no longer do: each
    /// convolution of a table with itself doubles the error of their sum.
    #[must_use]
    pub fn renormalised(self) -> Self {
        let sum = || self.probabilities().map(|(_, p)| p).sum::<f64>();
        if W::ROUNDING == 0.0 || (sum() - 1.0).abs() <= MAX_DRIFT {
            return self;
        }
        let weights = self.iter().map(|(value, weight)| (value, weight.clone()));
        let roundings = self.roundings;
        // Weights of a table have a sum; one above 1e300 stays as it is.
        let again = Self::from_weights(weights);
        again.map_or(self, |again| again.with_roundings(roundings))
    }

    /// The index of the first entry whose value is at least `v`.
    pub(super) fn lower_bound(&self, v: i64) -> usize {
        self.values.lower_bound(v, self.weights.len())
    }
}

/// Equal values with equal weights and totals. The error bound is ignored, because it depends on
/// how a table was computed.
impl<W: PartialEq> PartialEq for Pmf<W> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values && self.weights == other.weights && self.total == other.total
    }
}

/// k u / (1 - k u) for k roundings of relative size u (Higham, lemma 3.1); infinite when nothing
/// can be said.
pub(super) fn error_bound<W: Weight>(roundings: u64) -> f64 {
    let sum = roundings as f64 * W::ROUNDING;
    if sum < 1.0 {
        sum / (1.0 - sum)
    } else {
        f64::INFINITY
    }
}
