//! A number in a document.

use dicec_runtime::scale::Scale;
use serde::Serialize;

/// A whole number or a float.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// A whole one.
    Whole(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number that an outcome stands for.
    pub fn new(scale: Scale, outcome: i64) -> Self {
        match scale {
            Scale::Whole => Self::Whole(outcome),
            Scale::Float => Self::Float(scale.number(outcome)),
        }
    }
}
