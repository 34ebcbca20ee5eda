//! What stat blocks say, read where it is needed.

use serde_json::Value;

/// The text of a member; empty if it is missing.
pub(super) fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or_default()
}

/// A name without what stands in parentheses.
pub(super) fn bare(name: &str) -> &str {
    name.split(" (").next().unwrap_or_default()
}

/// The elements of a member; none if it is missing.
pub(super) fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value[member].as_array().map_or(&[], Vec::as_slice)
}

/// The number of a member.
pub(super) fn number(value: &Value, member: &str) -> i64 {
    value[member].as_i64().unwrap_or_default()
}

/// The modifier of an ability.
pub(super) fn modifier(block: &Value, ability: &str) -> i64 {
    (number(block, ability) - 10).div_euclid(2)
}

/// What a creature adds to a save.
pub(super) fn save(block: &Value, ability: &str) -> i64 {
    let own = block["saves"][ability].as_i64();
    own.unwrap_or_else(|| modifier(block, ability))
}

/// Whether a creature has a trait or a reaction.
pub(super) fn has(block: &Value, name: &str) -> bool {
    let mut all = list(block, "traits").iter().chain(list(block, "reactions"));
    all.any(|one| text(one, "name") == name)
}

/// Whether a creature has weapons and armour that may corrode.
pub(super) fn has_gear(block: &Value) -> bool {
    let what = block["type"].as_str();
    block["character"] == true || what.is_none_or(|what| what.contains("humanoid"))
}

/// A part of damage: its dice and its type; of several grips the first.
pub(super) fn part(damage: &Value) -> (&str, &str) {
    match damage["from"].as_array() {
        Some(grips) => part(&grips[0]),
        None => (text(damage, "dice"), text(damage, "type")),
    }
}

/// The alternatives of a multiattack; none if an action is something else.
pub(super) fn alternatives(action: &Value) -> Vec<&Vec<Value>> {
    if action["bonus action"] == true {
        return Vec::new();
    }
    let own = action["multiattack"]
        .as_array()
        .filter(|own| !own.is_empty());
    let others = list(action, "multiattack one of").iter();
    own.into_iter()
        .chain(others.filter_map(Value::as_array))
        .collect()
}

/// Whether a creature is of the kind that a premise lets through, whatever its state is.
pub(super) fn is_kind(block: &Value, only: &Value) -> bool {
    let what = block["type"].as_str().unwrap_or("humanoid").to_lowercase();
    let words: Vec<&str> = what.split(|c: char| !c.is_alphabetic()).collect();
    let is = |word: &Value| words.contains(&word.as_str().unwrap_or_default());
    let types = list(only, "types");
    let size = block["size"].as_f64().unwrap_or(5.0);
    (types.is_empty() || types.iter().any(is))
        && !list(only, "not types").iter().any(is)
        && only["max size"].as_f64().is_none_or(|max| size <= max)
}

/// How an attack deals damage.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Means {
    Weapon,
    Magic,
    Spell,
    Other,
}

/// What is left of damage.
pub(super) fn taken(block: &Value, kind: &str, means: Means, amount: i64) -> i64 {
    let any = |member: &str| {
        list(block, member).iter().any(|entry| {
            let entry = entry.as_str().unwrap_or_default();
            if entry == "damage from spells" {
                return means == Means::Spell;
            }
            let (types, from) = entry.split_once(" from ").unwrap_or((entry, ""));
            let named = types
                .replace(',', " ")
                .split_whitespace()
                .any(|word| word == kind);
            let right = from.is_empty() || from.starts_with("nonmagical") && means == Means::Weapon;
            named && right
        })
    };
    match (any("immune"), any("resists"), any("vulnerable")) {
        (true, ..) => 0,
        (false, true, false) => amount.div_euclid(2),
        (false, false, true) => 2 * amount,
        _ => amount,
    }
}

/// Twice the average of dice.
pub(super) fn average(dice: &str) -> i64 {
    let dice = dice.replace(' ', "").replace('-', "+-");
    let terms = dice.split('+').filter(|term| !term.is_empty());
    let worth = |term: &str| match term.split_once('d') {
        Some((count, sides)) => {
            let number = |text: &str| text.parse::<i64>().unwrap_or(1);
            number(count) * (number(sides) + 1)
        }
        None => 2 * term.parse::<i64>().unwrap_or_default(),
    };
    terms.map(worth).sum()
}

/// What an action is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sort {
    Attack,
    Save,
    /// It helps friends.
    Help,
    Nothing,
}

const CONDITIONS: [&str; 22] = [
    "outlined",
    "lit",
    "blinded",
    "frightened",
    "incapacitated",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
    // What features do to others besides.
    "surprised",
    "rooted to the ground",
    "hampered in attacks",
    "hampered in saves",
    "unable to hit",
    "unable to save",
    "hampered in checks",
    "unable to succeed in checks",
    "hampered in escapes",
    "unable to escape",
];

/// The conditions of an action's save that matter.
pub(super) fn conditions(action: &Value) -> Vec<String> {
    let names = list(&action["save"], "conditions").iter();
    let names = names
        .filter_map(Value::as_str)
        .map(|name| match name.starts_with("without ") {
            true => name.to_owned(),
            false => name.to_lowercase(),
        });
    // Those who are held are restrained for as long as they are held.
    let held = action["grapples"]["restrains"] == true;
    let names = names.filter(|name| !(held && name == "restrained"));
    names
        .filter(|name| CONDITIONS.contains(&&**name) || name.starts_with("without "))
        .collect()
}

/// Whether an action asks for a save that does something, or inflicts something without one.
pub(super) fn has_save(action: &Value) -> bool {
    let save = &action["save"];
    let more = ["fails by 5", "fails twice", "drops"];
    !list(save, "damage").is_empty()
        || !list(save, "each turn").is_empty()
        || !conditions(action).is_empty()
        || more.iter().any(|member| save[*member].is_object())
        || !save.is_object() && action["inflicts"].is_object()
}

/// What an action is in a fight.
pub(super) fn sort(action: &Value, plain: bool) -> Sort {
    let does = !list(action, "damage").is_empty();
    let bonus = action["bonus"].as_i64();
    let holds = !plain && action["grapples"].is_object();
    if bonus.is_some() && (does || holds || !plain && has_save(action)) {
        return Sort::Attack;
    }
    if action["helps"].is_object() || action["counters"].is_object() {
        return if plain { Sort::Nothing } else { Sort::Help };
    }
    // A spell without an attack roll and a save hits.
    let hits = action["spell"] == true && bonus.is_none() && does;
    let may_save = bonus.is_none_or(|bonus| bonus == 0) && action["save"].is_object() || hits;
    match !plain && may_save && (does || holds || has_save(action)) {
        true => Sort::Save,
        false => Sort::Nothing,
    }
}

/// All damage that an action may do: for an attack that of a hit, for a save that of those who
/// fail.
pub(super) fn damage(action: &Value) -> Vec<(&str, &str)> {
    let of_save = list(&action["save"], "damage").iter();
    let own = list(action, "damage").iter();
    match sort(action, false) == Sort::Attack {
        true => own.map(part).collect(),
        false => own.chain(of_save).map(part).collect(),
    }
}
