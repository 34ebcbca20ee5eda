//! A stat block as JSON, in the layout of the creatures of the SRD 5.1.

use super::damage::Damage;
use super::help::{Counter, Help};
use super::outcome::{Outcome, Premise};
use super::save::Save;
use super::size::Size;
use super::spellcasting::Spellcasting;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A creature.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Creature {
    /// What people call it.
    pub name: String,
    /// Armour class.
    pub ac: i64,
    /// Average hit points.
    pub hp: i64,
    /// The hit points that it has at the beginning, if it is wounded: between 1 and `hp`.
    #[serde(default, rename = "current hp")]
    pub current_hp: Option<i64>,
    /// Hit points as dice: `2d6`. In a day of several fights these are its hit dice, too.
    #[serde(default, rename = "hp dice")]
    pub hp_dice: Option<String>,
    /// Whether it is a character: at 0 hit points it is dying and makes death saves.
    #[serde(default)]
    pub character: bool,
    /// The level of a character, from 1 to 20; only budgets of experience points depend on it.
    #[serde(default)]
    pub level: Option<i64>,
    /// The challenge rating of a monster, for the same: `0.25`.
    #[serde(default)]
    pub cr: Option<f64>,
    /// Its experience points, if they are not those of its rating.
    #[serde(default)]
    pub xp: Option<u64>,
    /// Temporary hit points at the beginning.
    #[serde(default, rename = "temp hp")]
    pub temp_hp: i64,
    /// Strength, as a score: 10 has the modifier 0.
    #[serde(default = "average", rename = "STR")]
    pub strength: i64,
    /// Dexterity.
    #[serde(default = "average", rename = "DEX")]
    pub dexterity: i64,
    /// Constitution.
    #[serde(default = "average", rename = "CON")]
    pub constitution: i64,
    /// Intelligence.
    #[serde(default = "average", rename = "INT")]
    pub intelligence: i64,
    /// Wisdom.
    #[serde(default = "average", rename = "WIS")]
    pub wisdom: i64,
    /// Charisma.
    #[serde(default = "average", rename = "CHA")]
    pub charisma: i64,
    /// Proficiency bonus.
    #[serde(default = "two")]
    pub proficiency: i64,
    /// Saving throws that differ from the modifiers, by ability: `"DEX": 6`.
    #[serde(default)]
    pub saves: BTreeMap<String, i64>,
    /// Skills that differ from the modifiers, by name: `"athletics": 5`.
    #[serde(default)]
    pub skills: BTreeMap<String, i64>,
    /// How far it perceives without light, in feet, by its senses: `"blindsight": 60`. Those with
    /// blindsight or truesight perceive invisible creatures.
    #[serde(default)]
    pub senses: BTreeMap<String, Value>,
    /// Its size: feet of its space, or a word such as `large`; Medium if this is missing.
    #[serde(default)]
    pub size: Size,
    /// Types of damage that are halved.
    #[serde(default)]
    pub resists: Vec<String>,
    /// What it is: `humanoid`, `beast`. Humanoids and characters have weapons and armour, and so
    /// has somebody of whom it is not said.
    #[serde(default, rename = "type")]
    pub what: Option<String>,
    /// Types of damage that do nothing.
    #[serde(default)]
    pub immune: Vec<String>,
    /// Types of damage that are doubled.
    #[serde(default)]
    pub vulnerable: Vec<String>,
    /// Conditions that it cannot have.
    #[serde(default, rename = "condition immune")]
    pub condition_immune: Vec<String>,
    /// Traits by name.
    #[serde(default)]
    pub traits: Vec<Trait>,
    /// Actions: attacks, multiattacks, and actions with saves.
    #[serde(default)]
    pub actions: Vec<Action>,
    /// Reactions by name.
    #[serde(default)]
    pub reactions: Vec<Trait>,
    /// Legendary actions.
    #[serde(default)]
    pub legendary: Vec<Action>,
    /// How it casts spells.
    #[serde(default)]
    pub spellcasting: Option<Spellcasting>,
    /// How many feet it moves in a turn: a number, or numbers by how it moves, `{"walk": 30}`. It
    /// uses the greatest of `walk` and `fly`, where distances count; 30 if this is missing.
    #[serde(default)]
    pub speed: Option<Value>,
    /// Rules of it that no member expresses: fights do not play them, and say so.
    #[serde(default, rename = "not modelled")]
    pub not_modelled: Vec<String>,
    /// The same where distances count.
    #[serde(default, rename = "not modelled with distances")]
    pub not_modelled_with_distances: Vec<String>,
}

/// The score of an ability that a stat block does not state.
fn average() -> i64 {
    10
}

/// The proficiency bonus of those below a challenge of 5.
fn two() -> i64 {
    2
}

/// A trait or a reaction.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Trait {
    /// Its name: `Pack Tactics`.
    pub name: String,
    /// How often it may be used.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// A number that the rule of this name takes, if it is not the usual one: hit points of
    /// `Regeneration`, dice of `Sneak Attack`.
    #[serde(default)]
    pub value: Option<Value>,
    /// A save that it asks of each enemy whose turn starts: a gaze, or an aura.
    #[serde(default)]
    pub save: Option<Save>,
    /// How far its save reaches, in feet; everywhere if this is missing.
    #[serde(default)]
    pub within: Option<u32>,
    /// Whether its save is only of those who see the creature: they may avert their eyes.
    #[serde(default)]
    pub gaze: bool,
    /// What it does, as a feature in the format of seed 001; without one, what is known of its
    /// name.
    #[serde(default)]
    pub feature: Option<Value>,
    /// What the feature's creature has of attributes that no stat block states, such as
    /// `FORM_STATE`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// The values of the feature's variables: V0, V1 and so on.
    #[serde(default)]
    pub v: Option<Vec<Value>>,
}

/// An action or a legendary action.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Action {
    /// Its name: `Bite`.
    pub name: String,
    /// What an attack adds to its d20; an action without one is not an attack.
    #[serde(default)]
    pub bonus: Option<i64>,
    /// `melee`, `ranged` or `melee or ranged`.
    #[serde(default)]
    pub kind: Option<String>,
    /// Whether the attack is a spell, which is magical.
    #[serde(default)]
    pub spell: bool,
    /// The parts of its damage.
    #[serde(default)]
    pub damage: Vec<Damage>,
    /// The save that it asks for: of its targets, or of those that an attack hits.
    #[serde(default)]
    pub save: Option<Save>,
    /// The area that it fills.
    #[serde(default)]
    pub area: Option<Area>,
    /// Hit points that it restores to somebody of its side, as dice: `1d8+3`.
    #[serde(default)]
    pub heals: Option<String>,
    /// Whether it takes a bonus action: only for actions that heal or help,
    /// and for multiattacks.
    #[serde(default, rename = "bonus action")]
    pub bonus_action: bool,
    /// Whether its conditions, or its help, last only while the creature concentrates.
    #[serde(default)]
    pub concentration: bool,
    /// Whom it may be used on; anybody if this is missing.
    #[serde(default)]
    pub only: Option<Premise>,
    /// What those who are hit suffer from without a save.
    #[serde(default)]
    pub inflicts: Option<Outcome>,
    /// The damage in place of `damage` while the creature has at most half of its hit points.
    #[serde(default, rename = "at half")]
    pub at_half: Vec<Damage>,
    /// What else it does that these members cannot say, in words: a note says so.
    #[serde(default, rename = "left out")]
    pub left_out: Option<String>,
    /// The lowest face of the d20 with which a hit of an attack is critical; 20 if this is missing.
    #[serde(default)]
    pub critical: Option<i64>,
    /// The dice that a critical hit adds, once: `1d12`.
    #[serde(default, rename = "critical dice")]
    pub critical_dice: Option<String>,
    /// The damage of an attack that misses, of the type of its first part: `4`.
    #[serde(default, rename = "on a miss")]
    pub on_a_miss: Option<String>,
    /// How many attack rolls one use of an attack makes, each with a target of its own: the rays of
    /// a spell. 1 if this is missing.
    #[serde(default)]
    pub times: Option<u32>,
    /// Whether a hit gives advantage on the next attack on the same creature, before the end of the
    /// creature's next turn.
    #[serde(default)]
    pub vexes: bool,
    /// What it does for its creature or for friends.
    #[serde(default)]
    pub helps: Option<Help>,
    /// How a reaction stops spells of enemies.
    #[serde(default)]
    pub counters: Option<Counter>,
    /// The level of a spell as it is cast, for those who would stop it.
    #[serde(default)]
    pub level: Option<u32>,
    /// Whether it is a reaction: its help to a hit that its `ac` turns into a miss, its save to
    /// damage by a hit.
    #[serde(default)]
    pub reaction: bool,
    /// Whom an action heals or helps: `self`, or friends if this is missing.
    #[serde(default)]
    pub on: Option<String>,
    /// How often it may be used.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// When an action with limited uses is used: `worth`, while it is worth more than what the
    /// creature does otherwise; as soon as it can if this is missing.
    #[serde(default)]
    pub when: Option<String>,
    /// The actions that a multiattack makes.
    #[serde(default)]
    pub multiattack: Vec<Step>,
    /// Alternatives of a multiattack.
    #[serde(default, rename = "multiattack one of")]
    pub multiattack_one_of: Vec<Vec<Step>>,
    /// What a hit holds.
    #[serde(default)]
    pub grapples: Option<Grapple>,
    /// How many legendary actions it takes.
    #[serde(default)]
    pub cost: Option<u32>,
    /// How far an attack in melee reaches, in feet; 5 if this is missing.
    #[serde(default)]
    pub reach: Option<u32>,
    /// How far a ranged attack reaches, in feet: without disadvantage, and with it; or how far
    /// away the one creature may be that an action asks for a save.
    #[serde(default)]
    pub range: Vec<u32>,
}

/// An area.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Area {
    /// `cone`, `line`, `cube` or `radius`.
    pub shape: String,
    /// How far it reaches, in feet.
    pub feet: u32,
    /// How wide a line is, in feet: 5, unless stated.
    #[serde(default)]
    pub width: Option<u32>,
    /// How far away the middle of a radius may be, in feet; it is the creature itself if this is
    /// missing.
    #[serde(default)]
    pub at: Option<u32>,
}

/// How often something may be used.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Usage {
    /// Uses a day.
    #[serde(default, rename = "per day")]
    pub per_day: Option<u32>,
    /// The faces of a d6 that bring it back at the beginning of a turn: `5-6`.
    #[serde(default)]
    pub recharge: Option<String>,
    /// The level of the spell slots that it uses up: those of `spellcasting`.
    #[serde(default)]
    pub slot: Option<u32>,
    /// The rest that brings it back; once a fight.
    #[serde(default)]
    pub rest: Option<Value>,
}

/// An action of a multiattack.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Step {
    /// Its name.
    pub action: String,
    /// How often: a number, or dice.
    pub count: Value,
}

/// What a hit holds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Grapple {
    /// Whether those who are held are restrained, too.
    #[serde(default)]
    pub restrains: bool,
    /// What a check to escape has to reach.
    #[serde(rename = "escape dc")]
    pub escape_dc: i64,
    /// How many it holds at a time; 1 if this is missing.
    #[serde(default)]
    pub holds: Option<u32>,
    /// Whether, while it holds somebody, it is made on nobody else.
    #[serde(default, rename = "only held")]
    pub only_held: bool,
    /// The greatest size of those whom it holds; any if this is missing.
    #[serde(default, rename = "max size")]
    pub max_size: Option<Size>,
    /// Whether its attack rolls against those whom it holds have advantage.
    #[serde(default)]
    pub advantage: bool,
    /// Whether its attack rolls against those whom it holds hit whatever is rolled.
    #[serde(default, rename = "cannot miss")]
    pub cannot_miss: bool,
    /// Whether checks to escape have disadvantage.
    #[serde(default, rename = "hinders escape")]
    pub hinders_escape: bool,
    /// What those who are held take at the start of each of their turns.
    #[serde(default)]
    pub damage: Vec<Damage>,
}

/// The abilities, as stat blocks name them.
pub(in crate::encounter) const ABILITIES: [&str; 6] = ["STR", "DEX", "CON", "INT", "WIS", "CHA"];

impl Creature {
    /// The hit points that it has at the beginning, unless they are rolled.
    pub fn first_hp(&self) -> i64 {
        self.current_hp.unwrap_or(self.hp)
    }

    /// The modifier of an ability; `None` if that is not an ability.
    pub fn modifier(&self, ability: &str) -> Option<i64> {
        let score = match ability {
            "STR" => self.strength,
            "DEX" => self.dexterity,
            "CON" => self.constitution,
            "INT" => self.intelligence,
            "WIS" => self.wisdom,
            "CHA" => self.charisma,
            _ => return None,
        };
        Some((score - 10).div_euclid(2))
    }

    /// What it adds to a save; `None` if that is not an ability.
    pub fn save(&self, ability: &str) -> Option<i64> {
        let own = self.saves.get(ability).copied();
        own.or_else(|| self.modifier(ability))
    }

    /// What a save against its spells has to reach: what the stat block says, or 8, its proficiency
    /// and the best of its mental abilities (SRD 5.1, "Spellcasting").
    pub fn spell_dc(&self) -> i64 {
        let mental = ["INT", "WIS", "CHA"].into_iter();
        let best = mental.filter_map(|ability| self.modifier(ability)).max();
        let own = self.spellcasting.as_ref().and_then(|own| own.dc);
        own.unwrap_or(8 + self.proficiency + best.unwrap_or(0))
    }

    /// What it adds to a check of a skill; `None` if the stat block does not state it.
    pub fn skill(&self, name: &str) -> Option<i64> {
        let mut all = self.skills.iter();
        let (_, bonus) = all.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(*bonus)
    }

    /// What it adds to a check to escape: Athletics or Acrobatics, whichever is better.
    pub fn escape(&self) -> i64 {
        let check = |skill: &str, score: i64| {
            let modifier = (score - 10).div_euclid(2);
            self.skill(skill).unwrap_or(modifier)
        };
        check("athletics", self.strength).max(check("acrobatics", self.dexterity))
    }

    /// Whether it has weapons and armour that are not its own body.
    pub fn has_gear(&self) -> bool {
        let is_humanoid = |what: &String| what.to_lowercase().contains("humanoid");
        self.character || self.what.as_ref().is_none_or(is_humanoid)
    }

    /// Whether it perceives invisible creatures.
    pub fn sees_invisible(&self) -> bool {
        let mut senses = self.senses.keys();
        senses.any(|sense| matches!(sense.as_str(), "blindsight" | "truesight"))
    }

    /// Whether it cannot have a condition.
    pub fn is_immune_to(&self, condition: &str) -> bool {
        let mut names = self.condition_immune.iter();
        names.any(|name| name.eq_ignore_ascii_case(condition))
    }

    /// How many feet it moves in a turn; `None` if the stat block says it in another way.
    pub fn feet(&self) -> Option<u32> {
        let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let feet = match &self.speed {
            None => Some(30),
            Some(Value::Object(ways)) => {
                let ways = ["walk", "fly"].iter().filter_map(|way| ways.get(*way));
                let feet: Option<Vec<u32>> = ways.map(number).collect();
                feet.map(|feet| feet.into_iter().max().unwrap_or(0))
            }
            Some(other) => number(other),
        };
        feet.filter(|feet| *feet <= 1000)
    }

    /// Whether it moves by flying: it flies at least as fast as it walks.
    pub fn flies(&self) -> bool {
        let by = |way: &str| match &self.speed {
            Some(Value::Object(ways)) => ways.get(way).and_then(Value::as_u64).unwrap_or(0),
            _ => 0,
        };
        by("fly") > 0 && by("fly") >= by("walk")
    }

    /// Whether it has a trait.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// A trait by its name.
    pub fn find(&self, name: &str) -> Option<&Trait> {
        self.traits.iter().find(|one| one.name == name)
    }
}
