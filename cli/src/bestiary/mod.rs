//! The creatures that encounters may name: those of the SRD, and the stat blocks of files. `rows`
//! reads tables of them, `sheet` runs scripts that compute them; text and JSON are read by
//! `dicec_games::statblock`.

mod edition;
mod rows;
mod sheet;
mod toml;

pub(crate) use edition::EditionName;
pub(crate) use toml::json_of_toml;

use crate::error::{CliError, FileCode, Finding};
use crate::json::bytes_of;
use crate::report::Reporter;
use dicec_games::encounter::{Bestiary, Wrong};
use dicec_games::statblock::add_blocks;
use std::path::PathBuf;

/// The creatures that encounters may name. Characters are of this edition, unless they say
/// otherwise.
///
/// # Errors
/// A file that cannot be read, or is not one of stat blocks.
pub(crate) fn bestiary(
    files: &[PathBuf],
    edition: Option<EditionName>,
    is_json: bool,
) -> Result<Bestiary, CliError> {
    let mut bestiary = Bestiary::srd().of_edition(edition.map(Into::into).unwrap_or_default());
    let reporter = Reporter::new(is_json);
    for path in files {
        let origin = path.display().to_string();
        let ends_in = |end: &str| {
            let own = path.extension();
            own.is_some_and(|own| own.eq_ignore_ascii_case(end))
        };
        let unknown = if ends_in("csv") {
            rows::add(&origin, &mut bestiary)?
        } else if ends_in("toml") {
            let added = bestiary.add(json_of_toml(&origin)?);
            added.map_err(|wrong| wrong_encounter(&wrong, &origin))?
        } else if ends_in("dice") {
            sheet::add(path, &mut bestiary, is_json)?
        } else {
            let bytes = bytes_of(&origin, "bestiary")?;
            let notes = add_blocks(&mut bestiary, &origin, &bytes)?;
            notes.iter().for_each(|note| reporter.note(note));
            continue;
        };
        for note in unknown {
            let code = FileCode::EncounterNote.as_str();
            let finding = Finding::in_file(code, &origin, None, note.to_string()).note();
            reporter.note(&match note.help {
                Some(help) => finding.help(help),
                None => finding,
            });
        }
    }
    Ok(bestiary)
}

/// What is wrong with an encounter as an error.
pub(crate) fn wrong_encounter(wrong: &Wrong, origin: &str) -> CliError {
    let code = FileCode::BadEncounter.as_str();
    let finding = Finding::in_file(code, origin, None, wrong.to_string());
    match &wrong.help {
        Some(help) => finding.help(help).into(),
        None => finding.into(),
    }
}
