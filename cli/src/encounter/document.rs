//! What an encounter came to, as JSON.

use super::ablate::Ablated;
use dicec_compiler::{FightDocument, Fought};
use serde::Serialize;

/// The output of `dicec encounter --json`.
#[derive(Serialize)]
pub(super) struct EncounterDocument<'f> {
    #[serde(flatten)]
    encounter: FightDocument<'f>,
    /// The encounter that it is compared with; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<FightDocument<'f>>,
    /// The odds without each trait; absent if they were not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<WithoutEntry<'f>>,
}

#[derive(Serialize)]
struct WithoutEntry<'f> {
    /// The trait that is left out.
    #[serde(rename = "trait")]
    name: &'f str,
    /// Who has it.
    creatures: &'f [String],
    /// The probabilities that the sides win without it.
    win: [f64; 2],
}

/// The document of an encounter, or of two that are compared.
pub(super) fn document<'f>(all: &'f [Fought], ablated: &'f [Ablated]) -> EncounterDocument<'f> {
    let without = ablated.iter().map(|one| WithoutEntry {
        name: &one.name,
        creatures: &one.creatures,
        win: one.wins,
    });
    EncounterDocument {
        encounter: FightDocument::new(&all[0]),
        compared: all.get(1).map(FightDocument::new),
        without: without.collect(),
    }
}
