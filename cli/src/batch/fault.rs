//! What can be wrong with a row, and how it is told. Faults are noted in few bytes, for a table may have millions of them, and
//! spelt out only for the one that is shown.

use super::cell::NotWhole;
use super::scripted::Scripted;
use super::source::Row;
use crate::error::{CliError, FileCode, Finding, Location};
use dicec_compiler::Failure;

/// Cells are quoted up to this many characters.
const MOST_QUOTED: usize = 40;

/// What is wrong with a row as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowFault {
    /// It has more or fewer cells than the header.
    Cells { found: usize },
    /// A cell is not UTF-8.
    NotText { column: usize },
}

/// What is wrong with a row, perhaps for one expression alone.
pub(super) enum Fault<'b> {
    Row(RowFault),
    /// A column that an expression reads.
    Cell {
        column: usize,
        why: NotWhole,
    },
    /// The expression in the row's own cell is wrong, or it reads what the table lacks.
    Text {
        column: usize,
        why: &'b CliError,
    },
    /// The row's cells do not make arguments of the script's roll.
    Arguments(&'b Scripted<'b>),
    /// The script's roll has no answer for this row.
    Roll {
        script: &'b Scripted<'b>,
        why: &'b Failure,
    },
    /// The expression has no answer for this row.
    Failed {
        /// The column that the expression is in, if it is the row's own.
        column: Option<usize>,
        /// The expression's name.
        name: &'b str,
        text: &'b str,
        why: &'b Failure,
    },
}

impl Fault<'_> {
    /// The fault as an error of the table's file.
    pub(super) fn describe(&self, path: &str, header: &[String], row: &Row) -> CliError {
        match self {
            Fault::Row(fault) => row_fault(*fault, path, header, row).into(),
            Fault::Cell { column, why } => {
                let message = format!(
                    "{} in {} {why}",
                    quoted(row, *column),
                    named(header, *column)
                );
                cell(FileCode::BadCell.as_str(), path, row, *column, message).into()
            }
            Fault::Text { column, why } => at_row(why, path, row, Some(*column)),
            Fault::Arguments(script) => CliError {
                findings: script.wrong_arguments(path, row),
            },
            Fault::Roll { script, why } => at_row(&script.failed(why), path, row, None),
            Fault::Failed {
                column,
                name,
                text,
                why,
            } => {
                let error = CliError::failure(why, &format!("expression {name}"), text);
                at_row(&error, path, row, *column)
            }
        }
    }
}

fn row_fault(fault: RowFault, path: &str, header: &[String], row: &Row) -> Finding {
    match fault {
        RowFault::Cells { found } => {
            let cells = if found == 1 { "cell" } else { "cells" };
            let message = format!(
                "the row has {found} {cells}, but the header names {} columns",
                header.len()
            );
            // The place is the first cell that is too many, or the last before those that lack.
            let column = if found > header.len() {
                header.len()
            } else {
                found.saturating_sub(1)
            };
            let found = cell(FileCode::BadTable.as_str(), path, row, column, message);
            found.help("is the file cut off, or a comma not in quotes?")
        }
        RowFault::NotText { column } => {
            let message = format!("the cell in {} is not UTF-8 text", named(header, column));
            let found = cell(FileCode::BadTable.as_str(), path, row, column, message);
            found.help("save the table as UTF-8")
        }
    }
}

/// A finding in a cell.
fn cell(code: &'static str, path: &str, row: &Row, column: usize, message: String) -> Finding {
    Finding::in_file(code, path, Some((row.line, column as u64 + 1)), message)
}

/// The findings in a rule's text, with the row that they are about.
fn at_row(error: &CliError, path: &str, row: &Row, column: Option<usize>) -> CliError {
    let mut error = error.clone();
    let column = column.map_or_else(String::new, |column| format!(":{}", column + 1));
    let place = format!("{path}:{}{column}", row.line);
    for finding in &mut error.findings {
        if matches!(finding.location, Location::Text { .. }) {
            finding.message = format!("{place}: {}", finding.message);
        }
    }
    error
}

/// A cell's text in quotes, or where it is.
fn quoted(row: &Row, column: usize) -> String {
    let text = row.cells.get(column).unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    if text.is_empty() {
        return "a cell".to_owned();
    }
    let short: String = text.chars().take(MOST_QUOTED).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", short.escape_debug())
}

fn named(header: &[String], column: usize) -> String {
    match header.get(column).map(|name| name.trim()) {
        Some(name) if !name.is_empty() => format!("column \"{name}\""),
        _ => format!("column {}", column + 1),
    }
}
