//! Independent random numbers: the weights of consecutive numbers.

use crate::engine::exact::script::column::is_dense;
use crate::engine::exact::script::reads::is_small;
use dicec_runtime::pmf::{Pmf, Weight};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// See the module.
#[derive(Clone, Debug)]
pub(in super::super) struct Factor<W> {
    /// The number of the first weight.
    pub(super) first: i64,
    /// By number; the first and the last are not zero, unless a table depends on their indices.
    pub(super) weights: Arc<[W]>,
    /// The maximum number of roundings of a weight.
    pub(super) roundings: u64,
    /// Whether the weights are those of all outcomes, so that their sum is 1.
    pub(super) is_whole: bool,
    /// Whether it stands for any number, so that nothing may be asked about it.
    pub(super) is_any: bool,
}

impl<W: Weight> Factor<W> {
    /// The distribution of a roll; `None` if its numbers are too far apart.
    pub(in super::super) fn of(pmf: &Pmf<W>) -> Option<Self> {
        let mut sums = Sums::new(pmf.min(), pmf.max(), pmf.len() as u64)?;
        for (number, weight) in pmf.iter() {
            sums.add(number, weight);
        }
        Some(Self {
            is_whole: true,
            ..sums.factor(pmf.roundings())
        })
    }

    /// A certain number.
    pub(super) fn certain(number: i64) -> Self {
        Self {
            first: number,
            weights: Arc::from([W::from_u64(1)]),
            roundings: 0,
            is_whole: true,
            is_any: false,
        }
    }

    /// What stands for any number.
    pub(super) fn any() -> Self {
        Self {
            weights: Arc::from([W::from_u64(1), W::from_u64(1)]),
            is_any: true,
            ..Self::certain(0)
        }
    }

    /// How many numbers there are, at most.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The range of the numbers.
    pub(super) fn numbers(&self) -> RangeInclusive<i64> {
        self.first..=self.first + (self.weights.len() as i64 - 1)
    }

    /// The numbers that can occur, with the indices of their weights.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.weights.len()).filter(|index| !self.weights[*index].is_zero())
    }

    /// Whether it is the same random number as one of a product that has the same past.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.first == other.first && Arc::ptr_eq(&self.weights, &other.weights)
    }

    /// The sum of the weights, and its roundings.
    pub(super) fn mass(&self) -> (W, u64) {
        if self.is_whole {
            return (W::from_u64(1), self.roundings);
        }
        let mut sum = W::zero();
        self.weights.iter().for_each(|weight| sum.add(weight));
        let additions = self.weights.len() as u64 - 1;
        (sum, self.roundings.saturating_add(additions))
    }

    /// Only the numbers with these indices; all weights stay where they are if `keeps_indices`.
    /// `None` if there are none.
    pub(super) fn only(
        &self,
        keeps_indices: bool,
        is_it: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let is_there = |index: &usize| !self.weights[*index].is_zero() && is_it(*index);
        let first = (0..self.len()).find(is_there)?;
        let last = (0..self.len()).rfind(is_there)?;
        let range = match keeps_indices {
            true => 0..self.len(),
            false => first..last + 1,
        };
        let start = range.start;
        let weights = range.map(|index| match is_it(index) {
            true => self.weights[index].clone(),
            false => W::zero(),
        });
        Some(Self {
            first: self.first + start as i64,
            weights: weights.collect(),
            roundings: self.roundings,
            is_whole: false,
            is_any: false,
        })
    }

    /// The sum of this number, and of `times` (1 or -1) another one and `add`, raised to a least
    /// number if there is one. `None` if the numbers are too far apart, or not known.
    pub(super) fn plus(
        &self,
        (other, times, add): (&Self, i64, i64),
        least: Option<i64>,
    ) -> Option<Self> {
        if times == 1 && self.len() < other.len() && !other.is_any {
            // The longer one is added as a whole.
            let is_any = self.is_any;
            return other.plus((self, 1, add), least).filter(|_| !is_any);
        }
        let ends = [other.numbers(), self.numbers()];
        let [one, two] = [*ends[0].start(), *ends[0].end()].map(|end| end * times + add);
        let raised = |number: i64| least.map_or(number, |least| number.max(least));
        let lowest = ends[1].start() + one.min(two);
        let first = raised(lowest);
        let last = raised(ends[1].end() + one.max(two));
        let count = self.len() as u64 * other.len() as u64;
        let span = (last - first) as u64 + 1;
        let is_known = !self.is_any && is_small(first) && is_small(last);
        if !is_known || !is_dense(span, count) {
            return None;
        }
        let merged = match least {
            Some(least) if lowest < least => running_sums(&self.weights),
            _ => Vec::new(),
        };
        let mut at_least = W::zero();
        let mut sums = vec![W::zero(); span as usize];
        for (index, weight) in other.weights.iter().enumerate() {
            if weight.is_zero() {
                continue;
            }
            let start = self.first + (other.first + index as i64) * times + add;
            let low = (first - start).max(-1) as usize;
            let low = match merged.is_empty() {
                true => 0,
                // Those that do not get above the least number.
                false => low.wrapping_add(1).min(self.len()),
            };
            if let Some(last) = low.checked_sub(1) {
                at_least.add(&merged[last].mul(weight));
            }
            let above = &self.weights[low..];
            if !above.is_empty() {
                let start = (start + low as i64 - first) as usize;
                W::add_scaled(&mut sums[start..][..above.len()], above, weight);
            }
        }
        let mut additions = other.len().min(self.len()) as u64;
        if !at_least.is_zero() {
            sums[0].add(&at_least);
            additions = (self.len() + other.len()) as u64;
        }
        let roundings = self.roundings.saturating_add(other.roundings);
        Some(Self {
            first,
            weights: sums.into(),
            roundings: roundings.saturating_add(additions),
            is_whole: self.is_whole && other.is_whole,
            is_any: false,
        })
    }
}

/// The sums of the weights of equal numbers.
pub(super) struct Sums<W> {
    first: i64,
    weights: Vec<W>,
    count: u64,
}

impl<W: Weight> Sums<W> {
    /// For this many weights of numbers in a range; `None` if they are too far apart.
    pub(super) fn new(least: i64, most: i64, count: u64) -> Option<Self> {
        let span = u64::try_from(most.checked_sub(least)?).ok()?.checked_add(1)?;
        if !is_dense(span, count) {
            return None;
        }
        let mut weights = Vec::new();
        weights.resize(span as usize, W::zero());
        Some(Self {
            first: least,
            weights,
            count: 0,
        })
    }

    /// Adds the weight of a number.
    pub(super) fn add(&mut self, number: i64, weight: &W) {
        self.weights[(number - self.first) as usize].add(weight);
        self.count += 1;
    }

    /// Adds weights of consecutive numbers, times `weight`.
    pub(super) fn add_all(&mut self, first: i64, weights: &[W], weight: &W) {
        let start = (first - self.first) as usize;
        W::add_scaled(&mut self.weights[start..][..weights.len()], weights, weight);
        self.count += weights.len() as u64;
    }

    /// The distribution, whose parts have this many roundings.
    pub(super) fn factor(self, roundings: u64) -> Factor<W> {
        let distinct = self.weights.iter().filter(|sum| !sum.is_zero()).count() as u64;
        Factor {
            first: self.first,
            weights: self.weights.into(),
            // There are no more additions to a number than numbers that are not new.
            roundings: roundings.saturating_add(self.count.saturating_sub(distinct)),
            is_whole: false,
            is_any: false,
        }
    }
}

/// The sums of the weights up to each of them.
fn running_sums<W: Weight>(weights: &[W]) -> Vec<W> {
    let mut sum = W::zero();
    let sums = weights.iter().map(|weight| {
        sum.add(weight);
        sum.clone()
    });
    sums.collect()
}
