//! The expectation that trials are compared with: the chance of each result, and the mean numbers
//! of lines and notes of each kind.
//!
//! Exact odds give these directly. For a simulation they are unknown: its trials and those of the
//! check are pooled, and the check's trials are a sample of the pool without replacement. If both
//! simulate the same distribution, every choice of that many trials is equally likely, so the same
//! bounds hold, with the shares of the pool as the chances.

use super::most::Most;
use super::sample::{Notes, Sample};
use super::tail::Numbers;
use crate::answer::{Answer, Distribution};
use crate::program::report::Results;
use dicec_exact::{Noted, Odds};
use dicec_lang::hir::{Kind, Module, StatId};
use dicec_runtime::events::Events;
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::scale::Scale;
use dicec_runtime::stats::Tally;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An expectation for the trials of a check.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// The chances of results; `None` if the roll returns nothing or they are not known.
    pub(super) results: Option<Chances>,
    /// The mean and spread of the results, if they are numbers.
    pub(super) numbers: Option<Numbers>,
    /// The scale of results.
    pub(super) scale: Scale,
    /// The minimum and maximum of a simulation that kept nothing else.
    pub(super) ends: Option<(i64, i64)>,
    /// The mean number of lines per template.
    pub(super) lines: BTreeMap<String, f64>,
    /// The mean number of lines of other templates.
    pub(super) other_lines: f64,
    /// The statistics with known names, and the others.
    pub(super) stats: Vec<Chances>,
    pub(super) named: BTreeMap<String, Chances>,
    /// The mean number of notes of statistics with other names.
    pub(super) other_stats: f64,
    /// The probability that the answer leaves out, and that of a trap.
    pub(super) left_out: f64,
    /// The number of trials of a simulation and its check together.
    pub(super) trials: f64,
    /// The number of times that a simulation may have ended or been shown; 0 and 1 mean once.
    pub(super) looks: u32,
    /// The maximum numbers of lines and notes in a trial.
    pub(super) most: Arc<Most>,
    /// The names of the known statistics.
    pub(super) stat_names: Vec<String>,
}

/// Chances of numbers, or their mean counts per trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chances {
    /// Ascending.
    pub(super) values: Vec<i64>,
    /// One for each value.
    pub(super) chances: Vec<f64>,
    /// The relative error of each.
    pub(super) error: f64,
    /// The number of neighbouring numbers that share a chance, a power of two.
    pub(super) resolution: u64,
    /// The scale of the numbers.
    pub(super) scale: Scale,
}

/// Chances below this are in no table, because floats underflow.
const NEGLIGIBLE: f64 = 1e-30;

impl Chances {
    fn of(entries: impl Iterator<Item = (i64, f64)>, error: f64) -> Self {
        let (values, chances) = entries.unzip();
        Self {
            values,
            chances,
            error,
            resolution: 1,
            scale: Scale::Whole,
        }
    }

    fn on(self, kind: Kind) -> Self {
        Self {
            scale: kind.scale(),
            ..self
        }
    }

    /// The first of the numbers that share a chance with this one.
    pub(super) fn grouped(&self, value: i64) -> i64 {
        grouped(value, self.resolution)
    }

    pub(super) fn of_odds(odds: &Distribution, times: f64) -> Self {
        let error = odds.error_bound().unwrap_or_default();
        Self::of(odds.as_trials().map(|(v, p)| (v, p * times)), error).on(odds.kind())
    }

    fn of_pmf<W: Weight>(pmf: &Pmf<W>, times: f64) -> Self {
        let entries = pmf.probabilities().map(|(v, p)| (v, p * times));
        Self::of(entries, pmf.error_bound())
    }

    fn of_noted(noted: &Noted) -> Self {
        let pmf = noted.pmf.as_ref();
        pmf.map_or_else(Self::default, |pmf| Self::of_pmf(pmf, noted.times))
    }

    /// The shares of the simulation's numbers and those of a check, among this many trials.
    fn pooled(counted: &Tally, checked: &BTreeMap<i64, u64>, trials: f64) -> Self {
        let resolution = counted.resolution();
        let mut own: BTreeMap<i64, u64> = BTreeMap::new();
        for (value, times) in checked {
            *own.entry(grouped(*value, resolution)).or_default() += times;
        }
        // Both are sorted, and there may be a million results.
        let (mut own, mut counted) = (own.into_iter().peekable(), counted.outcomes().peekable());
        let together = std::iter::from_fn(|| {
            let value = match (own.peek(), counted.peek()) {
                (Some((one, _)), Some((other, _))) => *one.min(other),
                (Some((value, _)), None) | (None, Some((value, _))) => *value,
                (None, None) => return None,
            };
            let mut times = 0;
            times += own.next_if(|(v, _)| *v == value).map_or(0, |(_, n)| n);
            times += counted.next_if(|(v, _)| *v == value).map_or(0, |(_, n)| n);
            Some((value, times as f64 / trials))
        });
        Self {
            resolution,
            ..Self::of(together, 0.0)
        }
    }

    /// A number in its scale.
    pub(super) fn shown(&self, value: i64) -> f64 {
        self.scale.number(value)
    }

    /// The numbers with their chances.
    fn numbers(&self, scale: Scale) -> Numbers {
        let values = self.values.iter().map(|value| scale.number(*value));
        Numbers::of(values.zip(self.chances.iter().copied()))
    }
}

/// The first value of the group of a value.
fn grouped(value: i64, resolution: u64) -> i64 {
    value & !(resolution.saturating_sub(1).cast_signed())
}

impl Expected {
    /// The expectation from an exact answer.
    pub(super) fn answer(answer: &Answer, module: &Module) -> Self {
        let known = module.stats.len();
        let chances = |stat: &crate::answer::Statistic| {
            let odds = stat.odds.as_ref();
            odds.map_or_else(Chances::default, |odds| {
                Chances::of_odds(odds, stat.per_trial)
            })
        };
        let named = answer.stats.iter().skip(known);
        let result = answer.result.as_ref();
        Self {
            lines: answer.lines.iter().cloned().collect(),
            stats: answer.stats.iter().take(known).map(chances).collect(),
            stat_names: module.stats.clone(),
            named: named
                .map(|stat| (stat.name.clone(), chances(stat)))
                .collect(),
            ..Self::exact(answer.left_out)
        }
        .with_results(result.map(|odds| (Chances::of_odds(odds, 1.0), odds.kind())))
    }

    /// The expectation from exact odds, as the engine gives them.
    pub(super) fn odds<W: Weight>(odds: &Odds<W>, kind: Option<Kind>, module: &Module) -> Self {
        let named = odds.named.iter();
        let result = odds.result.as_ref().zip(kind);
        Self {
            lines: odds.lines.iter().cloned().collect(),
            stats: (0..)
                .zip(&odds.stats)
                .map(|(stat, noted)| Chances::of_noted(noted).on(module.stat_kind(StatId(stat))))
                .collect(),
            stat_names: module.stats.clone(),
            named: named
                .map(|(name, noted)| {
                    let kind = module.named_stat_kind();
                    (name.clone(), Chances::of_noted(noted).on(kind))
                })
                .collect(),
            ..Self::exact(odds.residual)
        }
        .with_results(result.map(|(pmf, kind)| (Chances::of_pmf(pmf, 1.0), kind)))
    }

    /// The expectation from the odds of an output of an AnyDice program.
    pub(super) fn output(chances: Chances) -> Self {
        Self::exact(0.0).with_results(Some((chances, Kind::Number)))
    }

    fn exact(left_out: f64) -> Self {
        Self {
            left_out: left_out + NEGLIGIBLE,
            ..Self::default()
        }
    }

    fn with_results(self, results: Option<(Chances, Kind)>) -> Self {
        let Some((chances, kind)) = results else {
            return self;
        };
        Self {
            numbers: kind.is_number().then(|| chances.numbers(kind.scale())),
            scale: kind.scale(),
            results: Some(chances.on(kind)),
            ..self
        }
    }

    /// The pooled expectation of a simulation and its check.
    pub(super) fn sampled(
        (results, events): (&Results, &Events),
        (kind, module): (Option<Kind>, &Module),
        sample: &Sample,
    ) -> Self {
        let ran = match results {
            Results::Outcomes(tally) => tally.count(),
            Results::Moments(summary) => summary.count(),
        };
        let trials = (ran + sample.trials) as f64;
        let expected = Self {
            // Only trials of the check can have trapped.
            left_out: sample.traps as f64 / trials,
            trials,
            stat_names: module.stats.clone(),
            ..Self::events(events, sample, trials)
        };
        let Some(kind) = kind else {
            return expected;
        };
        match results {
            Results::Outcomes(tally) => {
                let pooled = Chances::pooled(tally, &sample.results, trials);
                expected.with_results(Some((pooled, kind)))
            }
            Results::Moments(summary) => {
                let scale = kind.scale();
                Self {
                    numbers: pooled_moments(summary, sample, scale),
                    ends: summary.min().zip(summary.max()),
                    scale,
                    ..expected
                }
            }
        }
    }

    fn events(events: &Events, sample: &Sample, trials: f64) -> Self {
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        let checked = sample.lines.iter().map(|(line, times)| (&**line, *times));
        for (line, times) in events.lines.iter().chain(checked) {
            match lines.get_mut(line) {
                Some(known) => *known += times,
                None => drop(lines.insert(line.to_owned(), times)),
            }
        }
        let share = |times: u64| times as f64 / trials;
        let pooled = |tally: &Tally, notes: &Notes| Chances::pooled(tally, &notes.numbers, trials);
        let none = (Tally::sparse(), Notes::default());
        let known = events.stats().iter().zip(&sample.stats);
        let counted: BTreeMap<&str, &Tally> = events.named().iter().collect();
        let names = counted.keys().copied();
        let names = names.chain(sample.named.keys().map(String::as_str));
        let named = |name: &str| {
            let tally = counted.get(name).copied().unwrap_or(&none.0);
            let notes = sample.named.get(name).unwrap_or(&none.1);
            (name.to_owned(), pooled(tally, notes))
        };
        Self {
            lines: lines
                .into_iter()
                .map(|(line, n)| (line, share(n)))
                .collect(),
            other_lines: share(events.lines.others()),
            stats: known.map(|(tally, notes)| pooled(tally, notes)).collect(),
            named: names.map(named).collect(),
            other_stats: share(events.named().others()),
            ..Self::default()
        }
    }
}

/// The pooled moments of a simulation's results and a check's; `None` if there are none.
fn pooled_moments(
    summary: &dicec_runtime::stats::Summary,
    sample: &Sample,
    scale: Scale,
) -> Option<Numbers> {
    let (min, max) = (scale.number(summary.min()?), scale.number(summary.max()?));
    let (count, mean) = (summary.count() as f64, summary.mean()?);
    let squares = summary.variance().unwrap_or(0.0) * (count - 1.0).max(0.0);
    let checked = sample.results.iter();
    let checked: Vec<(f64, f64)> = checked
        .map(|(value, times)| (scale.number(*value), *times as f64))
        .collect();
    let own: f64 = checked.iter().map(|(_, times)| times).sum();
    let all = count + own;
    let sum: f64 = checked.iter().map(|(x, times)| x * times).sum();
    let together = (count * mean + sum) / all;
    let square = |x: f64| (x - together) * (x - together);
    let checked_squares: f64 = checked.iter().map(|(x, times)| square(*x) * times).sum();
    let ends = checked.iter().map(|(x, _)| *x);
    Some(Numbers {
        mean: together,
        variance: (squares + count * square(mean) + checked_squares) / all,
        min: ends.clone().fold(min, f64::min),
        max: ends.fold(max, f64::max),
        points: Vec::new(),
    })
}
