//! A rule's odds, wherever they came from, and how they are shown.
//!
//! ```text
//! exact Pmf, sampled Tally or Summary --> Distribution --rows--> chart --+
//!                                              |                         +--> summary (text for people), compare
//!                                              +--> json                 |
//!                                              +-------------------------+
//! ```

mod chart;
mod compare;
mod digits;
mod json;
mod lattice;
mod rational;
mod relation;
mod rows;
mod summary;

/// What exact fractions may cost; an answer that takes more is computed in floating point, which is many times faster.
pub(crate) const FRACTION_WORK: u64 = 20_000_000;

pub(crate) use compare::{ComparisonJson, Side, comparison_report};
pub(crate) use digits::{short_percent, significant};
pub(crate) use json::{NumberJson, OddsJson, SimJson, kind_word};
pub(crate) use lattice::Lattice;
pub(crate) use rows::round_up;
pub(crate) use summary::{
    Questions, exactness, figures, heading, named_rows, odds_body, odds_report, sim_body,
    sim_footer, sim_heading, sim_report,
};

use dicec_compiler::hir::Kind;
use dicec_compiler::{Program, Report, Results, Simulation};
use dicec_runtime::float::{from_int, key};
use dicec_runtime::pmf::{Budget, Limits, MAX_OUTCOMES, Pmf, Weight};
use dicec_runtime::scale::{Scale, Shown};
use dicec_runtime::stats::{Summary, Tally, Z95, standard_error, wilson, wilson_half_width};
use num_bigint::BigUint;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The odds of a rule's results; a check's are over 0 (false) and 1 (true).
pub(crate) struct Distribution {
    kind: Kind,
    /// The labels that outcomes stand for, if they do.
    labels: Arc<[String]>,
    table: Table,
    /// A bound on the probability of the rolls that the table leaves out.
    left_out: f64,
    /// Whether every probability is shown as a fraction, however long: `--rational`.
    in_full: bool,
}

enum Table {
    Fractions(Pmf<BigUint>),
    Floats(Pmf<f64>),
    Sampled(Tally),
    /// Of numbers: what their single outcomes were is not known.
    Summed(Summary),
}

/// A simulation that was run: what was asked for, and how it went.
pub(crate) struct Run {
    pub(crate) asked: Simulation,
    pub(crate) trials: u64,
    pub(crate) elapsed: Duration,
}

impl Run {
    pub(crate) fn new(report: &Report) -> Self {
        Self {
            asked: report.simulation.clone(),
            trials: report.trials(),
            elapsed: report.elapsed,
        }
    }
}

/// A result and what is known of it.
pub(crate) struct Outcome {
    pub(crate) value: i64,
    pub(crate) p: f64,
    /// How many of the equally likely rolls give it, if that was computed.
    pub(crate) weight: Option<BigUint>,
    /// How many trials gave it, if it was sampled.
    pub(crate) count: Option<u64>,
}

/// A probability and what is known of it.
pub(crate) struct Share {
    pub(crate) p: f64,
    /// The same in lowest terms, if that was computed.
    pub(crate) fraction: Option<(BigUint, BigUint)>,
    /// Whether that is shown however long it is.
    pub(crate) in_full: bool,
    /// The 95 % interval, if it was sampled.
    pub(crate) interval: Option<(f64, f64)>,
}

impl Distribution {
    fn new(kind: Kind, table: Table) -> Self {
        Self {
            kind,
            labels: Arc::default(),
            table,
            left_out: 0.0,
            in_full: false,
        }
    }

    /// Exact odds in whole weights.
    pub(crate) fn fractions(kind: Kind, table: Pmf<BigUint>) -> Self {
        Self::new(kind, Table::Fractions(table))
    }

    /// Exact odds in floating-point weights.
    pub(crate) fn floats(kind: Kind, table: Pmf<f64>) -> Self {
        Self::new(kind, Table::Floats(table))
    }

    /// Sampled odds. There is at least one trial.
    pub(crate) fn sampled(kind: Kind, tally: Tally) -> Self {
        Self::new(kind, Table::Sampled(tally))
    }

    /// What is known of sampled numbers without their odds. There is at least one trial.
    pub(crate) fn summed(kind: Kind, summary: Summary) -> Self {
        Self::new(kind, Table::Summed(summary))
    }

    /// What a simulation kept of its results.
    pub(crate) fn reported(kind: Kind, results: Results) -> Self {
        match results {
            Results::Outcomes(tally) => Self::sampled(kind, tally),
            Results::Moments(summary) => Self::summed(kind, summary),
        }
    }

    /// These odds, with the labels of the rule that they are of.
    pub(crate) fn labelled(self, program: &Program) -> Self {
        Self {
            labels: program.labels().into(),
            ..self
        }
    }

    /// These odds, which leave out rolls of at most this probability.
    pub(crate) fn leaving_out(self, left_out: f64) -> Self {
        Self { left_out, ..self }
    }

    /// These odds, every probability of which is shown as a fraction. They have whole weights.
    pub(crate) fn in_full(self) -> Self {
        Self {
            in_full: true,
            ..self
        }
    }

    /// A bound on the probability of the rolls that are left out: those of dice that explode or are rerolled very often.
    pub(crate) fn left_out(&self) -> f64 {
        self.left_out
    }

    /// The same odds, of decimals: where whole numbers meet them.
    pub(crate) fn make_float(&mut self) {
        if self.kind != Kind::Number {
            return;
        }
        self.kind = Kind::Float;
        match &mut self.table {
            Table::Fractions(table) => *table = with_keys(table),
            Table::Floats(table) => *table = with_keys(table),
            Table::Sampled(tally) => {
                let mut decimals = Tally::new(Scale::Float, None);
                for (value, count) in tally.outcomes() {
                    decimals.add_counts(key(from_int(value)), &[count]);
                }
                *tally = decimals;
            }
            // Nothing that is compared is summarised.
            Table::Summed(_) => {}
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// How results are read.
    pub(crate) fn scale(&self) -> Scale {
        self.kind.scale()
    }

    /// The labels, in written order; empty for odds of anything else.
    pub(crate) fn labels(&self) -> &Arc<[String]> {
        &self.labels
    }

    /// The name of a result that is no number.
    pub(crate) fn name(&self, outcome: i64) -> Option<&str> {
        match self.kind {
            Kind::Check if outcome == 0 => Some("false"),
            Kind::Check => Some("true"),
            Kind::Degree(ladder) => Some(ladder.name(outcome)),
            Kind::Label => {
                let label = self.labels.get(usize::try_from(outcome).ok()?);
                label.map(String::as_str)
            }
            Kind::Number | Kind::Float => None,
        }
    }

    /// A result as text.
    pub(crate) fn show(&self, outcome: i64) -> Shown {
        self.scale().show(outcome)
    }

    pub(crate) fn is_exact(&self) -> bool {
        !matches!(self.table, Table::Sampled(_) | Table::Summed(_))
    }

    /// Whether the single outcomes are known. If not, the moments and the extremes are all that can be asked for: there are no
    /// outcomes then, and nothing has a chance.
    pub(crate) fn has_outcomes(&self) -> bool {
        !matches!(self.table, Table::Summed(_))
    }

    /// What exact weights are relative to.
    pub(crate) fn denominator(&self) -> Option<&BigUint> {
        match &self.table {
            Table::Fractions(table) => Some(table.total()),
            _ => None,
        }
    }

    /// How far a probability may be from the exact one, relatively; 0 for fractions.
    pub(crate) fn error_bound(&self) -> Option<f64> {
        match &self.table {
            Table::Fractions(_) => Some(0.0),
            Table::Floats(table) => Some(table.error_bound()),
            Table::Sampled(_) | Table::Summed(_) => None,
        }
    }

    /// Each result and its probability, ascending.
    pub(crate) fn probabilities(&self) -> Box<dyn Iterator<Item = (i64, f64)> + '_> {
        match &self.table {
            Table::Fractions(table) => Box::new(table.probabilities()),
            Table::Floats(table) => Box::new(table.probabilities()),
            Table::Sampled(tally) => {
                let trials = tally.count() as f64;
                let share = move |(value, count)| (value, count as f64 / trials);
                Box::new(tally.outcomes().map(share))
            }
            Table::Summed(_) => Box::new(std::iter::empty()),
        }
    }

    /// Each result with everything known of it; both results of a check, all rungs of a degree and all labels, even those that did not
    /// come up.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        let values: Vec<i64> = match self.kind {
            Kind::Check => vec![0, 1],
            Kind::Degree(ladder) => (0..).take(ladder.rungs().len()).collect(),
            Kind::Label => (0..).take(self.labels.len()).collect(),
            Kind::Number | Kind::Float => self.probabilities().map(|(value, _)| value).collect(),
        };
        match &self.table {
            Table::Fractions(table) => {
                let outcome = |value| Outcome {
                    value,
                    p: table.probability(value),
                    weight: Some(table.weight(value).cloned().unwrap_or_default()),
                    count: None,
                };
                values.into_iter().map(outcome).collect()
            }
            Table::Floats(table) => {
                let outcome = |value| Outcome {
                    value,
                    p: table.probability(value),
                    weight: None,
                    count: None,
                };
                values.into_iter().map(outcome).collect()
            }
            Table::Sampled(tally) => sampled_outcomes(tally, &values),
            Table::Summed(_) => Vec::new(),
        }
    }

    /// The probability of a result of at least `value`; of true, for 1 and a check.
    pub(crate) fn at_least(&self, value: i64) -> Share {
        match &self.table {
            Table::Fractions(table) => {
                let above = table.iter().rev().take_while(|(other, _)| *other >= value);
                let weight: BigUint = above.map(|(_, weight)| weight).sum();
                Share {
                    p: table.at_least(value),
                    fraction: Some(relation::lowest(&weight, table.total())),
                    in_full: self.in_full,
                    interval: None,
                }
            }
            Table::Floats(table) => Share {
                p: table.at_least(value),
                fraction: None,
                in_full: false,
                interval: None,
            },
            Table::Sampled(tally) => Share {
                p: tally.share_at_least(value),
                fraction: None,
                in_full: false,
                interval: Some(wilson(tally.at_least(value), tally.count(), Z95)),
            },
            Table::Summed(_) => Share {
                p: 0.0,
                fraction: None,
                in_full: false,
                interval: None,
            },
        }
    }

    /// The probability of an outcome of [`Distribution::outcomes`].
    pub(crate) fn share(&self, outcome: &Outcome) -> Share {
        let fraction = outcome.weight.as_ref().zip(self.denominator());
        let interval = |tally: &Tally, hits| wilson(hits, tally.count(), Z95);
        Share {
            p: outcome.p,
            fraction: fraction.map(|(weight, total)| relation::lowest(weight, total)),
            in_full: self.in_full,
            interval: match &self.table {
                Table::Sampled(tally) => outcome.count.map(|hits| interval(tally, hits)),
                Table::Fractions(_) | Table::Floats(_) | Table::Summed(_) => None,
            },
        }
    }

    /// The smallest result that at least a share `p` of all is not above.
    pub(crate) fn quantile(&self, p: f64) -> i64 {
        match &self.table {
            Table::Fractions(table) => table.quantile(p),
            Table::Floats(table) => table.quantile(p),
            Table::Sampled(tally) => tally.quantile(p).unwrap_or_default(),
            Table::Summed(_) => 0,
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        match &self.table {
            Table::Fractions(table) => table.mean_on(self.scale()),
            Table::Floats(table) => table.mean_on(self.scale()),
            Table::Sampled(tally) => tally.mean().unwrap_or_default(),
            Table::Summed(summary) => summary.mean().unwrap_or_default(),
        }
    }

    /// The standard deviation; one trial has none.
    pub(crate) fn sd(&self) -> Option<f64> {
        match &self.table {
            Table::Fractions(table) => Some(table.sd_on(self.scale())),
            Table::Floats(table) => Some(table.sd_on(self.scale())),
            Table::Sampled(tally) => tally.sd(),
            Table::Summed(summary) => summary.sd(),
        }
    }

    pub(crate) fn min(&self) -> i64 {
        match &self.table {
            Table::Fractions(table) => table.min(),
            Table::Floats(table) => table.min(),
            Table::Sampled(tally) => tally.min().unwrap_or_default(),
            Table::Summed(summary) => summary.min().unwrap_or_default(),
        }
    }

    pub(crate) fn max(&self) -> i64 {
        match &self.table {
            Table::Fractions(table) => table.max(),
            Table::Floats(table) => table.max(),
            Table::Sampled(tally) => tally.max().unwrap_or_default(),
            Table::Summed(summary) => summary.max().unwrap_or_default(),
        }
    }

    /// The standard error of sampled odds: of the mean, or of a check's probability. Each rung of a degree and each label has its own.
    pub(crate) fn standard_error(&self) -> Option<f64> {
        let tally = match &self.table {
            Table::Fractions(_) | Table::Floats(_) => return None,
            Table::Summed(summary) => return summary.standard_error(),
            Table::Sampled(tally) => tally,
        };
        let sd = match self.kind {
            Kind::Number | Kind::Float => tally.sd()?,
            Kind::Check => {
                let p = tally.share_at_least(1);
                (p * (1.0 - p)).sqrt()
            }
            Kind::Degree(_) | Kind::Label => return None,
        };
        Some(standard_error(sd, tally.count()))
    }

    /// Half the width of the 95 % interval that a simulation's precision is about.
    pub(crate) fn half_width(&self) -> Option<f64> {
        match (&self.table, self.kind) {
            (_, Kind::Number | Kind::Float) => Some(Z95 * self.standard_error()?),
            (Table::Sampled(tally), Kind::Check | Kind::Degree(_) | Kind::Label) => {
                let widths = tally.outcomes();
                let widths = widths.map(|(_, hits)| wilson_half_width(hits, tally.count(), Z95));
                widths.reduce(f64::max)
            }
            _ => None,
        }
    }

    /// How many neighbouring numbers share a count of sampled odds; 1 unless there are very many.
    pub(crate) fn resolution(&self) -> Option<u64> {
        match &self.table {
            Table::Sampled(tally) => Some(tally.resolution()),
            Table::Fractions(_) | Table::Floats(_) | Table::Summed(_) => None,
        }
    }
}

/// A table of whole numbers as one of decimals.
fn with_keys<W: Weight>(table: &Pmf<W>) -> Pmf<W> {
    // As large a table was made before.
    let mut budget = Budget::new(Limits {
        work: u64::MAX,
        outcomes: MAX_OUTCOMES,
    });
    let keys = table.map(&mut budget, |value| {
        Ok::<_, Infallible>(key(from_int(value)))
    });
    keys.unwrap_or_else(|_| table.clone())
}

/// The outcomes of these ascending values.
fn sampled_outcomes(tally: &Tally, values: &[i64]) -> Vec<Outcome> {
    let trials = tally.count() as f64;
    let mut counts = tally.outcomes().peekable();
    let mut outcomes = Vec::with_capacity(values.len());
    for &value in values {
        let here = counts.next_if(|(other, _)| *other == value);
        let count = here.map_or(0, |(_, count)| count);
        outcomes.push(Outcome {
            value,
            p: count as f64 / trials,
            weight: None,
            count: Some(count),
        });
    }
    outcomes
}

impl Run {
    pub(crate) fn trials_per_second(&self) -> f64 {
        // A clock that has not moved yet stands for its own resolution.
        let seconds = self.elapsed.as_secs_f64().max(1e-9);
        self.trials as f64 / seconds
    }
}
