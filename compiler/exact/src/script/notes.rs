//! The notes of trials: the expected number of lines of each template, and the expected numbers of
//! each statistic. They add up, so they are not part of any state.

use super::values::Values;
use dicec_lang::hir::StatId;
use dicec_runtime::pmf::Pmf;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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

    /// This mean times `share`.
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

/// The expected lines and statistics of a trial.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By template.
    lines: FxHashMap<i64, Mean>,
    /// By statistic and number.
    stats: FxHashMap<(StatKey, i64), Mean>,
}

/// A statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StatKey {
    Known(StatId),
    /// A statistic that the script names itself, by the template of its name; it may share the name
    /// of a known one.
    Template(i64),
}

/// The numbers noted under one statistic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noted {
    /// Their distribution, if there are any.
    pub pmf: Option<Pmf>,
    /// The mean number of notes in a trial.
    pub times: f64,
}

impl Notes {
    pub(super) fn line(&mut self, template: i64, mean: Mean) {
        self.lines.entry(template).or_default().add(mean);
    }

    pub(super) fn stat(&mut self, stat: StatKey, value: i64, mean: Mean) {
        self.stats.entry((stat, value)).or_default().add(mean);
    }

    /// Adds the notes of `other`, weighted by `share`.
    pub(super) fn join(&mut self, other: &Self, share: Mean) {
        for (template, mean) in &other.lines {
            self.line(*template, mean.times(share));
        }
        for ((stat, value), mean) in &other.stats {
            self.stat(*stat, *value, mean.times(share));
        }
    }

    /// The expected sum of the numbers of a statistic.
    pub(super) fn sum(&self, stat: StatId, number: impl Fn(i64) -> f64) -> f64 {
        let notes = self.stats.iter();
        let notes = notes.filter(|((key, _), _)| *key == StatKey::Known(stat));
        let numbers = notes.map(|((_, value), mean)| number(*value) * mean.value);
        // The sum of nothing is -0.
        numbers.fold(0.0, |sum, number| sum + number)
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

    /// The statistics of these names, and the others with theirs, in their order.
    pub(super) fn stats(
        &self,
        names: &[String],
        values: &Values,
    ) -> (Vec<Noted>, Vec<(String, Noted)>) {
        let mut noted: Vec<BTreeMap<i64, Mean>> = vec![BTreeMap::new(); names.len()];
        let mut named: BTreeMap<&str, BTreeMap<i64, Mean>> = BTreeMap::new();
        for ((stat, value), mean) in &self.stats {
            let known = match stat {
                StatKey::Known(stat) => Ok(stat.index()),
                StatKey::Template(name) => {
                    let name = values.template(*name);
                    let known = names.iter().position(|known| known == name);
                    known.ok_or(name)
                }
            };
            let numbers = match known {
                Ok(known) => &mut noted[known],
                Err(name) => named.entry(name).or_default(),
            };
            let number = numbers.entry(*value);
            number.and_modify(|sum| sum.add(*mean)).or_insert(*mean);
        }
        let named = named.into_iter();
        (
            noted.into_iter().map(Noted::of).collect(),
            named
                .map(|(name, numbers)| (name.to_owned(), Noted::of(numbers)))
                .collect(),
        )
    }
}

impl Noted {
    fn of(numbers: BTreeMap<i64, Mean>) -> Self {
        let roundings = numbers.values().map(|mean| mean.roundings);
        let roundings = roundings.fold(0, Ord::max);
        let weights = numbers.iter().map(|(value, mean)| (*value, mean.value));
        Self {
            pmf: Pmf::from_weights(weights.clone()).map(|pmf| pmf.with_roundings(roundings)),
            // The sum of nothing is -0.
            times: weights
                .map(|(_, times)| times)
                .fold(0.0, |sum, times| sum + times),
        }
    }
}
