//! The tuples of resources that the rows of a table give a rule.

use crate::Row;
use crate::cell;
use crate::columns::Input;
use crate::index::NoIndex;
use crate::memo::Memo;

/// The memo of rules: an answer for each tuple of resources.
pub(crate) struct Tuples {
    pub(crate) inputs: Vec<Input>,
    pub(crate) memo: Memo,
    /// The tuple of the row at hand; kept to save an allocation a row.
    tuple: Vec<i64>,
}

impl Tuples {
    pub(crate) fn new(inputs: Vec<Input>) -> Self {
        Self {
            memo: Memo::new(inputs.len()),
            tuple: Vec::with_capacity(inputs.len()),
            inputs,
        }
    }

    /// The number of the row's tuple.
    pub(crate) fn number(&mut self, row: &dyn Row) -> Result<u32, NoIndex> {
        self.tuple.clear();
        for input in &self.inputs {
            self.tuple.push(match *input {
                Input::Value(value) => value,
                Input::Column(column) => cell::integer(row.cell(column).as_bytes())
                    .map_err(|why| NoIndex::Cell { column, why })?,
            });
        }
        Ok(self.memo.number(&self.tuple))
    }
}
