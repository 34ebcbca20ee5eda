//! `dicec character`: the sheet of a character by class and level, and what fights play of it.

use crate::bestiary::{EditionName, json_of_toml, wrong_encounter};
use crate::error::{CliError, FileCode, Finding};
use crate::json::json_of;
use crate::output;
use clap::Args;
use dicec_games::Edition;
use dicec_games::character::{Character, Entry, Sheet, Verdict, imported, named, nearest_named};
use serde_json::Value;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  dicec character 'champion 5'
  dicec character 'half-orc berserker 7' --edition 5.1
  dicec character fighter.toml
  dicec character 'life cleric 5' --json > cleric.json
  dicec encounter 'Life Cleric 5 vs 1 Ogre' --bestiary cleric.json";

/// A character by class and level: its sheet, and what of it fights play
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CharacterArgs {
    /// The character, `champion 5`, or a file FILE.toml or FILE.json, also of D&D Beyond or Foundry
    #[arg(value_name = "CHARACTER", required = true)]
    words: Vec<String>,
    /// The edition of the rules [default: 5.1]
    #[arg(long, value_enum, value_name = "EDITION")]
    edition: Option<EditionName>,
    /// Print JSON: the creature in the layout of `--bestiary`, and its features
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &CharacterArgs) -> Result<(), CliError> {
    let edition = args.edition.map(Into::into).unwrap_or_default();
    let character = character(&args.words.join(" "), edition)?;
    match args.json {
        true => output::json(&character),
        false => output::print(&report(&character)),
    }
}

/// The character of a name or of a file.
fn character(words: &str, edition: Edition) -> Result<Character, CliError> {
    let ends_in = |end: &str| {
        let own = Path::new(words).extension();
        own.is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    let document = match (ends_in("toml"), ends_in("json")) {
        (true, _) => json_of_toml(words)?,
        (_, true) => json_of(words, FileCode::BadEncounter, "character")?,
        (false, false) => {
            let sheet = named(words, edition).ok_or_else(|| unnamed(words, edition))?;
            let built = sheet.build(edition, "$");
            return built.map_err(|wrong| wrong_encounter(&wrong, words));
        }
    };
    let document = imported(&document, edition).unwrap_or(document);
    let sheet = Sheet::read(&document, "$");
    let built = sheet.and_then(|sheet| sheet.build(edition, "$"));
    built.map_err(|wrong| wrong_encounter(&wrong, words))
}

/// A text that names no character.
fn unnamed(words: &str, edition: Edition) -> CliError {
    let message = format!("`{words}` is not a character");
    let finding = Finding::general(FileCode::BadEncounter.as_str(), message);
    let help = match nearest_named(words, edition) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "write a class or a subclass and a level, as in `champion 5`".to_owned(),
    };
    finding.help(help).into()
}

/// The sheet as text.
fn report(character: &Character) -> String {
    let block = &character.block;
    let mut lines = vec![title(character), String::new()];
    let number = |member: &str| block[member].as_i64().unwrap_or_default();
    lines.push(format!(
        "armour class {}, {} hit points, speed {}, proficiency {:+}",
        number("ac"),
        number("hp"),
        block["speed"]["walk"],
        number("proficiency"),
    ));
    let abilities = ["STR", "DEX", "CON", "INT", "WIS", "CHA"].map(|ability| {
        let score = number(ability);
        format!("{ability} {score} ({:+})", (score - 10).div_euclid(2))
    });
    lines.push(abilities.join("  "));
    lines.extend(listed("saves", &bonuses(&block["saves"])));
    for member in ["resists", "immune", "condition immune"] {
        let names = texts(&block[member]);
        lines.extend(listed(member, &names));
    }
    lines.push(String::new());
    lines.push("Actions".to_owned());
    lines.extend(list(&block["actions"]).iter().map(action));
    let reactions = list(&block["reactions"]).iter();
    lines.extend(reactions.filter_map(|one| Some(format!("  {}", one["name"].as_str()?))));
    lines.extend(casting(character));
    lines.push(String::new());
    lines.push("Features".to_owned());
    lines.extend(character.features.iter().map(feature));
    let missing = texts(&block["not modelled"]);
    if !missing.is_empty() {
        lines.push(String::new());
        lines.push("Not played in fights".to_owned());
        lines.extend(missing.iter().map(|one| format!("  {one}")));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn title(character: &Character) -> String {
    let name = character.block["name"].as_str().unwrap_or_default();
    let class = match &character.subclass {
        Some(subclass) => format!("{} ({subclass})", character.class),
        None => character.class.clone(),
    };
    let (species, edition) = (&character.species, character.edition.name());
    format!("{name}: {species}, {class}, SRD {edition}")
}

/// A line of a list, if it is not empty.
fn listed(name: &str, all: &[String]) -> Option<String> {
    (!all.is_empty()).then(|| format!("{name}: {}", all.join(", ")))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<String> {
    let texts = list(value).iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// `STR +7`, for each member.
fn bonuses(value: &Value) -> Vec<String> {
    let members = value.as_object().into_iter().flatten();
    let bonuses = members.filter_map(|(name, bonus)| Some((name, bonus.as_i64()?)));
    bonuses
        .map(|(name, bonus)| format!("{name} {bonus:+}"))
        .collect()
}

/// An action in a line.
fn action(action: &Value) -> String {
    let name = action["name"].as_str().unwrap_or_default();
    let mut parts = Vec::new();
    let steps = |steps: &Value| {
        let steps = list(steps).iter().map(|step| {
            let name = step["action"].as_str().unwrap_or_default();
            match step["count"].as_i64() {
                Some(1) | None => name.to_owned(),
                Some(count) => format!("{count} {name}"),
            }
        });
        steps.collect::<Vec<String>>().join(" and ")
    };
    let routines = [steps(&action["multiattack"])].into_iter();
    let others = list(&action["multiattack one of"]).iter().map(steps);
    let routines: Vec<String> = routines
        .chain(others)
        .filter(|one| !one.is_empty())
        .collect();
    if !routines.is_empty() {
        parts.push(routines.join(", or "));
    }
    if let Some(bonus) = action["bonus"].as_i64() {
        parts.push(format!("{bonus:+} to hit"));
    }
    let damage = list(&action["damage"]).iter().map(|part| {
        let text = |member: &str| part[member].as_str().unwrap_or_default();
        format!("{} {}", text("dice"), text("type"))
    });
    let damage: Vec<String> = damage.collect();
    if !damage.is_empty() {
        parts.push(damage.join(" + "));
    }
    if let Some(critical) = action["critical"].as_i64() {
        parts.push(format!("critical with {critical} to 20"));
    }
    if let Some(dice) = action["critical dice"].as_str() {
        parts.push(format!("{dice} more if it is critical"));
    }
    if let Some(damage) = action["on a miss"].as_str() {
        parts.push(format!("{damage} if it misses"));
    }
    if action["vexes"] == true {
        parts.push("vexes".to_owned());
    }
    if let Some(heals) = action["heals"].as_str() {
        parts.push(format!("heals {heals}"));
    }
    if let Some(uses) = action["usage"]["per day"].as_i64() {
        parts.push(match uses {
            1 => "once".to_owned(),
            uses => format!("{uses} times"),
        });
    }
    if action["bonus action"] == true {
        parts.push("as a bonus action".to_owned());
    }
    format!("  {name:<18}  {}", parts.join(", "))
}

/// The spells, if there are any.
fn casting(character: &Character) -> Vec<String> {
    let casting = &character.block["spellcasting"];
    let spells = texts(&casting["spells"]);
    if spells.is_empty() {
        return Vec::new();
    }
    let slots = list(&casting["slots"]).iter().enumerate();
    let slots = slots.filter(|(_, count)| count.as_i64() != Some(0));
    let slots: Vec<String> = slots
        .map(|(index, count)| format!("{count} of level {}", index + 1))
        .collect();
    let mut lines = vec![String::new(), "Spells".to_owned()];
    lines.extend(listed("  slots", &slots));
    lines.push(format!("  {}", spells.join(", ")));
    lines.extend(listed("  once a day", &texts(&casting["per day"]["1"])));
    if character.is_mage_armour {
        lines.push("  Mage Armor, cast before the fight".to_owned());
    }
    lines
}

/// A feature in a line.
fn feature(entry: &Entry) -> String {
    let verdict = match (entry.verdict, &entry.left) {
        (Verdict::Played, None) => "played".to_owned(),
        (Verdict::Played, Some(left)) => format!("played, without {left}"),
        (Verdict::Idle, _) => "without effect in a fight".to_owned(),
        (Verdict::Missing, _) => "NOT PLAYED".to_owned(),
    };
    format!("  {:>2}  {:<28}  {verdict}", entry.level, entry.name)
}
