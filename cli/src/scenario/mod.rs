//! Scenarios of the d100 rules and encounters as scripts: a file whose name ends in `.json`, where
//! a script may be given. `document` reads the files.

mod document;

pub(crate) use document::Document;

use crate::encounter::Scene;
use crate::error::CliError;
use crate::report::Reporter;
use crate::script::laid_out;
use dicec_compiler::front::dh2e::{
    Actor, Notes, PhenomenaTable, read_actor, read_phenomena, scenario_script,
};
use dicec_compiler::front::encounter::Told;
use dicec_compiler::syntax::SourceLimits;
use serde_json::Value;
use std::path::Path;

/// Whether a file is a scenario or an encounter rather than a script.
pub(crate) fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json")
}

/// The script of a scenario or an encounter, in its normal layout.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn script_of(
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<String, CliError> {
    let document = Document::read(&path.display().to_string(), "scenario")?;
    match is_encounter(&document.json) {
        true => {
            let scene = Scene::of_document(&document.json, &document.origin)?;
            scene.tell_notes(reporter);
            scene.script(Told::Figures)
        }
        false => scenario_of(document, path, limits, reporter),
    }
}

/// Whether a document is an encounter: its sides are of creatures, those of a scenario of fighters.
fn is_encounter(json: &Value) -> bool {
    let sides = json.get("sides").and_then(Value::as_array);
    let mut sides = sides.into_iter().flatten();
    sides.any(|side| side.get("creatures").is_some())
}

/// The script of a scenario.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn scenario_script_of(
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<String, CliError> {
    let document = Document::read(&path.display().to_string(), "scenario")?;
    scenario_of(document, path, limits, reporter)
}

fn scenario_of(
    mut document: Document,
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<String, CliError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for (member, what) in [
        ("attacker", "actor"),
        ("target", "actor"),
        ("injuries", "table of injuries"),
    ] {
        if let Some(value) = document.json.get_mut(member) {
            inline(value, folder, what)?;
        }
    }
    for side in document
        .json
        .get_mut("sides")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let fighters = side.get_mut("fighters").and_then(Value::as_array_mut);
        for fighter in fighters.into_iter().flatten() {
            if let Some(actor) = fighter.get_mut("actor") {
                inline(actor, folder, "actor")?;
            }
        }
    }
    let mut notes = Notes::default();
    let script = scenario_script(&document.json, &mut notes);
    let script = script.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, reporter);
    laid_out(&document.origin, &script, limits)
}

/// Puts the document in place of the name of its file, which is relative to the scenario's folder.
fn inline(value: &mut Value, folder: &Path, what: &str) -> Result<(), CliError> {
    if let Value::String(name) = value {
        let path = folder.join(name.as_str());
        *value = Document::read(&path.display().to_string(), what)?.json;
    }
    Ok(())
}

/// Reads an actor.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn actor(given: &str) -> Result<(Document, Actor), CliError> {
    let document = Document::read(given, "actor")?;
    let actor = read_actor(&document.json).map_err(|wrong| document.wrong(&wrong))?;
    Ok((document, actor))
}

/// Reads tables of phenomena and perils.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn phenomena(given: &str) -> Result<PhenomenaTable, CliError> {
    let document = Document::read(given, "tables of phenomena")?;
    read_phenomena(&document.json).map_err(|wrong| document.wrong(&wrong))
}
