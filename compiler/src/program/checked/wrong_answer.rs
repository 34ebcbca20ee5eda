//! An answer that its check refuted.

use crate::answer::Checked;
use std::fmt;

/// An answer that its check refuted and that is withheld: a mistake in this library.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongAnswer {
    /// The part of the answer that is wrong: `the mean`, `the chance of 18`.
    pub part: String,
    /// The answer's claim about it.
    pub answer: String,
    /// The observation of the check.
    pub check: String,
    /// The source of the answer: `exact odds`, or a back end and its sampling.
    pub engine: &'static str,
    /// The check.
    pub checked: Checked,
    /// The rule or script.
    pub program: String,
    /// The seed of the simulation, if there was one.
    pub seed: Option<u64>,
    /// The command that searches for the cause.
    pub command: String,
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            part,
            answer,
            check,
            engine,
            ..
        } = self;
        write!(
            f,
            "the answer is wrong and is not given: {part} is {answer} by {engine}, and {check} by "
        )?;
        match self.checked.replayed > 0 {
            true => write!(f, "the evaluator of the same code")?,
            false => write!(f, "the reference interpreter")?,
        }
        match self.seed {
            Some(seed) => write!(f, " (seed {seed})"),
            None => Ok(()),
        }
    }
}

impl WrongAnswer {
    /// A suggestion.
    pub fn help(&self) -> String {
        format!(
            "this is a fault of dicec, not of the rule: please report it with the rule, its \
             arguments and the output of `{}`",
            self.command
        )
    }
}
