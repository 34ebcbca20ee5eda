//! Parts of actions of stat blocks: whom they are for, and what those suffer who fail a save.

use super::damage::Damage;
use super::size::Size;
use schemars::JsonSchema;
use serde::Deserialize;

/// Whom an action may be used on, or whom a save is asked of: those that fit all of its members.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Premise {
    /// Words of which one is in their `type`: `["humanoid", "giant"]`; any type if this is missing.
    #[serde(default)]
    pub types: Vec<String>,
    /// Words of which none is in their `type`: `["undead", "elf"]`.
    #[serde(default, rename = "not types")]
    pub not_types: Vec<String>,
    /// Their greatest size; any if this is missing.
    #[serde(default, rename = "max size")]
    pub max_size: Option<Size>,
    /// Conditions of which they have one, if there are any.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// Whether they have to be held by the creature itself; next to `conditions`, whether that will
    /// do, too.
    #[serde(default)]
    pub held: bool,
}

/// What somebody suffers from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The conditions: those of the SRD 5.1.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// For how long: `for 1 minute`.
    #[serde(default)]
    pub lasts: Option<String>,
    /// Whether damage to its victim ends it.
    #[serde(default, rename = "until damage")]
    pub until_damage: bool,
    /// Whether its victim ends it with an action.
    #[serde(default, rename = "until action")]
    pub until_action: bool,
    /// What its victim takes at the start of each of its turns.
    #[serde(default, rename = "each turn")]
    pub each_turn: Vec<Damage>,
}
