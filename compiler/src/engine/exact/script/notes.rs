//! What trials note besides their results: the expected number of lines of each template, and the
//! expected numbers of each statistic. They are not part of any state.

use super::values::Values;
use crate::hir::StatId;
use dicec_runtime::pmf::Pmf;
use rustc_hash::FxHashMap;

/// An expected number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    pub(super) value: f64,
    /// An upper bound on the number of its roundings.
    pub(super) roundings: u64,
}

impl Mean {
    pub(super) fn add(&mut self, other: Mean) {
        self.value += other.value;
        self.roundings = self.roundings.max(other.roundings).saturating_add(1);
    }

    /// This times `share`.
    pub(super) fn times(self, share: Mean) -> Self {
        Self {
            value: self.value * share.value,
            roundings: self
                .roundings
                .saturating_add(share.roundings)
                .saturating_add(1),
        }
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By template.
    lines: FxHashMap<i64, Mean>,
    /// By statistic and number.
    stats: FxHashMap<(StatId, i64), Mean>,
}

/// The numbers noted under one statistic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noted {
    /// Their distribution, if there are any.
    pub pmf: Option<Pmf>,
    /// How many a trial notes, on average.
    pub times: f64,
}

impl Notes {
    pub(super) fn line(&mut self, template: i64, mean: Mean) {
        self.lines.entry(template).or_default().add(mean);
    }

    pub(super) fn stat(&mut self, stat: StatId, value: i64, mean: Mean) {
        self.stats.entry((stat, value)).or_default().add(mean);
    }

    /// Adds what `other` notes, `share` times.
    pub(super) fn join(&mut self, other: &Self, share: Mean) {
        for (template, mean) in &other.lines {
            self.line(*template, mean.times(share));
        }
        for ((stat, value), mean) in &other.stats {
            self.stat(*stat, *value, mean.times(share));
        }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.lines.len() + self.stats.len()
    }

    /// The expected number of lines of each template, in the order of the text.
    pub(super) fn lines(&self, values: &Values) -> Vec<(String, f64)> {
        let lines = self.lines.iter();
        let mut lines: Vec<(String, f64)> = lines
            .map(|(template, mean)| (values.template(*template).to_owned(), mean.value))
            .collect();
        lines.sort_by(|left, right| left.0.cmp(&right.0));
        lines
    }

    /// The first `number` statistics.
    pub(super) fn stats(&self, number: usize) -> Vec<Noted> {
        let mut noted: Vec<Vec<(i64, Mean)>> = vec![Vec::new(); number];
        for ((stat, value), mean) in &self.stats {
            if let Some(numbers) = noted.get_mut(stat.index()) {
                numbers.push((*value, *mean));
            }
        }
        noted.into_iter().map(Noted::of).collect()
    }
}

impl Noted {
    fn of(mut numbers: Vec<(i64, Mean)>) -> Self {
        numbers.sort_unstable_by_key(|(value, _)| *value);
        let roundings = numbers.iter().map(|(_, mean)| mean.roundings);
        let roundings = roundings.fold(0, Ord::max);
        let weights = numbers.iter().map(|(value, mean)| (*value, mean.value));
        Self {
            pmf: Pmf::from_weights(weights.clone()).map(|pmf| pmf.with_roundings(roundings)),
            times: weights.map(|(_, times)| times).sum(),
        }
    }
}
