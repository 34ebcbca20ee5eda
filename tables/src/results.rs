//! Whole distributions, result by result.

use crate::figure::Figure;
use dicec_compiler::answer::{Answer as RollAnswer, Distribution};
use dicec_lang::hir::Kind;

/// A result in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultCell {
    /// A number.
    Number(Figure),
    /// Whether a check holds.
    Truth(bool),
    /// The name of anything else: a degree, a label.
    Name(String),
}

/// The results of an answer, or of a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The name of the part of a result, of the output or of the statistic; none for a result
    /// itself.
    pub part: Option<String>,
    /// Each result with its probability, in order; of a statistic, with its share of all numbers
    /// that were noted.
    pub all: Vec<(ResultCell, f64)>,
}

impl Results {
    /// The results of an answer: its own, those of its parts, and those of its statistics.
    pub(crate) fn of(found: &RollAnswer, round: fn(f64) -> f64) -> Vec<Self> {
        let own = found.result.iter().map(|odds| (None, odds));
        let parts = found
            .parts
            .iter()
            .map(|part| (Some(&part.name), &part.odds));
        let stats = found.stats.iter();
        let stats = stats.filter_map(|stat| Some((Some(&stat.name), stat.odds.as_ref()?)));
        let all = own.chain(parts).chain(stats);
        all.map(|(part, odds)| Self {
            part: part.cloned(),
            all: cells(odds, round),
        })
        .collect()
    }
}

fn cells(odds: &Distribution, round: fn(f64) -> f64) -> Vec<(ResultCell, f64)> {
    let outcomes = odds.outcomes().into_iter();
    let cell = |value| match odds.name(value) {
        _ if odds.kind() == Kind::Check => ResultCell::Truth(value != 0),
        Some(name) => ResultCell::Name(name.to_owned()),
        None => ResultCell::Number(Figure::outcome(odds, value)),
    };
    outcomes
        .map(|outcome| (cell(outcome.value), round(outcome.p)))
        .collect()
}

impl std::fmt::Display for ResultCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResultCell::Number(figure) => figure.fmt(f),
            ResultCell::Truth(holds) => holds.fmt(f),
            ResultCell::Name(name) => f.pad(name),
        }
    }
}
