//! JSON of other tools: each format becomes numbers and texts, and its texts are read like others.

mod five_tools;
mod foundry;
mod improved;
mod members;
mod open5e;

use super::block::Format;
use super::raw::Raw;
use crate::encounter::Wrong;
use serde_json::Value;

/// The stat blocks of a document of another tool, by the members that it has; `None` if it is not
/// one.
pub(super) fn read(json: &Value) -> Option<(Format, Result<Vec<Raw>, Wrong>)> {
    let (path, list) = inner(json);
    let first = list.first()?;
    let format = format_of(first)?;
    let all = list.iter().enumerate().map(|(index, block)| {
        let path = match list.len() {
            1 if path == "$" && json.is_object() => path.to_owned(),
            _ => format!("{path}[{index}]"),
        };
        let raw = match format {
            Format::Open5e1 => open5e::first(block),
            Format::Open5e2 => open5e::second(block),
            Format::FiveTools => five_tools::read(block),
            Format::Foundry => foundry::read(block),
            Format::ImprovedInitiative => improved::read(block),
            Format::Text | Format::Own => Raw::default(),
        };
        check(raw, &path)
    });
    Some((format, all.collect()))
}

/// The list of stat blocks in a document: itself, or a member of the page that a server answers.
fn inner(json: &Value) -> (&'static str, Vec<&Value>) {
    if let Some(all) = json.as_array() {
        return ("$", all.iter().collect());
    }
    let lists = [("$.monster", "monster"), ("$.results", "results")];
    for (path, member) in lists {
        if let Some(all) = json.get(member).and_then(Value::as_array) {
            return (path, all.iter().collect());
        }
    }
    ("$", vec![json])
}

fn format_of(block: &Value) -> Option<Format> {
    let has = |member: &str| block.get(member).is_some();
    let is_object = |member: &str| block.get(member).is_some_and(Value::is_object);
    if has("armor_class") && has("ability_scores") {
        Some(Format::Open5e2)
    } else if has("armor_class") && has("hit_points") {
        Some(Format::Open5e1)
    } else if is_object("HP") && is_object("AC") {
        Some(Format::ImprovedInitiative)
    } else if is_object("system") && has("items") && block["type"] != "character" {
        Some(Format::Foundry)
    } else if is_object("hp") && block.get("ac").is_some_and(Value::is_array) {
        Some(Format::FiveTools)
    } else {
        None
    }
}

fn check(raw: Raw, path: &str) -> Result<Raw, Wrong> {
    let missing = match (&raw.name, raw.ac, raw.hp) {
        (name, _, _) if name.is_empty() => "name",
        (_, None, _) => "armour class",
        (_, _, None) => "hit points",
        _ => return Ok(raw),
    };
    Err(Wrong::new(path, format!("has no {missing}")))
}
