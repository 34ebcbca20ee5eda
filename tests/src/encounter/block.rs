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
    Nothing,
}

const CONDITIONS: [&str; 20] = [
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

/// Whether an action asks for a save that does something.
pub(super) fn has_save(action: &Value) -> bool {
    !list(&action["save"], "damage").is_empty() || !conditions(action).is_empty()
}

/// What an action is in a fight.
pub(super) fn sort(action: &Value, plain: bool) -> Sort {
    let does = !list(action, "damage").is_empty();
    let bonus = action["bonus"].as_i64();
    let holds = !plain && action["grapples"].is_object();
    if bonus.is_some() && (does || holds || !plain && has_save(action)) {
        return Sort::Attack;
    }
    let may_save = bonus.is_none_or(|bonus| bonus == 0) && action["save"].is_object();
    match !plain && may_save && (does || holds || has_save(action)) {
        true => Sort::Save,
        false => Sort::Nothing,
    }
}

/// The actions of a creature that it does in a turn without anything limited, with how often.
pub(super) fn routine(block: &Value, plain: bool) -> Vec<(&Value, String)> {
    let actions = list(block, "actions");
    let steps = actions.iter().find_map(|action| {
        let one_of = action["multiattack one of"].as_array();
        let own = action["multiattack"].as_array();
        own.or_else(|| one_of.and_then(|all| all[0].as_array()))
    });
    let usable = |action: &&Value| {
        sort(action, plain) != Sort::Nothing && !(plain && action["usage"].is_object())
    };
    let mut all = Vec::new();
    for step in steps.into_iter().flatten() {
        let mut named = actions
            .iter()
            .filter(|action| bare(text(action, "name")) == bare(text(step, "action")));
        if let Some(action) = named.find(usable) {
            let times = match &step["count"] {
                Value::String(heads) if heads == "Number of Heads" => "5".to_owned(),
                Value::String(dice) => dice.clone(),
                number => number.to_string(),
            };
            all.push((action, times));
        }
    }
    if !all.is_empty() {
        return all;
    }
    let mut best: Option<(&Value, i64)> = None;
    for action in actions
        .iter()
        .filter(usable)
        .filter(|action| !action["usage"].is_object())
    {
        let worth: i64 = damage(action).iter().map(|one| average(one.0)).sum();
        let worth = if sort(action, plain) == Sort::Attack {
            worth
        } else {
            worth / 2
        };
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((action, worth));
        }
    }
    best.map(|(action, _)| (action, "1".to_owned()))
        .into_iter()
        .collect()
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
