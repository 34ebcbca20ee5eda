//! Species of characters: what they add to scores and to the stat block.

use crate::edition::Edition;
use dicec_runtime::bug;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A species (SRD 5.2), or a race with its subrace (SRD 5.1).
#[derive(Debug, Deserialize)]
pub(super) struct Species {
    pub(super) name: String,
    editions: Vec<Edition>,
    /// What it adds to scores.
    #[serde(default)]
    pub(super) scores: BTreeMap<String, i64>,
    /// To how many other scores it adds 1: the first ones of the class.
    #[serde(default)]
    pub(super) best: usize,
    /// Feet of speed, added to 30.
    #[serde(default)]
    pub(super) speed: i64,
    #[serde(default, rename = "hp a level")]
    pub(super) hp_a_level: i64,
    /// The dice of the weapon that critical hits in melee add.
    #[serde(default, rename = "brutal dice")]
    pub(super) brutal_dice: i64,
    #[serde(default)]
    pub(super) resists: Vec<String>,
    #[serde(default)]
    pub(super) traits: Vec<Value>,
    /// What fights do not play of it.
    #[serde(default)]
    pub(super) missing: Vec<String>,
}

static ALL: LazyLock<Vec<Species>> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("data/species.json"));
    read.unwrap_or_else(|error| bug!("the species: {error}").raise())
});

/// The species of an edition; the first is the usual one.
pub(super) fn all_species(edition: Edition) -> impl Iterator<Item = &'static Species> {
    let all = ALL.iter();
    all.filter(move |one| one.editions.contains(&edition))
}
