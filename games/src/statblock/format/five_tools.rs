//! Creatures of 5etools: numbers, and texts with tags such as `{@damage 2d6 + 3}`.

use super::members::{add_entry, at, list, members, saves, scores, skills, speeds, text, whole};
use crate::statblock::block::Section;
use crate::statblock::head::{Label, read_line};
use crate::statblock::raw::{Defence, Raw, number};
use serde_json::Value;

/// Sizes, by their first letter.
const SIZES: [(&str, &str); 6] = [
    ("T", "tiny"),
    ("S", "small"),
    ("M", "medium"),
    ("L", "large"),
    ("H", "huge"),
    ("G", "gargantuan"),
];

/// Reads a creature.
pub(super) fn read(block: &Value) -> Raw {
    let first = |value: &Value| list(value).next().cloned().unwrap_or_else(|| value.clone());
    let armour = first(at(block, "ac"));
    let size = text(&first(at(block, "size")));
    let size = SIZES
        .iter()
        .find(|(letter, _)| Some(*letter) == size.as_deref());
    let kind = at(block, "type");
    let challenge = at(block, "cr");
    let mut raw = Raw {
        name: text(at(block, "name")).unwrap_or_default(),
        size: size.map(|(_, size)| (*size).to_owned()),
        kind: text(kind).or_else(|| text(at(kind, "type"))),
        ac: whole(&armour).or_else(|| whole(at(&armour, "ac"))),
        hp: whole(at(block, "hp.average")).or_else(|| whole(at(block, "hp.special"))),
        hp_dice: text(at(block, "hp.formula")).map(|dice| dice.replace(' ', "")),
        cr: text(challenge)
            .or_else(|| text(at(challenge, "cr")))
            .and_then(|text| number(&text)),
        ..Raw::default()
    };
    speeds(&mut raw, at(block, "speed"));
    scores(&mut raw, block);
    saves(&mut raw, members(at(block, "save")));
    skills(&mut raw, members(at(block, "skill")));
    let senses = list(at(block, "senses"))
        .filter_map(text)
        .collect::<Vec<_>>();
    read_line(Label::Senses, &senses.join(", "), &mut raw);
    let defences = [
        ("resist", Defence::Resists),
        ("immune", Defence::Immune),
        ("vulnerable", Defence::Vulnerable),
        ("conditionImmune", Defence::Conditions),
    ];
    for (member, of) in defences {
        for one in list(at(block, member)) {
            raw.defences(&defence(one, member), of);
        }
    }
    let lists = [
        (Section::Traits, "trait"),
        (Section::Actions, "action"),
        (Section::BonusActions, "bonus"),
        (Section::Reactions, "reaction"),
        (Section::Legendary, "legendary"),
    ];
    for (section, member) in lists {
        for entry in list(at(block, member)) {
            let name = plain(&text(at(entry, "name")).unwrap_or_default());
            add_entry(
                &mut raw,
                section,
                &name,
                &plain(&entries(at(entry, "entries"))),
            );
        }
    }
    for casting in list(at(block, "spellcasting")) {
        let name = plain(&text(at(casting, "name")).unwrap_or_default());
        let words = plain(&entries(at(casting, "headerEntries")));
        add_entry(&mut raw, Section::Traits, &name, &words);
        let lists = ["will", "daily", "spells", "rest", "legendary"];
        let own = lists.iter().filter(|member| !at(casting, member).is_null());
        raw.others
            .extend(own.map(|member| format!("spells of {name} ({member})")));
    }
    raw
}

/// A type of damage or a condition, or several of them with their source.
fn defence(one: &Value, member: &str) -> String {
    if let Some(text) = text(one) {
        return text;
    }
    let kinds: Vec<String> = list(at(one, member)).filter_map(text).collect();
    let note = text(at(one, "note"))
        .or_else(|| text(at(one, "special")))
        .unwrap_or_default();
    format!("{} {note}", kinds.join(", ")).trim().to_owned()
}

/// Paragraphs of entries, which contain lists and entries.
fn entries(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(entries).collect::<Vec<_>>().join("\n"),
        Value::Object(_) => {
            let name = text(at(value, "name")).map(|name| format!("{name}. "));
            let inner = ["entry", "entries", "items"].map(|member| at(value, member));
            let inner = inner.into_iter().find(|inner| !inner.is_null());
            format!(
                "{}{}",
                name.unwrap_or_default(),
                inner.map(entries).unwrap_or_default()
            )
        }
        _ => String::new(),
    }
}

/// A text without tags: each becomes the words that a page shows.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("{@") {
        out.push_str(&rest[..start]);
        let inner = &rest[start + 2..];
        let end = inner.find('}').unwrap_or(inner.len());
        out.push_str(&shown(&inner[..end]));
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The words of a tag.
fn shown(tag: &str) -> String {
    let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
    let plain = value.split('|').next().unwrap_or_default();
    match name {
        "atk" => attack(plain, "Attack:"),
        "atkr" => attack(plain, "Attack Roll:"),
        "h" => "Hit: ".to_owned(),
        "m" => "Miss: ".to_owned(),
        "hom" => "Hit or Miss: ".to_owned(),
        "hit" if !plain.starts_with(['+', '-']) => format!("+{plain}"),
        "dc" => format!("DC {plain}"),
        "recharge" if plain.is_empty() => "(Recharge 6)".to_owned(),
        "recharge" => format!("(Recharge {plain}-6)"),
        "actSave" => format!("{} Saving Throw:", long(plain)),
        "actSaveFail" if plain == "1" => "First Failure:".to_owned(),
        "actSaveFail" if plain == "2" => "Second Failure:".to_owned(),
        "actSaveFail" => "Failure:".to_owned(),
        "actSaveSuccess" => "Success:".to_owned(),
        "actSaveSuccessOrFail" => "Failure or Success:".to_owned(),
        "actTrigger" => "Trigger:".to_owned(),
        "actResponse" => "Response:".to_owned(),
        "hitYourSpellAttack" => plain.to_owned(),
        // `{@spell fireball|source|shown}`
        _ => value
            .split('|')
            .nth(2)
            .filter(|shown| !shown.is_empty())
            .unwrap_or(plain)
            .to_owned(),
    }
}

/// `Melee Weapon Attack:` of `mw`, `Melee Attack Roll:` of `m`.
fn attack(letters: &str, end: &str) -> String {
    let has = |letter: char| letters.contains(letter);
    let reach = match (has('m'), has('r')) {
        (true, true) => "Melee or Ranged",
        (false, true) => "Ranged",
        _ => "Melee",
    };
    let kind = match (has('w'), has('s')) {
        (true, _) => " Weapon",
        (_, true) => " Spell",
        _ => "",
    };
    format!("{reach}{kind} {end}")
}

fn long(short: &str) -> &'static str {
    use crate::statblock::numbers::ABILITIES;
    let mut all = ABILITIES.into_iter();
    let found = all.find(|(_, own)| own.eq_ignore_ascii_case(short));
    match found.map(|(long, _)| long) {
        Some("strength") => "Strength",
        Some("dexterity") => "Dexterity",
        Some("constitution") => "Constitution",
        Some("intelligence") => "Intelligence",
        Some("wisdom") => "Wisdom",
        _ => "Charisma",
    }
}
