//! Reads features from JSON, in all dialects in which they are written.

mod change;
mod condition;
mod contradiction;
mod duration;
mod effect;
mod feature;
mod members;
mod phrase;
mod recharge;
mod trigger;

pub use feature::{read_expression, read_features};
