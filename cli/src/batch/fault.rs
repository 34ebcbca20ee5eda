//! Errors in rows, as errors of the table's file. Only the faults that are shown are formatted,
//! because a table may have millions of them.

use crate::error::{CliError, FileCode, Finding, Location};
use crate::script::{advice, in_text};
use dicec_games::dh2e::Wrong;
use dicec_lang::hir::ResourceUse;
use dicec_lang::syntax::{Sources, shorten};
use dicec_runtime::bug;
use dicec_tables::{
    ArgumentFault, BadRow, Batch, Columns, Fault, Joined, Origin, Record, RowFault, TextError,
    Varying,
};

/// Cells are quoted up to this many characters.
const MAX_QUOTED: usize = 40;

/// Where rows and columns are: the tables' files, and the names of all columns.
pub(super) struct Places {
    /// The table as the user gave it.
    pub(super) path: String,
    /// Its files.
    pub(super) files: Vec<String>,
    /// The second table's.
    pub(super) target: Option<String>,
    /// Its files.
    pub(super) target_files: Vec<String>,
    pub(super) header: Vec<String>,
    /// How many of the columns are the first table's.
    pub(super) width: usize,
    /// How many are the second one's.
    pub(super) target_width: usize,
}

/// What messages call the place of a swept value.
const SWEEP: &str = "--sweep";

impl Places {
    /// A column's heading as a place in its file.
    pub(super) fn heading(&self, column: usize) -> (&str, Option<(u64, u64)>) {
        let place = |column: usize| Some((1, column as u64 + 1));
        match (column.checked_sub(self.width), &self.target) {
            (None, _) => (&self.path, place(column)),
            (Some(column), Some(target)) if column < self.target_width => (target, place(column)),
            _ => (SWEEP, None),
        }
    }

    /// The names of swept columns, and their indices.
    pub(super) fn swept(&self) -> impl Iterator<Item = (String, usize)> {
        let first = self.width + self.target_width;
        self.header.iter().cloned().zip(0..).skip(first)
    }

    /// The file that a row of the first table is in.
    pub(super) fn of_row(&self, record: &Record) -> &str {
        self.files
            .get(record.file())
            .map_or(&self.path, String::as_str)
    }

    /// The file that a row of the second table is in.
    fn of_target(&self, record: &Record) -> &str {
        let file = self.target_files.get(record.file());
        file.or(self.target.as_ref()).map_or("", String::as_str)
    }

    /// Says that no table has a column of this name.
    pub(super) fn without(&self, name: &str) -> String {
        match &self.target {
            None if self.path.is_empty() => format!("nothing gives \"{name}\" a value"),
            None => format!("{} has no column \"{name}\"", self.path),
            Some(target) => {
                format!("neither {} nor {target} has a column \"{name}\"", self.path)
            }
        }
    }

    /// A cell as a place in its file.
    fn cell(&self, row: &Joined<'_>, column: usize) -> (&str, Option<(u64, u64)>) {
        match row.origin(column) {
            Origin::First(record, column) => (self.of_row(record), Some(record.place(column))),
            Origin::Target(record, column) => (self.of_target(record), Some(record.place(column))),
            Origin::Swept(..) => (SWEEP, None),
        }
    }

    /// What is wrong with the fight of a row, of which a column says it.
    fn of_fight(
        &self,
        code: FileCode,
        (row, column): (&Joined<'_>, usize),
        wrong: &Wrong,
    ) -> CliError {
        let (path, place) = self.cell(row, column);
        let mut finding = Finding::in_file(code.as_str(), path, place, wrong.to_string());
        finding.help.clone_from(&wrong.help);
        finding.into()
    }

    /// What is wrong with a row for a question, as an error of the table's file.
    pub(super) fn describe(
        &self,
        batch: &Batch,
        question: usize,
        origin: &str,
        row: &Joined<'_>,
        fault: Fault<'_>,
    ) -> CliError {
        match fault {
            Fault::Skipped => match row.fault() {
                Some(bad) => self.row_fault(&bad).into(),
                None => bug!("a row without a fault was skipped").into(),
            },
            Fault::Cell { column, why } => {
                let message = format!("{} in {} {why}", quoted(row, column), self.named(column));
                let (path, place) = self.cell(row, column);
                let code = FileCode::BadCell.as_str();
                Finding::in_file(code, path, place, message).into()
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
                self.at_row(error, row, Some(column))
            }
            Fault::Encounter { column, wrong } => {
                self.of_fight(FileCode::BadEncounter, (row, column), wrong)
            }
            Fault::Scenario { column, wrong } => {
                self.of_fight(FileCode::BadItem, (row, column), wrong)
            }
            Fault::Unfought { why } => {
                // The script is not the reader's: what is wrong in it is told of its row.
                let mut error = CliError::failure(why, &Sources::single("", ""));
                let place = Some((row.record.line(), 1));
                for finding in &mut error.findings {
                    finding.location = Location::File {
                        path: self.of_row(row.record).to_owned(),
                        at: place,
                    };
                }
                error
            }
            Fault::Bug(bug) => bug.into(),
            Fault::Arguments => CliError {
                findings: self.wrong_arguments(batch, question, row),
            },
            Fault::Failed {
                column,
                sources,
                why,
            } => {
                let is_named = batch.varying(question).is_some() || origin.is_empty();
                let error = match is_named {
                    true => CliError::failure(why, sources),
                    false => CliError::failure(why, &Sources::single(origin, sources.main())),
                };
                self.at_row(error, row, column)
            }
            Fault::OtherOutputs {
                column,
                found,
                expected,
            } => self.other_outputs(row, column, (&found, expected)).into(),
        }
    }

    /// A row whose program has outputs that have no columns.
    fn other_outputs(
        &self,
        row: &Joined<'_>,
        column: Option<usize>,
        (found, expected): (&[String], &[String]),
    ) -> Finding {
        let message = format!(
            "the program gives {} here, and the columns are those of {}",
            outputs(found),
            outputs(expected)
        );
        let help = "all rows have the outputs of the first one: give them the same names, \
                    or run the others by themselves";
        let code = FileCode::OtherOutputs.as_str();
        let finding = match column.map(|column| self.cell(row, column)) {
            Some((path, at)) => Finding::in_file(code, path, at, message),
            None => Finding::general(code, format!("{}: {message}", self.row(row))),
        };
        finding.help(help)
    }

    fn missing_in_text(&self, columns: &Columns, used: &ResourceUse, text: &str) -> Finding {
        let location = Location::Text {
            origin: String::new(),
            text: text.to_owned(),
            span: used.span,
            labels: Vec::new(),
        };
        missing(self, columns, used, location)
    }

    fn wrong_arguments(&self, batch: &Batch, question: usize, row: &Joined<'_>) -> Vec<Finding> {
        let roll = batch.varying(question).map(Varying::roll);
        let finding = |fault: ArgumentFault| {
            if let Some(found) = in_text(&fault.error) {
                return self.at_row(found.into(), row, fault.column).findings;
            }
            let (path, place) = match fault.column {
                Some(column) => self.cell(row, column),
                None => (self.of_row(row.record), Some((row.record.line(), 1))),
            };
            let message = fault.error.to_string();
            let not_json = fault
                .not_json
                .map(|why| format!("the cell is not JSON: {why}"));
            let help = not_json.or_else(|| Some(advice(roll?, &fault.error)));
            let code = FileCode::BadArguments.as_str();
            vec![Finding {
                help,
                ..Finding::in_file(code, path, place, message)
            }]
        };
        let faults = batch.wrong_arguments(question, row).into_iter();
        faults.flat_map(finding).collect()
    }

    fn row_fault(&self, bad: &BadRow<'_>) -> Finding {
        let columns = bad.columns.len();
        let (column, message, help) = match *bad.fault {
            RowFault::Cells { found } => {
                let cells = if found == 1 { "cell" } else { "cells" };
                let message =
                    format!("the row has {found} {cells}, but the header names {columns} columns");
                // The position is the first cell that is too many, or the last one before those
                // that are missing.
                let column = match found > columns {
                    true => columns,
                    false => found.saturating_sub(1),
                };
                let help = "is the file cut off, or a comma not in quotes?";
                (column, message, help)
            }
            RowFault::NotText { column } => {
                let named = self.named(bad.columns.start + column);
                let message = format!("the cell in {named} is not UTF-8 text");
                (column, message, "save the table as UTF-8")
            }
            RowFault::NewField { ref name } => {
                let message = format!("the row has a field \"{name}\", which the first rows lack");
                let help = "the first 1,000 rows decide the columns: give one of them that field";
                (0, message, help)
            }
        };
        let path = match bad.is_target {
            true => self.of_target(bad.record),
            false => self.of_row(bad.record),
        };
        let place = Some((bad.record.line(), column as u64 + 1));
        Finding::in_file(FileCode::BadTable.as_str(), path, place, message).help(help)
    }

    /// The findings in a rule's text, with the row that they are about.
    fn at_row(&self, mut error: CliError, row: &Joined<'_>, column: Option<usize>) -> CliError {
        let place = match column.map(|column| self.cell(row, column)) {
            Some((path, Some((line, column)))) => format!("{path}:{line}:{column}"),
            _ => self.row(row),
        };
        for finding in &mut error.findings {
            if matches!(finding.location, Location::Text { .. } | Location::Nowhere) {
                finding.message = format!("{place}: {}", finding.message);
            }
        }
        error
    }

    /// A row by its lines and its swept values.
    fn row(&self, row: &Joined<'_>) -> String {
        let mut place = match self.of_row(row.record) {
            "" => String::new(),
            path => format!("{path}:{}", row.record.line()),
        };
        if let Some(record) = row.target() {
            let target = self.of_target(record);
            place += &format!(" with {target}:{}", record.line());
        }
        let swept = self.header.iter().skip(self.width + self.target_width);
        for (sweep, name) in swept.enumerate() {
            let value = row.point().value(sweep).unwrap_or_default();
            let comma = if place.is_empty() { "" } else { ", " };
            place += &format!("{comma}{name} {value}");
        }
        place
    }

    fn named(&self, column: usize) -> String {
        match self.header.get(column).map(|name| name.trim()) {
            Some(name) if !name.is_empty() => format!("column \"{name}\""),
            _ => format!("column {}", column + 1),
        }
    }
}

/// The error of a resource that neither a column nor a flag gives.
pub(super) fn missing(
    places: &Places,
    columns: &Columns,
    used: &ResourceUse,
    location: Location,
) -> Finding {
    let name = used.name.to_string();
    let message = match columns.unusable(&used.name) {
        Some(held) => format!(
            "[{name}] is {}, not a whole number",
            shorten(held, MAX_QUOTED)
        ),
        None => places.without(&name),
    };
    let help = match places.path.as_str() {
        "" => format!("give it with -r '{name}=INT' or --sweep '{name}=1..5'"),
        _ => format!(
            "{}; or give it with -r '{name}=INT'",
            columns.suggest(&name)
        ),
    };
    Finding {
        location,
        ..Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
    }
}

/// The outputs of a program in words.
fn outputs(names: &[String]) -> String {
    let listed: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match listed.len() {
        0 => "a single result".to_owned(),
        1 => format!("the output {}", listed.join("")),
        count => format!("{count} outputs ({})", listed.join(", ")),
    }
}

/// A cell's text in quotes, or where it is.
fn quoted(row: &Joined<'_>, column: usize) -> String {
    let text = row.get(column).unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    if text.is_empty() {
        return "a cell".to_owned();
    }
    let short: String = text.chars().take(MAX_QUOTED).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", short.escape_debug())
}
