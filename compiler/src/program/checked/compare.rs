//! Compares an answer with trials; only this module decides whether an answer is wrong.
//!
//! Each comparison has an upper bound on the probability of trials at least this far from the
//! answer, given that the answer is right ([`super::tail`]). The answer is refuted if the bound is
//! below that comparison's level. All levels of an answer add up to at most [`FALSE_ALARM`] (the
//! union bound), so this bounds the probability that a right answer is refuted:
//!
//! * half of it is for the mean of the results, in both directions;
//! * the other half is shared evenly by the other comparisons: of `K` possible results, `4 K` (each
//!   too often, too seldom, and the same for at most and at least each); of each template of lines
//!   two; of a statistic with `K` numbers `6 K + 3`; the results that the answer does not have; the
//!   traps;
//! * all of that is multiplied by [`Sample::share`], because the number of trials is not fixed, and
//!   divided by [`Expected::looks`], if a simulation may end, or be seen, at several moments.
//!
//! Whether the chances of all results add up to 1 does not depend on trials, and is checked first.
//!
//! For `4d6kh3`, whose results are 16, a level is `2e-12`, that of 7 standard deviations.
//!
//! Lines and notes of a trial are not independent, so the number of trials with at least one is
//! compared. By Markov's inequality, the chance of such a trial is at most the mean number. If the
//! script limits the number per trial ([`Most`](super::most::Most)), the chance is at least the
//! mean divided by that limit. Otherwise a mean that is too high is not found; but if an answer
//! moves a number from one value to another, the difference is found at the other value.

use super::expected::{Chances, Expected};
use super::sample::{Notes, Sample};
use super::tail::{ln_at_least, ln_at_most};
use crate::answer::{percent, significant};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An upper bound on the probability that a right answer is refuted.
pub(super) const FALSE_ALARM: f64 = 5e-10;

/// A refutation of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Disagreement {
    /// The part of the answer: "the mean", "the chance of 18", ...
    pub(super) part: String,
    /// The answer's claim about it.
    pub(super) answer: String,
    /// The observation in the trials.
    pub(super) trials: String,
    /// The logarithm of the bound on the probability of these trials, and that of the level.
    ln_p: f64,
    ln_level: f64,
}

impl Disagreement {
    /// A refutation without any chance of error.
    pub(super) fn certain(part: &str, answer: &str, trials: &str) -> Self {
        Self {
            part: part.to_owned(),
            answer: answer.to_owned(),
            trials: trials.to_owned(),
            ln_p: f64::NEG_INFINITY,
            ln_level: 0.0,
        }
    }
}

/// The comparisons so far, with the one that is farthest below its level.
struct Comparison<'c> {
    sample: &'c Sample,
    ln_level: f64,
    worst: Option<Disagreement>,
}

/// Compares an answer with trials; `name` gives the name of a result.
pub(super) fn compare(
    expected: &Expected,
    sample: &Sample,
    name: &dyn Fn(i64) -> String,
) -> Option<Disagreement> {
    if let Some(results) = &expected.results
        && let Some(found) = not_whole(results, expected.left_out)
    {
        return Some(found);
    }
    if sample.trials == 0 {
        return None;
    }
    let half = FALSE_ALARM / 2.0 * sample.share / expected.looks.max(1) as f64;
    let mut comparison = Comparison {
        sample,
        ln_level: libm::log(half / 2.0),
        worst: None,
    };
    comparison.mean(expected);
    comparison.ln_level = libm::log(half / comparisons(expected) as f64);
    comparison.traps(expected);
    if let Some(results) = &expected.results {
        comparison.outside(results, expected.left_out, name);
        comparison.chances(results, expected.left_out, name);
        comparison.tails(results, expected.left_out, name);
    }
    comparison.ends(expected, name);
    comparison.lines(expected);
    comparison.stats(expected);
    comparison.worst
}

/// Every trial that is not left out has a result: no trials are needed to see that the chances add
/// up to something else.
fn not_whole(results: &Chances, left_out: f64) -> Option<Disagreement> {
    let total: f64 = results.chances.iter().sum();
    let rounding = results.chances.len() as f64 * f64::EPSILON;
    let slack = results.error + rounding + left_out;
    ((total - 1.0).abs() > 4.0 * slack).then(|| {
        let total = significant(total, 12);
        Disagreement::certain("the chances of all results together", &total, "1")
    })
}

/// The number of comparisons other than that of the mean.
fn comparisons(expected: &Expected) -> usize {
    let results = expected.results.as_ref().map_or(0, |all| all.values.len());
    let stats = expected.stats.iter().chain(expected.named.values());
    let stats: usize = stats.map(|stat| 6 * stat.values.len() + 3).sum();
    // Traps, results outside, two ends, lines and statistics with other names.
    4 * results + 2 * expected.lines.len() + stats + 6
}

impl Comparison<'_> {
    /// Records a comparison with this bound on its probability if it refutes the answer.
    fn found(&mut self, ln_p: f64, told: impl FnOnce() -> [String; 3]) {
        let is_worse = |known: &Disagreement| ln_p - self.ln_level < known.ln_p - known.ln_level;
        if ln_p < self.ln_level && self.worst.as_ref().is_none_or(is_worse) {
            let [part, answer, trials] = told();
            self.worst = Some(Disagreement {
                part,
                answer,
                trials,
                ln_p,
                ln_level: self.ln_level,
            });
        }
    }

    fn share(&self, hits: u64) -> String {
        format!("{hits} of {} trials", self.sample.trials)
    }

    /// The mean of the results. A trial that the answer leaves out may have any result, so the mean
    /// is skipped if such trials matter.
    fn mean(&mut self, expected: &Expected) {
        let (sample, scale) = (self.sample, expected.scale);
        let Some(numbers) = &expected.numbers else {
            return;
        };
        let count: u64 = sample.results.values().sum();
        let matter =
            sample.traps > 0 || sample.trials as f64 * expected.left_out > FALSE_ALARM / 10.0;
        if count == 0 || matter {
            return;
        }
        let values = sample.results.iter();
        let sum: f64 = values
            .map(|(v, times)| scale.number(*v) * *times as f64)
            .sum();
        let mean = sum / count as f64;
        let error = expected
            .results
            .as_ref()
            .map_or(0.0, |results| results.error);
        // A relative error of every chance changes the mean of `exp(l x)` by at most as much.
        let slack = 4.0 * count as f64 * error;
        let ln_p = numbers.ln_tail(mean, count) + slack;
        self.found(ln_p, || {
            [
                "the mean".to_owned(),
                significant(numbers.mean, 6),
                significant(mean, 6),
            ]
        });
    }

    fn traps(&mut self, expected: &Expected) {
        let (traps, trials) = (self.sample.traps, self.sample.trials);
        let told = self.sample.first_trap.map(|trap| trap.to_string());
        let share = self.share(traps);
        self.found(ln_at_least(traps, trials, expected.left_out), || {
            let trap = told.unwrap_or_default();
            [
                format!("that a trial ends in an error ({trap})"),
                "impossible".to_owned(),
                share,
            ]
        });
    }

    /// Results that are not in the answer.
    fn outside(&mut self, results: &Chances, left_out: f64, name: &dyn Fn(i64) -> String) {
        let is_outside = |value: &i64| {
            let value = results.grouped(*value);
            results.values.binary_search(&value).is_err()
        };
        let outside = self.sample.results.iter();
        let outside: Vec<(&i64, &u64)> = outside.filter(|(value, _)| is_outside(value)).collect();
        let Some((first, _)) = outside.first() else {
            return;
        };
        let hits = outside.iter().map(|(_, times)| **times).sum();
        let share = self.share(hits);
        self.found(ln_at_least(hits, self.sample.trials, left_out), || {
            [
                format!("the result {}", name(**first)),
                "impossible".to_owned(),
                share,
            ]
        });
    }

    /// The chance of each result.
    fn chances(&mut self, results: &Chances, left_out: f64, name: &dyn Fn(i64) -> String) {
        let trials = self.sample.trials;
        let counts = grouped(results, &self.sample.results);
        // A chance below this cannot be refuted by too few hits.
        let often = -self.ln_level / trials as f64 / 4.0;
        for (&value, &p) in results.values.iter().zip(&results.chances) {
            let hits = counts.get(&value).copied();
            if hits.is_none() && p < often {
                continue;
            }
            let hits = hits.unwrap_or(0);
            let ln_p = bounded(hits, trials, (p, results.error, left_out));
            let share = self.share(hits);
            self.found(ln_p, || {
                let part = format!("the chance of {}", name(value));
                [part, percent(p), share]
            });
        }
    }

    /// The chances of at most each number, and of less than it.
    fn tails(&mut self, results: &Chances, left_out: f64, name: &dyn Fn(i64) -> String) {
        let trials = self.sample.trials;
        let counts = grouped(results, &self.sample.results);
        let mut counts = counts.into_iter().peekable();
        let (mut below, mut hits) = (0.0, 0);
        for (&value, &p) in results.values.iter().zip(&results.chances) {
            // Between two results of the trials, the difference is greatest at the ends.
            let is_hit = counts.peek().is_some_and(|(other, _)| *other == value);
            if is_hit {
                let ln_p = bounded(hits, trials, (below, results.error, left_out));
                let share = self.share(hits);
                self.found(ln_p, || {
                    let part = format!("the chance of less than {}", name(value));
                    [part, percent(below), share]
                });
            }
            below += p;
            while let Some((_, times)) = counts.next_if(|(other, _)| *other <= value) {
                hits += times;
            }
            if is_hit {
                let ln_p = bounded(hits, trials, (below, results.error, left_out));
                let share = self.share(hits);
                self.found(ln_p, || {
                    let part = format!("the chance of at most {}", name(value));
                    [part, percent(below), share]
                });
            }
        }
    }

    /// The minimum and maximum of a simulation that kept nothing else: any of all trials, its own
    /// and the check's, is equally likely to be the one beyond.
    fn ends(&mut self, expected: &Expected, name: &dyn Fn(i64) -> String) {
        let Some((min, max)) = expected.ends else {
            return;
        };
        let results = &self.sample.results;
        let below = results.range(..min).map(|(_, times)| times).sum();
        let above = results.range(max..).skip_while(|(value, _)| **value == max);
        let above = above.map(|(_, times)| times).sum();
        let parts = [("less than", min, below), ("more than", max, above)];
        for (word, end, hits) in parts {
            let share = self.share(hits);
            let p = hits as f64 / expected.trials;
            self.found(ln_at_least(hits, self.sample.trials, p), || {
                let part = format!("a result of {word} {}", name(end));
                [part, "none".to_owned(), share]
            });
        }
    }

    fn lines(&mut self, expected: &Expected) {
        let sample = self.sample;
        let most = expected.most.lines;
        for (template, &mean) in &expected.lines {
            let hits = sample.lines.get(template).copied().unwrap_or(0);
            let mean = (mean, 0.0, expected.left_out);
            self.times(hits, mean, most, || format!("the line {template:?}"));
        }
        for (template, &hits) in &sample.lines {
            if !expected.lines.contains_key(template) {
                let mean = (expected.other_lines, 0.0, expected.left_out);
                self.times(hits, mean, None, || format!("the line {template:?}"));
            }
        }
    }

    fn stats(&mut self, expected: &Expected) {
        let (sample, left_out) = (self.sample, expected.left_out);
        for (number, (notes, stat)) in sample.stats.iter().zip(&expected.stats).enumerate() {
            let name = expected.stat_names.get(number).map_or("", String::as_str);
            let most = expected.most.stats.get(number).copied().flatten();
            self.stat(name, notes, stat, (most, left_out));
        }
        let none = Notes::default();
        for (name, stat) in &expected.named {
            let notes = sample.named.get(name).unwrap_or(&none);
            self.stat(name, notes, stat, (expected.most.named, left_out));
        }
        for (name, notes) in &sample.named {
            if !expected.named.contains_key(name) {
                let mean = (expected.other_stats, 0.0, left_out);
                self.times(notes.trials, mean, None, || {
                    format!("the statistic {name:?}")
                });
            }
        }
    }

    /// A statistic: the number of trials with any note, with each number, with one up to it and
    /// with one from it on.
    fn stat(
        &mut self,
        name: &str,
        notes: &Notes,
        stat: &Chances,
        (most, left_out): (Option<u64>, f64),
    ) {
        let mean = |times: f64| (times, stat.error, left_out);
        self.times(notes.trials, mean(stat.chances.iter().sum()), most, || {
            format!("the statistic {name:?}")
        });
        let numbers = grouped(stat, &notes.numbers);
        for (value, &times) in stat.values.iter().zip(&stat.chances) {
            let hits = numbers.get(value).copied().unwrap_or(0);
            self.times(hits, mean(times), most, || {
                format!("{} under the statistic {name:?}", stat.shown(*value))
            });
        }
        for (value, hits) in numbers {
            if stat.values.binary_search(&value).is_err() {
                self.times(hits, mean(0.0), None, || {
                    format!("{} under the statistic {name:?}", stat.shown(value))
                });
            }
        }
        let up_to = stat
            .values
            .iter()
            .copied()
            .zip(stat.chances.iter().copied());
        let from_on = up_to.clone().rev();
        self.sums(
            up_to,
            grouped(stat, &notes.least),
            |hits, times, value, this| {
                this.times(hits, mean(times), most, || {
                    format!("at most {} under the statistic {name:?}", stat.shown(value))
                });
            },
        );
        let greatest = grouped(stat, &notes.greatest).into_iter();
        let greatest = greatest
            .map(|(value, times)| (Reverse(value), times))
            .collect();
        let from_on = from_on.map(|(value, times)| (Reverse(value), times));
        self.sums(from_on, greatest, |hits, times, Reverse(value), this| {
            this.times(hits, mean(times), most, || {
                format!(
                    "at least {} under the statistic {name:?}",
                    stat.shown(value)
                )
            });
        });
    }

    /// Compares the number of trials that end at or below each number with its expectation.
    fn sums<K: Ord + Copy>(
        &mut self,
        expected: impl Iterator<Item = (K, f64)>,
        counts: BTreeMap<K, u64>,
        look: impl Fn(u64, f64, K, &mut Self),
    ) {
        let mut expected = expected.peekable();
        let (mut hits, mut sum) = (0, 0.0);
        for (value, times) in counts {
            hits += times;
            while let Some((_, times)) = expected.next_if(|(other, _)| *other <= value) {
                sum += times;
            }
            look(hits, sum, value, self);
        }
    }

    /// The number of trials with something whose mean per trial is given, with its error and the
    /// probability left out: by Markov's inequality at most that mean, and if a trial has at most
    /// `most` of it, at least the mean divided by `most`.
    fn times(
        &mut self,
        hits: u64,
        (mean, error, left_out): (f64, f64, f64),
        most: Option<u64>,
        part: impl FnOnce() -> String,
    ) {
        let trials = self.sample.trials;
        let (high, low) = (
            mean * (1.0 + error) + left_out,
            mean * (1.0 - error) - left_out,
        );
        let mut ln_p = ln_at_least(hits, trials, high.min(1.0));
        if let Some(most) = most {
            // The rounding error of sums of many floats.
            let least = low * (1.0 - 1e-9) / most as f64;
            ln_p = ln_p.min(match least > 1.0 {
                true => f64::NEG_INFINITY,
                false => ln_at_most(hits, trials, least.max(0.0)),
            });
        }
        self.found(ln_p, || {
            let times = format!("{} times in a trial", significant(mean, 4));
            [part(), times, format!("in {hits} of {trials} trials")]
        });
    }
}

/// The bound for a chance that may be off relatively, and by what is left out.
fn bounded(hits: u64, trials: u64, (p, error, left_out): (f64, f64, f64)) -> f64 {
    let most = (p * (1.0 + error) + left_out).min(1.0);
    let least = (p * (1.0 - error) - left_out).max(0.0);
    // The rounding error of sums of many floats.
    let noise = 1e-12;
    let too_often = ln_at_least(hits, trials, (most * (1.0 + noise)).min(1.0));
    let too_seldom = ln_at_most(hits, trials, least * (1.0 - noise));
    too_often.min(too_seldom)
}

/// Counts, grouped by the numbers that share a chance.
fn grouped(chances: &Chances, counts: &BTreeMap<i64, u64>) -> BTreeMap<i64, u64> {
    let mut all = BTreeMap::new();
    for (value, times) in counts {
        *all.entry(chances.grouped(*value)).or_default() += times;
    }
    all
}
