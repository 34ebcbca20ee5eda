//! The spells of a stat block: lists of names, and slots.

use crate::edition::Edition;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How a creature casts spells.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Spellcasting {
    /// What saves against its spells have to reach.
    #[serde(default)]
    pub dc: Option<i64>,
    /// What it adds to attack rolls of spells.
    #[serde(default)]
    pub modifier: Option<i64>,
    /// The ability that it casts with: INT, WIS or CHA.
    #[serde(default)]
    pub ability: Option<String>,
    /// The level as a caster, with which cantrips grow; 1 if this is missing.
    #[serde(default)]
    pub level: Option<u32>,
    /// The number of spell slots by level, from 1 on: `[4, 3, 2]`.
    #[serde(default)]
    pub slots: Vec<u32>,
    /// The names of cantrips, and of spells that it casts with its slots.
    #[serde(default)]
    pub spells: Vec<String>,
    /// The names of spells that it casts as often as it likes.
    #[serde(default, rename = "at will")]
    pub at_will: Vec<String>,
    /// The names of spells by the number of times a day that it casts each: `{"3": ["fear"]}`.
    #[serde(default, rename = "per day")]
    pub per_day: BTreeMap<String, Vec<String>>,
    /// The edition of the spells' numbers: 5.1 if this is missing.
    #[serde(default)]
    pub edition: Edition,
    /// The rest that brings its slots back in a day of several fights: `short`, or `long` if it
    /// is missing.
    #[serde(default, rename = "slots rest")]
    pub slots_rest: Option<String>,
    /// What it adds to the damage of cantrips.
    #[serde(default, rename = "cantrip bonus")]
    pub cantrip_bonus: i64,
    /// What it adds to the hit points that a spell with a slot restores, next to the slot's level.
    #[serde(default, rename = "healing bonus")]
    pub healing_bonus: Option<i64>,
}

impl Spellcasting {
    /// Whether it says which spells there are.
    pub fn has_spells(&self) -> bool {
        !self.spells.is_empty() || !self.at_will.is_empty() || !self.per_day.is_empty()
    }
}
