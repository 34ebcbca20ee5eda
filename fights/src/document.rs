//! Documents ([`dicec_compiler::answer::document`]) of questions to several encounters, and of a
//! narrated fight.

use super::fought::Fought;
use super::fought_document::FightDocument;
use super::series::{Ablated, MostFoes};
use serde::Serialize;

/// The output of `dicec encounter --json`.
#[derive(Clone, Debug, Serialize)]
pub struct EncounterDocument<'f> {
    #[serde(flatten)]
    encounter: FightDocument<'f>,
    /// The encounter to compare with; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<FightDocument<'f>>,
    /// The odds without each trait; absent if not requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<WithoutEntry<'f>>,
}

#[derive(Clone, Debug, Serialize)]
struct WithoutEntry<'f> {
    /// The removed trait.
    #[serde(rename = "trait")]
    name: &'f str,
    /// The creatures that have it.
    creatures: &'f [String],
    /// The probabilities that the sides win without it.
    win: [f64; 2],
}

impl<'f> EncounterDocument<'f> {
    /// The document of an encounter, another one to compare with, and the contributions of traits.
    pub fn new(fought: &'f Fought, other: Option<&'f Fought>, ablated: &'f [Ablated]) -> Self {
        let without = ablated.iter().map(|one| WithoutEntry {
            name: &one.name,
            creatures: &one.creatures,
            win: one.wins,
        });
        Self {
            encounter: FightDocument::new(fought),
            compared: other.map(FightDocument::new),
            without: without.collect(),
        }
    }
}

/// The output of `dicec encounter --find --json`.
#[derive(Clone, Debug, Serialize)]
pub struct MostFoesDocument<'f> {
    /// The first side.
    side: &'f str,
    /// The creatures of the other side whose number is fixed.
    others: &'f [String],
    /// The creature that is counted.
    creature: &'f str,
    /// The wanted chance.
    win: f64,
    /// The maximum number that leaves the side this chance; null if even one is too many.
    count: Option<u32>,
    /// The numbers that were tried, each with the chance of the first side.
    tried: Vec<TriedEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct TriedEntry {
    count: u32,
    win: f64,
}

impl<'f> MostFoesDocument<'f> {
    /// The document of a result.
    pub fn new(found: &'f MostFoes) -> Self {
        let tried = found.tried.iter();
        Self {
            side: &found.side,
            others: &found.others,
            creature: &found.creature,
            win: found.win,
            count: found.count,
            tried: tried
                .map(|&(count, win)| TriedEntry { count, win })
                .collect(),
        }
    }
}

/// The title of a fight.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FightTitle<'a> {
    /// An encounter of creatures.
    Encounter(&'a str),
    /// A fight of the d100 rules.
    Fight(&'a str),
    /// A day of fights.
    Day(&'a str),
}

/// A narrated fight: the output of `dicec encounter --tell --json`.
#[derive(Clone, Debug, Serialize)]
pub struct ToldDocument<'s> {
    /// Its title.
    #[serde(flatten)]
    pub title: FightTitle<'s>,
    /// The events, in order.
    pub lines: &'s [String],
    /// The name of the side that wins; null if it is a draw.
    pub winner: Option<&'s str>,
    /// The seed that reproduces the fight.
    pub seed: u64,
}
