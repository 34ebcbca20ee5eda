//! Known members of items and elements. Others are noted: a mistyped `predicate` would otherwise
//! make a bonus apply always.

use super::json::{At, Notes};
use dicec_lang::syntax::nearest;

/// The members of an element without a kind: a bare modifier.
const OF_MODIFIERS: &[&str] = &[
    "label",
    "value",
    "source",
    "domain",
    "exclusionGroup",
    "predicate",
    "enabled",
    "toggleable",
];

/// The first parts of domains (seed 003, "Domains").
const ROOTS: [&str; 7] = [
    "characteristic",
    "skill",
    "attack",
    "damage",
    "armour",
    "initiative",
    "power",
];

/// The types of damage that the rules name.
const DAMAGE_TYPES: [&str; 4] = ["energy", "explosive", "impact", "rending"];

/// The members of an element of a kind, in addition to the common ones.
fn of_kind(key: &str) -> &'static [&'static str] {
    match key {
        "FlatModifier" => OF_MODIFIERS,
        "RollOption" => &["option"],
        "AdjustDegree" => &["amount", "domain"],
        "DiceOverride" => &["domain", "mode", "value"],
        "AdjustToughness" => &["mode", "value"],
        "Resistance" => &["damageType", "mode", "value"],
        _ => &["domain", "characteristic"],
    }
}

/// Notes the members of an element of a kind, or of a modifier without one, that are not read.
pub(super) fn note_members(json: &At<'_>, key: Option<&str>, notes: &mut Notes) {
    let own = key.map_or(OF_MODIFIERS, of_kind);
    let known = || {
        own.iter()
            .copied()
            .chain(["key", "label", "predicate", "source"])
    };
    for (name, member) in json.members() {
        if known().any(|known| known == name) {
            continue;
        }
        let noted = member.wrong("is not read: it has no effect");
        notes.push(match nearest(name, known()) {
            Some(near) => noted.help(format!("did you mean `{near}`?")),
            None => noted,
        });
    }
}

/// Notes a member of an item without `rules` that was probably meant to be them.
pub(super) fn note_rules(json: &At<'_>, notes: &mut Notes) {
    for (name, member) in json.members() {
        if nearest(name, ["rules"]).is_some() {
            let noted = member.wrong("is not read: the item has no `rules`");
            notes.push(noted.help("did you mean `rules`?"));
        }
    }
}

/// Notes a domain that no roll has, if it is almost one.
pub(super) fn note_domain(json: &At<'_>, notes: &mut Notes) {
    let Some(name) = json.value().as_str() else {
        return;
    };
    let (root, rest) = name.split_at(name.find(':').unwrap_or(name.len()));
    let near = nearest(root, ROOTS).filter(|near| *near != root);
    if let Some(near) = near {
        let noted = json.wrong(format!("is `{name}`, a domain of no roll"));
        notes.push(noted.help(format!("did you mean `{near}{rest}`?")));
    }
}

/// Notes a damage type that is almost one of the rules' types; any other name is a type of its own.
pub(super) fn note_damage_type(json: &At<'_>, notes: &mut Notes) {
    let Some(name) = json.value().as_str() else {
        return;
    };
    if let Some(near) = near_damage_type(name) {
        let noted = json.wrong(format!("is `{name}`, a type of damage of its own"));
        notes.push(noted.help(format!("did you mean `{near}`?")));
    }
}

/// The type of damage of the rules that a name almost is.
pub(super) fn near_damage_type(name: &str) -> Option<&'static str> {
    nearest(name, DAMAGE_TYPES).filter(|near| !near.eq_ignore_ascii_case(name))
}
