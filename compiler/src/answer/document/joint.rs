//! The odds of several parts of a result together as a document.

use super::odds::{GivenEntry, Value};
use crate::answer::{Answer, Checked, JointOdds};
use serde::Serialize;

/// The odds of parts of a roll's result together: the output of `dicec odds FILE.dice --joint
/// --json`.
#[derive(Clone, Debug, Serialize)]
pub struct JointDocument {
    /// The name of the roll.
    roll: String,
    /// What players see.
    label: String,
    joint: JointEntry,
    /// The condition that they are given; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<GivenEntry>,
    /// The check that they have passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

/// The odds.
#[derive(Clone, Debug, Serialize)]
struct JointEntry {
    /// The names of the parts, in the order of the question.
    parts: Vec<String>,
    /// The sum of the weights, in decimal digits; null if the weights are not whole.
    denominator: Option<String>,
    /// Every possible combination, ascending.
    outcomes: Vec<CombinationEntry>,
    /// A bound on the probability of the rolls that are left out.
    left_out: f64,
    /// The relative error of each probability, at most: 0 for whole weights.
    error_bound: Option<f64>,
}

/// One combination.
#[derive(Clone, Debug, Serialize)]
struct CombinationEntry {
    /// The value of each part, in their order.
    values: Vec<Value>,
    /// Its probability.
    p: f64,
    /// How many of the `denominator` equally likely rolls give it, in decimal digits.
    weight: Option<String>,
}

impl JointDocument {
    /// The odds of parts of an answer about a roll, given its name and its label.
    pub fn new((roll, label): (&str, &str), odds: &JointOdds, answer: &Answer) -> Self {
        let exactness = odds.exactness();
        let combinations = odds.outcomes().map(|(values, outcome)| CombinationEntry {
            values: odds
                .parts
                .iter()
                .zip(values)
                .map(|(part, value)| Value::new(&part.odds, *value))
                .collect(),
            p: outcome.p,
            weight: outcome.weight.map(|weight| weight.to_string()),
        });
        Self {
            roll: roll.to_owned(),
            label: label.to_owned(),
            joint: JointEntry {
                parts: odds.parts.iter().map(|part| part.name.clone()).collect(),
                denominator: exactness.denominator().map(ToString::to_string),
                outcomes: combinations.collect(),
                left_out: exactness.left_out(),
                error_bound: exactness.error_bound().filter(|bound| bound.is_finite()),
            },
            given: answer.given.as_ref().map(GivenEntry::new),
            check: answer.checked,
        }
    }
}
