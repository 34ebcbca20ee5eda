//! Rows as lines of JSON. [`RowJson`] is the documented format.

use super::{Layout, Sink};
use dicec_tables::document::AnswerDocument;
use dicec_tables::{Answer, Joined};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Writes JSON lines.
pub(in crate::batch) struct JsonSink<'b, W: Write> {
    output: W,
    layout: Layout<'b>,
    /// The text of one row.
    line: Vec<u8>,
}

impl<'b, W: Write> JsonSink<'b, W> {
    pub(in crate::batch) fn new(output: W, layout: Layout<'b>) -> Self {
        Self {
            output,
            layout,
            line: Vec::new(),
        }
    }
}

impl<W: Write> Sink for JsonSink<'_, W> {
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()> {
        let row = RowJson {
            layout: self.layout,
            cells,
            answers,
        };
        self.line.clear();
        serde_json::to_writer(&mut self.line, &row)?;
        self.line.push(b'\n');
        self.output.write_all(&self.line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// What `dicec batch --json` prints for a row, on one line: an object with
///
/// * each column of the table under its name, as the text that the cell holds (null if the row ends
///   before it), and each swept number;
/// * the odds of each expression, or of the script's roll, under its name (`odds` if it has none),
///   as [`AnswerDocument`]; null if there are none (`--on-error null`).
struct RowJson<'r> {
    layout: Layout<'r>,
    cells: &'r Joined<'r>,
    answers: &'r [Option<Answer>],
}

impl Serialize for RowJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for (column, name) in self.layout.header.iter().enumerate() {
            match self.cells.number(column) {
                Some(number) => row.serialize_entry(name, &number)?,
                None => {
                    let cell = self.cells.get(column).map(String::from_utf8_lossy);
                    row.serialize_entry(name, &cell)?;
                }
            }
        }
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
