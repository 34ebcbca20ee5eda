//! The bytes of a table on their way to the CSV reader, which silently accepts some mistakes. The
//! feed makes them visible: a mark after the last byte shows whether a quote is still open there,
//! and a row has a maximum length.

use std::io::{self, Read};

/// A longer row is an error: most likely a quote was not closed, and the rest of the file went into
/// one cell. Of binary tables, texts may be long, but blocks of rows are held.
pub(super) const MAX_ROW_BYTES: u64 = 1 << 20;

/// A row that is fed after the table's last one. No table holds it, for it is not UTF-8. A quote
/// that is still open takes it in, and then it is missing.
const END_MARK: &[u8] = b"\n\xff\xfeend of table\xff\n";

/// The same where lines end with `\r\n`, so that the last row ends as the others do.
const END_MARK_CR: &[u8] = b"\r\n\xff\xfeend of table\xff\r\n";

/// A reader that observes the bytes that it reads.
pub(super) struct Feed {
    source: Box<dyn Read>,
    read: u64,
    /// The rest of the end mark; `None` before the source's end.
    mark: Option<&'static [u8]>,
    since_row: u64,
    is_too_long: bool,
    /// Whether the first line break is `\r\n`.
    breaks_with_cr: Option<bool>,
    last_byte: u8,
}

impl Feed {
    pub(super) fn new(source: Box<dyn Read>) -> Self {
        Self {
            source,
            read: 0,
            mark: None,
            since_row: 0,
            is_too_long: false,
            breaks_with_cr: None,
            last_byte: 0,
        }
    }

    /// The number of bytes of the table that were read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Signals that a row is complete.
    pub(super) fn start_row(&mut self) {
        self.since_row = 0;
    }

    /// Whether reading failed because of [`MAX_ROW_BYTES`].
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Whether the source has ended and this cell, a row's only one, is the mark for that.
    pub(super) fn is_end_mark(&self, cell: &[u8]) -> bool {
        self.mark.is_some() && cell == self.end_mark().trim_ascii()
    }

    /// Whether the mark got into this cell, because a quote was open.
    pub(super) fn holds_end_mark(&self, cell: &[u8]) -> bool {
        self.mark.is_some() && cell.ends_with(self.end_mark())
    }

    /// Whether lines end with `\r\n`. (A table that mixes line ends only gets line numbers in
    /// errors that may be one off.)
    pub(super) fn breaks_with_cr(&self) -> bool {
        self.breaks_with_cr.unwrap_or(false)
    }

    fn end_mark(&self) -> &'static [u8] {
        if self.breaks_with_cr() {
            END_MARK_CR
        } else {
            END_MARK
        }
    }

    fn note_line_break(&mut self, bytes: &[u8]) {
        if self.breaks_with_cr.is_none() {
            let at = bytes.iter().position(|byte| *byte == b'\n');
            self.breaks_with_cr = at.map(|at| match at.checked_sub(1) {
                Some(before) => bytes[before] == b'\r',
                None => self.last_byte == b'\r',
            });
            self.last_byte = bytes.last().copied().unwrap_or(self.last_byte);
        }
    }
}

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(mark) = &mut self.mark {
            return mark.read(buffer);
        }
        if self.since_row > MAX_ROW_BYTES {
            self.is_too_long = true;
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let read = self.source.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            let mark = self.end_mark();
            return self.mark.insert(mark).read(buffer);
        }
        self.note_line_break(&buffer[..read]);
        self.read += read as u64;
        self.since_row += read as u64;
        Ok(read)
    }
}
