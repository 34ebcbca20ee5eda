//! Stat blocks that a script computes: each of its rolls is one, and each line that it outputs is a
//! cell, `ac: 18`, of a table of stat blocks (`rows`).

use super::wrong_encounter;
use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::{Loaded, ScriptArgs};
use dicec_compiler::ScriptSession;
use dicec_games::encounter::{Bestiary, Purpose, Wrong};
use std::path::Path;

/// Adds the stat blocks of a script. Gives the columns that nothing knows.
///
/// # Errors
/// The script is wrong or rolls dice, or a line is not a cell.
pub(super) fn add(
    path: &Path,
    bestiary: &mut Bestiary,
    is_json: bool,
) -> Result<Vec<Wrong>, CliError> {
    let shared = Shared::without_flags(is_json);
    let loaded = Loaded::script(path, &ScriptArgs::default(), Purpose::Trials, &shared)?;
    let origin = path.display().to_string();
    let mut unknown = Vec::new();
    for (name, bound) in loaded.bind_all(&shared)? {
        // Nothing depends on the seed: a sheet rolls no dice.
        let played = bound.play(&mut ScriptSession::new(0));
        let played = played.map_err(|failure| loaded.failed(&failure))?;
        if !played.rolls.is_empty() {
            let what = format!("the sheet `{name}` rolls dice");
            let help =
                "a sheet computes numbers; dice of attacks are text, as in \"1d8+3 slashing\"";
            return Err(wrong(&origin, what).help(help).into());
        }
        let (mut headings, mut cells) = (Vec::new(), Vec::new());
        for line in played.lines() {
            let Some((heading, cell)) = line.split_once(':') else {
                let what = format!("the sheet `{name}` has the line `{line}`");
                let help = "a line is a column and its cell, as in `ac: 18`";
                return Err(wrong(&origin, what).help(help).into());
            };
            headings.push(heading.trim().to_owned());
            cells.push(cell.trim().to_owned());
        }
        if !headings.iter().any(|heading| heading == "name") {
            headings.push("name".to_owned());
            cells.push(name);
        }
        let added = bestiary.add_rows(&headings, &[cells]);
        unknown.extend(added.map_err(|wrong| wrong_encounter(&without_row(wrong), &origin))?);
    }
    Ok(unknown)
}

fn wrong(origin: &str, what: String) -> Finding {
    Finding::in_file(FileCode::BadEncounter.as_str(), origin, None, what)
}

/// A sheet has no rows that people count.
fn without_row(mut wrong: Wrong) -> Wrong {
    wrong.path = wrong.path.replace("row 2, ", "").replace("row 1", "it");
    wrong
}
