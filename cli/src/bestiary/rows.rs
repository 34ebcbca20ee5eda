//! Stat blocks in a table of CSV: its headings and rows, in the form of the bestiary.

use super::wrong_encounter;
use crate::error::{CliError, FileCode, Finding};
use crate::json::bytes_of;
use csv::{ByteRecord, ReaderBuilder, Trim};
use dicec_games::encounter::{Bestiary, Wrong};

/// Adds the stat blocks of a file of CSV. Gives the columns that nothing knows.
///
/// # Errors
/// The file cannot be read, is not CSV, or has a wrong cell.
pub(super) fn add(path: &str, bestiary: &mut Bestiary) -> Result<Vec<Wrong>, CliError> {
    let bytes = bytes_of(path, "bestiary")?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text);
    let records: Result<Vec<ByteRecord>, csv::Error> = reader.into_byte_records().collect();
    let records = records.map_err(|error| {
        let code = FileCode::BadTable.as_str();
        CliError::from(Finding::in_file(code, path, None, error.to_string()))
    })?;
    let cells = |record: &ByteRecord| -> Vec<String> {
        let cells = record.iter().map(String::from_utf8_lossy);
        cells.map(|cell| cell.into_owned()).collect()
    };
    let rows: Vec<Vec<String>> = records.iter().map(cells).collect();
    let (headings, rows) = rows
        .split_first()
        .map_or((&[][..], &[][..]), |(first, rest)| (first.as_slice(), rest));
    let added = bestiary.add_rows(headings, rows);
    added.map_err(|wrong| wrong_encounter(&wrong, path))
}
