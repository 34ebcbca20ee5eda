//! The profile of a vector form: intervals from sample trials. It decides about later forms, such
//! as 8-bit lanes ([`super::bytes`]). `eval` collects it with a fixed seed, so a form still depends
//! only on the program and its arguments.

use crate::analysis::Interval;
use crate::ir::Value;

/// A profile; empty if no trials were run.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The intervals of the whole numbers that trials passed to loops that they reached.
    pub params: Vec<(Value, Interval)>,
}
