//! The files that tables are read from. What is wrong with one is an error about its file.

use crate::error::{CliError, FileCode, Finding};
use dicec_tables::{BadTable, Record, Shape, Source};
use std::fs::File;
use std::io;
use std::path::Path;

/// A second table is kept in memory, which bounds it.
const MAX_TARGETS_BYTES: u64 = 256 << 20;

/// A table being read.
pub(super) struct Input {
    path: String,
    /// Unknown for what is not a file.
    size: Option<u64>,
    source: Source,
}

/// A whole table.
pub(super) struct Whole {
    pub(super) path: String,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Record>,
}

impl Input {
    /// Opens a table, `-` for standard input, and reads its header.
    ///
    /// # Errors
    /// A file that cannot be read, or a table without a proper header.
    pub(super) fn open(table: &Path, shape: Shape) -> Result<Self, CliError> {
        let Opened { path, size, bytes } = open(table)?;
        let source = Source::open(bytes, shape);
        let source = source.map_err(|wrong| finding(&path, wrong))?;
        Ok(Self { path, size, source })
    }

    /// A single row without columns, of no file.
    pub(super) fn single() -> Self {
        Self {
            path: String::new(),
            size: None,
            source: Source::single(),
        }
    }

    /// The table's file as the user gave it; empty for none.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The table's size in bytes, if it is a file.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    /// How many bytes its rows so far take.
    pub(super) fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    /// The columns' names, as they stand in the table.
    pub(super) fn header(&self) -> &[String] {
        self.source.header()
    }

    /// Reads the next row into `row`; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Record) -> Result<bool, CliError> {
        let read = self.source.read(row);
        read.map_err(|wrong| finding(&self.path, wrong).into())
    }

    /// The whole of a table with rows.
    ///
    /// # Errors
    /// What is wrong with it, or that it has no rows.
    pub(super) fn whole(self) -> Result<Whole, CliError> {
        let empty = self.no_rows();
        let Self { path, source, .. } = self;
        let (header, rows) = source
            .rest(MAX_TARGETS_BYTES)
            .map_err(|wrong| finding(&path, wrong))?;
        if rows.is_empty() {
            return Err(empty);
        }
        Ok(Whole { path, header, rows })
    }

    /// The error of a table without rows.
    pub(super) fn no_rows(&self) -> CliError {
        let message = "the table has a header, but no rows";
        let code = FileCode::BadTable.as_str();
        Finding::in_file(code, &self.path, Some((1, 1)), message).into()
    }
}

/// What is wrong with the table in a file.
fn finding(path: &str, wrong: BadTable) -> Finding {
    let code = match wrong.is_unreadable {
        true => FileCode::Unreadable,
        false => FileCode::BadTable,
    };
    Finding {
        help: wrong.help,
        ..Finding::in_file(code.as_str(), path, wrong.place, wrong.message)
    }
}

/// A table's bytes, and what is known of its file.
struct Opened {
    path: String,
    size: Option<u64>,
    bytes: Box<dyn io::Read>,
}

fn open(table: &Path) -> Result<Opened, CliError> {
    if table == Path::new("-") {
        return Ok(Opened {
            path: "standard input".to_owned(),
            size: None,
            bytes: Box::new(io::stdin().lock()),
        });
    }
    let path = table.display().to_string();
    let file = File::open(table).map_err(|error| {
        let message = format!("cannot read the table: {error}");
        Finding::in_file(FileCode::Unreadable.as_str(), &path, None, message)
    })?;
    let found = file.metadata().ok().filter(|found| found.is_file());
    Ok(Opened {
        path,
        size: found.map(|found| found.len()),
        bytes: Box::new(file),
    })
}
