//! `dicec batch --encounter`: errors in the columns of a table that make its encounters.

use super::fault::Places;
use crate::bestiary::wrong_encounter;
use crate::error::{CliError, FileCode, Finding};
use crate::report::Reporter;
use dicec_games::encounter::Bestiary;
use dicec_lang::syntax::nearest;
use dicec_tables::{Batch, FightColumns, NoFights};

/// The columns that make the encounter of a row: `wanted` are the headings of `--encounter=A,B`.
///
/// # Errors
/// The sides are not known, or a column changes what cannot be changed.
pub(super) fn columns(
    places: &Places,
    wanted: &str,
    bestiary: &Bestiary,
) -> Result<FightColumns, CliError> {
    let columns = FightColumns::named(&places.header, wanted, bestiary);
    columns.map_err(|wrong| match wrong {
        NoFights::Missing(name) => missing(places, &name).into(),
        NoFights::Unknown => unknown_sides(places).into(),
        NoFights::Change(column, wrong) => {
            let (path, _) = places.heading(column);
            wrong_encounter(&wrong, path)
        }
    })
}

fn missing(places: &Places, name: &str) -> Finding {
    let code = FileCode::MissingColumn.as_str();
    let missing = Finding::in_file(code, &places.path, Some((1, 1)), places.without(name));
    let headings = places.header.iter().map(|heading| heading.trim());
    missing.help(match nearest(name, headings) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("its columns are {}", places.header.join(", ")),
    })
}

fn unknown_sides(places: &Places) -> Finding {
    let code = FileCode::MissingColumn.as_str();
    let message = "no two columns are known to be the sides of an encounter";
    let (first, second) = match &places.header[..] {
        [.., first, second] => (first.trim(), second.trim()),
        _ => ("Party", "Monsters"),
    };
    Finding::in_file(code, &places.path, Some((1, 1)), message).help(format!(
        "name them: --encounter='{first},{second}', or one with both: --encounter=COLUMN"
    ))
}

/// Tells what creatures of a table have that is not modelled.
pub(super) fn tell_unmodelled(batch: &Batch, reporter: Reporter) {
    for (name, missing) in batch.unmodelled() {
        let message = format!("{name}: not modelled: {}", missing.join(", "));
        let code = FileCode::EncounterNote.as_str();
        reporter.note(&Finding::general(code, message).note());
    }
}
