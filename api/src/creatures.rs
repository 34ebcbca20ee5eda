//! The creatures that encounters may name, for completion.

use crate::reply::text;
use crate::wrong::Wrong;
use dicec_games::encounter::Bestiary;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A creature of the bestiary.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CreatureEntry<'b> {
    name: &'b str,
    /// Its kind: `humanoid`.
    #[serde(rename = "type")]
    kind: Option<&'b str>,
    /// Its challenge rating.
    cr: Option<f64>,
    /// Its armor class.
    ac: Option<i64>,
    /// Its hit points.
    hp: Option<i64>,
    /// The experience that it is worth.
    xp: Option<i64>,
}

/// The creatures of the SRD whose names have this text in them, in the order of their names; those
/// whose names begin with it come first.
///
/// # Errors
/// An internal one.
pub fn creatures(part: &str) -> Result<String, Wrong> {
    let wanted = part.trim().to_lowercase();
    let bestiary = Bestiary::srd();
    let entries = bestiary.blocks().filter_map(entry);
    let fits = |entry: &CreatureEntry<'_>| entry.name.to_lowercase().contains(&wanted);
    let mut found: Vec<CreatureEntry<'_>> = entries.filter(fits).collect();
    found.sort_by_key(|entry| {
        let name = entry.name.to_lowercase();
        (!name.starts_with(&wanted), name)
    });
    text(&found)
}

fn entry(block: &Value) -> Option<CreatureEntry<'_>> {
    let whole = |member: &str| block.get(member).and_then(Value::as_i64);
    Some(CreatureEntry {
        name: block.get("name")?.as_str()?,
        kind: block.get("type").and_then(Value::as_str),
        cr: block.get("cr").and_then(Value::as_f64),
        ac: whole("ac"),
        hp: whole("hp"),
        xp: whole("xp"),
    })
}
