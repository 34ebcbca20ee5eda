//! Choices on a terminal: shows the execution so far, and asks for each option that is not decided
//! yet.

use super::advised::{Made, Make};
use super::steps::report_before;
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use dicec_compiler::unstable::{Answered, Asked};
use dicec_compiler::{Bound, Choice, ScriptSession};
use std::io::{self, BufRead};

/// A player who is asked.
pub(super) struct Player<'p> {
    bound: &'p Bound,
    /// Whether some of the rolls are remembered ones.
    again: bool,
    /// How many bytes of the report the player has seen.
    pub(super) shown: usize,
}

impl<'p> Player<'p> {
    pub(super) fn new(bound: &'p Bound, again: bool) -> Self {
        let shown = 0;
        Self {
            bound,
            again,
            shown,
        }
    }

    /// Asks for all open options, each after what happened before it, and executes the roll with
    /// every choice. At the end of the input, the rest stays open.
    ///
    /// # Errors
    /// An execution that fails, or a terminal that is gone.
    pub(super) fn ask_all(
        &mut self,
        make: &mut Make<'_>,
        mut made: Made,
        session: &mut ScriptSession,
    ) -> Result<Made, CliError> {
        loop {
            let Made { played, advice } = &made;
            let mut options = played.options.iter().enumerate();
            let open = options.find(|(_, asked)| session.choice(&asked.path).is_none());
            let Some((place, asked)) = open else {
                return Ok(made);
            };
            let text = report_before(self.bound, (played, advice), self.again, place);
            output::print(text.get(self.shown..).unwrap_or(&text))?;
            self.shown = text.len();
            if let Some(Some(advice)) = advice.get(place) {
                output::print(&format!("  {advice}\n"))?;
            }
            let Some(choice) = ask(asked, &mut io::stdin().lock(), &mut output::print)? else {
                output::print("\n")?;
                return Ok(made);
            };
            session.choose(&asked.path, choice);
            made = make(session)?;
        }
    }
}

/// Asks until there is an answer; an empty line leaves it as it is. None at the end of the input.
fn ask(
    asked: &Asked,
    input: &mut impl BufRead,
    say: &mut impl FnMut(&str) -> Result<(), CliError>,
) -> Result<Option<Choice>, CliError> {
    loop {
        say(&question(asked))?;
        let mut line = String::new();
        let read = input.read_line(&mut line).map_err(|error| {
            let message = format!("cannot read the answer: {error}");
            CliError::from(Finding::general(FileCode::Unreadable.as_str(), message))
        })?;
        if read == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            return Ok(Some(as_it_is(&asked.answer)));
        }
        match asked.choice(line.trim()) {
            Ok(choice) => return Ok(Some(choice)),
            Err(error) => {
                let help = error.help().map(|help| format!(": {help}"));
                say(&format!("  {error}{}\n", help.unwrap_or_default()))?;
            }
        }
    }
}

/// The choice that an answer is already.
fn as_it_is(answer: &Answered) -> Choice {
    match answer {
        Answered::Taken(taken) => Choice::Taken(*taken),
        Answered::Number { chosen, .. } => Choice::Number(*chosen),
        Answered::OneOf { answers, chosen } => {
            Choice::Answer(answers.get(*chosen).cloned().unwrap_or_default())
        }
    }
}

/// The question, and what may be answered.
fn question(asked: &Asked) -> String {
    let who = match asked.who.as_str() {
        "" => String::new(),
        who => format!("{who}: "),
    };
    let offered = match &asked.answer {
        Answered::Taken(false) => "yes or no, Enter for no".to_owned(),
        Answered::Taken(true) => "yes or no, Enter for yes".to_owned(),
        Answered::Number { bounds, chosen } => {
            format!("{} to {}, Enter for {chosen}", bounds[0], bounds[1])
        }
        Answered::OneOf { answers, chosen } => {
            let answers = (1..).zip(answers);
            let numbered = answers.map(|(number, answer)| format!("{number} {answer}"));
            let numbered: Vec<String> = numbered.collect();
            format!("{}; Enter for {}", numbered.join(", "), chosen + 1)
        }
    };
    format!("? {who}{} [{offered}] ", asked.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_asked_for_again() {
        let asked = Asked {
            path: "r".to_owned(),
            who: "Ayla".to_owned(),
            text: "Which target?".to_owned(),
            answer: Answered::OneOf {
                answers: ["goblin", "goblin king", "orc"].map(str::to_owned).to_vec(),
                chosen: 0,
            },
        };
        let answer = |typed: &str| {
            let mut said = String::new();
            let mut say = |text: &str| {
                said.push_str(text);
                Ok(())
            };
            let choice = ask(&asked, &mut typed.as_bytes(), &mut say).expect("a choice");
            (choice, said)
        };
        let chosen = |text: &str| Some(Choice::Answer(text.to_owned()));
        let question = "? Ayla: Which target? [1 goblin, 2 goblin king, 3 orc; Enter for 1] ";
        assert_eq!(answer("\n"), (chosen("goblin"), question.to_owned()));
        assert_eq!(answer("3\n").0, chosen("orc"));
        assert_eq!(answer("KING\n").0, chosen("goblin king"));
        assert_eq!(answer(""), (None, question.to_owned()));
        let (choice, said) = answer("gob\norc\n");
        assert_eq!(choice, chosen("orc"));
        let wrong = "  2 answers of the option \"Which target?\" match \"gob\": \
                     write more of one of them: \"goblin\", \"goblin king\"\n";
        assert_eq!(said, format!("{question}{wrong}{question}"));
    }
}
