//! Errors in a table, or in one of its rows.

use crate::program::Loaded;
use crate::wrong::Wrong;
use dicec_lang::syntax::{FileCode, Finding, Sources, shorten};
use dicec_runtime::bug;
use dicec_tables::{BadTable, Batch, Columns, Fault, Joined, NoFights, TextError, Varying};

/// Cells are quoted up to this many characters.
const MAX_QUOTED: usize = 40;

/// The error in a row for a question.
pub(crate) fn wrong_row(
    batch: &Batch,
    question: usize,
    row: &Joined<'_>,
    fault: Fault<'_>,
) -> Wrong {
    let name = |column: usize| {
        batch
            .columns()
            .names()
            .get(column)
            .map_or("", String::as_str)
    };
    let wrong = match fault {
        Fault::Skipped => {
            let message = "its cells are not those that the header names";
            let finding = Finding::general(FileCode::BadTable.as_str(), message);
            finding
                .help("is the table cut off, or a comma not in quotes?")
                .into()
        }
        Fault::Cell { column, why } => {
            let cell = row.get(column).unwrap_or_default();
            let cell = String::from_utf8_lossy(cell);
            let shown = shorten(cell.trim(), MAX_QUOTED);
            let message = format!("\"{shown}\" in column \"{}\" {why}", name(column));
            Finding::general(FileCode::BadCell.as_str(), message).into()
        }
        Fault::Text { text, why, .. } => match why {
            TextError::Text(found) => Wrong::found(found, &Sources::single("", text)),
            TextError::Missing(used) => Wrong {
                findings: used
                    .iter()
                    .map(|used| missing(batch.columns(), &used.name.to_string()))
                    .collect(),
            },
        },
        Fault::Arguments => {
            let roll = batch.varying(question).map(Varying::roll);
            let faults = batch.wrong_arguments(question, row).into_iter();
            let findings =
                faults.filter_map(|fault| Some(crate::program::bad_argument(roll?, &fault.error)));
            Wrong {
                findings: findings.collect(),
            }
        }
        Fault::Encounter { column, wrong } | Fault::Scenario { column, wrong } => {
            let message = format!("column \"{}\": {wrong}", name(column));
            let mut finding = Finding::general(FileCode::BadEncounter.as_str(), message);
            finding.help.clone_from(&wrong.help);
            finding.into()
        }
        Fault::Failed { sources, why, .. } => Wrong::failed(why, sources),
        Fault::OtherOutputs { .. } => bug!("a request asks for no AnyDice programs").into(),
        Fault::Unfought { why } => Wrong::failed_fight(why, "the encounter of the row"),
        Fault::Bug(bug) => bug.into(),
    };
    at_row(wrong, row)
}

/// The findings with the row that they are about; a sweep has no lines.
fn at_row(mut wrong: Wrong, row: &Joined<'_>) -> Wrong {
    let labels = row.labels();
    let place = match row.record.line() {
        0 => labels.join(", "),
        line => format!("line {line}"),
    };
    for finding in &mut wrong.findings {
        finding.message = format!("{place}: {}", finding.message);
    }
    wrong
}

/// A resource that neither a column nor the request gives.
pub(crate) fn missing(columns: &Columns, name: &str) -> Finding {
    let message = format!("nothing gives [{name}] a value");
    let help = match columns.names().is_empty() {
        true => format!("give it a value: \"set\": {{\"{name}\": 4}}"),
        false => format!("{}; or give it a value", columns.suggest(name)),
    };
    Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
}

/// Columns that make no encounters.
pub(super) fn no_fights(wrong: &NoFights) -> Wrong {
    let code = FileCode::MissingColumn.as_str();
    let help = "name them: encounter=Party,Monsters, or one with both: encounter=COLUMN";
    match wrong {
        NoFights::Missing(name) => {
            let message = format!("the table has no column \"{name}\"");
            Finding::general(code, message).help(help).into()
        }
        NoFights::Unknown => {
            let message = "no two columns are known to be the sides of an encounter";
            Finding::general(code, message).help(help).into()
        }
        NoFights::Change(_, wrong) => {
            let code = FileCode::BadEncounter.as_str();
            let mut finding = Finding::general(code, wrong.to_string());
            finding.help.clone_from(&wrong.help);
            finding.into()
        }
    }
}

/// A table that cannot be read.
pub(super) fn bad_table(wrong: BadTable) -> Wrong {
    let code = match wrong.is_unreadable {
        true => FileCode::Unreadable,
        false => FileCode::BadTable,
    };
    Finding {
        help: wrong.help,
        ..Finding::in_file(code.as_str(), "table", wrong.place, wrong.message)
    }
    .into()
}

/// A machine for which code cannot be made.
pub(crate) fn no_native_code(why: String) -> Wrong {
    Finding::general(FileCode::NoNativeCode.as_str(), why).into()
}

impl Loaded {
    /// Resources that neither the request nor a column gives.
    pub(crate) fn lacking(
        &self,
        columns: &Columns,
        used: &[dicec_compiler::unstable::ResourceUse],
    ) -> Wrong {
        let findings = used.iter().map(|used| Finding {
            location: self.location(used.span),
            ..missing(columns, &used.name.to_string())
        });
        Wrong {
            findings: findings.collect(),
        }
    }
}
