//! Writers of rows: CSV (`csv_text`), lines of JSON (`json_lines`), or columns of Arrow (`arrow`).

mod arrow;
mod csv_text;
#[cfg(feature = "serde")]
mod json_lines;

pub use arrow::ArrowSink;
pub use csv_text::CsvSink;
#[cfg(feature = "serde")]
pub use json_lines::{JsonSink, RowDocument};

use crate::{Answer, Group, Joined};
use std::io;

/// What the columns are.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'b> {
    /// The table's own columns.
    pub header: &'b [String],
    /// Those that tell rows apart.
    pub keys: &'b [usize],
    /// The columns that each expression, or the roll of a script, adds.
    pub groups: &'b [Group],
}

/// Writes rows.
pub trait Sink {
    /// Writes a row: its cells, and an answer a group, if there is one.
    ///
    /// # Errors
    /// It cannot be written, like the next two.
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()>;

    /// Lets go of everything that was written so far; called between blocks of rows and at the end.
    ///
    /// # Errors
    /// It cannot be written.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes the end of the output, after the last row.
    ///
    /// # Errors
    /// It cannot be written.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}
