//! How rows are written: as CSV (`csv_text`), as lines of JSON (`json_lines`), as columns of
//! Arrow (`arrow`), or as a table for people (`table`).

mod arrow;
mod csv_text;
mod json_lines;
mod table;

pub(super) use arrow::ArrowSink;
pub(super) use csv_text::CsvSink;
pub(super) use json_lines::JsonSink;
pub(super) use table::TableSink;

use dicec_tables::{Answer, Group, Joined};
use std::io;

/// What the columns are.
#[derive(Clone, Copy)]
pub(super) struct Layout<'b> {
    /// The table's own columns.
    pub(super) header: &'b [String],
    /// Those that tell rows apart.
    pub(super) keys: &'b [usize],
    /// What each expression, or the roll of a script, adds.
    pub(super) groups: &'b [Group],
}

/// Writes rows.
pub(super) trait Sink {
    /// Writes a row: its cells, and an answer a group, if there is one.
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()>;

    /// Lets go of everything that was written so far; called between blocks of rows and at the end.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes what follows the last row.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}
