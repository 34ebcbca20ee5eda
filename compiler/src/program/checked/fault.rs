//! A refuted answer, as the failure that replaces it.

use super::compare::Disagreement;
use crate::answer::Checked;
use crate::program::bind::Bound;
use crate::program::failure::Failure;
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

impl Bound {
    /// The failure for a disagreement.
    pub(super) fn refuted(
        &self,
        found: Disagreement,
        engine: &'static str,
        (checked, seed): (Checked, Option<u64>),
    ) -> Failure {
        Failure::WrongAnswer(Box::new(WrongAnswer {
            part: found.part,
            answer: found.answer,
            check: found.trials,
            engine,
            checked,
            program: self.program().text().to_owned(),
            seed,
            command: self.verifying_command(),
        }))
    }

    /// The command that runs all checks on this program.
    fn verifying_command(&self) -> String {
        let program = self.program();
        if program.is_rule() {
            let text = program.text().replace('\'', r"'\''");
            return format!("dicec emit --verify '{text}'");
        }
        let file = program.sources().names().next().unwrap_or_default();
        let is_file = file.ends_with(".dice") || file.ends_with(".json");
        let named = match program.only_roll() {
            Some(_) => String::new(),
            None => format!(" --roll {}", self.definition().name()),
        };
        match file {
            "" => format!("dicec emit --verify FILE.dice{named}"),
            _ if is_file => format!("dicec emit --verify {file}{named}"),
            // The sides of an encounter, whose script is generated.
            sides => format!(
                "dicec encounter --emit '{sides}' > fight.dice; dicec emit --verify fight.dice"
            ),
        }
    }
}
