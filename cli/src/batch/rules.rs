//! The expressions of a batch: those of `-e`, the same for each row ([`Fixed`]), and those that stand in the table
//! ([`Texts`]). Both turn a row into a [`Ticket`], as a roll of a script does.

use super::answer::Numbers;
use super::cell;
use super::columns::{Columns, Input};
use super::memo::{Memo, Solved};
use super::questions::{NoTicket, Ticket};
use super::solve::{Expression, Job, Solver};
use crate::error::CliError;
use csv::ByteRecord;
use dicec_compiler::{Compiler, Program};
use rustc_hash::FxHashMap;

/// Distinct texts that are kept, at most; then all are forgotten. Each may hold native code for a while, too.
const MOST_TEXTS: usize = 10_000;

/// Bytes of distinct texts that are kept, at most. Their trees take many times as much.
const MOST_TEXT_BYTES: usize = 1 << 20;

/// What both kinds of expression remember.
struct Tuples {
    inputs: Vec<Input>,
    memo: Memo,
    /// The tuple of the row at hand; kept to save an allocation a row.
    tuple: Vec<i64>,
}

impl Tuples {
    fn new(inputs: Vec<Input>) -> Self {
        Self {
            memo: Memo::new(inputs.len()),
            tuple: Vec::with_capacity(inputs.len()),
            inputs,
        }
    }

    fn number(&mut self, cells: &ByteRecord) -> Result<u32, NoTicket> {
        self.tuple.clear();
        for input in &self.inputs {
            self.tuple.push(match *input {
                Input::Value(value) => value,
                Input::Column(column) => cell::integer(cells.get(column).unwrap_or_default())
                    .map_err(|why| NoTicket::Cell { column, why })?,
            });
        }
        Ok(self.memo.number(&self.tuple))
    }
}

/// An expression of `-e`, compiled once for the whole table.
pub(super) struct Fixed<'p> {
    name: &'p str,
    expression: Expression<'p>,
    tuples: Tuples,
}

impl<'p> Fixed<'p> {
    /// The expression for a table with these columns.
    ///
    /// # Errors
    /// A column that it reads and that is not there.
    pub(super) fn new(
        name: &'p str,
        program: &'p Program,
        numbers: Numbers,
        columns: &Columns,
    ) -> Result<Self, CliError> {
        let inputs = columns.inputs_of(program, &format!("expression {name}"))?;
        Ok(Self {
            name,
            expression: Expression::new(program, numbers),
            tuples: Tuples::new(inputs),
        })
    }

    pub(super) fn name(&self) -> &'p str {
        self.name
    }

    pub(super) fn program(&self) -> &'p Program {
        self.expression.program
    }

    /// What its numbers' columns are.
    pub(super) fn numbers(&self) -> Numbers {
        self.expression.numbers
    }

    /// How much it remembers, in tuples.
    pub(super) fn remembered(&self) -> usize {
        self.tuples.memo.weight()
    }

    /// Forgets all tuples.
    pub(super) fn forget(&mut self) {
        self.tuples.memo.clear();
    }

    pub(super) fn ticket(&mut self, cells: &ByteRecord) -> Result<Ticket, NoTicket> {
        let tuple = self.tuples.number(cells)?;
        Ok(Ticket { text: 0, tuple })
    }

    pub(super) fn job(&mut self) -> Job<'_> {
        Job {
            question: &self.expression,
            memo: &mut self.tuples.memo,
        }
    }

    pub(super) fn solved(&self, ticket: Ticket) -> &Solved {
        self.tuples.memo.get(ticket.tuple)
    }

    /// Whether any answer so far is sampled.
    pub(super) fn any_sampled(&self) -> bool {
        self.tuples.memo.any_sampled()
    }
}

/// The expressions in a column of the table, each text compiled once.
pub(super) struct Texts {
    name: String,
    column: usize,
    compiler: Compiler,
    shown: Numbers,
    /// The number of each text.
    numbers: FxHashMap<String, usize>,
    texts: Vec<Result<Text, CliError>>,
    bytes: usize,
}

struct Text {
    program: Program,
    tuples: Tuples,
}

impl Texts {
    /// The expressions of a column.
    pub(super) fn new(name: &str, column: usize, compiler: Compiler, numbers: Numbers) -> Self {
        Self {
            name: name.to_owned(),
            column,
            compiler,
            shown: numbers,
            numbers: FxHashMap::default(),
            texts: Vec::new(),
            bytes: 0,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What their numbers' columns are.
    pub(super) fn numbers(&self) -> Numbers {
        self.shown
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// How much is remembered, in tuples.
    pub(super) fn remembered(&self) -> usize {
        let texts = self.texts.iter().flatten();
        texts.map(|text| text.tuples.memo.weight()).sum()
    }

    /// Whether there are as many texts as are kept.
    pub(super) fn is_full(&self) -> bool {
        self.texts.len() >= MOST_TEXTS || self.bytes >= MOST_TEXT_BYTES
    }

    /// Forgets all texts and their tuples.
    pub(super) fn forget(&mut self) {
        self.numbers = FxHashMap::default();
        self.texts = Vec::new();
        self.bytes = 0;
    }

    pub(super) fn ticket(
        &mut self,
        cells: &ByteRecord,
        columns: &Columns,
    ) -> Result<Ticket, NoTicket> {
        let cell = cells.get(self.column).unwrap_or_default();
        // Rows that are not UTF-8 do not come here.
        let written = str::from_utf8(cell).unwrap_or_default().trim();
        let number = match self.numbers.get(written) {
            Some(number) => *number,
            None => self.compile(written, columns),
        };
        match &mut self.texts[number] {
            Ok(text) => {
                let tuple = text.tuples.number(cells)?;
                Ok(Ticket {
                    text: number,
                    tuple,
                })
            }
            Err(_) => Err(NoTicket::Text(number)),
        }
    }

    fn compile(&mut self, written: &str, columns: &Columns) -> usize {
        let program = self.compiler.rule(written);
        let program = program.map_err(|found| CliError::rule(&found, "", written));
        let text = program.and_then(|program| {
            let inputs = columns.inputs_of(&program, "")?;
            Ok(Text {
                program,
                tuples: Tuples::new(inputs),
            })
        });
        let number = self.texts.len();
        self.texts.push(text);
        self.numbers.insert(written.to_owned(), number);
        self.bytes += written.len();
        number
    }

    /// Works out what is pending. The samplers live as long as this takes: thousands of texts' native code is not kept.
    pub(super) fn solve(&mut self, solver: &Solver) {
        let pending = |text: &&mut Text| !text.tuples.memo.pending().is_empty();
        let texts: Vec<&mut Text> = self.texts.iter_mut().flatten().filter(pending).collect();
        let shown = self.shown;
        let (expressions, memos): (Vec<Expression<'_>>, Vec<&mut Memo>) = texts
            .into_iter()
            .map(|text| (Expression::new(&text.program, shown), &mut text.tuples.memo))
            .unzip();
        let jobs = expressions.iter().zip(memos);
        let mut jobs: Vec<Job<'_>> = jobs
            .map(|(question, memo)| Job { question, memo })
            .collect();
        solver.solve(&mut jobs);
    }

    /// The program of a ticket and its answer.
    pub(super) fn solved(&self, ticket: Ticket) -> (&Program, &Solved) {
        match &self.texts[ticket.text] {
            Ok(text) => (&text.program, text.tuples.memo.get(ticket.tuple)),
            Err(_) => unreachable!("a wrong text has no tickets"),
        }
    }

    /// What is wrong with a text that [`NoTicket::Text`] numbers.
    pub(super) fn error(&self, number: usize) -> &CliError {
        match &self.texts[number] {
            Ok(_) => unreachable!("a good text has tickets"),
            Err(error) => error,
        }
    }

    /// Whether any answer so far is sampled.
    pub(super) fn any_sampled(&self) -> bool {
        let mut texts = self.texts.iter().flatten();
        texts.any(|text| text.tuples.memo.any_sampled())
    }
}
