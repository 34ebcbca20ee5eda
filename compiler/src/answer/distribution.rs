//! The odds of a roll's results, from any engine.

use super::checked::Checked;
use super::share::Share;
use dashu_int::UBig;
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use dicec_runtime::float::{from_int, key};
use dicec_runtime::pmf::{Budget, Limits, MAX_OUTCOMES, Pmf, Weight};
use dicec_runtime::scale::{Scale, Shown};
use dicec_runtime::stats::{Summary, Tally, Z95, standard_error, wilson_half_width};
use std::convert::Infallible;
use std::sync::Arc;

/// The odds of a roll's results; a check's are over 0 (false) and 1 (true), a degree's over its
/// rungs, a label's over indices.
#[derive(Clone, Debug)]
pub struct Distribution {
    kind: Kind,
    /// The labels of outcomes, if they have labels.
    pub(super) labels: Arc<[String]>,
    /// The sets of flags that labels represent, by index, if they are sets.
    pub(super) sets: Option<Sets>,
    pub(super) table: Table,
    /// A bound on the probability of the rolls that the table leaves out.
    left_out: f64,
    unbounded: Unbounded,
    /// Whether every probability is shown as a fraction, however long.
    in_full: bool,
    /// The share of all rolls that clamping at 0 changed, if any.
    clamped: Option<Share>,
    /// The check that they have passed.
    checked: Option<Checked>,
}

#[derive(Clone, Debug)]
pub(super) enum Table {
    Fractions(Pmf<UBig>),
    Floats(Pmf<f64>),
    Sampled(Tally),
    /// Only moments of numbers: their single outcomes are not known.
    Summed(Summary),
}

/// The sets of flags that came up.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The names of all flags.
    pub(super) flags: Arc<[String]>,
    /// The sets, ascending.
    pub(super) held: Vec<i64>,
}

/// The ends at which numbers have no bound: less likely ones always follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unbounded {
    /// There is no least number.
    pub below: bool,
    /// There is no greatest number.
    pub above: bool,
}

impl Unbounded {
    /// At either end.
    pub(super) const BOTH: Self = Self {
        below: true,
        above: true,
    };
}

/// A result with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The result.
    pub value: i64,
    /// Its probability.
    pub p: f64,
    /// The number of equally likely rolls that give it, if that was computed.
    pub weight: Option<UBig>,
    /// The number of trials that gave it, if it was sampled.
    pub count: Option<u64>,
}

impl Outcome {
    /// A result of which only the probability is known.
    fn of(value: i64, p: f64) -> Self {
        Self {
            value,
            p,
            weight: None,
            count: None,
        }
    }
}

impl Distribution {
    fn new(kind: Kind, table: Table) -> Self {
        Self {
            kind,
            labels: Arc::default(),
            sets: None,
            table,
            left_out: 0.0,
            unbounded: Unbounded::default(),
            in_full: false,
            clamped: None,
            checked: None,
        }
    }

    /// Exact odds in whole weights.
    pub fn fractions(kind: Kind, table: Pmf<UBig>) -> Self {
        Self::new(kind, Table::Fractions(table))
    }

    /// Exact odds in floating-point weights.
    pub fn floats(kind: Kind, table: Pmf<f64>) -> Self {
        Self::new(kind, Table::Floats(table))
    }

    /// Sampled odds. There is at least one trial.
    pub fn sampled(kind: Kind, tally: Tally) -> Self {
        Self::new(kind, Table::Sampled(tally))
    }

    /// The moments and extremes of sampled numbers without their odds. There is at least one trial.
    pub fn summed(kind: Kind, summary: Summary) -> Self {
        Self::new(kind, Table::Summed(summary))
    }

    /// These odds, which leave out rolls of at most this probability.
    pub fn leaving_out(self, left_out: f64) -> Self {
        Self { left_out, ..self }
    }

    /// The same odds of results of another kind, which are the same numbers.
    pub(super) fn of_kind(self, kind: Kind, labels: Arc<[String]>) -> Self {
        Self {
            kind,
            labels,
            ..self
        }
    }

    /// How many trials they are of; none if they are exact.
    pub(super) fn trials(&self) -> Option<u64> {
        match &self.table {
            Table::Sampled(tally) => Some(tally.count()),
            Table::Fractions(_) | Table::Floats(_) | Table::Summed(_) => None,
        }
    }

    /// These odds, of numbers that have no bound at these ends.
    pub fn unbounded_at(self, unbounded: Unbounded) -> Self {
        Self { unbounded, ..self }
    }

    /// The same odds with every probability as a fraction; they must have whole weights.
    pub fn in_full(self) -> Self {
        Self {
            in_full: true,
            ..self
        }
    }

    /// The same odds, with the share that clamping at 0 changed.
    pub fn clamped_by(self, clamped: Option<Share>) -> Self {
        Self { clamped, ..self }
    }

    /// These odds, which have passed this check.
    pub(super) fn checked_by(self, checked: Checked) -> Self {
        Self {
            checked: Some(checked),
            ..self
        }
    }

    /// The check that exact odds have passed; none if there was none.
    pub fn checked(&self) -> Option<Checked> {
        self.checked
    }

    /// The share of all rolls whose result clamping at 0 changed; none if there are none.
    pub fn clamped(&self) -> Option<&Share> {
        self.clamped.as_ref()
    }

    /// Whether every probability is shown as a fraction.
    pub fn is_in_full(&self) -> bool {
        self.in_full
    }

    /// A bound on the probability of the rolls that are left out: those of dice that explode or are
    /// rerolled very often.
    pub fn left_out(&self) -> f64 {
        self.left_out
    }

    /// The ends at which numbers have no bound.
    pub fn unbounded(&self) -> Unbounded {
        self.unbounded
    }

    /// The same odds as floats: for whole numbers that are compared with floats.
    pub fn make_float(&mut self) {
        if !matches!(self.kind, Kind::Number | Kind::Test) {
            return;
        }
        self.kind = Kind::Float;
        self.renumber(|value| key(from_int(value)));
    }

    /// Replaces each outcome by another of the kind; their order stays as it is.
    pub(super) fn renumber(&mut self, number: impl Fn(i64) -> i64) {
        match &mut self.table {
            Table::Fractions(table) => *table = renumbered(table, number),
            Table::Floats(table) => *table = renumbered(table, number),
            Table::Sampled(tally) => {
                let mut others = Tally::new(self.kind.scale(), None);
                for (value, count) in tally.outcomes() {
                    others.add_counts(number(value), &[count]);
                }
                *tally = others;
            }
            // Moments are of numbers, on either scale.
            Table::Summed(_) => {}
        }
    }

    /// The kind of the results.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How results are read.
    pub fn scale(&self) -> Scale {
        self.kind.scale()
    }

    /// The labels, in written order; empty for odds of anything else.
    pub fn labels(&self) -> &Arc<[String]> {
        &self.labels
    }

    /// The name of a result that is not a number.
    pub fn name(&self, outcome: i64) -> Option<&str> {
        match self.kind {
            Kind::Check if outcome == 0 => Some("false"),
            Kind::Check => Some("true"),
            Kind::Degree(ladder) => Some(ladder.name(outcome)),
            Kind::Label | Kind::Level(_) => {
                let label = self.labels.get(usize::try_from(outcome).ok()?);
                label.map(String::as_str)
            }
            Kind::Number | Kind::Float | Kind::Test => None,
        }
    }

    /// A result as text.
    pub fn show(&self, outcome: i64) -> Shown {
        self.scale().show(outcome)
    }

    /// A result as text: its name, or the number.
    pub fn outcome_text(&self, outcome: i64) -> String {
        match self.name(outcome) {
            Some(name) => name.to_owned(),
            None => self.show(outcome).to_string(),
        }
    }

    /// The least or the greatest result as text.
    pub fn show_end(&self, end: Option<i64>) -> String {
        end.map_or_else(
            || "unbounded".to_owned(),
            |outcome| self.show(outcome).to_string(),
        )
    }

    /// Whether the probabilities are exact, not sampled.
    pub fn is_exact(&self) -> bool {
        !matches!(self.table, Table::Sampled(_) | Table::Summed(_))
    }

    /// Whether the single outcomes are known. If not, only the moments and the extremes are known:
    /// there are no outcomes then, and every probability is 0.
    pub fn has_outcomes(&self) -> bool {
        !matches!(self.table, Table::Summed(_))
    }

    /// The sum of exact weights.
    pub fn denominator(&self) -> Option<&UBig> {
        match &self.table {
            Table::Fractions(table) => Some(table.total()),
            _ => None,
        }
    }

    /// The relative error bound of a probability; 0 for fractions.
    pub fn error_bound(&self) -> Option<f64> {
        match &self.table {
            Table::Fractions(_) => Some(0.0),
            Table::Floats(table) => Some(table.error_bound()),
            Table::Sampled(_) | Table::Summed(_) => None,
        }
    }

    /// Each result and its probability, ascending.
    pub fn probabilities(&self) -> Box<dyn Iterator<Item = (i64, f64)> + '_> {
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

    /// Each result with its probability; both results of a check, all rungs of a degree and all
    /// labels, even those that did not occur.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let values: Vec<i64> = match self.kind {
            Kind::Check => vec![0, 1],
            Kind::Degree(ladder) => (0..).take(ladder.rungs().len()).collect(),
            Kind::Label | Kind::Level(_) => (0..).take(self.labels.len()).collect(),
            Kind::Number | Kind::Float | Kind::Test => {
                self.probabilities().map(|(value, _)| value).collect()
            }
        };
        match &self.table {
            Table::Fractions(table) => {
                let outcome = |value| Outcome {
                    // A result that cannot occur has no weight.
                    weight: Some(table.weight(value).cloned().unwrap_or(UBig::ZERO)),
                    ..Outcome::of(value, table.probability(value))
                };
                values.into_iter().map(outcome).collect()
            }
            Table::Floats(table) => {
                let outcome = |value| Outcome::of(value, table.probability(value));
                values.into_iter().map(outcome).collect()
            }
            Table::Sampled(tally) => sampled_outcomes(tally, &values),
            Table::Summed(_) => Vec::new(),
        }
    }

    /// The smallest result that at least a share `p` of all is not above; of a summary, which has
    /// no quantiles, the least.
    pub fn quantile(&self, p: f64) -> i64 {
        match &self.table {
            Table::Fractions(table) => table.quantile(p),
            Table::Floats(table) => table.quantile(p),
            Table::Sampled(tally) => there(tally.quantile(p)),
            Table::Summed(_) => self.range().0,
        }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        match &self.table {
            Table::Fractions(table) => table.mean_on(self.scale()),
            Table::Floats(table) => table.mean_on(self.scale()),
            Table::Sampled(tally) => there(tally.mean()),
            Table::Summed(summary) => there(summary.mean()),
        }
    }

    /// The standard deviation; one trial has none.
    pub fn sd(&self) -> Option<f64> {
        match &self.table {
            Table::Fractions(table) => Some(table.sd_on(self.scale())),
            Table::Floats(table) => Some(table.sd_on(self.scale())),
            Table::Sampled(tally) => tally.sd(),
            Table::Summed(summary) => summary.sd(),
        }
    }

    /// The least result; none if there is always a lesser one.
    pub fn min(&self) -> Option<i64> {
        (!self.unbounded.below).then(|| self.range().0)
    }

    /// The greatest result; none if there is always a greater one.
    pub fn max(&self) -> Option<i64> {
        (!self.unbounded.above).then(|| self.range().1)
    }

    /// The least and the greatest outcome; without a bound, of those that are not left out.
    pub fn range(&self) -> (i64, i64) {
        let ends = match &self.table {
            Table::Fractions(table) => Some((table.min(), table.max())),
            Table::Floats(table) => Some((table.min(), table.max())),
            Table::Sampled(tally) => tally.min().zip(tally.max()),
            Table::Summed(summary) => summary.min().zip(summary.max()),
        };
        there(ends)
    }

    /// The standard error of sampled odds: of the mean, or of a check's probability. Each rung of a
    /// degree and each label has its own.
    pub fn standard_error(&self) -> Option<f64> {
        let tally = match &self.table {
            Table::Fractions(_) | Table::Floats(_) => return None,
            Table::Summed(summary) => return summary.standard_error(),
            Table::Sampled(tally) => tally,
        };
        let sd = match self.kind {
            Kind::Number | Kind::Float | Kind::Test => tally.sd()?,
            Kind::Check => {
                let p = tally.share_at_least(1);
                (p * (1.0 - p)).sqrt()
            }
            Kind::Degree(_) | Kind::Label | Kind::Level(_) => return None,
        };
        Some(standard_error(sd, tally.count()))
    }

    /// Half the width of the 95 % interval that determines a simulation's precision.
    pub fn half_width(&self) -> Option<f64> {
        match (&self.table, self.kind) {
            (_, Kind::Number | Kind::Float | Kind::Test) => Some(Z95 * self.standard_error()?),
            (
                Table::Sampled(tally),
                Kind::Check | Kind::Degree(_) | Kind::Label | Kind::Level(_),
            ) => {
                let widths = tally.outcomes();
                let widths = widths.map(|(_, hits)| wilson_half_width(hits, tally.count(), Z95));
                widths.reduce(f64::max)
            }
            _ => None,
        }
    }

    /// The number of neighbouring numbers that share a count of sampled odds; 1 unless there are
    /// very many.
    pub fn resolution(&self) -> Option<u64> {
        match &self.table {
            Table::Sampled(tally) => Some(tally.resolution()),
            Table::Fractions(_) | Table::Floats(_) | Table::Summed(_) => None,
        }
    }
}

/// A table of other outcomes.
fn renumbered<W: Weight>(table: &Pmf<W>, number: impl Fn(i64) -> i64) -> Pmf<W> {
    // The table has as many outcomes as one that was allowed before.
    let mut budget = Budget::new(Limits {
        work: u64::MAX,
        outcomes: MAX_OUTCOMES,
    });
    let others = table.map(&mut budget, |value| Ok::<_, Infallible>(number(value)));
    others.unwrap_or_else(|_| table.clone())
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
            count: Some(count),
            ..Outcome::of(value, count as f64 / trials)
        });
    }
    outcomes
}

/// Unwraps a value that every simulation has, because it has at least one trial.
fn there<T>(of_trials: Option<T>) -> T {
    of_trials.unwrap_or_else(|| bug!("a simulation of no trials").raise())
}

/// The word for a kind of result.
pub fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Number | Kind::Float => "number",
        Kind::Check => "check",
        Kind::Degree(_) => "degree",
        Kind::Test => "test",
        Kind::Label => "label",
        Kind::Level(_) => "level",
    }
}
