//! A character with its stat block, and what became of each of its features.

use crate::edition::Edition;
use serde::Serialize;
use serde_json::Value;

/// A character.
#[derive(Clone, Debug, Serialize)]
pub struct Character {
    /// Its stat block, in the layout of `dicec encounter --describe creature`.
    #[serde(rename = "creature")]
    pub block: Value,
    /// Its class.
    pub class: String,
    /// Its subclass, from the level on that gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subclass: Option<String>,
    /// Its species.
    pub species: String,
    /// The edition of its rules.
    pub edition: Edition,
    /// The features of its class and its subclass, in the order of their levels.
    pub features: Vec<Entry>,
    /// Whether Mage Armor is cast before the fight: it has a slot of level 1 less.
    #[serde(rename = "mage armour")]
    pub is_mage_armour: bool,
}

/// A feature, and what fights play of it.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name in the rules.
    pub name: String,
    /// The class or the subclass that gives it.
    pub of: String,
    /// The level that gives it.
    pub level: i64,
    /// Whether fights play it.
    pub verdict: Verdict,
    /// The parts of it that fights do not play, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// What fights play of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They play it, or it is in the numbers of the stat block.
    Played,
    /// It changes no fight.
    #[serde(rename = "without effect")]
    Idle,
    /// They do not play it.
    #[serde(rename = "not played")]
    Missing,
}
