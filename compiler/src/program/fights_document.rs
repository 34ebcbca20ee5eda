//! Questions to several encounters, and a fight that is told, as documents
//! ([`crate::answer::document`]).

use super::fights::{Ablated, MostFoes};
use super::fought::Fought;
use super::fought_document::FightDocument;
use serde::Serialize;

/// The output of `dicec encounter --json`.
#[derive(Clone, Debug, Serialize)]
pub struct EncounterDocument<'f> {
    #[serde(flatten)]
    encounter: FightDocument<'f>,
    /// The encounter that it is compared with; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<FightDocument<'f>>,
    /// The odds without each trait; absent if they were not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<WithoutEntry<'f>>,
}

#[derive(Clone, Debug, Serialize)]
struct WithoutEntry<'f> {
    /// The trait that is left out.
    #[serde(rename = "trait")]
    name: &'f str,
    /// Who has it.
    creatures: &'f [String],
    /// The probabilities that the sides win without it.
    win: [f64; 2],
}

impl<'f> EncounterDocument<'f> {
    /// An encounter, another one that it is compared with, and what traits contribute to it.
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
    /// Those of the other side whose number is known.
    others: &'f [String],
    /// The creature that is counted.
    creature: &'f str,
    /// The chance that was asked for.
    win: f64,
    /// The greatest number that leaves the side this chance; null if one is too many.
    count: Option<u32>,
    /// The numbers that were tried, with the chance of the first side.
    tried: Vec<TriedEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct TriedEntry {
    count: u32,
    win: f64,
}

impl<'f> MostFoesDocument<'f> {
    /// What was found.
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

/// What people call a fight.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FightTitle<'a> {
    /// An encounter of creatures.
    Encounter(&'a str),
    /// A fight of the d100 rules.
    Fight(&'a str),
}

/// A fight that is told: the output of `dicec encounter --tell --json`.
#[derive(Clone, Debug, Serialize)]
pub struct ToldDocument<'s> {
    /// What people call it.
    #[serde(flatten)]
    pub title: FightTitle<'s>,
    /// What happens, in order.
    pub lines: &'s [String],
    /// The name of the side that wins; null if it is a draw.
    pub winner: Option<&'s str>,
    /// The seed that gives the same fight again.
    pub seed: u64,
}
