//! A refuted answer, as the failure that replaces it.

use super::compare::Disagreement;
use super::wrong_answer::WrongAnswer;
use crate::answer::Checked;
use crate::program::bind::Bound;
use crate::program::failure::Failure;

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
