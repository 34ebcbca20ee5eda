//! A row of a table as it was read.

use crate::ArrayRef;
use csv::ByteRecord;
use dicec_compiler::unstable::Field;
use serde_json::Value;
use std::sync::Arc;

/// A row whose buffers are larger than this gives them back.
const MAX_KEPT_BYTES: usize = 1 << 16;

/// The approximate size of a row besides its text.
const ROW_BYTES: usize = 96;

/// The error in a row as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowFault {
    /// It has more or fewer cells than the header.
    Cells {
        /// How many it has.
        found: usize,
    },
    /// A cell is not UTF-8.
    NotText {
        /// The column, from 0.
        column: usize,
    },
    /// An object has a field that none of the first ones has, which decided the columns.
    NewField {
        /// The field.
        name: String,
    },
}

/// One row.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub(super) cells: ByteRecord,
    pub(super) line: u64,
    /// Of a table in several files, which one it is in, from 0.
    file: usize,
    fault: Option<RowFault>,
    /// Of a row of values, as in JSON, whether each cell is a text, rather than the JSON of another
    /// value.
    is_text: Option<Vec<bool>>,
    /// Of a row of Arrow, the columns that it was read from, and its place in them.
    arrays: Option<(Arc<[ArrayRef]>, usize)>,
    /// Its share of the bytes that those columns keep in memory.
    share: u64,
}

impl crate::Row for Record {
    /// Rows that are not UTF-8 are not worked out.
    fn cell(&self, column: usize) -> &str {
        let cell = self.cells.get(column).unwrap_or_default();
        str::from_utf8(cell).unwrap_or("")
    }
}

/// A row of these cells, of no file.
impl<'c> FromIterator<&'c str> for Record {
    fn from_iter<I: IntoIterator<Item = &'c str>>(cells: I) -> Self {
        Self {
            cells: cells.into_iter().collect(),
            ..Self::default()
        }
    }
}

impl Record {
    /// The line that it begins in, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The file that it is in, from 0, of a table in several.
    pub fn file(&self) -> usize {
        self.file
    }

    /// Sets the file that it is in.
    pub fn set_file(&mut self, file: usize) {
        self.file = file;
    }

    /// The line and the column's number of a cell, from 1. An object's cells are not in columns.
    pub fn place(&self, column: usize) -> (u64, u64) {
        match self.is_text {
            Some(_) => (self.line, 1),
            None => (self.line, column as u64 + 1),
        }
    }

    /// The error in it as a whole.
    pub fn fault(&self) -> Option<&RowFault> {
        self.fault.as_ref()
    }

    /// The number of its cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The bytes of a cell, counted from 0; none if the row ends before it.
    pub fn get(&self, column: usize) -> Option<&[u8]> {
        self.cells.get(column)
    }

    /// Whether its cells are values, as in JSON, rather than text that may be anything.
    pub fn is_of_values(&self) -> bool {
        self.is_text.is_some()
    }

    /// The value of a cell in a row of values that is not a text.
    pub fn value(&self, column: usize) -> Option<Value> {
        match self.is_text.as_ref()?.get(column) {
            Some(true) => None,
            _ => match self.cells.get(column).unwrap_or_default() {
                b"" => Some(Value::Null),
                json => serde_json::from_slice(json).ok(),
            },
        }
    }

    /// The column of Arrow that a cell was read from, and its place there, if it was.
    pub fn array(&self, column: usize) -> Option<(&ArrayRef, usize)> {
        let (arrays, place) = self.arrays.as_ref()?;
        Some((arrays.get(column)?, *place))
    }

    /// Makes it a row of Arrow, without cells yet: the one at this place of these columns, of whose
    /// memory this is its share.
    #[cfg(feature = "columns")]
    pub(super) fn begin_in(
        &mut self,
        line: u64,
        arrays: &Arc<[ArrayRef]>,
        place: usize,
        share: u64,
    ) {
        self.begin(line);
        self.share = share;
        self.arrays = Some((Arc::clone(arrays), place));
    }

    /// Makes it a row of values, without cells yet.
    fn begin(&mut self, line: u64) {
        self.line = line;
        self.fault = None;
        self.arrays = None;
        self.share = 0;
        self.cells.clear();
        self.is_text.get_or_insert_default().clear();
    }

    /// Adds a cell to a row of values: a text.
    pub(super) fn push_text(&mut self, text: &str) {
        self.push(text, true);
    }

    /// Adds a cell to a row of values: the JSON of a value that is not a text; empty if there is
    /// none.
    pub(super) fn push_json(&mut self, json: &str) {
        self.push(json, false);
    }

    fn push(&mut self, cell: &str, is_text: bool) {
        self.cells.push_field(cell.as_bytes());
        self.is_text.get_or_insert_default().push(is_text);
    }

    /// Makes it a row of JSON.
    pub(super) fn set(&mut self, line: u64, cells: &[Field], fault: Option<RowFault>) {
        self.begin(line);
        self.fault = fault;
        for cell in cells {
            match cell {
                Field::Null => self.push_json(""),
                Field::Bool(truth) => self.push_json(&truth.to_string()),
                Field::Number(number) => self.push_json(&number.to_string()),
                Field::Text(text) => self.push_text(text),
                Field::List(list) => self.push_json(&Value::Array(list.clone()).to_string()),
            }
        }
    }

    /// Its approximate size in memory, with its share of the columns that it was read from.
    pub fn bytes(&self) -> u64 {
        let own = self.text_bytes() + self.cells.len() * size_of::<usize>() + ROW_BYTES;
        own as u64 + self.share
    }

    /// The bytes of its cells.
    pub(super) fn text_bytes(&self) -> usize {
        self.cells.as_slice().len()
    }

    /// Gives large buffers back.
    pub(super) fn shrink(&mut self) {
        if self.cells.as_slice().len() > MAX_KEPT_BYTES {
            self.cells = ByteRecord::new();
        }
    }

    /// Checks it against a table with this many columns.
    pub(super) fn judge(&mut self, columns: usize) {
        if self.is_text.is_some() {
            return;
        }
        self.fault = if self.cells.len() != columns {
            let found = self.cells.len();
            Some(RowFault::Cells { found })
        } else if self.cells.as_slice().is_ascii() {
            // Text that is valid as a whole need not be so cell by cell, unless it is ASCII.
            None
        } else {
            let mut cells = self.cells.iter();
            let wrong = cells.position(|cell| str::from_utf8(cell).is_err());
            wrong.map(|column| RowFault::NotText { column })
        };
    }
}
