//! The results, lines and statistics of a roll, sampled or exact.

use super::checked::Checked;
use super::distribution::Distribution;
use super::given::Given;
use super::joint::{Joint, PartOdds};
use dicec_lang::hir::{Kind, Module, StatId};
use dicec_runtime::events::Events;
use dicec_runtime::stats::{Tally, standard_error};

/// An answer about a roll. That of a rule has results only.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A bound on the probability of the trials that are left out; 0 if it was sampled.
    pub left_out: f64,
    /// Whether clamping may change a number, as far as that is known immediately; false if it was
    /// sampled.
    pub(crate) may_clamp: bool,
    /// The results; none if the roll gives nothing.
    pub result: Option<Distribution>,
    /// The templates of lines, with the mean number of each in a trial.
    pub lines: Vec<(String, f64)>,
    /// The mean number of lines in a trial whose template is not in [`Answer::lines`]: if there are
    /// very many templates, a simulation keeps the first few megabytes, ordered by text.
    pub other_lines: f64,
    /// The statistics: those with known names in order of first mention, then the others, ordered
    /// by name.
    pub stats: Vec<Statistic>,
    /// The mean number of notes in a trial under names that are not in [`Answer::stats`]: if there
    /// are very many names, a simulation keeps the first thousand.
    pub other_stats: f64,
    /// The parts of the result, if it has several.
    pub parts: Vec<PartOdds>,
    /// The odds of all parts together; only exact answers have them.
    pub joint: Option<Joint>,
    /// The condition that its odds are given; none if they are those of all rolls.
    pub given: Option<Given>,
    /// The check that exact odds have passed; none if there was none. That of a simulation is in
    /// its [`Run`](super::Run).
    pub checked: Option<Checked>,
}

/// A statistic.
#[derive(Clone, Debug)]
pub struct Statistic {
    /// Its name in the script.
    pub name: String,
    /// The mean number of notes in a trial.
    pub per_trial: f64,
    /// Its numbers; none if it was never noted.
    pub odds: Option<Distribution>,
    /// The standard error of its mean, if it was sampled.
    pub error: Option<f64>,
}

impl Answer {
    /// An answer that has only results.
    pub fn of_odds(odds: Distribution) -> Self {
        Self {
            left_out: odds.left_out(),
            checked: odds.checked(),
            result: Some(odds),
            ..Self::empty()
        }
    }

    /// An answer without anything.
    pub fn empty() -> Self {
        Self {
            left_out: 0.0,
            may_clamp: false,
            checked: None,
            result: None,
            lines: Vec::new(),
            other_lines: 0.0,
            stats: Vec::new(),
            other_stats: 0.0,
            parts: Vec::new(),
            joint: None,
            given: None,
        }
    }

    /// The answer of a simulation of this many trials: its results, lines and statistics.
    pub fn sampled(
        trials: u64,
        result: Option<Distribution>,
        events: &Events,
        module: &Module,
    ) -> Self {
        let trials = trials.max(1) as f64;
        let known = module.stats.iter().map(String::as_str);
        let known = known.zip(events.stats()).zip(0..);
        let known =
            known.map(|((name, tally), stat)| (name, tally, module.stat_kind(StatId(stat))));
        let named = events.named().iter();
        let named = named.map(|(name, tally)| (name, tally, module.named_stat_kind()));
        let stat = |(name, tally, kind): (&str, &Tally, Kind)| {
            // Trials count keys; the module says whether they stand for floats.
            let mut numbers = Tally::new(kind.scale(), None);
            for (outcome, count) in tally.outcomes() {
                numbers.add_counts(outcome, &[count]);
            }
            Statistic {
                name: name.to_owned(),
                per_trial: tally.count() as f64 / trials,
                error: numbers.sd().map(|sd| standard_error(sd, numbers.count())),
                odds: (numbers.count() > 0).then(|| Distribution::sampled(kind, numbers)),
            }
        };
        Self {
            left_out: 0.0,
            may_clamp: false,
            result,
            lines: events
                .lines
                .iter()
                .map(|(line, times)| (line.to_owned(), times as f64 / trials))
                .collect(),
            other_lines: events.lines.others() as f64 / trials,
            stats: known.chain(named).map(stat).collect(),
            other_stats: events.named().others() as f64 / trials,
            parts: Vec::new(),
            joint: None,
            given: None,
            checked: None,
        }
    }

    /// Notes that it has passed a check.
    pub(crate) fn pass(&mut self, checked: Checked) {
        self.checked = Some(checked);
        self.result = self.result.take().map(|odds| odds.checked_by(checked));
    }
}
