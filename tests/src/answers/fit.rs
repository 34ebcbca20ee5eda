//! Whether samples fit the reference: the support, the chance of each result and of all results up
//! to it, and the numbers of lines and of noted numbers.

use crate::enumerate_script::{Event, ScriptEnumeration, Times};
use dicec_compiler::unstable::Results;
use dicec_compiler::{Bound, Odds, Report};
use dicec_runtime::events::Events;
use dicec_runtime::pmf::Weight;
use dicec_runtime::scale::Scale;
use dicec_runtime::stats::{Summary, Tally};
use std::collections::BTreeMap;

/// A right answer is refused once in some e^24 comparisons, which is as rare as 7 standard errors.
const EXPONENT: f64 = 24.5;

/// A trial of which only the mean number of an event is known has it at most this often.
const MAX_TIMES: u32 = 64;

/// What is expected of a sample.
pub(super) struct Expected {
    results: BTreeMap<i64, f64>,
    events: BTreeMap<Event, Times>,
    /// The trials in which this was seen, if it is a sample itself.
    trials: Option<u64>,
}

impl Expected {
    /// What brute force found.
    pub(super) fn enumerated(all: &ScriptEnumeration) -> Self {
        Self {
            results: all.results.clone(),
            events: all.events.clone(),
            trials: None,
        }
    }

    /// What trials showed.
    pub(super) fn sampled(bound: &Bound, report: &Report) -> Self {
        let trials = report.trials();
        let share = |(value, times): (i64, u64)| (value, times as f64 / trials as f64);
        let results = match (&report.results, bound.kind()) {
            (Results::Outcomes(tally), Some(_)) => tally.outcomes().map(share).collect(),
            _ => BTreeMap::new(),
        };
        let events = counted(bound, &report.events).into_iter();
        let events = events.map(|(event, times)| (event, of_mean(times as f64 / trials as f64)));
        Self {
            results,
            events: events.collect(),
            trials: Some(trials),
        }
    }

    /// Whether exact odds are those of the sample that this is.
    pub(super) fn fits_odds<W: Weight>(&self, bound: &Bound, odds: &Odds<W>) -> Result<(), String> {
        let trials = self.trials.unwrap_or(0);
        let results = odds.result.iter().flat_map(|pmf| pmf.probabilities());
        let lines = odds.lines.iter();
        let lines = lines.map(|(line, mean)| (Event::Line(line.clone()), *mean));
        let known = bound.program().stats().iter().zip(&odds.stats);
        let named = odds.named.iter().map(|(name, noted)| (name, noted));
        let noted = known.chain(named).flat_map(|(name, noted)| {
            let shares = noted.pmf.iter().flat_map(|pmf| pmf.probabilities());
            shares.map(|(value, share)| (Event::Stat(name.clone(), value), share * noted.times))
        });
        let exact = Self {
            results: results.collect(),
            events: lines
                .chain(noted)
                .map(|(event, mean)| (event, of_mean(mean)))
                .collect(),
            trials: None,
        };
        let times = |share: &f64| (share * trials as f64).round() as u64;
        let results: BTreeMap<i64, u64> = self
            .results
            .iter()
            .map(|(value, share)| (*value, times(share)))
            .collect();
        exact.fits_results(&results, trials)?;
        let events = self.events.iter();
        let events = events.map(|(event, known)| (event.clone(), times(&known.mean)));
        exact.fits_events(&events.collect(), trials)
    }

    /// Whether a simulation fits.
    pub(super) fn fits(&self, bound: &Bound, report: &Report) -> Result<(), String> {
        let trials = report.trials();
        match &report.results {
            _ if bound.kind().is_none() => {}
            Results::Outcomes(tally) if tally.resolution() > 1 => {}
            Results::Outcomes(tally) => {
                self.fits_results(&tally.outcomes().collect(), trials)?;
            }
            Results::Moments(summary) => self.fits_moments(summary)?,
        }
        self.fits_events(&counted(bound, &report.events), trials)
    }

    fn fits_results(&self, found: &BTreeMap<i64, u64>, trials: u64) -> Result<(), String> {
        let mut values: Vec<i64> = self.results.keys().chain(found.keys()).copied().collect();
        values.sort_unstable();
        values.dedup();
        let (mut share_below, mut times_below) = (0.0, 0);
        for value in values {
            let share = self.results.get(&value).copied();
            let times = found.get(&value).copied().unwrap_or(0);
            if share.is_none() && self.trials.is_none() {
                return Err(format!(
                    "{value} is impossible, and came {times} times of {trials}"
                ));
            }
            share_below += share.unwrap_or(0.0);
            times_below += times;
            let shares = [
                (share.unwrap_or(0.0), times, ""),
                (share_below, times_below, "at most "),
            ];
            for (share, times, which) in shares {
                let variance = share * (1.0 - share).max(0.0);
                if !self.is_near(share, variance, 1.0, times as f64, trials) {
                    return Err(format!(
                        "{which}{value} came {times} times of {trials}, expected {}",
                        share * trials as f64
                    ));
                }
            }
        }
        Ok(())
    }

    fn fits_moments(&self, summary: &Summary) -> Result<(), String> {
        let floats = summary.scale() != Scale::Whole;
        let (Some(least), Some(most)) = (summary.min(), summary.max()) else {
            return Err("no results".to_owned());
        };
        let values = || {
            self.results
                .iter()
                .map(|(value, share)| (*value as f64, *share))
        };
        let (first, last) = (self.results.keys().next(), self.results.keys().next_back());
        let (Some(&first), Some(&last)) = (first, last) else {
            return Err("results of a roll without any".to_owned());
        };
        if self.trials.is_none() && (least < first || most > last) {
            return Err(format!(
                "from {least} to {most}, expected {first} to {last}"
            ));
        }
        let Some(mean) = summary.mean().filter(|_| !floats) else {
            return Ok(());
        };
        let expected: f64 = values().map(|(value, share)| value * share).sum();
        let variance: f64 = values()
            .map(|(value, share)| (value - expected).powi(2) * share)
            .sum();
        let trials = summary.count();
        let width = last as f64 - first as f64;
        match self.is_near(expected, variance, width, mean * trials as f64, trials) {
            true => Ok(()),
            false => Err(format!("the mean {mean}, expected {expected}")),
        }
    }

    fn fits_events(&self, found: &BTreeMap<Event, u64>, trials: u64) -> Result<(), String> {
        for event in self.events.keys().chain(found.keys()) {
            let expected = self.events.get(event).copied();
            let times = found.get(event).copied().unwrap_or(0);
            if expected.is_none() && self.trials.is_none() {
                return Err(format!("{event:?} is impossible, and came {times} times"));
            }
            let Times { mean, square, most } = expected.unwrap_or(of_mean(0.0));
            let variance = (square - mean * mean).max(0.0);
            if !self.is_near(mean, variance, most.into(), times as f64, trials) {
                return Err(format!(
                    "{event:?} came {times} times in {trials} trials, expected {}",
                    mean * trials as f64
                ));
            }
        }
        Ok(())
    }

    /// Whether a sum over trials is as near to its expectation as Bernstein's inequality says: of
    /// numbers with this mean and variance, which are at most `width` from their mean.
    fn is_near(&self, mean: f64, variance: f64, width: f64, sum: f64, trials: u64) -> bool {
        let trials = trials as f64;
        // A reference that is a sample has its own error.
        let more = self.trials.map_or(1.0, |own| 1.0 + trials / own as f64);
        let edge = EXPONENT * width * more / 3.0;
        let slack = edge + (edge * edge + 2.0 * EXPONENT * variance * trials * more).sqrt();
        // The reference has rounding errors, too.
        (sum - mean * trials).abs() <= slack + 1e-9 * sum.abs()
    }
}

/// An event of which only the mean number is known.
fn of_mean(mean: f64) -> Times {
    Times {
        mean,
        square: mean * f64::from(MAX_TIMES),
        most: MAX_TIMES,
    }
}

/// How often each line and each number of a statistic came.
fn counted(bound: &Bound, events: &Events) -> BTreeMap<Event, u64> {
    let lines = events.lines.iter();
    let lines = lines.map(|(line, times)| (Event::Line(line.to_owned()), times));
    let known = bound
        .program()
        .stats()
        .iter()
        .map(String::as_str)
        .zip(events.stats());
    let of = |(name, tally): (&str, &Tally)| {
        let name = name.to_owned();
        let outcomes = tally.outcomes();
        outcomes.map(move |(value, times)| (Event::Stat(name.clone(), value), times))
    };
    let noted = known.chain(events.named().iter()).flat_map(of);
    lines.chain(noted).collect()
}

#[cfg(test)]
mod tests {
    use super::Expected;
    use crate::answers::bound;
    use crate::enumerate_script::ScriptEnumeration;
    use dicec_compiler::{Bound, Keep, Simulation};

    fn roll(body: &str) -> Bound {
        bound(&format!("defroll \"R\" r() {{ {body} }}")).expect("it compiles")
    }

    fn expected(roll: &Bound) -> Expected {
        Expected::enumerated(&ScriptEnumeration::of(&roll.question(), 1_000).expect("few rolls"))
    }

    /// Bodies of which the second one is a little wrong.
    const WRONG: [(&str, &str, Keep); 7] = [
        ("return roll(d6);", "return roll(d7);", Keep::Outcomes),
        (
            "return roll(d6);",
            "return roll(d30) == 1 ? 1 : roll(d6);",
            Keep::Outcomes,
        ),
        (
            "return roll(d6);",
            "return roll(d30) == 1 ? 1 : roll(d6);",
            Keep::Moments,
        ),
        (
            "return roll(d6);",
            "return max(2, roll(d6));",
            Keep::Moments,
        ),
        (
            "output(\"a\"); return 1;",
            "if (roll(d50) > 1) { output(\"a\"); } return 1;",
            Keep::Outcomes,
        ),
        (
            "stat(\"s\", roll(d4)); return 1;",
            "stat(\"s\", roll(d50) == 1 ? 2 : roll(d4)); return 1;",
            Keep::Outcomes,
        ),
        (
            "repeat (3) { stat(\"s\", 1); } return 1;",
            "repeat (2) { stat(\"s\", 1); } return 1;",
            Keep::Outcomes,
        ),
    ];

    #[test]
    fn only_right_samples_fit() {
        for (right, wrong, keep) in WRONG {
            let [right, wrong] = [right, wrong].map(roll);
            let simulation = Simulation::trials(100_000).threads(1).keep(keep);
            let reports = [&right, &wrong].map(|roll| roll.simulate(&simulation).expect("no trap"));
            let expected = expected(&right);
            let text = wrong.program().text();
            assert_eq!(expected.fits(&right, &reports[0]), Ok(()), "{text}");
            assert!(expected.fits(&right, &reports[1]).is_err(), "{text}");
        }
    }

    #[test]
    fn only_right_odds_fit_a_sample() {
        for (right, wrong, keep) in WRONG {
            if keep != Keep::Outcomes {
                continue;
            }
            let [right, wrong] = [right, wrong].map(roll);
            let simulation = Simulation::trials(100_000).threads(1);
            let report = right.simulate(&simulation).expect("no trap");
            let sample = Expected::sampled(&right, &report);
            let odds = |roll: &Bound| roll.solve::<f64>(&Default::default()).expect("small");
            assert_eq!(sample.fits_odds(&right, &odds(&right)), Ok(()));
            // The numbers of lines and notes in a trial are not known, so a change in one of fifty
            // is not found.
            let is_slight = wrong.program().text().contains("d50");
            if !is_slight {
                let found = sample.fits_odds(&right, &odds(&wrong));
                assert!(found.is_err(), "{}", wrong.program().text());
            }
        }
    }
}
