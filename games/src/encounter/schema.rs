//! JSON Schemas of the documents that people write.

use super::bestiary::Creature;
use super::day::Day;
use super::document::Encounter;
use crate::character::Sheet;
use crate::features;
use schemars::{Schema, schema_for};

/// The JSON Schema of a document: `encounter`, `day`, `creature`, `character` or `feature`.
pub fn schema(name: &str) -> Option<Schema> {
    Some(match name {
        "encounter" => schema_for!(Encounter),
        "day" => schema_for!(Day),
        "creature" => schema_for!(Creature),
        "character" => schema_for!(Sheet),
        "feature" => return features::schema(),
        _ => return None,
    })
}
