//! Rows as objects of JSON. [`RowDocument`] is the documented format.

use super::{Layout, Sink};
use crate::document::AnswerDocument;
use crate::{Answer, Joined, LongColumns, ResultCell, ResultRow};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Writes JSON: a line for each row, or an array of them.
pub struct JsonSink<'b, W: Write> {
    output: W,
    layout: Layout<'b>,
    /// The separator before the next row of an array.
    array: Option<&'static str>,
    /// The text of one row.
    line: Vec<u8>,
}

impl<'b, W: Write> JsonSink<'b, W> {
    /// An object on each line.
    pub fn lines(output: W, layout: Layout<'b>) -> Self {
        Self {
            output,
            layout,
            array: None,
            line: Vec::new(),
        }
    }

    /// An array of objects.
    pub fn array(output: W, layout: Layout<'b>) -> Self {
        Self {
            array: Some("[\n"),
            ..Self::lines(output, layout)
        }
    }
}

impl<W: Write> JsonSink<'_, W> {
    fn object(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        if let Some(before) = &mut self.array {
            self.line.extend(before.as_bytes());
            *before = ",\n";
        }
        serde_json::to_writer(&mut self.line, row)?;
        if self.array.is_none() {
            self.line.push(b'\n');
        }
        self.output.write_all(&self.line)
    }
}

impl<W: Write> Sink for JsonSink<'_, W> {
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()> {
        let layout = self.layout;
        if let Some(columns) = layout.long {
            let mut rows = LongColumns::rows(layout.groups, answers);
            return rows.try_for_each(|row| {
                self.object(&ResultDocument {
                    header: layout.header,
                    cells,
                    columns,
                    row,
                })
            });
        }
        self.object(&RowDocument {
            layout,
            cells,
            answers,
        })
    }

    fn end(&mut self) -> io::Result<()> {
        match self.array {
            None => Ok(()),
            Some("[\n") => self.output.write_all(b"[]\n"),
            Some(_) => self.output.write_all(b"\n]\n"),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// What `dicec batch --json` prints for a row, on one line: an object with
///
/// * each column of the table under its name, as the text that the cell holds (null if the row ends
///   before it), or as the value that it is in a table of JSON, and each swept number;
/// * the odds of each expression, or of the script's roll, under its name (`odds` if it has none),
///   as [`AnswerDocument`]; null if there are none (`--on-error null`).
pub struct RowDocument<'r> {
    /// What the columns are.
    pub layout: Layout<'r>,
    /// The row's own cells.
    pub cells: &'r Joined<'r>,
    /// An answer a group, if there is one.
    pub answers: &'r [Option<Answer>],
}

impl Serialize for RowDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        own(&mut row, self.layout.header, self.cells)?;
        for (group, answer) in self.layout.groups.iter().zip(self.answers) {
            let key = match group.name.as_str() {
                "" => "odds",
                name => name,
            };
            row.serialize_entry(key, &answer.as_ref().map(AnswerDocument::new))?;
        }
        row.end()
    }
}

/// What `dicec batch --outcomes --json` prints for a result: an object with the columns of the
/// table as in a [`RowDocument`], the name of the `rule` if there are several, that of the `part`
/// if answers have parts (null for a result itself), the `result` as a number or a text, and its
/// probability `p`; both are null for a question without an answer (`--on-error null`).
struct ResultDocument<'r> {
    header: &'r [String],
    cells: &'r Joined<'r>,
    columns: LongColumns,
    row: ResultRow<'r>,
}

impl Serialize for ResultDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        own(&mut row, self.header, self.cells)?;
        if self.columns.has_rule {
            row.serialize_entry("rule", self.row.rule)?;
        }
        if self.columns.has_part {
            row.serialize_entry("part", &self.row.part)?;
        }
        match self.row.found {
            Some((ResultCell::Number(figure), _)) => row.serialize_entry("result", figure)?,
            Some((ResultCell::Truth(holds), _)) => row.serialize_entry("result", holds)?,
            Some((ResultCell::Name(name), _)) => row.serialize_entry("result", name)?,
            None => row.serialize_entry("result", &None::<f64>)?,
        }
        row.serialize_entry("p", &self.row.found.map(|(_, p)| p))?;
        row.end()
    }
}

/// The table's own cells.
fn own<M: SerializeMap>(
    row: &mut M,
    header: &[String],
    cells: &Joined<'_>,
) -> Result<(), M::Error> {
    for (column, name) in header.iter().enumerate() {
        match cells.value(column) {
            Some(value) => row.serialize_entry(name, &value)?,
            None => {
                let cell = cells.get(column).map(String::from_utf8_lossy);
                row.serialize_entry(name, &cell)?;
            }
        }
    }
    Ok(())
}
