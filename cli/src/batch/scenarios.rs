//! Tables of scenarios of the d100 rules: the columns that change the scenario of a row.

use super::fault::Places;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::{Loaded, ScriptArgs};
use crate::report::Reporter;
use dicec_games::dh2e::{Change, Scenario, Wrong};
use dicec_tables::{Batch, CellNote, ScenarioColumns, Sweep};
use serde_json::Value;

/// The scenario that became a script, and the columns that change it; `None` if they give at most
/// parameters of the script.
///
/// # Errors
/// A column that is about somebody, but not about anything that can be changed, or a parameter next
/// to columns that change the scenario.
pub(super) fn columns(
    loaded: &Loaded,
    args: &ScriptArgs,
    places: &Places,
) -> Result<Option<ScenarioColumns>, CliError> {
    let Some(scenario) = loaded.scenario() else {
        return Ok(None);
    };
    let mut changes = Vec::new();
    for (column, name) in places.header.iter().enumerate() {
        let change = Change::named(name.trim(), scenario);
        let change = change.map_err(|wrong| {
            let (path, place) = places.heading(column);
            let code = FileCode::BadItem.as_str();
            CliError::from(advised(
                Finding::in_file(code, path, place, wrong.to_string()),
                &wrong,
            ))
        })?;
        changes.extend(change.map(|change| (change, column)));
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let mut scenario = scenario.clone();
    set(&mut scenario, &loaded.given(args)?.json)?;
    let is_taken = |column| changes.iter().any(|(_, taken)| *taken == column);
    let free = (0..places.header.len()).filter(|column| !is_taken(*column));
    for column in free {
        let name = places.header[column].trim();
        if parameters(loaded, args)?.iter().any(|known| known == name) {
            let (path, place) = places.heading(column);
            let code = FileCode::BadArguments.as_str();
            let finding = Finding::in_file(code, path, place, mixed(name));
            return Err(finding.help(HELP).into());
        }
    }
    Ok(Some(ScenarioColumns { scenario, changes }))
}

/// Refuses sweeps that are about somebody, but not about anything that can be changed.
pub(super) fn check(sweeps: &[Sweep], loaded: &Loaded) -> Result<(), CliError> {
    let Some(scenario) = loaded.scenario() else {
        return Ok(());
    };
    let wrong = sweeps
        .iter()
        .filter_map(|sweep| Change::named(sweep.name(), scenario).err());
    CliError::of(wrong.map(|wrong| {
        let code = FileCode::BadSweep.as_str();
        advised(Finding::general(code, wrong.to_string()), &wrong)
    }))
}

/// Whether a name changes the scenario that became a script.
pub(super) fn is_change(loaded: &Loaded, name: &str) -> bool {
    loaded
        .scenario()
        .is_some_and(|scenario| matches!(Change::named(name, scenario), Ok(Some(_))))
}

/// What to do about parameters next to changes.
const HELP: &str = "change the scenario by all of them: attacker.bs, target.t, target.wounds";

fn mixed(name: &str) -> String {
    format!("{name} is a parameter of the script, and other columns change the scenario itself")
}

/// The names of the parameters of a script's roll.
fn parameters(loaded: &Loaded, args: &ScriptArgs) -> Result<Vec<String>, CliError> {
    let parameters = loaded.roll(args)?.parameters();
    Ok(parameters.into_iter().map(|(name, _)| name).collect())
}

/// Changes a scenario by arguments for its script.
fn set(scenario: &mut Scenario, arguments: &Value) -> Result<(), CliError> {
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let wrong = |message, wrong: &Wrong| -> CliError {
            let code = FileCode::BadArguments.as_str();
            advised(Finding::general(code, message), wrong).into()
        };
        let change = Change::named(name, scenario);
        let change = change.map_err(|found| wrong(found.to_string(), &found))?;
        let Some(change) = change else {
            let code = FileCode::BadArguments.as_str();
            return Err(Finding::general(code, mixed(name)).help(HELP).into());
        };
        let value = value.to_string();
        let applied = change.apply(&value, scenario);
        applied.map_err(|found| wrong(found.to_string(), &found))?;
    }
    Ok(())
}

/// Tells what of the cells of a table has no effect, at the headings of their columns.
pub(super) fn tell_cells(batch: &Batch, places: &Places, reporter: Reporter) {
    for CellNote { column, wrong } in batch.cell_notes() {
        let (path, place) = places.heading(*column);
        let code = FileCode::ItemNote.as_str();
        let finding = match path {
            "" => Finding::general(code, wrong.to_string()),
            path => Finding::in_file(code, path, place, wrong.to_string()),
        };
        reporter.note(&advised(finding, wrong).note());
    }
}

fn advised(finding: Finding, wrong: &Wrong) -> Finding {
    Finding {
        help: wrong.help.clone(),
        ..finding
    }
}
