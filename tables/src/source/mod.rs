//! Reads tables row by row. Errors in a single row are recorded in its [`Record`], because the
//! caller decides about it; an error in the table as a whole is a [`BadTable`].

#[cfg(feature = "columns")]
mod arrow_cells;
#[cfg(feature = "columns")]
mod arrow_rows;
#[cfg(all(test, feature = "columns"))]
mod arrow_tests;
mod csv_rows;
mod feed;
#[cfg(feature = "columns")]
mod gate;
mod header;
mod json_rows;
#[cfg(not(feature = "columns"))]
mod no_columns;
mod record;
mod shape;
#[cfg(feature = "columns")]
mod vetted;

#[cfg(feature = "columns")]
pub use gate::unwound;
pub use record::{Record, RowFault};
pub use shape::Shape;
#[cfg(feature = "columns")]
pub use vetted::vetted;

use crate::DataType;
#[cfg(feature = "columns")]
use arrow_rows::{ArrowRows, Opened};
use csv_rows::CsvRows;
use json_rows::JsonRows;
#[cfg(not(feature = "columns"))]
use no_columns::{ArrowRows, Opened};
use shape::guessed;
use std::fs::File;
use std::io::Read;

/// A table being read.
pub struct Source {
    rows: Rows,
    header: Vec<String>,
    /// The types of the columns, if the table states them.
    types: Vec<Option<DataType>>,
}

/// Where rows come from.
enum Rows {
    Csv(CsvRows),
    Json(Box<JsonRows>),
    Arrow(Box<ArrowRows>),
    /// A single row without cells, to be read or not any more.
    Single(bool),
}

impl Rows {
    fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
        match self {
            Rows::Csv(rows) => rows.read(row),
            Rows::Json(rows) => rows.read(row),
            Rows::Arrow(rows) => rows.read(row),
            Rows::Single(is_left) => Ok(std::mem::take(is_left)),
        }
    }
}

/// The error that makes a table unusable, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTable {
    /// Whether it cannot be read at all, rather than being wrong.
    pub is_unreadable: bool,
    /// The line and the column's number, from 1, if that is known.
    pub place: Option<(u64, u64)>,
    /// The error.
    pub message: String,
    /// A suggestion.
    pub help: Option<String>,
}

impl BadTable {
    fn at(place: (u64, u64), message: impl Into<String>) -> Self {
        Self {
            is_unreadable: false,
            place: Some(place),
            message: message.into(),
            help: None,
        }
    }

    fn unreadable(why: impl std::fmt::Display) -> Self {
        Self {
            is_unreadable: true,
            place: None,
            message: format!("cannot read the table: {why}"),
            help: None,
        }
    }

    /// A table that a library cannot read for this reason.
    #[cfg(feature = "columns")]
    pub fn damaged(why: &str) -> Self {
        Self::unreadable(gate::damaged(why))
    }

    fn help(self, help: impl Into<String>) -> Self {
        let help = Some(help.into());
        Self { help, ..self }
    }
}

impl Source {
    /// Reads the header of a table.
    ///
    /// # Errors
    /// What cannot be read, or a table without a proper header.
    pub fn open(bytes: Box<dyn Read>, shape: Shape) -> Result<Self, BadTable> {
        let (bytes, shape) = guessed(bytes, shape).map_err(BadTable::unreadable)?;
        match shape {
            Shape::Csv(delimiter) | Shape::Guess(delimiter) => Self::csv(bytes, delimiter),
            Shape::Json => {
                let (rows, header) = JsonRows::new(bytes)?;
                header::check_names(&header)?;
                Ok(Self::untyped(Rows::Json(Box::new(rows)), header))
            }
            Shape::Arrow => Self::arrow(ArrowRows::ipc(bytes)?),
        }
    }

    /// Reads the header of a table in a Parquet file.
    ///
    /// # Errors
    /// As for [`Source::open`].
    pub fn parquet(file: File) -> Result<Self, BadTable> {
        Self::arrow(ArrowRows::parquet(file)?)
    }

    /// The same of a Parquet file in memory.
    ///
    /// # Errors
    /// As for [`Source::open`].
    pub fn parquet_bytes(bytes: Vec<u8>) -> Result<Self, BadTable> {
        Self::arrow(ArrowRows::parquet_bytes(bytes)?)
    }

    /// A table of these record batches, which may come from another library.
    ///
    /// # Errors
    /// Two columns of one name, or more of them or deeper in each other than can be read.
    #[cfg(feature = "columns")]
    pub fn batches(batches: Box<dyn arrow_array::RecordBatchReader>) -> Result<Self, BadTable> {
        Self::arrow(ArrowRows::new(batches)?)
    }

    fn arrow((rows, columns): Opened) -> Result<Self, BadTable> {
        let (header, types): (Vec<String>, Vec<_>) = columns
            .into_iter()
            .map(|(name, ty)| (name, Some(ty)))
            .unzip();
        header::check_names(&header)?;
        let rows = Rows::Arrow(Box::new(rows));
        Ok(Self {
            rows,
            header,
            types,
        })
    }

    fn untyped(rows: Rows, header: Vec<String>) -> Self {
        let types = vec![None; header.len()];
        Self {
            rows,
            header,
            types,
        }
    }

    /// Reads the header of a table of CSV whose cells this character separates.
    ///
    /// # Errors
    /// What cannot be read, a table without a header, or two columns of one name.
    pub fn csv(bytes: Box<dyn Read>, delimiter: u8) -> Result<Self, BadTable> {
        let mut rows = CsvRows::new(bytes, delimiter);
        let mut first = Record::default();
        if !rows.read(&mut first)? {
            let message = "the table is empty; its first line has to name the columns";
            return Err(BadTable::at((1, 1), message));
        }
        let header = header::names(&first, delimiter)?;
        Ok(Self::untyped(Rows::Csv(rows), header))
    }

    /// A table of one row without columns, to join sweeps with.
    pub fn single() -> Self {
        Self::untyped(Rows::Single(true), Vec::new())
    }

    /// The number of bytes of the table that its rows so far take.
    pub fn bytes_read(&self) -> u64 {
        match &self.rows {
            Rows::Csv(rows) => rows.bytes_read(),
            Rows::Json(rows) => rows.bytes_read(),
            Rows::Arrow(rows) => rows.bytes_read(),
            Rows::Single(_) => 0,
        }
    }

    /// The columns' names, as in the table.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The types of the columns, if the table states them, as Arrow does.
    pub fn types(&self) -> &[Option<DataType>] {
        &self.types
    }

    /// Reads the next row into `row`; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
        row.shrink();
        if !self.rows.read(row)? {
            return Ok(false);
        }
        row.judge(self.header.len());
        Ok(true)
    }

    /// The header, then the line and the cells of each row.
    #[cfg(test)]
    pub(crate) fn shown(self) -> Result<Vec<String>, BadTable> {
        let (header, rows) = self.rest()?;
        let row = |row: &Record| {
            let cells = (0..header.len()).map(|column| crate::Row::cell(row, column));
            format!("{} {}", row.line(), cells.collect::<Vec<_>>().join("|"))
        };
        let rows = rows.iter().map(row);
        Ok(std::iter::once(header.join("|")).chain(rows).collect())
    }

    /// The header and all rows that are left.
    #[cfg(test)]
    pub(crate) fn rest(mut self) -> Result<(Vec<String>, Vec<Record>), BadTable> {
        let (mut row, mut rows) = (Record::default(), Vec::new());
        while self.read(&mut row)? {
            rows.push(std::mem::take(&mut row));
        }
        Ok((self.header, rows))
    }
}
