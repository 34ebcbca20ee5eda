//! Writers of rows: CSV (`csv_text`), lines of JSON (`json_lines`), or columns of Arrow (`arrow`).

#[cfg(feature = "columns")]
mod arrow;
mod csv_text;
#[cfg(feature = "serde")]
mod json_lines;

pub use csv_text::CsvSink;
#[cfg(feature = "serde")]
pub use json_lines::{JsonSink, RowDocument};

use crate::columnar::{Container, DataType};
use crate::long::LongColumns;
use crate::{Answer, Group, Joined};
use std::io::{self, Write};

/// What the columns are.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'b> {
    /// The table's own columns.
    pub header: &'b [String],
    /// Those that tell rows apart.
    pub keys: &'b [usize],
    /// The columns that each expression, or the roll of a script, adds.
    pub groups: &'b [Group],
    /// Instead of these, a row for each result with these columns.
    pub long: Option<LongColumns>,
}

impl Layout<'_> {
    /// The names of the columns that are added to the table's own.
    pub fn added(&self) -> Vec<String> {
        match self.long {
            Some(long) => long.names().map(str::to_owned).collect(),
            None => self.groups.iter().flat_map(Group::columns).collect(),
        }
    }
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

/// Writes rows as columns. Those of the table have these types, if they are known.
///
/// # Errors
/// This build cannot write columns.
#[cfg(feature = "columns")]
pub fn column_sink<'s, W: Write + 's>(
    output: W,
    container: Container,
    layout: Layout<'_>,
    types: &[Option<DataType>],
) -> io::Result<Box<dyn Sink + 's>> {
    let sink = arrow::ArrowSink::new(output, container, layout, types);
    Ok(Box::new(sink))
}

/// Writes rows as columns.
///
/// # Errors
/// This build cannot write columns.
#[cfg(not(feature = "columns"))]
pub fn column_sink<'s, W: Write + 's>(
    _: W,
    _: Container,
    _: Layout<'_>,
    _: &[Option<DataType>],
) -> io::Result<Box<dyn Sink + 's>> {
    Err(io::Error::other(crate::NO_COLUMNS))
}
