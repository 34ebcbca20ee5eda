//! The files of the d100 rules: characters, weapons, armour and scenarios, as written in JSON. The
//! schema of each follows from these types.

use super::condition::Condition;
use super::item_schema::{Item, RuleElement};
use super::tables::{InjuryRow, InjuryTable};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// A character, a creature or a machine.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Actor {
    /// What people call it.
    pub name: String,
    /// The characteristics by their short names: ws, bs, s, t, ag, int, per, wp, fel.
    pub characteristics: BTreeMap<String, i64>,
    /// How many wounds it can take.
    #[serde(default)]
    pub wounds: i64,
    /// Levels of fatigue: each is -10 to all characteristics in tests.
    #[serde(default)]
    pub fatigue: i64,
    /// Skills that it has advanced, or may use.
    #[serde(default)]
    pub skills: Vec<Skill>,
    /// Weapons at hand.
    #[serde(default)]
    pub weapons: Vec<Weapon>,
    /// Armour that is worn.
    #[serde(default)]
    pub armour: Vec<Armour>,
    /// Talents, traits and equipment: items with `rules`.
    #[serde(default)]
    #[schemars(with = "Vec<Item>")]
    pub items: Vec<Value>,
    /// Conditions at the beginning: `prone`, or `{"condition": "stunned", "rounds": 2}`.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// Psychic powers.
    #[serde(default)]
    pub powers: Vec<Power>,
}

/// A skill.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Skill {
    /// Its name, as in the domain `skill:NAME`: `dodge`.
    pub name: String,
    /// The characteristic that it tests.
    pub characteristic: String,
    /// 0 untrained, 1 known, 2 trained (+10), 3 experienced (+20), 4 veteran (+30).
    #[serde(default)]
    pub tier: u8,
    /// What it may be used for: `dodge-attack`.
    #[serde(default)]
    pub uses: Vec<Use>,
}

/// A use of a skill.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Use {
    /// Its name, as in the domain `skill:SKILL:NAME`.
    pub name: String,
    /// Whether it spends the reaction of the round.
    #[serde(default)]
    pub reaction: bool,
}

/// A weapon.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Weapon {
    /// What people call it.
    pub name: String,
    /// Its class: `melee`, or what it fires, such as `las`, `bolt`, `solid`.
    pub class: String,
    /// The dice of its damage: `1d10+3`.
    pub damage: String,
    /// The type of its damage: `energy`, `impact`, `rending`, `explosive`.
    #[serde(default = "impact")]
    pub damage_type: String,
    /// What is added to the dice.
    #[serde(default)]
    pub bonus: i64,
    /// How much armour it ignores.
    #[serde(default)]
    pub penetration: i64,
    /// How many shots its modes fire.
    #[serde(default)]
    pub rof: RateOfFire,
    /// `Accurate`, `Tearing`, `Proven(3)` and the like.
    #[serde(default)]
    pub qualities: Vec<String>,
    /// How well it is made.
    #[serde(default)]
    pub craftsmanship: Craftsmanship,
    /// The rounds in it, the last ones on top; a weapon without this needs none.
    #[serde(default)]
    pub loaded: Option<Vec<Rounds>>,
    /// Rule elements of its own.
    #[serde(default)]
    #[schemars(with = "Vec<RuleElement>")]
    pub rules: Vec<Value>,
}

fn impact() -> String {
    "impact".to_owned()
}

/// How many shots a weapon fires at once.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateOfFire {
    /// In semi-automatic fire; 0 if it cannot.
    #[serde(default)]
    pub semi: u32,
    /// In fully automatic fire; 0 if it cannot.
    #[serde(default)]
    pub full: u32,
}

/// Equal rounds in a weapon.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// What they are: `standard`.
    pub name: String,
    /// How many.
    pub count: u32,
}

/// How well something is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Craftsmanship {
    /// -10 to hit, -1 armour.
    Poor,
    /// Nothing.
    #[default]
    Common,
    /// +5 to hit.
    Good,
    /// +10 to hit, +1 armour.
    Best,
}

/// A piece of armour.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Armour {
    /// What people call it.
    pub name: String,
    /// Armour points by location; `all` for every location.
    pub points: BTreeMap<String, i64>,
    /// How well it is made.
    #[serde(default)]
    pub craftsmanship: Craftsmanship,
}

/// A psychic power.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Power {
    /// Its name, as in the domain `power:NAME`.
    pub name: String,
    /// The characteristic of its test.
    #[serde(default = "willpower")]
    pub characteristic: String,
    /// What is added to the characteristic.
    #[serde(default)]
    pub focus: i64,
}

fn willpower() -> String {
    "wp".to_owned()
}

/// How a weapon is fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// One shot, or one blow.
    #[default]
    Single,
    /// Semi-automatic.
    Semi,
    /// Fully automatic.
    Full,
}

/// An attack: who, whom, with what.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AttackScenario {
    /// Who attacks: an actor, or the name of a file with one.
    #[schemars(schema_with = "actor_or_file")]
    pub attacker: Actor,
    /// Who is attacked, in the same way.
    #[schemars(schema_with = "actor_or_file")]
    pub target: Actor,
    /// The attacker's weapon; its first one if this is left out.
    #[serde(default)]
    pub weapon: Option<String>,
    /// How it is fired.
    #[serde(default)]
    pub mode: Mode,
    /// The location that the attack is aimed at.
    #[serde(default)]
    pub called: Option<String>,
    /// Options that are set: `self:aim:full`, `action:charge`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Options that may change during play: they become parameters of the script.
    #[serde(default)]
    pub changing: Vec<String>,
    /// The table of critical injuries: its rows, or the name of a file with them.
    #[serde(default)]
    #[schemars(schema_with = "injuries_or_file")]
    pub injuries: Option<Vec<InjuryRow>>,
}

/// An actor, or the name of a file with one.
fn actor_or_file(generator: &mut SchemaGenerator) -> Schema {
    let actor = generator.subschema_for::<Actor>();
    json_schema!({ "anyOf": [actor, { "type": "string" }] })
}

/// The rows of a table of critical injuries, the table, or the name of a file with it.
fn injuries_or_file(generator: &mut SchemaGenerator) -> Schema {
    let rows = generator.subschema_for::<Vec<InjuryRow>>();
    let table = generator.subschema_for::<InjuryTable>();
    json_schema!({ "anyOf": [rows, table, { "type": ["string", "null"] }] })
}

/// A fight between two sides.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FightScenario {
    /// What people call it.
    #[serde(default = "fight")]
    pub name: String,
    /// The sides, two of them, each with its fighters: actors, or the names of files with one.
    pub sides: Vec<Side>,
    /// After how many rounds it is a draw.
    #[serde(default = "rounds")]
    pub rounds: NonZeroU32,
    /// The table of critical injuries: its rows, or the name of a file with them. With one,
    /// somebody without wounds left goes on until an injury makes it `unconscious`, `helpless` or
    /// `dead`.
    #[serde(default)]
    #[schemars(schema_with = "injuries_or_file")]
    pub injuries: Option<Vec<InjuryRow>>,
}

fn fight() -> String {
    "Fight".to_owned()
}

fn rounds() -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(19)
}

/// A side of a fight.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Side {
    /// What people call it.
    pub name: String,
    /// Its fighters.
    pub fighters: Vec<Fighter>,
}

/// A fighter, and what it does.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Fighter {
    /// Who fights: an actor, or the name of a file with one.
    #[schemars(schema_with = "actor_or_file")]
    pub actor: Actor,
    /// How many there are of it.
    #[serde(default = "one")]
    pub count: u32,
    /// The weapon that it uses; its first one if this is left out. If it has too few rounds, it
    /// uses the next one.
    #[serde(default)]
    pub weapon: Option<String>,
    /// How it fires.
    #[serde(default)]
    pub mode: Mode,
    /// Options that are set whenever it attacks.
    #[serde(default)]
    pub options: Vec<String>,
    /// The use of a skill with which it avoids attacks: `dodge:dodge-attack`.
    #[serde(default)]
    pub defence: Option<String>,
    /// What it does in its turns.
    #[serde(default)]
    pub tactic: Tactic,
}

/// What a fighter does in its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Tactic {
    /// Attacks with its weapon.
    #[default]
    Attack,
    /// Grapples a foe, and hurts it for as long as it is held.
    Grapple,
    /// Grapples a foe, and throws it.
    Throw,
    /// Grapples a foe, and pushes it ahead.
    Push,
    /// Shoots at the first foe whose turn begins.
    Overwatch,
}

fn one() -> u32 {
    1
}
