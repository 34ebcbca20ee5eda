//! The table, read row by row. What is wrong with a single row is left to the caller, for
//! `--on-error` decides about it; what is wrong with the table as a whole is an error here.

use super::fault::RowFault;
use super::feed::{Feed, MAX_ROW_BYTES};
use crate::error::{CliError, FileCode, Finding};
use csv::{ByteRecord, Reader, ReaderBuilder};
use dicec_runtime::resource::ResourceName;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io;
use std::path::Path;

/// A row whose buffers are larger than this gives them back.
const MAX_KEPT_BYTES: usize = 1 << 16;

/// A table being read.
pub(super) struct Source {
    reader: Reader<Feed>,
    path: String,
    size: Option<u64>,
    header: Vec<String>,
}

/// One row.
#[derive(Default)]
pub(super) struct Row {
    pub(super) cells: ByteRecord,
    /// The line that it begins in, from 1.
    pub(super) line: u64,
    /// What is wrong with it as a whole.
    pub(super) fault: Option<RowFault>,
}

impl dicec_tables::Row for Row {
    /// Rows that are not UTF-8 are not worked out.
    fn cell(&self, column: usize) -> &str {
        let cell = self.cells.get(column).unwrap_or_default();
        str::from_utf8(cell).unwrap_or("")
    }
}

impl Source {
    /// Opens a table and reads its header.
    ///
    /// # Errors
    /// A file that cannot be read, a table without a header, or two columns of one name.
    pub(super) fn open(table: &Path, delimiter: u8) -> Result<Self, CliError> {
        let Opened { path, size, bytes } = open(table)?;
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(1 << 16)
            .from_reader(Feed::new(bytes));
        let mut table = Self {
            reader,
            path,
            size,
            header: Vec::new(),
        };
        let mut row = Row::default();
        if !table.next(&mut row)? {
            return Err(table.bad(
                1,
                "the table is empty; its first line has to name the columns",
            ));
        }
        table.header = table.names(&row.cells)?;
        Ok(table)
    }

    /// The table's file as the user gave it.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The table's size in bytes, if it is a file.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    /// How many bytes have been read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.reader.get_ref().bytes_read()
    }

    /// The columns' names, as they stand in the table.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Reads the next row into `row`; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Row) -> Result<bool, CliError> {
        if row.cells.as_slice().len() > MAX_KEPT_BYTES {
            row.cells = ByteRecord::new();
        }
        if !self.next(row)? {
            return Ok(false);
        }
        row.fault = self.judge(&row.cells);
        Ok(true)
    }

    /// The error of a table without rows.
    pub(super) fn no_rows(&self) -> CliError {
        self.bad(1, "the table has a header, but no rows")
    }

    fn next(&mut self, row: &mut Row) -> Result<bool, CliError> {
        let before = self.reader.position().line();
        if let Err(error) = self.reader.read_byte_record(&mut row.cells) {
            return Err(self.unreadable(before, &error));
        }
        self.reader.get_mut().start_row();
        let Some(last) = row.cells.len().checked_sub(1) else {
            return Ok(false);
        };
        let feed = self.reader.get_ref();
        if row.cells.len() == 1 && feed.is_end_mark(&row.cells[0]) {
            return Ok(false);
        }
        // The reader stands behind the row. Its own idea of where the row began counts blank lines
        // and the `\n` of `\r\n` before it; line breaks within the row were in quotes and are in
        // its cells.
        let inner = count_breaks(row.cells.as_slice());
        let start = self.reader.position().line().saturating_sub(inner);
        if feed.holds_end_mark(&row.cells[last]) {
            let message = "the table ends within quotes: a quote in this row is never closed";
            return Err(self.bad(start, message));
        }
        row.line = start - u64::from(!feed.breaks_with_cr());
        Ok(true)
    }

    /// What is wrong with a row as a whole.
    fn judge(&self, cells: &ByteRecord) -> Option<RowFault> {
        if cells.len() != self.header.len() {
            return Some(RowFault::Cells { found: cells.len() });
        }
        // Text that is valid as a whole need not be so cell by cell, unless it is ASCII.
        if cells.as_slice().is_ascii() {
            return None;
        }
        let wrong = cells.iter().position(|cell| str::from_utf8(cell).is_err());
        wrong.map(|column| RowFault::NotText { column })
    }

    fn names(&self, cells: &ByteRecord) -> Result<Vec<String>, CliError> {
        let mut names = Vec::with_capacity(cells.len());
        let mut seen = FxHashMap::default();
        for (column, cell) in cells.iter().enumerate() {
            let place = (1, column as u64 + 1);
            let Ok(name) = str::from_utf8(cell) else {
                let message = "the name of a column is not UTF-8 text";
                return Err(self.bad_at(place, message).into());
            };
            // As resources are compared, so that `Target  Defense` cannot hide `Target Defense`.
            let resource = ResourceName::parse(name);
            if let Some(first) = seen.insert(resource, place.1) {
                let message = match name.trim() {
                    "" => format!("columns {first} and {} have no name", place.1),
                    name => format!("columns {first} and {} are both named \"{name}\"", place.1),
                };
                let found = self.bad_at(place, message);
                return Err(found.help("give each column a name of its own").into());
            }
            names.push(name.to_owned());
        }
        Ok(names)
    }

    fn unreadable(&self, line: u64, error: &csv::Error) -> CliError {
        if self.reader.get_ref().is_too_long() {
            let most = MAX_ROW_BYTES >> 20;
            let message = format!("a row is longer than {most} MiB; is a quote not closed?");
            return self.bad(line, message);
        }
        let message = format!("cannot read the table: {error}");
        Finding::in_file(FileCode::Unreadable.as_str(), &self.path, None, message).into()
    }

    fn bad(&self, line: u64, message: impl Into<String>) -> CliError {
        self.bad_at((line, 1), message).into()
    }

    fn bad_at(&self, place: (u64, u64), message: impl Into<String>) -> Finding {
        Finding::in_file(
            FileCode::BadTable.as_str(),
            &self.path,
            Some(place),
            message,
        )
    }
}

/// A table's bytes and what is known of them.
struct Opened {
    path: String,
    /// Unknown for what is not a file.
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
    let size = file.metadata().ok().filter(|found| found.is_file());
    Ok(Opened {
        path,
        size: size.map(|found| found.len()),
        bytes: Box::new(file),
    })
}

fn count_breaks(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn table(text: &[u8]) -> Result<Source, CliError> {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(text).expect("space for a few bytes");
        Source::open(file.path(), b',')
    }

    /// The line of each row, or the first error's message.
    fn lines(text: &[u8]) -> Result<Vec<u64>, String> {
        let message = |error: CliError| error.findings[0].message.clone();
        let mut source = table(text).map_err(message)?;
        let (mut lines, mut row) = (Vec::new(), Row::default());
        while source.read(&mut row).map_err(message)? {
            lines.push(row.line);
        }
        Ok(lines)
    }

    #[test]
    fn lines_are_those_of_the_file() {
        for text in [
            "a,b\n1,2\n\n\n3,4\n\"x\ny\",5\n6,7\n",
            "a,b\n1,2\n\n\n3,4\n\"x\ny\",5\n6,7",
            "\u{feff}a,b\n1,2\n\n\n3,4\n\"x\ny\",5\n6,7",
        ] {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                assert_eq!(lines(text.as_bytes()), Ok(vec![2, 5, 6, 8]), "{text:?}");
            }
        }
    }

    #[test]
    fn faults_of_rows_are_noted() {
        let mut source = table(b"a,b\n1\n1,2,3\n1,\xff\n\xc3,\xa9\n1,2\n").expect("a good header");
        let mut row = Row::default();
        let mut faults = Vec::new();
        while source.read(&mut row).expect("readable rows") {
            faults.push(row.fault);
        }
        let cells = |found| Some(RowFault::Cells { found });
        let not_text = |column| Some(RowFault::NotText { column });
        assert_eq!(faults, [cells(1), cells(3), not_text(1), not_text(0), None]);
    }

    #[test]
    fn bad_tables() {
        for (text, start) in [
            (&b""[..], "the table is empty"),
            (b"\n\n", "the table is empty"),
            (b"a,b,a\n1,2,3\n", "columns 1 and 3 are both named \"a\""),
            (
                b"Target A,Target  A\n",
                "columns 1 and 2 are both named \"Target  A\"",
            ),
            (b"a,,\n", "columns 2 and 3 have no name"),
            (b"a,\xff\n", "the name of a column is not UTF-8 text"),
            (b"a,b\n1,\"2\n3,4\n", "the table ends within quotes"),
            (b"a,\"b", "the table ends within quotes"),
        ] {
            let message = lines(text).expect_err("a bad table");
            assert!(message.starts_with(start), "{message}");
        }
        assert!(lines(b"a,b\n1,\"2\"").is_ok() && lines(b"a,b\n1,\"2\"\n").is_ok());
    }

    #[test]
    fn an_open_quote_does_not_swallow_memory() {
        let mut text = b"a,b\n1,\"2\n".to_vec();
        text.resize(6 << 20, b'x');
        let message = lines(&text).expect_err("a row without an end");
        assert!(
            message.starts_with("a row is longer than 4 MiB"),
            "{message}"
        );
    }
}
