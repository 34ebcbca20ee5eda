//! Members of JSON whose kinds nobody promises.

use crate::statblock::block::Section;
use crate::statblock::numbers::{ABILITIES, ability};
use crate::statblock::raw::{Raw, RawEntry, number};
use crate::statblock::repair::repaired;
use serde_json::Value;

/// The value at a path of members: `system.attributes.ac`.
pub(super) fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, member| {
        value.get(member).unwrap_or(&Value::Null)
    })
}

/// A text: a string, or a number as one.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A whole number, also as text: `+5`.
pub(super) fn whole(value: &Value) -> Option<i64> {
    let read = value.as_f64().or_else(|| number(value.as_str()?));
    read.map(|number| number as i64)
}

/// The elements of a list; none of something else.
pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The members of an object; none of something else.
pub(super) fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Adds an entry, its paragraphs repaired.
pub(super) fn add_entry(raw: &mut Raw, section: Section, name: &str, texts: &str) {
    let paragraphs = texts
        .split('\n')
        .map(repaired)
        .filter(|text| !text.is_empty());
    let text = paragraphs.collect::<Vec<_>>().join("\n");
    raw.entries
        .push(RawEntry::new(section, &repaired(name), &text));
}

/// Adds numbers by ability.
pub(super) fn scores(raw: &mut Raw, value: &Value) {
    for (long, short) in ABILITIES {
        let names = [
            long.to_owned(),
            short.to_lowercase(),
            short.to_owned(),
            capital(short),
        ];
        let score = names.iter().find_map(|name| whole(value.get(name)?));
        raw.scores.extend(score.map(|score| (short, score)));
    }
}

/// `Str` of `STR`.
fn capital(short: &str) -> String {
    let (first, rest) = short.split_at(1);
    format!("{first}{}", rest.to_lowercase())
}

/// Adds saves by ability.
pub(super) fn saves<'v>(raw: &mut Raw, all: impl Iterator<Item = (&'v String, &'v Value)>) {
    for (name, bonus) in all {
        if let (Some(ability), Some(bonus)) = (ability(&name.to_lowercase()), whole(bonus)) {
            raw.saves.insert(ability, bonus);
        }
    }
}

/// Adds skills by name.
pub(super) fn skills<'v>(raw: &mut Raw, all: impl Iterator<Item = (&'v String, &'v Value)>) {
    for (name, bonus) in all {
        if let Some(bonus) = whole(bonus) {
            raw.skills
                .insert(name.to_lowercase().replace('_', " "), bonus);
        }
    }
}

/// Adds speeds in feet, by the kind of movement.
pub(super) fn speeds(raw: &mut Raw, value: &Value) {
    for (way, feet) in members(value) {
        let feet = feet.get("number").unwrap_or(feet);
        let known = ["walk", "fly", "swim", "climb", "burrow"].contains(&way.as_str());
        let feet = whole(feet).filter(|feet| known && *feet > 0);
        raw.speed.extend(feet.map(|feet| (way.clone(), feet)));
    }
}
