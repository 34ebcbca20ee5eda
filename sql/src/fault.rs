//! What is wrong with a row, in words: with its values, and in terms of SQL.

use crate::advice::words;
use crate::ask::location;
use crate::error::{SqlError, internal};
use crate::question::Question;
use dicec_compiler::Failure;
use dicec_lang::syntax::{FileCode, Finding, Location, Sources, shorten};
use dicec_runtime::bug;
use dicec_runtime::resource::ResourceName;
use dicec_tables::{Fault, Row, TextError};

/// Longer values are cut.
const MAX_QUOTED: usize = 40;

/// Why a row has no answer.
pub(crate) fn in_row(question: &Question, row: &impl Row, fault: Fault<'_>) -> SqlError {
    let names = question.batch.columns().names();
    let named = |column: usize| names.get(column).map_or("", String::as_str);
    match fault {
        Fault::Cell { column, why } => {
            let cell = match row.cell(column).trim() {
                "" => "the value".to_owned(),
                cell => format!("`{}`", shorten(cell, MAX_QUOTED)),
            };
            let name = named(column);
            let message = format!("{cell} for [{name}] {why}");
            let mut finding = Finding::general(FileCode::BadCell.as_str(), message);
            if let Some(program) = &question.program {
                let resource = ResourceName::parse(name);
                let mut used = program.resources().iter();
                let used = used.find(|used| used.name == resource);
                if let Some(used) = used {
                    finding.location = location(&question.call, program, used.span);
                }
            }
            finding.into()
        }
        Fault::Text { text, why, .. } => match why {
            TextError::Text(found) => SqlError::in_text(found, &question.call.origin(), text),
            TextError::Missing(used) => {
                let columns = question.batch.columns();
                let finding = |used: &dicec_lang::hir::ResourceUse| {
                    let name = question.call.function.name();
                    let message = format!("{name} is not given [{}]", used.name);
                    let help = columns.suggest(&used.name.to_string());
                    Finding {
                        location: Location::Text {
                            origin: question.call.origin(),
                            text: text.to_owned(),
                            span: used.span,
                            labels: Vec::new(),
                        },
                        ..Finding::general(FileCode::MissingColumn.as_str(), message).help(help)
                    }
                };
                let findings = used.iter().map(finding).collect();
                SqlError { findings }
            }
        },
        Fault::Failed { sources, why, .. } => {
            let mut finding = failure(question, sources, why);
            finding.message = format!("{}{}", finding.message, values(names, row));
            finding.into()
        }
        Fault::Encounter { column, wrong } => {
            let cell = shorten(row.cell(column), MAX_QUOTED);
            let message = format!("`{cell}`: {wrong}");
            let mut finding = Finding::general(FileCode::BadEncounter.as_str(), message);
            finding.help.clone_from(&wrong.help);
            finding.into()
        }
        Fault::OtherOutputs { .. } => no_figure(question, row),
        Fault::Unfought { why } => {
            // The script of a fight is not the reader's: its text helps nobody.
            let found = why.diagnostic(0);
            let code = found.map_or(FileCode::NoNativeCode.as_str(), |found| found.code.as_str());
            Finding::general(code, format!("{why}{}", values(names, row))).into()
        }
        Fault::Bug(bug) => internal(&bug).into(),
        Fault::Skipped | Fault::Arguments | Fault::Scenario { .. } => internal(&bug!(
            "a row of SQL without arguments of scripts or scenarios"
        ))
        .into(),
    }
}

/// The rule of a row has not what is asked for.
pub(crate) fn no_figure(question: &Question, row: &impl Row) -> SqlError {
    let names = question.batch.columns().names();
    let rule = row.cell(names.len().saturating_sub(1));
    let name = question.call.function.name();
    let message = format!(
        "`{}` does not have what {name} asks for",
        shorten(rule, MAX_QUOTED)
    );
    let help = "dice_p wants checks, dice_mean and dice_quantile want numbers: choose the rows";
    Finding::general(FileCode::BadCall.as_str(), message)
        .help(help)
        .into()
}

fn failure(question: &Question, sources: &Sources, why: &Failure) -> Finding {
    let text = sources.main();
    match why.diagnostic(text.len()) {
        Some(found) => Finding::in_text(&found.worded(words), &question.call.origin(), text),
        None => Finding::general(FileCode::NoNativeCode.as_str(), why.to_string()),
    }
}

/// The values of a row, as the end of a message.
fn values(names: &[String], row: &impl Row) -> String {
    let given = names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty());
    let given =
        given.map(|(column, name)| format!("{name} = {}", shorten(row.cell(column), MAX_QUOTED)));
    match given.collect::<Vec<_>>() {
        given if given.is_empty() => String::new(),
        given => format!(" (in a row with {})", given.join(", ")),
    }
}
