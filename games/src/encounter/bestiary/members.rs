//! Unknown members of stat blocks: finds them, so that a typo does not change a fight silently.

use crate::encounter::wrong::Wrong;
use dicec_lang::syntax::nearest;
use serde_json::Value;

/// The members of a creature; those from `type` on change no fight.
const CREATURE: [&str; 29] = [
    "name",
    "ac",
    "hp",
    "hp dice",
    "STR",
    "DEX",
    "CON",
    "INT",
    "WIS",
    "CHA",
    "proficiency",
    "saves",
    "resists",
    "immune",
    "vulnerable",
    "condition immune",
    "traits",
    "actions",
    "reactions",
    "legendary",
    "character",
    "temp hp",
    "size",
    "speed",
    "skills",
    "type",
    "alignment",
    "cr",
    "xp",
];

/// The same of an action, a legendary action, a reaction or a trait.
const ACTION: [&str; 21] = [
    "name",
    "bonus",
    "kind",
    "spell",
    "damage",
    "save",
    "area",
    "heals",
    "bonus action",
    "concentration",
    "usage",
    "multiattack",
    "multiattack one of",
    "grapples",
    "cost",
    "value",
    "feature",
    "v",
    "set",
    "reach",
    "range",
];

/// The members of a `Grapple`.
const GRAPPLE: [&str; 9] = [
    "escape dc",
    "restrains",
    "holds",
    "only held",
    "max size",
    "advantage",
    "cannot miss",
    "hinders escape",
    "damage",
];

/// The members of a saving throw.
const SAVE: [&str; 7] = [
    "ability",
    "dc",
    "on success",
    "damage",
    "conditions",
    "lasts",
    "repeats",
];

/// The members of an area.
const AREA: [&str; 3] = ["shape", "feet", "width"];

/// The members of a `Usage`.
const USAGE: [&str; 3] = ["per day", "recharge", "rest"];

/// The members that nothing knows, of the stat block at a path.
pub(super) fn unknown(block: &Value, path: &str) -> Vec<Wrong> {
    let mut all = of(block, path, &CREATURE, &["spellcasting"]);
    for list in ["actions", "legendary", "reactions", "traits"] {
        let actions = block.get(list).and_then(Value::as_array);
        for (index, action) in actions.into_iter().flatten().enumerate() {
            let path = format!("{path}.{list}[{index}]");
            all.extend(of(action, &path, &ACTION, &[]));
            let parts: [(&str, &[&str]); 4] = [
                ("grapples", &GRAPPLE),
                ("save", &SAVE),
                ("area", &AREA),
                ("usage", &USAGE),
            ];
            for (member, known) in parts {
                if let Some(part) = action.get(member) {
                    all.extend(of(part, &format!("{path}.{member}"), known, &[]));
                }
            }
        }
    }
    all
}

fn of(value: &Value, path: &str, known: &[&str], also: &[&str]) -> Vec<Wrong> {
    let members = value.as_object().into_iter().flatten();
    let unknown = members.filter(|(name, _)| {
        let name = name.as_str();
        !known.contains(&name) && !also.contains(&name)
    });
    unknown
        .map(|(name, _)| {
            let note = Wrong::new(format!("{path}.{name}"), "is not a member of stat blocks");
            match nearest(name, known.iter().copied()) {
                Some(meant) => note.help(format!("did you mean `{meant}`?")),
                None => note,
            }
        })
        .collect()
}
