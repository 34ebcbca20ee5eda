//! The rows of a table of CSV.

use super::feed::{Feed, MAX_ROW_BYTES};
use super::{BadTable, Record};
use csv::{Reader, ReaderBuilder};
use std::io::Read;

/// Rows of CSV, the header among them.
pub(super) struct CsvRows {
    reader: Reader<Feed>,
}

impl CsvRows {
    pub(super) fn new(bytes: Box<dyn Read>, delimiter: u8) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(1 << 16)
            .from_reader(Feed::new(bytes));
        Self { reader }
    }

    /// How many bytes the rows so far take.
    pub(super) fn bytes_read(&self) -> u64 {
        let read = self.reader.get_ref().bytes_read();
        self.reader.position().byte().min(read)
    }

    /// Reads the next row; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
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
            return Err(BadTable::at((start, 1), message));
        }
        row.line = start - u64::from(!feed.breaks_with_cr());
        Ok(true)
    }

    fn unreadable(&self, line: u64, error: &csv::Error) -> BadTable {
        if self.reader.get_ref().is_too_long() {
            let most = MAX_ROW_BYTES >> 20;
            let message = format!("a row is longer than {most} MiB; is a quote not closed?");
            return BadTable::at((line, 1), message);
        }
        BadTable::unreadable(error)
    }
}

fn count_breaks(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use crate::{BadTable, Record, RowFault, Source};

    fn table(text: &[u8]) -> Result<Source, BadTable> {
        Source::csv(Box::new(std::io::Cursor::new(text.to_vec())), b',')
    }

    /// The line of each row, or the first error's message.
    fn lines(text: &[u8]) -> Result<Vec<u64>, String> {
        let message = |error: BadTable| error.message;
        let mut source = table(text).map_err(message)?;
        let (mut lines, mut row) = (Vec::new(), Record::default());
        while source.read(&mut row).map_err(message)? {
            lines.push(row.line());
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
        let mut row = Record::default();
        let mut faults = Vec::new();
        while source.read(&mut row).expect("readable rows") {
            faults.push(row.fault().cloned());
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
            message.starts_with("a row is longer than 1 MiB"),
            "{message}"
        );
    }
}
