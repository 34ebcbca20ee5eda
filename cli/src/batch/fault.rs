//! What is wrong with a row, as an error of the table's file. Only the faults that are shown are
//! spelt out, for a table may have millions of them.

use super::source::Row;
use crate::error::{CliError, FileCode, Finding, Location};
use crate::script::{advice, in_text};
use dicec_compiler::hir::ResourceUse;
use dicec_compiler::syntax::Sources;
use dicec_runtime::bug;
use dicec_tables::{ArgumentFault, Batch, Columns, Fault, TextError, Varying};

/// Cells are quoted up to this many characters.
const MAX_QUOTED: usize = 40;

/// What is wrong with a row as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowFault {
    /// It has more or fewer cells than the header.
    Cells { found: usize },
    /// A cell is not UTF-8.
    NotText { column: usize },
}

/// The table's file and its columns' names.
#[derive(Clone, Copy)]
pub(super) struct Table<'b> {
    pub(super) path: &'b str,
    pub(super) header: &'b [String],
}

impl Table<'_> {
    /// What is wrong with a row for a question, as an error of the table's file.
    pub(super) fn describe(
        self,
        batch: &Batch,
        question: usize,
        origin: &str,
        row: &Row,
        fault: Fault<'_>,
    ) -> CliError {
        let Self { path, header } = self;
        match fault {
            Fault::Skipped => match row.fault {
                Some(fault) => row_fault(fault, path, header, row).into(),
                None => bug!("a row without a fault was skipped").into(),
            },
            Fault::Cell { column, why } => {
                let message = format!("{} in {} {why}", quoted(row, column), named(header, column));
                cell(FileCode::BadCell.as_str(), path, row, column, message).into()
            }
            Fault::Text { column, text, why } => {
                let error = match why {
                    TextError::Text(found) => CliError::found(found, &Sources::single("", text)),
                    TextError::Missing(used) => CliError {
                        findings: used
                            .iter()
                            .map(|used| self.missing_in_text(batch.columns(), used, text))
                            .collect(),
                    },
                };
                at_row(error, path, row, Some(column))
            }
            Fault::Bug(bug) => bug.into(),
            Fault::Arguments => CliError {
                findings: self.wrong_arguments(batch, question, row),
            },
            Fault::Failed {
                column,
                program,
                why,
            } => {
                let error = match program.is_script() {
                    true => CliError::failure(why, program.sources()),
                    false => CliError::failure(why, &Sources::single(origin, program.text())),
                };
                at_row(error, path, row, column)
            }
        }
    }

    fn missing_in_text(self, columns: &Columns, used: &ResourceUse, text: &str) -> Finding {
        let location = Location::Text {
            origin: String::new(),
            text: text.to_owned(),
            span: used.span,
            labels: Vec::new(),
        };
        missing(self.path, columns, used, location)
    }

    fn wrong_arguments(self, batch: &Batch, question: usize, row: &Row) -> Vec<Finding> {
        let roll = batch.varying(question).map(Varying::roll);
        let finding = |fault: ArgumentFault| {
            if let Some(found) = in_text(&fault.error) {
                return at_row(found.into(), self.path, row, fault.column).findings;
            }
            let place = Some((row.line, fault.column.map_or(1, |column| column as u64 + 1)));
            let message = fault.error.to_string();
            let not_json = fault
                .not_json
                .map(|why| format!("the cell is not JSON: {why}"));
            let help = not_json.or_else(|| Some(advice(roll?, &fault.error)));
            let code = FileCode::BadArguments.as_str();
            vec![Finding {
                help,
                ..Finding::in_file(code, self.path, place, message)
            }]
        };
        let faults = batch.wrong_arguments(question, row).into_iter();
        faults.flat_map(finding).collect()
    }
}

/// The error of a resource that neither a column nor a flag gives.
pub(super) fn missing(
    path: &str,
    columns: &Columns,
    used: &ResourceUse,
    location: Location,
) -> Finding {
    let name = used.name.to_string();
    let message = format!("{path} has no column \"{name}\"");
    let help = format!(
        "{}; or give it with -r '{name}=INT'",
        columns.suggest(&name)
    );
    Finding {
        location,
        ..Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
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
            // The position is the first cell that is too many, or the last one before those that
            // are missing.
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
fn at_row(mut error: CliError, path: &str, row: &Row, column: Option<usize>) -> CliError {
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
    let short: String = text.chars().take(MAX_QUOTED).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", short.escape_debug())
}

fn named(header: &[String], column: usize) -> String {
    match header.get(column).map(|name| name.trim()) {
        Some(name) if !name.is_empty() => format!("column \"{name}\""),
        _ => format!("column {}", column + 1),
    }
}
