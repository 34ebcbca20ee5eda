//! What is wrong with a row, as findings that name it. Rows are counted from 0, as in libraries of
//! tables.

use crate::error::Wrong;
use dicec_lang::hir::ResourceUse;
use dicec_lang::syntax::{Code, Diagnostic, FileCode, Finding, Sources, shorten};
use dicec_runtime::bug;
use dicec_tables::{Batch, Columns, Fault, Record, Row, TextError};

/// Cells are quoted up to this many characters.
const MAX_QUOTED: usize = 40;

/// What is wrong with a row, which has this number, for a rule of these texts.
pub(crate) fn at_row(
    (number, record): (u64, &Record),
    batch: &Batch,
    sources: &Sources,
    fault: &Fault<'_>,
) -> Wrong {
    let columns = batch.columns();
    let name = |column: usize| columns.names().get(column).map_or("", String::as_str);
    let wrong = match fault {
        Fault::Cell { column, why } => {
            let cell = record.cell(*column).trim();
            let cell = match cell.is_empty() {
                true => "a cell".to_owned(),
                false => format!("\"{}\"", shorten(cell, MAX_QUOTED)),
            };
            let message = format!("{cell} in column \"{}\" {why}", name(*column));
            Finding::general(FileCode::BadCell.as_str(), message).into()
        }
        Fault::Text { text, why, .. } => match why {
            TextError::Text(found) => Wrong::found(found, &Sources::single("", text)),
            TextError::Missing(used) => {
                let sources = Sources::single("", text);
                let used = used.iter().map(|used| missing(columns, used, &sources));
                Wrong::Findings(used.collect())
            }
        },
        Fault::Failed {
            sources: own, why, ..
        } => match own.main() == sources.main() {
            true => Wrong::failed(why, sources),
            // With the row's dice in it.
            false => Wrong::failed(why, own),
        },
        Fault::Bug(bug) => bug.clone().into(),
        Fault::Skipped
        | Fault::OtherOutputs { .. }
        | Fault::Arguments
        | Fault::Encounter { .. }
        | Fault::Scenario { .. }
        | Fault::Unfought { .. } => bug!("a row of rules that has another fault").into(),
    };
    wrong.each(|finding| finding.message = format!("row {number}: {}", finding.message))
}

/// What is told of a resource that neither a column nor a value gives.
pub(crate) fn missing(columns: &Columns, used: &ResourceUse, sources: &Sources) -> Finding {
    let name = used.name.to_string();
    // Only its location is used.
    let found = Diagnostic::error(Code::UnknownResource, used.span, "");
    let location = Finding::in_sources(&found, sources).location;
    let message = format!("the table has no column \"{name}\"");
    let suggestion = columns.suggest(&name);
    let help = format!("{suggestion}; or give it a value: resources={{\"{name}\": 4}}");
    Finding {
        location,
        ..Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
    }
}
