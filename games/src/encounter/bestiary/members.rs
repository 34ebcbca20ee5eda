//! Unknown members of stat blocks: finds them, so that a typo does not change a fight silently.

use crate::encounter::wrong::Wrong;
use dicec_lang::syntax::nearest;
use serde_json::Value;

/// The members of a creature; those from `type` on change no fight.
const CREATURE: [&str; 33] = [
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
    "level",
    "temp hp",
    "size",
    "speed",
    "skills",
    "senses",
    "not modelled",
    "not modelled with distances",
    "type",
    "alignment",
    "cr",
    "xp",
];

/// The same of an action, a legendary action, a reaction or a trait.
const ACTION: [&str; 38] = [
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
    "only",
    "inflicts",
    "at half",
    "left out",
    "within",
    "gaze",
    "when",
    "critical",
    "critical dice",
    "on a miss",
    "times",
    "vexes",
    "on",
    "helps",
    "reaction",
    "counters",
    "level",
];

/// The members of a `Help`.
const HELP: [&str; 17] = [
    "targets",
    "lasts",
    "attack rolls",
    "saves",
    "ac",
    "hits",
    "hits of spells",
    "marks",
    "nimble",
    "extra attack",
    "tires",
    "images",
    "images take hits",
    "blurred",
    "invisible",
    "aura",
    "attack",
];

/// The members of an `Aura` and of a `Weapon`.
const AURA: [&str; 4] = ["save", "damage", "within", "end of turn"];
const WEAPON: [&str; 3] = ["bonus", "damage", "reach"];

/// The members of a `Counter`.
const COUNTER: [&str; 3] = ["level", "bonus", "dc"];

/// Those of a `Help`.
const PARTS_OF_HELP: [(&str, &[&str]); 2] = [("aura", &AURA), ("attack", &WEAPON)];

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
const SAVE: [&str; 14] = [
    "ability",
    "dc",
    "on success",
    "damage",
    "conditions",
    "lasts",
    "repeats",
    "until damage",
    "each turn",
    "only",
    "fails by 5",
    "fails twice",
    "drops",
    "immune",
];

/// The members of a `Premise`.
const PREMISE: [&str; 5] = ["types", "not types", "max size", "conditions", "held"];

/// The members of an `Outcome`.
const OUTCOME: [&str; 5] = [
    "conditions",
    "lasts",
    "until damage",
    "until action",
    "each turn",
];

/// The members of an area.
const AREA: [&str; 4] = ["shape", "feet", "width", "at"];

/// The members of a `Usage`.
const USAGE: [&str; 4] = ["per day", "recharge", "rest", "slot"];

/// The members of a `Spellcasting`.
const SPELLCASTING: [&str; 12] = [
    "dc",
    "modifier",
    "ability",
    "level",
    "slots",
    "spells",
    "at will",
    "per day",
    "edition",
    "cantrip bonus",
    "slots rest",
    "healing bonus",
];

/// The members that nothing knows, of the stat block at a path.
pub(super) fn unknown(block: &Value, path: &str) -> Vec<Wrong> {
    let mut all = of(block, path, &CREATURE, &["spellcasting"]);
    if let Some(casting) = block.get("spellcasting") {
        let path = format!("{path}.spellcasting");
        all.extend(of(casting, &path, &SPELLCASTING, &[]));
    }
    for list in ["actions", "legendary", "reactions", "traits"] {
        let actions = block.get(list).and_then(Value::as_array);
        for (index, action) in actions.into_iter().flatten().enumerate() {
            let path = format!("{path}.{list}[{index}]");
            all.extend(of(action, &path, &ACTION, &[]));
            all.extend(of_parts(action, &path, &PARTS));
            if let Some(help) = action.get("helps") {
                all.extend(of_parts(help, &format!("{path}.helps"), &PARTS_OF_HELP));
            }
            if let Some(save) = action.get("save") {
                all.extend(of_parts(save, &format!("{path}.save"), &PARTS_OF_SAVE));
            }
        }
    }
    all
}

/// Members that have members of their own, and these.
type Parts = [(&'static str, &'static [&'static str])];

/// Those of an action.
const PARTS: [(&str, &[&str]); 8] = [
    ("grapples", &GRAPPLE),
    ("save", &SAVE),
    ("area", &AREA),
    ("usage", &USAGE),
    ("only", &PREMISE),
    ("inflicts", &OUTCOME),
    ("helps", &HELP),
    ("counters", &COUNTER),
];

/// Those of a saving throw.
const PARTS_OF_SAVE: [(&str, &[&str]); 4] = [
    ("only", &PREMISE),
    ("fails by 5", &OUTCOME),
    ("fails twice", &OUTCOME),
    ("drops", &OUTCOME),
];

fn of_parts(value: &Value, path: &str, parts: &Parts) -> Vec<Wrong> {
    let present = parts
        .iter()
        .filter_map(|(member, known)| Some((member, value.get(*member)?, known)));
    present
        .flat_map(|(member, part, known)| of(part, &format!("{path}.{member}"), known, &[]))
        .collect()
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
