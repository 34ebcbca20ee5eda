//! Comparisons of rules as documents.

use super::odds::OddsDocument;
use crate::answer::{Distribution, Questions, Side};
use serde::Serialize;

/// The odds of rules that are compared: the output of `dicec odds --compare --json`. Two rules have
/// the first five fields, more the others.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ComparisonDocument {
    /// As `dicec odds --json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<OddsDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<OddsDocument>,
    #[serde(flatten)]
    chances: Option<ChancesEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<RuleEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<PairEntry>,
}

/// How an independent roll of one rule compares with one of another.
#[derive(Clone, Copy, Debug, Serialize)]
struct ChancesEntry {
    /// The probability that the first is greater; false is less than true.
    greater: f64,
    /// That they are equal.
    equal: f64,
    /// That it is less.
    less: f64,
}

/// One of several rules.
#[derive(Clone, Debug, Serialize)]
struct RuleEntry {
    expression: String,
    #[serde(flatten)]
    odds: OddsDocument,
}

/// Two of several rules, by their indices.
#[derive(Clone, Debug, Serialize)]
struct PairEntry {
    first: usize,
    second: usize,
    #[serde(flatten)]
    chances: ChancesEntry,
}

impl ChancesEntry {
    fn new(first: &Distribution, second: &Distribution) -> Self {
        let chances = first.relation(second);
        Self {
            greater: chances.greater.p,
            equal: chances.equal.p,
            less: chances.less.p,
        }
    }
}

impl ComparisonDocument {
    /// The comparison, with answers to the questions.
    pub fn new(sides: &[Side<'_>], asked: &Questions) -> Self {
        let document = |odds| OddsDocument::new(odds, asked);
        if let [first, second] = sides {
            return Self {
                first: Some(document(first.odds)),
                second: Some(document(second.odds)),
                chances: Some(ChancesEntry::new(first.odds, second.odds)),
                ..Self::default()
            };
        }
        let rules = sides.iter().map(|side| RuleEntry {
            expression: side.expression.to_owned(),
            odds: document(side.odds),
        });
        let pairs = sides.iter().enumerate().flat_map(|(first, side)| {
            let others = sides.iter().enumerate().skip(first + 1);
            others.map(move |(second, other)| PairEntry {
                first,
                second,
                chances: ChancesEntry::new(side.odds, other.odds),
            })
        });
        Self {
            rules: rules.collect(),
            pairs: pairs.collect(),
            ..Self::default()
        }
    }
}
