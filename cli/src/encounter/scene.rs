//! The encounter of a command line: words or a file, flags, and the bestiary.

use super::{DescribedName, EncounterArgs, rows, sheet};
use crate::error::{CliError, FileCode, Finding};
use crate::json::{bytes_of, parse_json};
use crate::output;
use crate::report::Reporter;
use crate::script::laid_out;
use dicec_games::encounter::{
    Bestiary, Encounter, Plan, Policy, Purpose, Source, Told, Wrong, encounter_script, schema,
};
use dicec_lang::syntax::nearest;
use dicec_runtime::bug;
use std::path::{Path, PathBuf};

/// An encounter and what it comes to.
pub(crate) struct Scene {
    /// What people call it: its sides.
    pub(super) title: String,
    pub(super) plan: Plan,
}

impl Scene {
    /// Reads an encounter; flags change it.
    ///
    /// # Errors
    /// A file that cannot be read, or what is wrong with the encounter.
    pub(super) fn read(
        words: &str,
        args: &EncounterArgs,
        bestiary: &Bestiary,
    ) -> Result<Self, CliError> {
        let (source, encounter) = read(words, bestiary)?;
        Self::of(encounter, &source, args, bestiary)
    }

    /// An encounter with the flags' policies.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn of(
        encounter: Encounter,
        source: &Source,
        args: &EncounterArgs,
        bestiary: &Bestiary,
    ) -> Result<Self, CliError> {
        Self::planned(&changed(encounter, args), source, bestiary)
    }

    /// An encounter as a document, between creatures of the SRD and its own.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn of_document(source: &Source) -> Result<Self, CliError> {
        Self::planned(&source.encounter()?, source, &Bestiary::srd())
    }

    fn planned(
        encounter: &Encounter,
        source: &Source,
        bestiary: &Bestiary,
    ) -> Result<Self, CliError> {
        let plan = Plan::new(encounter, bestiary).map_err(|wrong| source.wrong(&wrong))?;
        Ok(Self {
            title: plan.title(),
            plan,
        })
    }

    /// The script, in its normal layout.
    ///
    /// # Errors
    /// It is too long, or an internal one.
    pub(crate) fn script(&self, told: Told, purpose: Purpose) -> Result<String, CliError> {
        script_of(&self.plan, told, purpose)
    }

    /// Tells what creatures have that is not modelled.
    pub(crate) fn tell_notes(&self, reporter: Reporter) {
        for (name, missing) in self.plan.missing() {
            let code = FileCode::EncounterNote.as_str();
            let message = format!("{name}: not modelled: {}", missing.join(", "));
            reporter.note(&Finding::in_file(code, &self.title, None, message).note());
        }
    }
}

/// The script of an encounter, in its normal layout.
///
/// # Errors
/// It is too long, or an internal one.
pub(super) fn script_of(plan: &Plan, told: Told, purpose: Purpose) -> Result<String, CliError> {
    let title = plan.title();
    let script = encounter_script(plan, told, purpose);
    let script = script.map_err(|wrong| Source::line(&title).wrong(&wrong))?;
    laid_out(&title, &script)
}

/// An encounter as flags change it.
pub(super) fn changed(mut encounter: Encounter, args: &EncounterArgs) -> Encounter {
    for side in &mut encounter.sides {
        if let Some(target) = args.target {
            side.targets = Policy::Known(target.into());
        }
        if let Some(limited) = args.limited {
            side.limited = Policy::Known(limited.into());
        }
        side.heal = args.heal.map_or(side.heal, Into::into);
        side.escape = args.escape.map_or(side.escape, Into::into);
    }
    encounter.plain |= args.plain;
    encounter.without.extend_from_slice(&args.without);
    encounter.hit_points = args.hp.map_or(encounter.hit_points, Into::into);
    encounter.initiative = args.initiative.map_or(encounter.initiative, Into::into);
    encounter.rounds = args.rounds.unwrap_or(encounter.rounds);
    encounter.distance = args.distance.or(encounter.distance);
    encounter
}

/// Reads an encounter as it was written: a line, a file, or JSON; and where mistakes are shown.
pub(super) fn read(words: &str, bestiary: &Bestiary) -> Result<(Source, Encounter), CliError> {
    let is_inline = words.trim_start().starts_with('{');
    let is_file = Path::new(words)
        .extension()
        .is_some_and(|end| end == "json");
    Ok(match (is_inline, is_file) {
        (true, _) => Source::read_document("encounter", words.as_bytes())?,
        (false, true) => Source::read_document(words, &bytes_of(words, "encounter")?)?,
        (false, false) => Source::read_line(words, bestiary)?,
    })
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

/// The creatures that encounters may name.
///
/// # Errors
/// A file that cannot be read, or is not one of stat blocks.
pub(crate) fn bestiary(files: &[PathBuf], is_json: bool) -> Result<Bestiary, CliError> {
    let mut bestiary = Bestiary::srd();
    let reporter = Reporter::new(is_json);
    for path in files {
        let origin = path.display().to_string();
        let ends_in = |end: &str| {
            let own = path.extension();
            own.is_some_and(|own| own.eq_ignore_ascii_case(end))
        };
        let unknown = if ends_in("csv") {
            rows::add(&origin, &mut bestiary)?
        } else if ends_in("dice") {
            sheet::add(path, &mut bestiary, is_json)?
        } else {
            add_json(&origin, &mut bestiary, reporter)?;
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

/// Adds the stat blocks of a document, and tells of members that nothing knows.
fn add_json(origin: &str, bestiary: &mut Bestiary, reporter: Reporter) -> Result<(), CliError> {
    let bytes = bytes_of(origin, "bestiary")?;
    let json = parse_json(origin, &bytes, FileCode::BadEncounter)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let source = Source::document(origin, text, json.clone());
    let unknown = bestiary.add(json).map_err(|wrong| source.wrong(&wrong))?;
    for note in unknown {
        let finding = source.finding(FileCode::EncounterNote, &note);
        reporter.note(&finding.note());
    }
    Ok(())
}

/// Prints the names of creatures that have a text in them.
///
/// # Errors
/// There are none, or standard output cannot be written.
pub(super) fn list(bestiary: &Bestiary, part: &str, is_json: bool) -> Result<(), CliError> {
    let wanted = part.to_lowercase();
    let mut names: Vec<&str> = bestiary.names().collect();
    names.sort_unstable();
    names.dedup();
    let found: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| name.to_lowercase().contains(&wanted))
        .collect();
    if is_json {
        return output::json(&found);
    }
    if found.is_empty() {
        return Err(unlisted(part, &names).into());
    }
    output::print(
        &found
            .iter()
            .map(|name| format!("{name}\n"))
            .collect::<String>(),
    )
}

/// That no name of a creature has this part; the advice is the nearest word of one.
fn unlisted(part: &str, names: &[&str]) -> Finding {
    let message = format!("no creature has `{part}` in its name");
    let finding = Finding::general(FileCode::BadEncounter.as_str(), message);
    let words = names.iter().flat_map(|name| name.split([' ', ',']));
    finding.help(match nearest(part, words) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`--list ''` lists all of them".to_owned(),
    })
}

/// Prints the JSON Schema of a file.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn describe(name: DescribedName) -> Result<(), CliError> {
    let name = match name {
        DescribedName::Encounter => "encounter",
        DescribedName::Creature => "creature",
        DescribedName::Feature => "feature",
    };
    output::json(&schema(name).ok_or_else(|| bug!("a file without a schema"))?)
}
