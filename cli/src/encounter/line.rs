//! The encounter of a command line: words or a file, and flags. Also what helps to write one.

use super::{DescribedName, EncounterArgs};
use crate::error::{CliError, FileCode, Finding};
use crate::json::bytes_of;
use crate::output;
use crate::scene::Scene;
use dicec_games::encounter::{Bestiary, Encounter, Policy, Source, schema};
use dicec_lang::syntax::nearest;
use dicec_runtime::bug;
use std::path::Path;

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
    fn of(
        encounter: Encounter,
        source: &Source,
        args: &EncounterArgs,
        bestiary: &Bestiary,
    ) -> Result<Self, CliError> {
        Self::planned(&changed(encounter, args), source, bestiary)
    }
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

/// Prints the creatures that fit a text ([`Bestiary::search`]): names, ratings and types.
///
/// # Errors
/// There are none, or standard output cannot be written.
pub(super) fn list(bestiary: &Bestiary, part: &str, is_json: bool) -> Result<(), CliError> {
    let found = bestiary.search(part);
    let names = found.iter().filter_map(|block| block["name"].as_str());
    let names: Vec<&str> = names.collect();
    if is_json {
        return output::json(&names);
    }
    if names.is_empty() {
        let all: Vec<&str> = bestiary.names().collect();
        return Err(unlisted(part, &all).into());
    }
    let widest = names.iter().map(|name| name.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let lines = found.iter().zip(&names).map(|(block, name)| {
        let rating = block["cr"]
            .as_f64()
            .map(|rating| format!("CR {}", rated(rating)));
        let kind = block["type"].as_str().map(str::to_owned);
        let about: Vec<String> = [rating, kind].into_iter().flatten().collect();
        let line = format!("{name:widest$}  {}", about.join(", "));
        format!("{}\n", line.trim_end())
    });
    output::print(&lines.collect::<String>())
}

/// A challenge rating as books write it: `1/4`.
fn rated(rating: f64) -> String {
    match rating {
        0.125 => "1/8".to_owned(),
        0.25 => "1/4".to_owned(),
        0.5 => "1/2".to_owned(),
        other => other.to_string(),
    }
}

/// That no name of a creature has this part; the advice is the nearest word of one.
fn unlisted(part: &str, names: &[&str]) -> Finding {
    let message = format!("no creature fits `{part}`");
    let finding = Finding::general(FileCode::BadEncounter.as_str(), message);
    let words = names.iter().flat_map(|name| name.split([' ', ',']));
    finding.help(match nearest(part, words) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`--list ''` lists all of them, `--list 'cr 5, type giant'` some".to_owned(),
    })
}

/// Prints the JSON Schema of a file.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn describe(name: DescribedName) -> Result<(), CliError> {
    let name = match name {
        DescribedName::Encounter => "encounter",
        DescribedName::Day => "day",
        DescribedName::Creature => "creature",
        DescribedName::Character => "character",
        DescribedName::Feature => "feature",
    };
    output::json(&schema(name).ok_or_else(|| bug!("a file without a schema"))?)
}
