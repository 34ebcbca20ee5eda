//! The spells of a stat block: a list of names and slots becomes actions.
//!
//! ```text
//! "spellcasting": { "slots", "spells", "at will", "per day" } --with_spells--> "actions"
//! ```
//!
//! `library.json` has facts of the SRD 5.1, "Spell Descriptions": damage, saves, areas, and the
//! parts that actions cannot say, which notes name. Spells without effect in a fight are listed
//! there, too. A spell with more effect in higher slots becomes an action for each slot level.

mod dice;

use dice::{grown, times};
use dicec_runtime::bug;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The maximum number of spells of a creature.
pub(super) const MAX_SPELLS: usize = 200;

/// The highest level of spells.
pub(super) const MAX_LEVEL: usize = 9;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("library.json"));
    read.unwrap_or_else(|error| bug!("the spells: {error}").raise())
});

/// The spells that have other numbers in the SRD 5.2, and those that only it has.
static CHANGED: LazyLock<Vec<Spell>> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("library-5.2.json"));
    read.unwrap_or_else(|error| bug!("the spells of 5.2: {error}").raise())
});

/// A spell that fights play, in the numbers of an edition. One that only the SRD 5.2 has is the
/// same in both.
fn spell(name: &str, is_changed: bool) -> Option<&'static Spell> {
    let is_it = |spell: &&Spell| spell.name.eq_ignore_ascii_case(name);
    let own = || LIBRARY.cast.iter().find(is_it);
    match CHANGED.iter().find(is_it) {
        Some(spell) if is_changed || spell.is_only => Some(spell),
        _ => own(),
    }
}

#[derive(Deserialize)]
struct Library {
    cast: Vec<Spell>,
    #[serde(rename = "without effect")]
    without_effect: Vec<String>,
}

/// A spell that fights play.
#[derive(Deserialize)]
struct Spell {
    name: String,
    /// 0 for a cantrip.
    level: u32,
    /// Whether only the SRD 5.2 has a spell of this name.
    #[serde(default, rename = "only 5.2")]
    is_only: bool,
    /// Whether it stops spells by the rules of 2024: a save in place of a check.
    #[serde(default, rename = "by save")]
    is_changed: bool,
    /// Whether the number of its dice grows with the level of the caster (cantrips).
    #[serde(default)]
    grows: bool,
    /// The dice that each slot level above its own adds to the first part of the damage, or to the
    /// hit points that it restores.
    upcast: Option<String>,
    /// How many slot levels it takes to add those dice: 1 if this is missing.
    every: Option<u32>,
    /// How many attack rolls it makes. A slot above its own level adds one; of a cantrip, the
    /// number grows in place of the dice.
    rays: Option<u32>,
    /// Whether the modifier of the spellcasting ability is added to its dice.
    #[serde(default)]
    modifier: bool,
    /// Feet of a ranged attack, or of a spell on one creature.
    range: Option<u32>,
    /// Feet of a melee attack.
    reach: Option<u32>,
    /// `bonus action` or `reaction`, if it is not an action.
    time: Option<String>,
    #[serde(default)]
    concentration: bool,
    /// The parts of it that its action cannot say.
    left: Option<String>,
    /// Its action as in a stat block, without name and numbers of the caster. An attack is
    /// `attack`: `melee` or `ranged`.
    action: Map<String, Value>,
}

/// How often a spell may be cast.
#[derive(Clone, Copy)]
enum Use {
    AtWill,
    Slot(u32),
    PerDay(u64),
}

/// The numbers of a caster.
struct Caster {
    dc: i64,
    bonus: i64,
    modifier: i64,
    level: u32,
    /// What it adds to the damage of cantrips.
    cantrip_bonus: i64,
    /// What it adds to the hit points that a spell with a slot restores, next to the slot's level.
    healing_bonus: Option<i64>,
}

/// A stat block with an action for each spell of its lists that fights play; spells that are not
/// modelled are in `not modelled`. A block without lists is unchanged.
pub fn with_spells(block: &Value) -> Value {
    let casting = &block["spellcasting"];
    let lists = names_by_use(casting);
    let mut block = block.clone();
    if lists.is_empty() {
        return block;
    }
    let caster = Caster::of(&block);
    let slots = slots(casting);
    let (mut actions, mut unknown) = (Vec::new(), Vec::new());
    for (name, how) in lists {
        let is_it = |own: &str| own.eq_ignore_ascii_case(&name);
        match spell(&name, casting["edition"] == "5.2") {
            Some(spell) => actions.extend(spell.actions(&caster, how, &slots)),
            None if LIBRARY.without_effect.iter().any(|own| is_it(own)) => {}
            None => unknown.push(name),
        }
    }
    append(&mut block, "actions", actions);
    if !unknown.is_empty() {
        let note = format!("Spellcasting ({})", unknown.join(", "));
        append(&mut block, "not modelled", vec![note.into()]);
    }
    block
}

/// Whether fights play a spell, or it has no effect in them.
pub(crate) fn is_known_spell(name: &str) -> bool {
    let is_it = |own: &str| own.eq_ignore_ascii_case(name);
    spell(name, true).is_some() || LIBRARY.without_effect.iter().any(|own| is_it(own))
}

/// Adds to a list of a block.
fn append(block: &mut Value, member: &str, more: Vec<Value>) {
    let Some(members) = block.as_object_mut() else {
        return;
    };
    let list = members.entry(member).or_insert_with(|| json!([]));
    if let Value::Array(list) = list {
        list.extend(more);
    }
}

/// The spells of a caster, each with how often it may be cast.
fn names_by_use(casting: &Value) -> Vec<(String, Option<Use>)> {
    let names = |list: &Value| {
        let names = list.as_array().into_iter().flatten();
        let names = names.filter_map(Value::as_str).map(str::to_owned);
        names.collect::<Vec<_>>()
    };
    let mut all: Vec<(String, Option<Use>)> = Vec::new();
    let will = names(&casting["at will"]).into_iter();
    all.extend(will.map(|name| (name, Some(Use::AtWill))));
    for (times, list) in casting["per day"].as_object().into_iter().flatten() {
        let uses = times.parse().unwrap_or(1);
        all.extend(
            names(list)
                .into_iter()
                .map(|name| (name, Some(Use::PerDay(uses)))),
        );
    }
    all.extend(
        names(&casting["spells"])
            .into_iter()
            .map(|name| (name, None)),
    );
    // More are an error when the creature fights.
    all.truncate(MAX_SPELLS);
    all
}

/// The number of slots by level, from 1 on.
fn slots(casting: &Value) -> Vec<u64> {
    let slots = casting["slots"].as_array().into_iter().flatten();
    let slots = slots.take(MAX_LEVEL);
    slots.map(|slots| slots.as_u64().unwrap_or(0)).collect()
}

impl Caster {
    fn of(block: &Value) -> Self {
        let casting = &block["spellcasting"];
        let number = |member: &str| casting[member].as_i64();
        let score = casting["ability"]
            .as_str()
            .and_then(|name| block[name].as_i64());
        let modifier = score.map_or(0, |score| score.saturating_sub(10).div_euclid(2));
        let proficiency = block["proficiency"].as_i64().unwrap_or(2);
        // SRD 5.1, "Spellcasting: Saving Throws" and "Attack Rolls".
        let bonus = number("modifier").unwrap_or(proficiency.saturating_add(modifier));
        Self {
            dc: number("dc").unwrap_or(proficiency.saturating_add(modifier).saturating_add(8)),
            bonus,
            modifier,
            level: casting["level"]
                .as_u64()
                .and_then(|level| u32::try_from(level).ok())
                .unwrap_or(1),
            cantrip_bonus: number("cantrip bonus").unwrap_or(0),
            healing_bonus: number("healing bonus"),
        }
    }

    /// How many times the dice of a cantrip are rolled (SRD 5.1, cantrips: levels 5, 11 and 17).
    fn growth(&self) -> u32 {
        1 + [5, 11, 17]
            .into_iter()
            .filter(|level| self.level >= *level)
            .count() as u32
    }
}

impl Spell {
    /// Its actions: one for each way to cast it that makes a difference.
    fn actions(&self, caster: &Caster, how: Option<Use>, slots: &[u64]) -> Vec<Value> {
        match how {
            Some(how) => vec![self.action(caster, how)],
            None if self.level == 0 => vec![self.action(caster, Use::AtWill)],
            None => {
                let levels = (self.level..).zip(slots.iter().skip(self.level as usize - 1));
                let mut levels = levels.filter(|&(_, &count)| count > 0);
                // Without slots of its level it is cast with the lowest ones above.
                let first = levels.next();
                // Reactions use the lowest slots only.
                let is_reaction = self.time.as_deref() == Some("reaction");
                let grows = !is_reaction && (self.upcast.is_some() || self.rays.is_some());
                let levels = first.into_iter().chain(levels.filter(|_| grows));
                let mut all: Vec<Value> = levels
                    .map(|(level, _)| self.action(caster, Use::Slot(level)))
                    .collect();
                // One note is enough.
                let others = all.iter_mut().skip(1).filter_map(Value::as_object_mut);
                others.for_each(|action| drop(action.remove("left out")));
                all
            }
        }
    }

    fn action(&self, caster: &Caster, how: Use) -> Value {
        let mut action = self.action.clone();
        let above = match how {
            Use::Slot(slot) => slot - self.level,
            Use::AtWill | Use::PerDay(_) => 0,
        };
        // SRD 5.1, "Disciple of Life".
        let more = match (how, caster.healing_bonus) {
            (Use::Slot(slot), Some(bonus)) => bonus.saturating_add(slot.into()),
            _ => 0,
        };
        let name = match above {
            0 => self.name.clone(),
            _ => format!("{} (slot of level {})", self.name, self.level + above),
        };
        self.write_dice(&mut action, caster, above, more);
        if let Some(help) = action.get_mut("helps") {
            self.write_help(help, caster, above);
        }
        if let Some(kind) = action.remove("attack") {
            action.insert("kind".to_owned(), kind);
            action.insert("bonus".to_owned(), caster.bonus.into());
        }
        if let Some(Value::Object(save)) = action.get_mut("save") {
            save.insert("dc".to_owned(), caster.dc.into());
        }
        let helps = action.contains_key("helps");
        let is_reaction = self.time.as_deref() == Some("reaction");
        let usage = match how {
            // A fight lasts at most 100 rounds.
            Use::AtWill if helps || is_reaction => Some(json!({ "per day": 100 })),
            Use::AtWill => None,
            Use::Slot(slot) => Some(json!({ "slot": slot })),
            Use::PerDay(uses) => Some(json!({ "per day": uses })),
        };
        let heals = action.contains_key("heals");
        let causes = action
            .get("save")
            .is_some_and(|save| save.get("conditions").is_some());
        if action.contains_key("counters") {
            let highest = self.level + above;
            let counter = match self.is_changed {
                true => json!({ "dc": caster.dc }),
                false => json!({ "level": highest, "bonus": caster.modifier }),
            };
            action.insert("counters".to_owned(), counter);
        }
        let level = match (how, self.level) {
            (Use::AtWill, _) | (_, 0) => None,
            (Use::Slot(_) | Use::PerDay(_), level) => Some(level + above),
        };
        let members = [
            ("level", level.filter(|_| !heals).map(Value::from)),
            ("name", Some(name.into())),
            ("spell", (!heals).then_some(Value::Bool(true))),
            ("when", (!heals && usage.is_some()).then(|| "worth".into())),
            ("times", self.rays(caster, above).map(Value::from)),
            ("usage", usage),
            ("range", self.range.map(|feet| json!([feet]))),
            ("reach", self.reach.map(Value::from)),
            (
                "concentration",
                (self.concentration && (causes || helps)).then_some(Value::Bool(true)),
            ),
            (
                "bonus action",
                (self.time.as_deref() == Some("bonus action")).then_some(Value::Bool(true)),
            ),
            ("reaction", is_reaction.then_some(Value::Bool(true))),
            ("left out", self.left.clone().map(Value::from)),
        ];
        let members = members.into_iter();
        action.extend(members.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Value::Object(action)
    }

    /// The numbers of this caster in the help of a spell.
    fn write_help(&self, help: &mut Value, caster: &Caster, above: u32) {
        let more = self.upcast.as_deref();
        let times = above / self.every.unwrap_or(1).max(1);
        if let Some(aura) = help.get_mut("aura") {
            aura["save"]["dc"] = caster.dc.into();
        }
        if let Some(attack) = help.get_mut("attack") {
            attack["bonus"] = caster.bonus.into();
        }
        for (member, modifier) in [("aura", 0), ("attack", caster.modifier.max(0))] {
            let damage = help
                .get_mut(member)
                .map(|part| &mut part["damage"][0]["dice"]);
            let dice = damage.as_ref().and_then(|dice| dice.as_str());
            let dice = dice.map(|dice| plus(grown(dice, more, times), modifier));
            if let (Some(damage), Some(dice)) = (damage, dice) {
                *damage = dice.into();
            }
        }
    }

    /// The attack rolls of this caster, with a slot this many levels above that of the spell.
    fn rays(&self, caster: &Caster, above: u32) -> Option<u32> {
        let growth = if self.grows { caster.growth() } else { 1 };
        self.rays.map(|rays| rays * growth + above)
    }

    /// The dice of this caster, with a slot this many levels above that of the spell. `healed` is
    /// added to the hit points that it restores.
    fn write_dice(
        &self,
        action: &mut Map<String, Value>,
        caster: &Caster,
        above: u32,
        healed: i64,
    ) {
        if let Some(Value::Array(parts)) = action.get_mut("damage") {
            for (index, part) in parts.iter_mut().enumerate() {
                let Some(dice) = part["dice"].as_str() else {
                    continue;
                };
                let usual = match self.grows {
                    true if self.rays.is_none() => times(dice, caster.growth()),
                    _ => dice.to_owned(),
                };
                let more = self.upcast.as_deref().filter(|_| index == 0);
                let bonus = match (self.level, index) {
                    (0, 0) => caster.cantrip_bonus.max(0),
                    _ => 0,
                };
                part["dice"] = plus(grown(&usual, more, above), bonus).into();
            }
        }
        if let Some(dice) = action.get("heals").and_then(Value::as_str) {
            let dice = grown(dice, self.upcast.as_deref(), above);
            let modifier = if self.modifier {
                caster.modifier.max(0)
            } else {
                0
            };
            let dice = plus(dice, modifier.saturating_add(healed.max(0)));
            action.insert("heals".to_owned(), dice.into());
        }
    }
}

/// Dice and a number.
fn plus(dice: String, bonus: i64) -> String {
    match bonus {
        0 => dice,
        bonus => format!("{dice}+{bonus}"),
    }
}

#[cfg(test)]
mod tests;
