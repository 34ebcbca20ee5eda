//! The odds of a rule for one tuple of resources, or of a roll for one row's arguments, reduced to
//! the numbers that a table shows.

use crate::field::Field;
use crate::figure::Figure;
use crate::results::{ResultCell, Results};
use crate::wanted::{Numbers, QUANTILES, Wanted};
use dicec_compiler::answer::{Answer as RollAnswer, Distribution, Range};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Diagnostic;
use dicec_runtime::degree::Ladder;
use std::sync::Arc;

/// Significant digits of exact odds. Their error bound covers more, but `0.6` is to read `0.6`, and
/// not the sum of twelve twentieths in binary.
const EXACT_DIGITS: usize = 12;

/// The numbers of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The odds of the result.
    pub odds: Odds,
    /// Whether the odds are sampled.
    pub is_sampled: bool,
    /// The standard error: of a check's probability, or of a mean. Exact odds have none, nor has
    /// the mean of one trial.
    pub se: Option<f64>,
    /// The share of all rolls that clamping at 0 changed, if any.
    pub clamped: Option<f64>,
    /// The lines and statistics of a roll of a script, or the outputs of an AnyDice program as
    /// statistics.
    pub events: Option<Arc<Events>>,
    /// The name that an AnyDice program gives its only output.
    pub output: Option<Arc<str>>,
    /// Notes on an AnyDice program, if there are any.
    pub notes: Option<Arc<[Diagnostic]>>,
    /// Every result with its probability, if each is to have a row.
    pub results: Option<Arc<[Results]>>,
}

/// The lines and statistics of a roll of a script.
#[derive(Debug, PartialEq)]
pub struct Events {
    /// The statistics that the roll can note, in order of first mention.
    pub stats: Vec<Stat>,
    /// The templates of lines, with the mean number of each in a trial.
    pub lines: Vec<(String, f64)>,
    /// A bound on the probability of the trials that exact odds leave out; 0 if sampled.
    pub left_out: f64,
}

/// The numbers that were noted under a name.
#[derive(Debug, PartialEq)]
pub struct Stat {
    /// Its name in the script.
    pub name: String,
    /// The mean number of notes in a trial.
    pub per_trial: f64,
    /// None if nothing was ever noted.
    pub summary: Option<Summary>,
    /// The standard error of the mean, if it was sampled.
    pub se: Option<f64>,
}

/// The odds of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Odds {
    /// The probability of true.
    Check(f64),
    /// The moments and more.
    Number(Summary),
    /// The probability of a test's success, and the moments and more of its degrees.
    Test(f64, Summary),
    /// The probability of each rung of a ladder.
    Degree(Ladder, [f64; MAX_RUNGS]),
    /// The labels, and the probability of each; or flags, and the probability that a set has each.
    Label(Arc<[String]>, Arc<[f64]>),
    /// The labels of a ladder, the probability of each, and that of a success.
    Level(Arc<[String]>, Arc<[f64]>, f64),
    /// The several outputs of an AnyDice program, which are among the events.
    Outputs,
    /// A roll that returns nothing.
    Nothing,
}

/// As many rungs as the tallest ladder has.
const MAX_RUNGS: usize = 5;

/// A number's moments, and the figures of its further columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// One trial has none.
    pub sd: Option<f64>,
    /// More about the spread.
    pub spread: Spread,
}

/// The further figures of a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// The quantiles of 5, 50 and 95 %.
    Quantiles([Figure; 3]),
    /// The lowest and the highest result; none if there is always a lower or a higher one.
    Ends([Option<Figure>; 2]),
    /// Requested figures: the quantiles, then the probabilities of the ranges.
    Asked(Arc<Wanted>, Arc<[Figure]>),
}

impl Answer {
    /// The numbers of an answer, to the last digit those of a single simulation if it is sampled. A
    /// script has `events`, a rule does not.
    pub(crate) fn new(
        found: RollAnswer,
        numbers: &Numbers,
        is_sampled: bool,
        has_events: bool,
    ) -> Self {
        let round: fn(f64) -> f64 = if is_sampled { |value| value } else { tidy };
        let result = found.result.as_ref();
        Self {
            odds: result.map_or(Odds::Nothing, |odds| Odds::of(odds, numbers, round)),
            is_sampled,
            se: result.and_then(Distribution::standard_error),
            clamped: result.and_then(|odds| Some(round(odds.clamped()?.p))),
            results: (*numbers == Numbers::Results).then(|| Results::of(&found, round).into()),
            events: has_events.then(|| Arc::new(Events::of(found, numbers, round))),
            output: None,
            notes: None,
        }
    }

    /// The same, of an AnyDice program that gives its only output this name.
    pub(crate) fn of_output(self, name: &str) -> Self {
        let results = self.results.as_deref().map(|all| {
            let all = all.iter().map(|found| Results {
                part: Some(name.to_owned()),
                all: found.all.clone(),
            });
            all.collect()
        });
        Self {
            output: Some(name.into()),
            results,
            ..self
        }
    }

    /// Its size in bytes in the memo, beyond that of all answers.
    pub(crate) fn bytes(&self) -> usize {
        let results = self.results.iter().flat_map(|all| all.iter());
        let results: usize = results.map(|found| found.all.len()).sum();
        let results = results * size_of::<(ResultCell, f64)>();
        let Some(events) = &self.events else {
            return results;
        };
        let texts = events
            .lines
            .iter()
            .map(|(line, _)| line.len())
            .sum::<usize>();
        results
            + texts
            + events.lines.len() * size_of::<(String, f64)>()
            + events.stats.len() * size_of::<Stat>()
    }

    /// The number in a column, if there is one for this kind of answer. Lines and
    /// statistics depend on what columns there are; see [`Group`](crate::Group).
    pub fn figure(&self, field: Field) -> Option<Figure> {
        use Figure::Float;
        match (field, &self.odds) {
            (Field::Se, _) => self.se.map(Float),
            (Field::P, Odds::Check(p) | Odds::Test(p, _) | Odds::Level(_, _, p)) => Some(Float(*p)),
            (Field::P, Odds::Degree(ladder, shares)) => {
                let successes = shares.iter().skip(ladder.success().unsigned_abs() as usize);
                Some(Float(tidy(successes.sum())))
            }
            (Field::Rung(_, rung), Odds::Degree(_, shares)) => {
                shares.get(usize::from(rung)).copied().map(Float)
            }
            (Field::Label(place), Odds::Label(_, shares) | Odds::Level(_, shares, _)) => {
                shares.get(usize::from(place)).copied().map(Float)
            }
            (Field::P, Odds::Number(_))
            | (Field::Rung(..) | Field::Label(_), _)
            | (Field::Line(_) | Field::StatMean(_) | Field::StatSd(_), _)
            | (Field::StatQuantile(..) | Field::StatRange(..), _) => None,
            (_, Odds::Check(_) | Odds::Degree(..) | Odds::Outputs | Odds::Nothing) => None,
            (_, Odds::Label(..) | Odds::Level(..)) => None,
            (Field::Mean, Odds::Number(number) | Odds::Test(_, number)) => Some(Float(number.mean)),
            (Field::Sd, Odds::Number(number) | Odds::Test(_, number)) => number.sd.map(Float),
            (
                Field::P5
                | Field::P50
                | Field::P95
                | Field::Min
                | Field::Max
                | Field::Quantile(_)
                | Field::Range(_),
                Odds::Number(number) | Odds::Test(_, number),
            ) => number.spread.figure(field),
        }
    }
}

impl Events {
    fn of(found: RollAnswer, numbers: &Numbers, round: fn(f64) -> f64) -> Self {
        // The ends of a statistic are not told.
        let numbers = match numbers {
            Numbers::Ends => &Numbers::Quantiles,
            numbers => numbers,
        };
        let stats = found.stats.into_iter().map(|stat| Stat {
            name: stat.name,
            // A sum of nothing may have left the negative zero.
            per_trial: round(stat.per_trial) + 0.0,
            summary: stat.odds.map(|odds| Summary::of(&odds, numbers, round)),
            se: stat.error,
        });
        // Trials note the parts of a result, each once.
        let parts = found.parts.into_iter().map(|part| Stat {
            name: part.name,
            per_trial: 1.0,
            se: part.odds.standard_error(),
            summary: Some(Summary::of(&part.odds, numbers, round)),
        });
        let lines = found.lines.into_iter();
        Self {
            stats: stats.chain(parts).collect(),
            lines: lines.map(|(line, times)| (line, round(times))).collect(),
            left_out: found.left_out,
        }
    }
}

impl Summary {
    fn of(odds: &Distribution, numbers: &Numbers, round: fn(f64) -> f64) -> Self {
        let figure = |outcome| Figure::outcome(odds, outcome);
        Self {
            mean: round(odds.mean()),
            sd: odds.sd().map(round),
            spread: match numbers {
                Numbers::Quantiles | Numbers::Results => {
                    Spread::Quantiles(QUANTILES.map(|p| figure(odds.quantile(p))))
                }
                Numbers::Ends => Spread::Ends([odds.min(), odds.max()].map(|end| end.map(figure))),
                Numbers::Asked(wanted) => {
                    let quantiles = wanted.quantiles().iter();
                    let quantiles = quantiles.map(|p| figure(odds.quantile(*p)));
                    let chance = |range: &Range| Figure::Float(round(odds.range_share(*range).p));
                    let figures = quantiles.chain(wanted.ranges().iter().map(chance));
                    Spread::Asked(Arc::clone(wanted), figures.collect())
                }
            },
        }
    }
}

impl Spread {
    /// The number in a column, if it is one of these.
    pub fn figure(&self, field: Field) -> Option<Figure> {
        match (self, field) {
            (Spread::Quantiles([figure, _, _]), Field::P5)
            | (Spread::Quantiles([_, figure, _]), Field::P50)
            | (Spread::Quantiles([_, _, figure]), Field::P95) => Some(*figure),
            (Spread::Ends([end, _]), Field::Min) | (Spread::Ends([_, end]), Field::Max) => *end,
            (Spread::Asked(_, figures), Field::Quantile(place)) => {
                figures.get(usize::from(place)).copied()
            }
            (Spread::Quantiles(figures), Field::Quantile(place)) => {
                figures.get(usize::from(place)).copied()
            }
            (Spread::Asked(wanted, figures), Field::Range(place)) => {
                let place = wanted.quantiles().len() + usize::from(place);
                figures.get(place).copied()
            }
            _ => None,
        }
    }

    /// The requested figures, by the names of the columns.
    pub fn asked(&self) -> impl Iterator<Item = (&str, Figure)> {
        let asked = match self {
            Spread::Asked(wanted, figures) => Some((wanted, figures)),
            Spread::Quantiles(_) | Spread::Ends(_) => None,
        };
        asked.into_iter().flat_map(|(wanted, figures)| {
            let names = wanted.names().iter().map(String::as_str);
            names.zip(figures.iter().copied())
        })
    }
}

impl Odds {
    fn of(odds: &Distribution, numbers: &Numbers, round: fn(f64) -> f64) -> Self {
        match odds.kind() {
            Kind::Check => Self::Check(round(odds.at_least(1).p)),
            Kind::Degree(ladder) => {
                let mut shares = [0.0; MAX_RUNGS];
                for (share, outcome) in shares.iter_mut().zip(odds.outcomes()) {
                    *share = round(outcome.p);
                }
                Self::Degree(ladder, shares)
            }
            Kind::Label => {
                let (names, shares) = odds.shares_by_name();
                Self::Label(names, shares.into_iter().map(round).collect())
            }
            Kind::Level(success) => {
                let (names, shares) = odds.shares_by_name();
                let p = round(odds.at_least(success).p);
                Self::Level(names, shares.into_iter().map(round).collect(), p)
            }
            Kind::Number | Kind::Float => Self::Number(Summary::of(odds, numbers, round)),
            Kind::Test => {
                let p = round(odds.at_least(1).p);
                Self::Test(p, Summary::of(odds, numbers, round))
            }
        }
    }
}

/// The nearest number with [`EXACT_DIGITS`] digits.
pub(crate) fn tidy(value: f64) -> f64 {
    let rounded = format!("{value:.*e}", EXACT_DIGITS - 1);
    rounded.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_odds_lose_the_noise_of_binary_sums() {
        assert_eq!(tidy(0.05 * 12.0), 0.6);
        assert_eq!(tidy(0.1 + 0.2), 0.3);
        assert_eq!(tidy(0.0), 0.0);
        assert_eq!(tidy(1.0 / 3.0), 0.333_333_333_333);
    }
}
