//! The roll of a script in a batch: columns give its parameters, parts of them, and its resources. A row becomes a tuple of
//! numbers: that of each column's value among those seen so far, then its resources.

use super::answer::{Answer, Numbers};
use super::cell;
use super::columns::{Columns, Input};
use super::memo::{Memo, Solved};
use super::questions::{NoTicket, Ticket};
use super::solve::{Job, Question};
use super::source::Row;
use crate::error::{CliError, FileCode, Finding};
use crate::script::{DecisionArgs, Described, Loaded, Varying};
use csv::ByteRecord;
use dicec_compiler::answer::Answer as RollAnswer;
use dicec_compiler::hir::Kind;
use dicec_compiler::hir::{Data, Type};
use dicec_compiler::{ArgumentError, ArgumentErrors, Bound, Failure};
use dicec_runtime::resource::ResourceTable;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Bytes of distinct values that are kept, at most; then all are forgotten, with the answers.
const MOST_VALUE_BYTES: usize = 16 << 20;

/// A value that is not there: the cell is empty, and nothing is known to stand for it.
const NOTHING: i64 = -1;

/// A roll that is asked of each row.
pub(super) struct Scripted<'s> {
    name: String,
    roll: Roll<'s>,
    /// For each resource its input, and what stands for an empty cell.
    inputs: Vec<(Input, Option<i64>)>,
    /// What the parts hold in rows whose cells are empty, by number.
    shared: Vec<i64>,
    memo: Memo,
    /// The tuple of the row at hand; kept to save an allocation a row.
    tuple: Vec<i64>,
}

/// The roll as a question.
struct Roll<'s> {
    loaded: &'s Loaded,
    varying: Varying<'s>,
    decisions: &'s DecisionArgs,
    kind: Option<Kind>,
    numbers: Numbers,
    described: Described,
    values: Values,
}

/// The values of cells, each once.
#[derive(Default)]
struct Values {
    values: Vec<Value>,
    /// By their JSON text.
    numbers: FxHashMap<String, i64>,
    bytes: usize,
}

impl Values {
    fn number(&mut self, value: Value) -> i64 {
        let text = value.to_string();
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let number = i64::try_from(self.values.len()).unwrap_or(i64::MAX);
        // The tree takes a few times as much as the text.
        self.bytes += 8 * text.len();
        self.values.push(value);
        self.numbers.insert(text, number);
        number
    }

    fn get(&self, number: i64) -> Option<&Value> {
        self.values.get(usize::try_from(number).ok()?)
    }
}

impl<'s> Scripted<'s> {
    /// The roll for a table with these columns; notes tell of columns that were perhaps meant for it.
    ///
    /// # Errors
    /// Columns that name no part of a parameter; arguments and resources that nothing gives, and arguments that no row can mend.
    pub(super) fn new(
        name: &str,
        loaded: &'s Loaded,
        varying: Varying<'s>,
        decisions: &'s DecisionArgs,
        numbers: Numbers,
        columns: &Columns,
    ) -> Result<Self, CliError> {
        let resources = loaded.script.resources();
        decisions.check(&loaded.script)?;
        let mut findings = never_right(&varying, columns);
        let inputs = match columns.inputs(resources, |span| loaded.place(span)) {
            Ok(inputs) => inputs,
            Err(error) => {
                findings.extend(error.findings);
                Vec::new()
            }
        };
        if !findings.is_empty() {
            return Err(CliError { findings });
        }
        let flags = resources.iter().map(|used| columns.flag(&used.name));
        let mut scripted = Self {
            name: name.to_owned(),
            memo: Memo::new(varying.parts().len() + inputs.len()),
            inputs: inputs.into_iter().zip(flags).collect(),
            shared: Vec::new(),
            tuple: Vec::new(),
            roll: Roll {
                loaded,
                described: Described::new(&loaded.script, varying.roll()),
                kind: varying.roll().kind(),
                numbers,
                varying,
                decisions,
                values: Values::default(),
            },
        };
        scripted.forget();
        Ok(scripted)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What its numbers' columns are.
    pub(super) fn numbers(&self) -> Numbers {
        self.roll.numbers
    }

    /// What the roll returns; none for nothing.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.roll.kind
    }

    /// The names of its statistics.
    pub(super) fn stats(&self) -> &[String] {
        &self.roll.described.stats
    }

    /// The templates of its lines, in written order.
    pub(super) fn templates(&self) -> &[String] {
        &self.roll.described.lines
    }

    /// How much it remembers, in tuples.
    pub(super) fn remembered(&self) -> usize {
        self.memo.weight()
    }

    pub(super) fn is_full(&self) -> bool {
        self.roll.values.bytes >= MOST_VALUE_BYTES
    }

    /// Forgets all tuples and values.
    pub(super) fn forget(&mut self) {
        self.memo.clear();
        let (varying, mut values) = (&self.roll.varying, Values::default());
        let shared = (0..varying.parts().len()).map(|part| varying.shared(part));
        self.shared = shared
            .map(|value| value.map_or(NOTHING, |value| values.number(value)))
            .collect();
        self.roll.values = values;
    }

    pub(super) fn ticket(&mut self, cells: &ByteRecord) -> Result<Ticket, NoTicket> {
        self.tuple.clear();
        let cell = |column| cells.get(column).unwrap_or_default();
        for (part, shared) in self.roll.varying.parts().iter().zip(&self.shared) {
            let value = value(part.ty(), cell(part.column));
            let number = |value| self.roll.values.number(value);
            self.tuple.push(value.map_or(*shared, number));
        }
        for (input, flag) in &self.inputs {
            self.tuple.push(match (*input, flag) {
                (Input::Value(value), _) => value,
                (Input::Column(column), Some(flag)) if cell(column).trim_ascii().is_empty() => {
                    *flag
                }
                (Input::Column(column), _) => {
                    cell::integer(cell(column)).map_err(|why| NoTicket::Cell { column, why })?
                }
            });
        }
        let tuple = match self.memo.find(&self.tuple) {
            Some(tuple) => tuple,
            None if self.roll.arguments(&self.tuple).is_err() => return Err(NoTicket::Arguments),
            None => self.memo.number(&self.tuple),
        };
        Ok(Ticket { text: 0, tuple })
    }

    pub(super) fn job(&mut self) -> Job<'_> {
        Job {
            question: &self.roll,
            memo: &mut self.memo,
        }
    }

    pub(super) fn solved(&self, ticket: Ticket) -> &Solved {
        self.memo.get(ticket.tuple)
    }

    /// Whether any answer so far is sampled.
    pub(super) fn any_sampled(&self) -> bool {
        self.memo.any_sampled()
    }

    /// Why the roll has no answer, as an error of the script.
    pub(super) fn failed(&self, why: &Failure) -> CliError {
        self.roll.loaded.failed(why)
    }

    /// What is wrong with the arguments that a row's cells make.
    pub(super) fn wrong_arguments(&self, path: &str, row: &Row) -> Vec<Finding> {
        let varying = &self.roll.varying;
        let cell = |column| row.cells.get(column).unwrap_or_default();
        let values = varying.parts().iter().enumerate();
        let values: Vec<(usize, Value)> = values
            .filter_map(|(at, part)| Some((at, value(part.ty(), cell(part.column))?)))
            .collect();
        let values = values.iter().map(|(at, value)| (*at, value));
        let errors = varying.arguments(values).err();
        let errors = errors.map_or_else(Vec::new, |errors| errors.0);
        let finding = |error: &ArgumentError| {
            let part = varying.part_of(&error.path);
            let column = part.map_or(1, |part| part.column as u64 + 1);
            let not_json = part.and_then(|part| not_json(part.ty(), cell(part.column)));
            let help = not_json.unwrap_or_else(|| varying.advice(error));
            let place = Some((row.line, column));
            Finding::in_file(
                FileCode::BadArguments.as_str(),
                path,
                place,
                error.to_string(),
            )
            .help(help)
        };
        errors.iter().map(finding).collect()
    }
}

/// What no row can mend, told of the table where a column would.
fn never_right(varying: &Varying<'_>, columns: &Columns) -> Vec<Finding> {
    let finding = |error: &ArgumentError| match error.found.as_str() {
        // Nothing is there, and no column gives it.
        "nothing" => columns.no_column(
            &error.path,
            &format!(
                "give it with --args or --set; its type is {}",
                error.expected
            ),
        ),
        _ => varying.finding(error),
    };
    varying.never_right().iter().map(finding).collect()
}

/// A cell's value. Rows that are not UTF-8 do not come here.
fn value(ty: &Type, cell: &[u8]) -> Option<Value> {
    cell::value(ty, str::from_utf8(cell).unwrap_or_default())
}

/// Why a cell is not the list or the record that it is meant to be.
fn not_json(ty: &Type, cell: &[u8]) -> Option<String> {
    let cell = cell.trim_ascii();
    if !matches!(ty, Type::List(_) | Type::Record(_)) || cell.is_empty() {
        return None;
    }
    let error = serde_json::from_slice::<Value>(cell).err()?;
    Some(format!("the cell is no JSON: {error}"))
}

impl<'s> Roll<'s> {
    fn arguments(&self, tuple: &[i64]) -> Result<Vec<Data>, ArgumentErrors> {
        let parts = tuple.iter().take(self.varying.parts().len()).enumerate();
        let values = parts.filter_map(|(at, number)| Some((at, self.values.get(*number)?)));
        self.varying.arguments(values)
    }

    fn bind(&self, tuple: &[i64]) -> Result<Bound, Failure> {
        let Ok(arguments) = self.arguments(tuple) else {
            unreachable!("wrong arguments have no tickets");
        };
        let mut table = ResourceTable::new();
        let values = tuple.iter().skip(self.varying.parts().len());
        let resources = self.loaded.script.resources();
        for (used, value) in resources.iter().zip(values) {
            table.set(used.name.clone(), *value);
        }
        let bound = self.varying.roll().bind(arguments, &table)?;
        Ok(self.decisions.decided(bound)?)
    }
}

impl Question for Roll<'_> {
    fn bound(&self, tuple: &[i64]) -> Result<Bound, Failure> {
        self.bind(tuple)
    }

    fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Without the statistics of other rolls.
    fn reduced(&self, mut answer: RollAnswer, is_sampled: bool) -> Answer {
        let known = &self.described.stats;
        answer.stats.retain(|stat| known.contains(&stat.name));
        Answer::new(answer, self.numbers, is_sampled, true)
    }

    /// Rolls whose arguments differ in numbers and texts alone are of one shape.
    fn shape(&self, tuple: &[i64]) -> Option<Vec<i64>> {
        let mut shape = Vec::new();
        let arguments = self.arguments(tuple).ok()?;
        arguments.iter().for_each(|data| shape_of(data, &mut shape));
        Some(shape)
    }
}

/// What is left of a value without its numbers and texts.
fn shape_of(data: &Data, shape: &mut Vec<i64>) {
    match data {
        Data::Int(_) | Data::Float(_) | Data::Text(_) => {}
        Data::Bool(truth) => shape.push(i64::from(*truth)),
        Data::Degree(rung) => shape.push(*rung),
        Data::Record(parts) => parts.iter().for_each(|part| shape_of(part, shape)),
        Data::List(parts) => {
            shape.push(parts.len() as i64);
            parts.iter().for_each(|part| shape_of(part, shape));
        }
    }
}
