//! The names of outcomes that are not numbers.

use super::distribution::{Distribution, Sets};
use dicec_lang::hir::{Labels, flags_in, written_set};
use dicec_runtime::bug;
use std::sync::Arc;

impl Distribution {
    /// These odds, with the names of their outcomes. Sets of flags are numbered: each that came up
    /// has a label.
    pub fn labelled(mut self, labels: Labels) -> Self {
        match labels {
            Labels::Each(names) => self.labels = names,
            Labels::Sets(flags) => {
                let held: Vec<i64> = self.probabilities().map(|(set, _)| set).collect();
                let names = held
                    .iter()
                    .map(|set| written_set(&flags, *set).into_owned());
                self.labels = names.collect();
                self.renumber(|set| held.partition_point(|known| *known < set) as i64);
                self.sets = Some(Sets { flags, held });
            }
        }
        self
    }

    /// The set of flags that an outcome of odds of sets stands for.
    pub(super) fn set(&self, outcome: i64) -> i64 {
        let held = self.sets.as_ref().zip(usize::try_from(outcome).ok());
        let set = held.and_then(|(sets, index)| sets.held.get(index));
        *set.unwrap_or_else(|| bug!("a set of flags that is not among the odds").raise())
    }

    /// Each result as trials give it, ascending, and its probability: sets of flags are not
    /// numbered.
    pub(crate) fn as_trials(&self) -> impl Iterator<Item = (i64, f64)> {
        let held = self.sets.as_ref().map(|sets| &sets.held);
        let of_trials = move |value: i64| match held {
            // There is a set for each number.
            Some(held) => held[value as usize],
            None => value,
        };
        self.probabilities()
            .map(move |(value, p)| (of_trials(value), p))
    }

    /// The labels and the chance of each; of sets of flags, the flags and the chance that a set has
    /// each.
    pub fn shares_by_name(&self) -> (Arc<[String]>, Vec<f64>) {
        let outcomes = self.outcomes();
        let Some(Sets { flags, held }) = &self.sets else {
            let shares = outcomes.iter().map(|outcome| outcome.p);
            return (Arc::clone(&self.labels), shares.collect());
        };
        let chance = |flag: &String| {
            let sets = held.iter().zip(&outcomes);
            let with = sets.filter(|(set, _)| flags_in(flags, **set).any(|name| name == flag));
            // The sum of no floats is a negative zero.
            with.fold(0.0, |sum, (_, outcome)| sum + outcome.p)
        };
        (Arc::clone(flags), flags.iter().map(chance).collect())
    }
}
