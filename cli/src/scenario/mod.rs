//! Scenarios of the d100 rules and encounters as scripts: a file whose name ends in `.json`, where
//! a script may be given. `document` reads the files.

mod document;

pub(crate) use document::Document;

use crate::encounter::Scene;
use crate::error::CliError;
use crate::report::Reporter;
use crate::script::laid_out;
use dicec_compiler::front::dh2e::{
    self, Actor, FightPlan, Notes, PhenomenaTable, Wrong, read_actor, read_phenomena,
};
use dicec_compiler::front::encounter::{Purpose, Told};
use dicec_compiler::syntax::SourceLimits;
use serde_json::Value;
use std::path::Path;

/// Whether a file is a scenario or an encounter rather than a script.
pub(crate) fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json")
}

/// What a document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Attack,
    Fight,
    /// Its sides are of creatures, those of a fight of fighters.
    Encounter,
    Actor,
}

impl About {
    fn of(json: &Value) -> Option<Self> {
        let sides = json.get("sides").and_then(Value::as_array);
        let mut creatures = sides.into_iter().flatten();
        let is_encounter = creatures.any(|side| side.get("creatures").is_some());
        let has = |name| json.get(name).is_some();
        match (has("attacker"), has("sides"), has("characteristics")) {
            (true, _, _) => Some(Self::Attack),
            (false, true, _) if is_encounter => Some(Self::Encounter),
            (false, true, _) => Some(Self::Fight),
            (false, false, true) => Some(Self::Actor),
            (false, false, false) => None,
        }
    }

    /// What it is, and the command for it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Attack => ("an attack", "dicec dh2e attack"),
            Self::Fight => ("a fight", "dicec dh2e fight"),
            Self::Encounter => ("an encounter of creatures", "dicec encounter"),
            Self::Actor => ("an actor", "dicec dh2e test"),
        }
    }
}

/// Refuses a document that is about something else; what is about nothing is told elsewhere.
fn expect(document: &Document, wanted: About) -> Result<(), CliError> {
    let Some(found) = About::of(&document.json).filter(|found| *found != wanted) else {
        return Ok(());
    };
    let ((is, command), (not, _)) = (found.words(), wanted.words());
    let wrong = Wrong::new("$", format!("is {is}, not {not}"));
    let help = format!("`{command} {}` takes it", document.origin);
    Err(document.wrong(&wrong.help(help)))
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
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    match About::of(&document.json) {
        Some(About::Encounter) => {
            let scene = Scene::of_document(&document.json, &document.origin)?;
            scene.tell_notes(reporter);
            scene.script(Told::Figures, Purpose::Odds)
        }
        _ => scenario_of(&mut document, path, limits, reporter),
    }
}

/// An attack as a script in its normal layout, and whom it is against.
pub(crate) struct AttackScript {
    pub(crate) script: String,
    pub(crate) target: String,
}

/// The script of an attack.
///
/// # Errors
/// A file that cannot be read, is not an attack, or what is wrong with it.
pub(crate) fn attack_script(
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<AttackScript, CliError> {
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    expect(&document, About::Attack)?;
    let script = scenario_of(&mut document, path, limits, reporter)?;
    let target = document.json.pointer("/target/name");
    let target = target.and_then(Value::as_str).unwrap_or_default();
    let target = target.to_owned();
    Ok(AttackScript { script, target })
}

fn scenario_of(
    document: &mut Document,
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<String, CliError> {
    inline_all(document, path)?;
    let mut notes = Notes::default();
    let script = dh2e::scenario_script(&document.json, &mut notes);
    let script = script.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, reporter);
    laid_out(&document.origin, &script, limits)
}

/// A fight as a script in its normal layout, and what its answer holds.
///
/// # Errors
/// A file that cannot be read, is not a fight, or what is wrong with it.
pub(crate) fn fight_plan(
    path: &Path,
    limits: SourceLimits,
    reporter: Reporter,
) -> Result<FightPlan, CliError> {
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    expect(&document, About::Fight)?;
    inline_all(&mut document, path)?;
    let mut notes = Notes::default();
    let plan = dh2e::fight_plan(&document.json, &mut notes);
    let mut plan = plan.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, reporter);
    plan.script = laid_out(&document.origin, &plan.script, limits)?;
    Ok(plan)
}

/// Puts documents in place of the names of their files in a scenario of this path.
fn inline_all(document: &mut Document, path: &Path) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for (member, what) in [
        ("attacker", "actor"),
        ("target", "actor"),
        ("injuries", "table of injuries"),
    ] {
        document.inline(&[member], folder, what)?;
    }
    let length = |list: Option<&Value>| list.and_then(Value::as_array).map_or(0, Vec::len);
    for side in 0..length(document.json.get("sides")) {
        let fighters = &document.json["sides"][side];
        for fighter in 0..length(fighters.get("fighters")) {
            let (side, fighter) = (side.to_string(), fighter.to_string());
            let actor = ["sides", &side, "fighters", &fighter, "actor"];
            document.inline(&actor, folder, "actor")?;
        }
    }
    Ok(())
}

/// Reads an actor.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn actor(given: &str) -> Result<(Document, Actor), CliError> {
    let document = Document::read(given, "actor")?;
    expect(&document, About::Actor)?;
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
