//! The creatures that encounters may name: those of the SRD, for completion, and those of a text.

use crate::body::one;
use crate::reply::{Reply, text};
use crate::wrong::Wrong;
use dicec_games::encounter::Bestiary;
use dicec_games::statblock::add_blocks;
use dicec_lang::syntax::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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

/// The creatures of the SRD that fit a text ([`Bestiary::search`]), in the order of their names;
/// those whose names begin with it come first.
///
/// # Errors
/// An internal one.
pub fn creatures(part: &str) -> Result<String, Wrong> {
    let wanted = part.trim().to_lowercase();
    let bestiary = Bestiary::srd();
    let found = bestiary.search(part);
    let mut found: Vec<CreatureEntry<'_>> = found.into_iter().filter_map(entry).collect();
    found.sort_by_key(|entry| !entry.name.to_lowercase().starts_with(&wanted));
    text(&found)
}

/// Stat blocks.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BestiaryRequest {
    /// As `bestiary` of an encounter: text of a page, or JSON.
    bestiary: Value,
}

/// The creatures of these stat blocks, in their order; the notes say which parts of them no fight
/// plays.
///
/// # Errors
/// Everything that is wrong with the stat blocks.
pub(crate) fn own(body: &[u8]) -> Result<Reply, Wrong> {
    let request: BestiaryRequest = one(body)?;
    let mut bestiary = Bestiary::default();
    let notes = add_own(&mut bestiary, &request.bestiary)?;
    let entries: Vec<CreatureEntry<'_>> = bestiary.blocks().filter_map(entry).collect();
    Reply::new(&entries, notes)
}

/// Adds the stat blocks of a request. Pasted text is a string; everything else is JSON.
///
/// # Errors
/// What is not a stat block.
pub(crate) fn add_own(bestiary: &mut Bestiary, blocks: &Value) -> Result<Vec<Finding>, Wrong> {
    let text = match blocks {
        Value::String(text) => text.clone(),
        json => json.to_string(),
    };
    Ok(add_blocks(bestiary, "bestiary", text.as_bytes())?)
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
