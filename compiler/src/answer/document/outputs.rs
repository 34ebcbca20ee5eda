//! The outputs of AnyDice programs as documents.

use super::odds::OddsDocument;
use crate::answer::{NamedAnswer, NamedAnswers, Questions};
use serde::Serialize;

/// The outputs of an AnyDice program: the output of `dicec odds FILE.anydice --json`.
#[derive(Clone, Debug, Serialize)]
pub struct OutputsDocument {
    outputs: Vec<OutputEntry>,
}

/// An output.
#[derive(Clone, Debug, Serialize)]
struct OutputEntry {
    name: String,
    #[serde(flatten)]
    odds: Odds,
}

/// The odds of an output, as `dicec odds --json` has them.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Odds {
    Some(Box<OddsDocument>),
    /// An output without outcomes, as `d{}`.
    None {
        kind: &'static str,
        outcomes: [(); 0],
    },
}

impl OutputsDocument {
    /// The outputs, in their order.
    pub fn new(answers: &NamedAnswers, asked: &Questions) -> Self {
        let entry = |named: &NamedAnswer| OutputEntry {
            name: named.name.clone(),
            odds: match &named.answer.result {
                Some(odds) => Odds::Some(Box::new(OddsDocument::new(odds, asked))),
                None => Odds::None {
                    kind: "number",
                    outcomes: [],
                },
            },
        };
        Self {
            outputs: answers.iter().map(entry).collect(),
        }
    }
}
