//! The outputs of AnyDice programs as documents.

use super::odds::OddsDocument;
use super::simulation::SimulationDocument;
use crate::answer::{Distribution, NamedAnswer, NamedAnswers, Questions, Run};
use serde::Serialize;

/// The outputs of an AnyDice program: the output of `dicec odds FILE.anydice --json`, and of
/// `dicec sim FILE.anydice --json` if the program has no script.
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

/// The odds of an output, as `dicec odds --json` has them, or `dicec sim --json`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Odds {
    Some(Box<OddsDocument>),
    /// As `dicec sim --json` has them.
    Sampled(Box<SimulationDocument>),
    /// An output without outcomes, as `d{}`.
    None {
        kind: &'static str,
        outcomes: [(); 0],
    },
}

impl OutputsDocument {
    /// The outputs, in their order.
    pub fn new(answers: &NamedAnswers, asked: &Questions) -> Self {
        Self::of(answers, |odds| {
            Odds::Some(Box::new(OddsDocument::new(odds, asked)))
        })
    }

    /// Sampled outputs, in their order.
    pub fn sampled(answers: &NamedAnswers, run: &Run, asked: &Questions) -> Self {
        Self::of(answers, |odds| {
            Odds::Sampled(Box::new(SimulationDocument::new(odds, run, asked)))
        })
    }

    fn of(answers: &NamedAnswers, odds: impl Fn(&Distribution) -> Odds) -> Self {
        let entry = |named: &NamedAnswer| OutputEntry {
            name: named.name.clone(),
            odds: match &named.answer.result {
                Some(result) => odds(result),
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
