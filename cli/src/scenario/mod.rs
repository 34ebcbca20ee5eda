//! Scenarios of the d100 rules and encounters as scripts: a file whose name ends in `.json`, where
//! a script is accepted. `document` reads the files.

mod document;

pub(crate) use document::Document;

use crate::error::CliError;
use crate::report::Reporter;
use crate::scene::Scene;
use crate::script::laid_out;
use dicec_games::dh2e::{
    Actor, Change, FightPlan, Notes, PhenomenaTable, Purpose, Scenario, Wrong, read_actor,
    read_phenomena,
};
use dicec_games::encounter::Told;
use dicec_runtime::bug;
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

/// A script that a scenario or an encounter became, in its normal layout.
pub(crate) struct Generated {
    pub(crate) script: String,
    /// The scenario of the d100 rules, if it is one.
    pub(crate) scenario: Option<Scenario>,
    /// What of `--set` has changed it.
    pub(crate) changed: Vec<String>,
}

/// The script of a scenario or an encounter. `set` has what `--set` says.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub(crate) fn script_of(
    path: &Path,
    set: &[String],
    purpose: Purpose,
    reporter: Reporter,
) -> Result<Generated, CliError> {
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    if About::of(&document.json) == Some(About::Encounter) {
        let scene = Scene::of_document(&document.source())?;
        scene.tell_notes(reporter);
        return Ok(Generated {
            script: scene.script(Told::Figures, purpose)?,
            scenario: None,
            changed: Vec::new(),
        });
    }
    let (scenario, changed) = changed(&mut document, path, set)?;
    let mut notes = Notes::default();
    let script = scenario.script(purpose, &mut notes);
    let script = script.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, reporter);
    Ok(Generated {
        script: laid_out(&document.origin, &script)?,
        scenario: Some(scenario),
        changed,
    })
}

/// The scenario of a document with what `--set` changes about it, and which of `set` does.
fn changed(
    document: &mut Document,
    path: &Path,
    set: &[String],
) -> Result<(Scenario, Vec<String>), CliError> {
    inline_all(document, path)?;
    let scenario = Scenario::read(&document.json);
    let mut scenario = scenario.map_err(|wrong| document.wrong(&wrong))?;
    let (mut changed, mut changes) = (Vec::new(), Vec::new());
    for one in set {
        let Some((name, value)) = one.split_once('=').filter(|(name, _)| is_change(name)) else {
            continue;
        };
        let change = Change::named(name.trim(), &scenario);
        let change = change.map_err(|wrong| document.wrong(&wrong))?;
        if let Some(change) = change {
            let applied = change.apply(value, &mut scenario);
            applied.map_err(|wrong| document.wrong(&wrong))?;
            changed.push(one.clone());
            changes.push(change);
        }
    }
    document.set_changed(scenario.clone(), changes);
    Ok((scenario, changed))
}

/// Whether `--set` changes a scenario by this name. An attack has no rounds, and so no such name.
fn is_change(name: &str) -> bool {
    is_dotted(name) || name.trim().eq_ignore_ascii_case("rounds")
}

/// Whether a name is about a part of something: it changes a scenario, and is not a parameter of
/// the scenario's script.
fn is_dotted(name: &str) -> bool {
    name.contains('.')
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
pub(crate) fn attack_script(path: &Path, reporter: Reporter) -> Result<AttackScript, CliError> {
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    expect(&document, About::Attack)?;
    let (scenario, _) = changed(&mut document, path, &[])?;
    let mut notes = Notes::default();
    let script = scenario.script(Purpose::Trials, &mut notes);
    let script = script.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, reporter);
    let target = document.json.pointer("/target/name");
    let target = target.and_then(Value::as_str).unwrap_or_default();
    Ok(AttackScript {
        script: laid_out(&document.origin, &script)?,
        target: target.to_owned(),
    })
}

/// A fight as a script, and what its answer holds. `set` has what `--set` says.
///
/// # Errors
/// A file that cannot be read, is not a fight, or what is wrong with it.
pub(crate) fn fight_plan(
    path: &Path,
    set: &[String],
    purpose: Purpose,
    reporter: Reporter,
) -> Result<(FightPlan, Generated), CliError> {
    let mut document = Document::read(&path.display().to_string(), "scenario")?;
    expect(&document, About::Fight)?;
    let (scenario, changed) = changed(&mut document, path, set)?;
    let mut notes = Notes::default();
    let plan = scenario.fight_plan(purpose, &mut notes);
    let plan = plan.map_err(|wrong| document.wrong(&wrong))?;
    let plan = plan.ok_or_else(|| bug!("a fight that is an attack"))?;
    document.tell(&notes, reporter);
    let script = laid_out(&document.origin, &plan.script)?;
    let scenario = Some(scenario);
    Ok((
        plan,
        Generated {
            script,
            scenario,
            changed,
        },
    ))
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
