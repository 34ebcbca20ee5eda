//! AnyDice programs as questions, in a column (`rules`) or one whose variables are swept (`swept`).
//!
//! A program with one output has the columns of a rule that gives a number; one with several, or
//! one that is swept and names its output, has columns for each of them, by its name. The first row
//! that has an answer decides which.

use crate::answer::{Answer, Odds};
use crate::columns::Input;
use crate::memo::Solved;
use crate::wanted::Numbers;
use dicec_compiler::AnyDice;
use dicec_compiler::answer::{Answer as RollAnswer, Statistic};
use dicec_compiler::unstable::AnyDiceOutputs;
use dicec_runtime::driver::Control;
use dicec_runtime::pmf::Limits;
use std::sync::Arc;

/// The global variables of programs that get their values from outside.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// Columns that give the variable of their name its value, in programs that have one.
    pub columns: Vec<(String, usize)>,
    /// Values that are the same in all rows.
    pub given: Vec<(String, i64)>,
}

/// The name of an only output that the program does not name.
const UNNAMED: &str = "output 1";

/// How cells with AnyDice programs are read.
#[derive(Clone, Debug, Default)]
pub struct AnyDiceCells {
    /// Whether every cell is a program; otherwise those that plainly are.
    pub is_every: bool,
    /// The variables that columns give values.
    pub variables: Variables,
}

/// A program as a question.
pub(crate) struct Outputs {
    program: AnyDice,
    /// The variables that a tuple gives values.
    variables: Vec<String>,
    /// Those with values that are the same for all tuples.
    given: Vec<(String, i64)>,
    /// Whether all rows have this program.
    is_swept: bool,
    numbers: Numbers,
}

impl Outputs {
    /// A program, and the inputs of its tuples: of these columns those that are its variables.
    pub(crate) fn new(
        program: AnyDice,
        from: &Variables,
        numbers: Numbers,
    ) -> (Box<Self>, Vec<Input>) {
        let settable = program.settable();
        let read = from.columns.iter();
        let read = read.filter(|(name, _)| settable.contains(&name.as_str()));
        let (variables, inputs) = read
            .map(|(name, column)| (name.clone(), Input::Column(*column)))
            .unzip();
        let outputs = Self {
            program,
            variables,
            given: from.given.clone(),
            is_swept: false,
            numbers,
        };
        (Box::new(outputs), inputs)
    }

    /// The same program in all rows.
    pub(crate) fn swept(self: Box<Self>) -> Box<Self> {
        Box::new(Self {
            is_swept: true,
            ..*self
        })
    }

    pub(crate) fn program(&self) -> &AnyDice {
        &self.program
    }

    /// The columns of its numbers.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The answer for the values of the variables.
    pub(crate) fn solve(&self, tuple: &[i64], limits: &Limits, control: &Control) -> Solved {
        let names = self.variables.iter().map(String::as_str);
        let given = self
            .given
            .iter()
            .map(|(name, value)| (name.as_str(), *value));
        let given = names.zip(tuple.iter().copied()).chain(given);
        let given: Vec<(&str, i64)> = given.collect();
        let outputs = self.program.outputs(&given, limits, control);
        Ok(self.reduced(outputs.map_err(Box::new)?))
    }

    /// The numbers of the columns.
    fn reduced(&self, outputs: AnyDiceOutputs) -> Answer {
        let notes: Arc<[_]> = outputs.notes.iter().cloned().collect();
        let answers = outputs.answers.iter();
        let mut results = answers.map(|named| named.answer.result.clone());
        let mut answer = match &outputs.headings[..] {
            [heading] if !self.is_swept || heading == UNNAMED => {
                let result = results.next().flatten();
                let found = result.map_or_else(RollAnswer::empty, RollAnswer::of_odds);
                let answer = Answer::new(found, &self.numbers, false, false);
                match heading.as_str() {
                    UNNAMED => answer,
                    name => answer.of_output(name),
                }
            }
            headings => {
                let stats = headings.iter().zip(results);
                let stats = stats.map(|(heading, odds)| Statistic {
                    name: heading.clone(),
                    per_trial: 1.0,
                    odds,
                    error: None,
                });
                let mut found = RollAnswer::empty();
                found.stats = stats.collect();
                let answer = Answer::new(found, &self.numbers, false, true);
                Answer {
                    odds: Odds::Outputs,
                    ..answer
                }
            }
        };
        answer.notes = (!notes.is_empty()).then_some(notes);
        answer
    }
}

/// The names of the outputs that an answer has columns for; none if they are those of a rule.
pub(crate) fn names(answer: &Answer) -> Vec<String> {
    let events = answer.events.as_ref();
    let events = events.filter(|_| answer.odds == Odds::Outputs);
    let stats = events.map(|events| events.stats.iter().map(|stat| stat.name.clone()));
    stats.map_or_else(Vec::new, Iterator::collect)
}

/// The outputs that have columns, once a row has decided it.
#[derive(Default)]
pub(crate) struct Decided(Option<Vec<String>>);

impl Decided {
    /// Takes the answers of a block in their order; the first one of all decides.
    pub(crate) fn take<'s>(&mut self, mut solved: impl Iterator<Item = &'s Solved>) {
        if self.0.is_none() {
            let first = solved.find_map(|solved| solved.as_ref().ok());
            self.0 = first.map(names);
        }
    }

    /// The names of the outputs with columns; none if the columns are those of a rule.
    pub(crate) fn names(&self) -> &[String] {
        self.0.as_deref().unwrap_or_default()
    }
}
