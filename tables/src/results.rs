//! Whole distributions in tables: a row for each result of each question.

use crate::answer::{Answer, Figure};
use crate::group::Group;
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

/// The columns of a table with a row for each result, after the table's own: `rule`, `part`,
/// `result` and `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongColumns {
    /// Whether there is a column for the name of the question.
    pub has_rule: bool,
    /// Whether there is a column for the name of the part.
    pub has_part: bool,
}

/// The cells of a row for a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultRow<'a> {
    /// The name of the question.
    pub rule: &'a str,
    /// The name of the part, if it is a part's result.
    pub part: Option<&'a str>,
    /// The result and its probability; none if the question has no answer.
    pub found: Option<(&'a ResultCell, f64)>,
}

impl LongColumns {
    /// The names of the columns, in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = [
            (self.has_rule, "rule"),
            (self.has_part, "part"),
            (true, "result"),
            (true, "p"),
        ];
        names
            .into_iter()
            .filter(|(is_there, _)| *is_there)
            .map(|(_, name)| name)
    }

    /// The rows that the answers to these questions become.
    pub fn rows<'a>(
        groups: &'a [Group],
        answers: &'a [Option<Answer>],
    ) -> impl Iterator<Item = ResultRow<'a>> {
        groups.iter().zip(answers).flat_map(|(group, answer)| {
            let rule = group.name.as_str();
            let parts = answer
                .iter()
                .flat_map(|answer| answer.results.iter().flat_map(|all| all.iter()));
            let found = parts.flat_map(move |results| {
                let part = results.part.as_deref();
                results.all.iter().map(move |(result, p)| ResultRow {
                    rule,
                    part,
                    found: Some((result, *p)),
                })
            });
            let nothing = answer.is_none().then_some(ResultRow {
                rule,
                part: None,
                found: None,
            });
            nothing.into_iter().chain(found)
        })
    }
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
