//! The roll of a script in a batch: columns give its parameters, parts of them, and its resources.
//! A row becomes a tuple of numbers: that of each column's value among those seen so far, then its
//! resources.

use crate::Row;
use crate::answer::Answer;
use crate::cell::{self, value};
use crate::columns::{Columns, Input};
use crate::fault::ArgumentFault;
use crate::index::{Index, NoIndex};
use crate::lines::is_of;
use crate::memo::{Memo, Solved};
use crate::solve::{Job, Posed, Question};
use crate::varying::Varying;
use crate::wanted::Numbers;
use dicec_compiler::answer::Answer as RollAnswer;
use dicec_compiler::unstable::{ArgumentError, ArgumentErrors, BindError};
use dicec_compiler::{Bound, Failure, Program};
use dicec_lang::hir::{Data, Kind, PartNote, Policy, ResourceUse, Type};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::sync::Arc;

/// Bytes of distinct values that are kept, at most; then all are forgotten, with the answers.
const MAX_VALUE_BYTES: usize = 16 << 20;

/// A missing value: the cell is empty, and there is no replacement for it.
const NOTHING: i64 = -1;

/// The reason why a roll cannot be evaluated for the rows of a table.
#[derive(Clone, Debug)]
pub struct BadRoll {
    /// Arguments that no row can make right.
    pub arguments: Vec<ArgumentError>,
    /// Resources that neither a column nor a value gives.
    pub missing: Vec<ResourceUse>,
}

/// A roll that is evaluated for each row.
pub(crate) struct Roll {
    name: String,
    question: Bindable,
    /// For each resource its input, and what replaces an empty cell.
    inputs: Vec<(Input, Option<i64>)>,
    /// What the parts hold in rows whose cells are empty, by number.
    shared: Vec<i64>,
    memo: Memo,
    /// The tuple of the row at hand; kept to save an allocation for each row.
    tuple: Vec<i64>,
}

/// The roll as a question.
struct Bindable {
    varying: Varying,
    policies: Vec<(String, Policy)>,
    numbers: Numbers,
    described: Described,
    values: Values,
    read: Read,
}

/// The arguments of the tuples that are pending.
#[derive(Default)]
struct Read {
    /// The number of the first one.
    first: usize,
    arguments: Vec<Vec<Data>>,
    /// The tuple of the last of them.
    last: Vec<i64>,
}

impl Read {
    fn get(&self, number: usize) -> Option<&Vec<Data>> {
        self.arguments.get(number.checked_sub(self.first)?)
    }
}

/// The possible lines and statistics of a roll.
struct Described {
    /// The templates of its lines, in written order.
    lines: Vec<String>,
    /// The names of its statistics, in the order of the script's, and the templates of those that
    /// are put together.
    stats: Vec<String>,
}

impl Described {
    fn new(varying: &Varying) -> Self {
        let (roll, program) = (varying.roll(), varying.roll().program());
        let mut described = program.describe().rolls;
        described.retain(|described| described.name == roll.name());
        let its_own = |stat: &&String| described.iter().any(|roll| roll.stats.contains(*stat));
        let mut stats: Vec<String> = program.stats().iter().filter(its_own).cloned().collect();
        let all = described.iter().flat_map(|roll| &roll.stats);
        let named: Vec<&String> = all.filter(|stat| !program.stats().contains(stat)).collect();
        stats.extend(named.into_iter().cloned());
        Self {
            stats,
            lines: described
                .into_iter()
                .flat_map(|roll| roll.outputs)
                .collect(),
        }
    }
}

/// The error of a result that is a text, or has a part that is one: its columns would depend on the
/// rows.
fn without_column(varying: &Varying) -> Option<ArgumentError> {
    let roll = varying.roll();
    let mut parts = roll.parts().into_iter().flat_map(|parts| &parts.all);
    let part = parts.find(|part| matches!(part.note, PartNote::Text(_)))?;
    let path = match part.name.as_str() {
        "" => format!("the result of {}", roll.name()),
        name => format!("the part {name} of the result of {}", roll.name()),
    };
    Some(ArgumentError {
        path,
        expected: "a number, a truth value or a constant of an enum".to_owned(),
        found: "a text, which has no columns".to_owned(),
        help: Some("define an enum of the texts, and return its constants".to_owned()),
        in_text: None,
    })
}

/// The values of cells, each once.
#[derive(Default)]
struct Values {
    values: Vec<Value>,
    /// By their JSON text, but for whole numbers.
    numbers: FxHashMap<String, i64>,
    whole: FxHashMap<i64, i64>,
    bytes: usize,
}

/// The approximate size of a whole number, in bytes.
const WHOLE_BYTES: usize = 64;

impl Values {
    fn number(&mut self, value: Value) -> i64 {
        let next = i64::try_from(self.values.len()).unwrap_or(i64::MAX);
        if let Some(whole) = value.as_i64() {
            let number = *self.whole.entry(whole).or_insert(next);
            if number == next {
                self.bytes += WHOLE_BYTES;
                self.values.push(value);
            }
            return number;
        }
        let text = value.to_string();
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        // The tree takes a few times as much as the text.
        self.bytes += 8 * text.len();
        self.values.push(value);
        self.numbers.insert(text, next);
        next
    }

    fn get(&self, number: i64) -> Option<&Value> {
        self.values.get(usize::try_from(number).ok()?)
    }
}

impl Roll {
    /// The roll for a table with these columns.
    ///
    /// # Errors
    /// Arguments that no row can make right, and resources that nothing gives.
    pub(crate) fn new(
        name: &str,
        varying: Varying,
        policies: &[(String, Policy)],
        numbers: Numbers,
        columns: &Columns,
    ) -> Result<Self, BadRoll> {
        let resources = varying.roll().program().resources();
        let mut arguments = varying.never_right();
        arguments.extend(without_column(&varying));
        let (inputs, missing) = match columns.inputs(resources) {
            Ok(inputs) => (inputs, Vec::new()),
            Err(missing) => (Vec::new(), missing),
        };
        if !arguments.is_empty() || !missing.is_empty() {
            return Err(BadRoll { arguments, missing });
        }
        let given = resources.iter().map(|used| columns.given(&used.name));
        let inputs: Vec<_> = inputs.into_iter().zip(given).collect();
        let mut roll = Self {
            name: name.to_owned(),
            memo: Memo::new(varying.parts().len() + inputs.len()),
            inputs,
            shared: Vec::new(),
            tuple: Vec::new(),
            question: Bindable {
                described: Described::new(&varying),
                policies: policies.to_vec(),
                numbers,
                varying,
                values: Values::default(),
                read: Read::default(),
            },
        };
        roll.forget();
        Ok(roll)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The columns of its numbers.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.question.numbers
    }

    /// The kind of the roll's result; none if it returns nothing.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.question.varying.roll().kind()
    }

    /// The names of the roll's results, if they have names.
    pub(crate) fn labels(&self) -> Arc<[String]> {
        self.question.varying.roll().labels()
    }

    /// The script.
    pub(crate) fn program(&self) -> &Program {
        self.question.varying.roll().program()
    }

    /// The roll and its arguments.
    pub(crate) fn varying(&self) -> &Varying {
        &self.question.varying
    }

    /// The names and templates of its statistics.
    pub(crate) fn stats(&self) -> &[String] {
        &self.question.described.stats
    }

    /// The templates of its lines, in written order.
    pub(crate) fn templates(&self) -> &[String] {
        &self.question.described.lines
    }

    /// How much it remembers, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        self.memo.weight()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.question.values.bytes >= MAX_VALUE_BYTES
    }

    /// Forgets all tuples and values.
    pub(crate) fn forget(&mut self) {
        self.memo.clear();
        self.question.read = Read::default();
        let (varying, mut values) = (&self.question.varying, Values::default());
        let shared = (0..varying.parts().len()).map(|part| varying.shared(part));
        self.shared = shared
            .map(|value| value.map_or(NOTHING, |value| values.number(value)))
            .collect();
        self.question.values = values;
    }

    pub(crate) fn index(&mut self, row: &dyn Row) -> Result<Index, NoIndex> {
        self.tuple.clear();
        for (part, shared) in self.question.varying.parts().iter().zip(&self.shared) {
            let value = value(part.ty(), row.cell(part.column));
            let number = |value| self.question.values.number(value);
            self.tuple.push(value.map_or(*shared, number));
        }
        for (input, given) in &self.inputs {
            self.tuple.push(match (*input, given) {
                (Input::Value(value), _) => value,
                (Input::Column(column), Some(given)) if row.cell(column).trim().is_empty() => {
                    *given
                }
                (Input::Column(column), _) => cell::integer(row.cell(column).as_bytes())
                    .map_err(|why| NoIndex::Cell { column, why })?,
            });
        }
        let tuple = match self.memo.find(&self.tuple) {
            Some(tuple) => tuple,
            None => {
                let read = match self.question.changed(&self.tuple) {
                    Some(read) => read,
                    None => {
                        let read = self.question.arguments(&self.tuple);
                        read.map_err(|_| NoIndex::Arguments)?
                    }
                };
                let pending = self.memo.pending();
                if pending.is_empty() {
                    self.question.read = Read {
                        first: pending.start,
                        ..Read::default()
                    };
                }
                self.question.read.arguments.push(read);
                self.question.read.last.clone_from(&self.tuple);
                self.memo.number(&self.tuple)
            }
        };
        Ok(Index { text: 0, tuple })
    }

    pub(crate) fn job(&mut self) -> Job<'_> {
        Job {
            question: Posed::Roll(&self.question),
            memo: &mut self.memo,
            first: 0,
        }
    }

    pub(crate) fn solved(&self, index: Index) -> &Solved {
        self.memo.get(index.tuple)
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        self.memo.any_sampled()
    }

    /// The errors in the arguments of a row.
    pub(crate) fn wrong_arguments(&self, row: &dyn Row) -> Vec<ArgumentFault> {
        let varying = &self.question.varying;
        let values = varying.parts().iter().enumerate();
        let values: Vec<(usize, Value)> = values
            .filter_map(|(at, part)| Some((at, value(part.ty(), row.cell(part.column))?)))
            .collect();
        let values = values.iter().map(|(at, value)| (*at, value));
        let Err(errors) = varying.arguments(values) else {
            return Vec::new();
        };
        let fault = |error: ArgumentError| {
            let part = varying.part_of(&error.path);
            // The text of dice is not JSON.
            let json = part.filter(|_| error.in_text.is_none());
            ArgumentFault {
                column: part.map(|part| part.column),
                not_json: json.and_then(|part| not_json(part.ty(), row.cell(part.column))),
                error,
            }
        };
        errors.into_iter().map(fault).collect()
    }
}

/// Why a cell is not the list or the record that it is meant to be.
fn not_json(ty: &Type, cell: &str) -> Option<String> {
    let cell = cell.trim();
    if !matches!(ty, Type::List(_) | Type::Record(_)) || cell.is_empty() {
        return None;
    }
    let error = serde_json::from_str::<Value>(cell).err()?;
    Some(error.to_string())
}

impl Bindable {
    /// The arguments of a tuple that differs from the last one in whole numbers only: most rows of
    /// a table do.
    fn changed(&self, tuple: &[i64]) -> Option<Vec<Data>> {
        let mut arguments = self.read.arguments.last()?.clone();
        let numbers = tuple.iter().zip(&self.read.last).enumerate();
        for (at, (number, before)) in numbers.take(self.varying.parts().len()) {
            if number != before {
                self.values.get(*before)?;
                self.varying
                    .set(at, self.values.get(*number)?, &mut arguments)?;
            }
        }
        Some(arguments)
    }

    fn arguments(&self, tuple: &[i64]) -> Result<Vec<Data>, ArgumentErrors> {
        let parts = tuple.iter().take(self.varying.parts().len()).enumerate();
        let values = parts.filter_map(|(at, number)| Some((at, self.values.get(*number)?)));
        self.varying.arguments(values)
    }
}

impl Question for Bindable {
    fn bound(&self, number: usize, tuple: &[i64]) -> Result<Bound, Failure> {
        let arguments = match self.read.get(number) {
            Some(read) => read.clone(),
            // Tuples of wrong arguments have no indices.
            None => self.arguments(tuple).map_err(BindError::from)?,
        };
        let resources = &tuple[self.varying.parts().len()..];
        let bound = self.varying.roll().bind_values(arguments, resources)?;
        let mut policies = self.policies.iter();
        Ok(policies.try_fold(bound, |bound, (option, policy)| {
            bound.with_policy(option, *policy)
        })?)
    }

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Without the statistics of other rolls.
    fn reduced(&self, mut answer: RollAnswer, is_sampled: bool) -> Answer {
        let known = &self.described.stats;
        answer.stats.retain(|stat| is_of(known, &stat.name));
        Answer::new(answer, &self.numbers, is_sampled, true)
    }

    /// The shape of arguments: rolls whose arguments differ only in numbers and texts share one.
    fn shape(&self, number: usize) -> Option<Vec<i64>> {
        let mut shape = Vec::new();
        let arguments = self.read.get(number)?.iter();
        arguments.for_each(|data| shape_of(data, &mut shape));
        Some(shape)
    }
}

/// A value without its numbers and texts.
fn shape_of(data: &Data, shape: &mut Vec<i64>) {
    match data {
        Data::Int(_) | Data::Float(_) | Data::Text(_) => {}
        Data::Bool(truth) => shape.push(i64::from(*truth)),
        Data::Named(rung) => shape.push(*rung),
        Data::Record(parts) => parts.iter().for_each(|part| shape_of(part, shape)),
        Data::List(parts) => {
            shape.push(parts.len() as i64);
            parts.iter().for_each(|part| shape_of(part, shape));
        }
    }
}
