//! Saving throws of stat blocks: what they are against, and what those suffer who fail.

use super::damage::Damage;
use super::outcome::{Outcome, Premise};
use schemars::JsonSchema;
use serde::Deserialize;

/// A saving throw.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Save {
    /// STR, DEX, CON, INT, WIS or CHA.
    pub ability: String,
    /// What it has to reach.
    pub dc: i64,
    /// `half` of the damage, or `none`.
    #[serde(rename = "on success")]
    pub on_success: String,
    /// Damage of those who fail, of attacks that have other damage for their hit.
    #[serde(default)]
    pub damage: Vec<Damage>,
    /// What those who fail suffer from.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// For how long: `for 1 minute`.
    #[serde(default)]
    pub lasts: Option<String>,
    /// When the save is repeated: `end of turn`.
    #[serde(default)]
    pub repeats: Option<String>,
    /// Whether damage to those who fail ends their conditions.
    #[serde(default, rename = "until damage")]
    pub until_damage: bool,
    /// What those who fail take at the start of each of their turns, as long as it lasts.
    #[serde(default, rename = "each turn")]
    pub each_turn: Vec<Damage>,
    /// Whom it is asked of; everybody if this is missing.
    #[serde(default)]
    pub only: Option<Premise>,
    /// What those who fail by 5 or more suffer from as well.
    #[serde(default, rename = "fails by 5")]
    pub fails_by_5: Option<Outcome>,
    /// What those suffer from who fail a second save, at the end of what the first one causes.
    #[serde(default, rename = "fails twice")]
    pub fails_twice: Option<Outcome>,
    /// What those suffer from whom its damage drops to 0 hit points; they are stable.
    #[serde(default)]
    pub drops: Option<Outcome>,
    /// Who is immune to it for the rest of the fight: those who have `saved`, or those for whom it
    /// is over as well, `saved or over`.
    #[serde(default)]
    pub immune: Option<String>,
}
