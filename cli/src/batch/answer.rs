//! The odds of one expression for one tuple of resources, reduced to the numbers that go into a table.

use crate::distribution::{Distribution, Run};
use dicec_compiler::Program;
use dicec_compiler::hir::Kind;
use dicec_runtime::degree::Ladder;
use dicec_runtime::scale::Scale;
use std::fmt;
use std::sync::Arc;

/// Significant digits of exact odds. Their error bound covers more, but `0.6` is to read `0.6`, and not the sum of twelve
/// twentieths in binary.
const EXACT_DIGITS: usize = 12;

/// An expression's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) odds: Odds,
    /// Whether the odds are sampled.
    pub(super) is_sampled: bool,
    /// The standard error: of a check's probability, or of a mean. Exact odds have none, nor has the mean of one trial.
    se: Option<f64>,
}

/// What is known of a result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Odds {
    /// The probability of true.
    Check(f64),
    Number(Summary),
    /// The probability of each rung of a ladder.
    Degree(Ladder, [f64; MOST_RUNGS]),
    /// The labels, and the probability of each.
    Label(Arc<[String]>, Arc<[f64]>),
}

/// As many rungs as the tallest ladder has.
const MOST_RUNGS: usize = 5;

/// A number's moments and quantiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    mean: f64,
    /// One trial has none.
    sd: Option<f64>,
    p5: Figure,
    p50: Figure,
    p95: Figure,
}

/// One of the numbers of an answer: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    P,
    Mean,
    Sd,
    P5,
    P50,
    P95,
    Se,
    /// The probability of a rung, by its number.
    Rung(Ladder, u8),
    /// The probability of a label, by its place.
    Label(u16),
}

impl Field {
    /// The columns of a degree, the worst rung first.
    pub(super) fn of_degree(ladder: Ladder) -> Vec<Field> {
        let rungs = (0..).take(ladder.rungs().len());
        rungs.map(|rung| Field::Rung(ladder, rung)).collect()
    }

    /// The columns of a number, in order.
    pub(super) const OF_NUMBER: [Field; 5] =
        [Field::Mean, Field::Sd, Field::P5, Field::P50, Field::P95];

    /// The columns of so many labels, in written order.
    pub(super) fn of_labels(count: usize) -> Vec<Field> {
        (0..).take(count).map(Field::Label).collect()
    }

    /// What follows the expression's name in a column's name. `labels` are those of the expression.
    pub(super) fn suffix(self, labels: &[String]) -> &str {
        match self {
            Field::P => "p",
            Field::Mean => "mean",
            Field::Sd => "sd",
            Field::P5 => "p5",
            Field::P50 => "p50",
            Field::P95 => "p95",
            Field::Se => "se",
            Field::Rung(ladder, rung) => {
                let slug = ladder.slugs().get(usize::from(rung));
                slug.copied().unwrap_or("degree")
            }
            Field::Label(place) => {
                let label = labels.get(usize::from(place));
                label.map_or("label", String::as_str)
            }
        }
    }
}

/// A cell's number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Figure {
    Real(f64),
    Whole(i64),
}

impl Figure {
    fn quantile(odds: &Distribution, p: f64) -> Self {
        let outcome = odds.quantile(p);
        match odds.scale() {
            Scale::Whole => Figure::Whole(outcome),
            Scale::Real => Figure::Real(odds.scale().number(outcome)),
        }
    }
}

impl Answer {
    /// The answer that exact odds give.
    pub(super) fn exact(odds: &Distribution) -> Self {
        Self {
            odds: Odds::of(odds, tidy),
            is_sampled: false,
            se: None,
        }
    }

    /// The answer that a simulation gives: to the last digit what `dicec sim` says.
    pub(super) fn sampled(program: &Program, run: Run) -> Self {
        let kind = program.kind();
        let se = run.standard_error(kind);
        let odds = Distribution::sampled(kind, run.got.tally).labelled(program);
        Self {
            odds: Odds::of(&odds, |value| value),
            is_sampled: true,
            se,
        }
    }

    /// The number in a column, if there is one for this kind of answer.
    pub(super) fn figure(&self, field: Field) -> Option<Figure> {
        use Figure::Real;
        match (field, &self.odds) {
            (Field::Se, _) => self.se.map(Real),
            (Field::P, Odds::Check(p)) => Some(Real(*p)),
            (Field::P, Odds::Degree(ladder, shares)) => {
                let successes = shares.iter().skip(ladder.success().unsigned_abs() as usize);
                Some(Real(tidy(successes.sum())))
            }
            (Field::Rung(_, rung), Odds::Degree(_, shares)) => {
                shares.get(usize::from(rung)).copied().map(Real)
            }
            (Field::Label(place), Odds::Label(_, shares)) => {
                shares.get(usize::from(place)).copied().map(Real)
            }
            (Field::P, Odds::Number(_))
            | (Field::Rung(..) | Field::Label(_), _)
            | (_, Odds::Check(_) | Odds::Degree(..) | Odds::Label(..)) => None,
            (Field::Mean, Odds::Number(number)) => Some(Real(number.mean)),
            (Field::Sd, Odds::Number(number)) => number.sd.map(Real),
            (Field::P5, Odds::Number(number)) => Some(number.p5),
            (Field::P50, Odds::Number(number)) => Some(number.p50),
            (Field::P95, Odds::Number(number)) => Some(number.p95),
        }
    }
}

impl Odds {
    fn of(odds: &Distribution, round: fn(f64) -> f64) -> Self {
        match odds.kind() {
            Kind::Check => Self::Check(round(odds.at_least(1).p)),
            Kind::Degree(ladder) => {
                let mut shares = [0.0; MOST_RUNGS];
                for (share, outcome) in shares.iter_mut().zip(odds.outcomes()) {
                    *share = round(outcome.p);
                }
                Self::Degree(ladder, shares)
            }
            Kind::Label => {
                let shares = odds.outcomes().into_iter();
                let shares = shares.map(|outcome| round(outcome.p));
                Self::Label(Arc::clone(odds.labels()), shares.collect())
            }
            Kind::Number | Kind::Real => Self::Number(Summary {
                mean: round(odds.mean()),
                sd: odds.sd().map(round),
                p5: Figure::quantile(odds, 0.05),
                p50: Figure::quantile(odds, 0.5),
                p95: Figure::quantile(odds, 0.95),
            }),
        }
    }
}

/// The nearest number of so many digits.
fn tidy(value: f64) -> f64 {
    let rounded = format!("{value:.*e}", EXACT_DIGITS - 1);
    rounded.parse().unwrap_or(value)
}

/// In full: the shortest text that reads back as the same number.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Figure::Whole(value) => value.fmt(f),
            // Plain digits where they are short enough to read.
            Figure::Real(value) if value == 0.0 || (1e-5..1e16).contains(&value.abs()) => {
                value.fmt(f)
            }
            Figure::Real(value) => fmt::LowerExp::fmt(&value, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_back() {
        for (value, text) in [
            (0.6, "0.6"),
            (0.0, "0"),
            (1.0, "1"),
            (7.5, "7.5"),
            (1e-5, "0.00001"),
            (2.5e-300, "2.5e-300"),
            (1e16, "1e16"),
            (123_456_789_012.5, "123456789012.5"),
        ] {
            assert_eq!(Figure::Real(value).to_string(), text);
            assert_eq!(text.parse(), Ok(value));
        }
        assert_eq!(Figure::Whole(-3).to_string(), "-3");
    }

    #[test]
    fn exact_odds_lose_the_noise_of_binary_sums() {
        assert_eq!(tidy(0.05 * 12.0), 0.6);
        assert_eq!(tidy(0.1 + 0.2), 0.3);
        assert_eq!(tidy(0.0), 0.0);
        assert_eq!(tidy(1.0 / 3.0), 0.333_333_333_333);
    }
}
