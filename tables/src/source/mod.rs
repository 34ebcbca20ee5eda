//! Tables that are read row by row. What is wrong with a single row is noted in its [`Record`], for
//! the caller decides about it; what is wrong with the table as a whole is a [`BadTable`].

mod csv_rows;
mod feed;
mod header;
mod json_rows;
mod record;
mod shape;

pub use record::{Record, RowFault};
pub use shape::Shape;

use csv_rows::CsvRows;
use json_rows::JsonRows;
use shape::guessed;
use std::io::Read;

/// A table being read.
pub struct Source {
    rows: Rows,
    header: Vec<String>,
}

/// Where rows come from.
enum Rows {
    Csv(CsvRows),
    Json(Box<JsonRows>),
    /// A single row without cells, to be read or not any more.
    Single(bool),
}

impl Rows {
    fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
        match self {
            Rows::Csv(rows) => rows.read(row),
            Rows::Json(rows) => rows.read(row),
            Rows::Single(is_left) => Ok(std::mem::take(is_left)),
        }
    }
}

/// What makes a table unusable, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTable {
    /// Whether it cannot be read at all, rather than being wrong.
    pub is_unreadable: bool,
    /// The line and the column's number, from 1, if that is known.
    pub place: Option<(u64, u64)>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
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
                let rows = Rows::Json(Box::new(rows));
                Ok(Self { rows, header })
            }
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
        let rows = Rows::Csv(rows);
        Ok(Self { rows, header })
    }

    /// A table of one row without columns, to join sweeps with.
    pub fn single() -> Self {
        Self {
            rows: Rows::Single(true),
            header: Vec::new(),
        }
    }

    /// How many bytes of the table its rows so far take.
    pub fn bytes_read(&self) -> u64 {
        match &self.rows {
            Rows::Csv(rows) => rows.bytes_read(),
            Rows::Json(rows) => rows.bytes_read(),
            Rows::Single(_) => 0,
        }
    }

    /// The columns' names, as they stand in the table.
    pub fn header(&self) -> &[String] {
        &self.header
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

    /// All rows that are left, together with the header.
    ///
    /// # Errors
    /// What makes it impossible to go on, and rows that take more than `most` bytes together.
    pub fn rest(mut self, most: u64) -> Result<(Vec<String>, Vec<Record>), BadTable> {
        let mut rows = Vec::new();
        let mut row = Record::default();
        let mut bytes = 0;
        while self.read(&mut row)? {
            bytes += row.bytes();
            if bytes > most {
                let message = format!("the table has more than {} MiB", most >> 20);
                let wrong = BadTable::at((row.line(), 1), message);
                return Err(wrong.help("it is kept in memory: make the other one the larger table"));
            }
            rows.push(std::mem::take(&mut row));
        }
        Ok((self.header, rows))
    }
}
