//! Documents as they are read: what they are, and what is wrong with them.

use super::json::{Notes, Wrong};
use super::model::{Actor, AttackScenario, FightScenario};
use super::script::{FightPlan, attack_script, fight};
use super::tables::{InjuryTable, PhenomenaTable};
use crate::front::document::read;
use schemars::{Schema, schema_for};
use serde_json::Value;
use std::borrow::Cow;

/// The script that a scenario is: of an attack, if it has an `attacker`, or of a fight.
///
/// # Errors
/// What is wrong with the scenario.
pub fn scenario_script(json: &Value, notes: &mut Notes) -> Result<String, Wrong> {
    match (json.get("attacker"), json.get("sides")) {
        (Some(_), _) => attack_script(&read::<AttackScenario>(&with_rows(json), "$")?, notes),
        (None, Some(_)) => Ok(fight_plan(json, notes)?.script),
        (None, None) => Err(Wrong::new("$", "is not a scenario")
            .help("an attack has an `attacker` and a `target`, a fight has `sides`")),
    }
}

/// A fight as a script, and what its answer holds.
///
/// # Errors
/// What is wrong with the scenario.
pub fn fight_plan(json: &Value, notes: &mut Notes) -> Result<FightPlan, Wrong> {
    fight(&read::<FightScenario>(&with_rows(json), "$")?, notes)
}

/// A scenario with the rows of its table of injuries in place of the document of the table, which
/// has nothing else.
fn with_rows(json: &Value) -> Cow<'_, Value> {
    let table = json.get("injuries").and_then(Value::as_object);
    match table.map(|table| (table.len(), table.get("injuries"))) {
        Some((1, Some(rows))) => {
            let mut scenario = json.clone();
            scenario["injuries"] = rows.clone();
            Cow::Owned(scenario)
        }
        _ => Cow::Borrowed(json),
    }
}

/// Reads tables of phenomena and perils.
///
/// # Errors
/// What is wrong with them.
pub fn read_phenomena(json: &Value) -> Result<PhenomenaTable, Wrong> {
    let tables: PhenomenaTable = read(json, "$")?;
    tables.check()?;
    Ok(tables)
}

/// Reads an actor.
///
/// # Errors
/// The path of what is wrong.
pub fn read_actor(json: &Value) -> Result<Actor, Wrong> {
    read(json, "$")
}

/// The JSON Schema of a document: `actor`, `attack`, `fight`, `injuries` or `phenomena`.
pub fn schema(name: &str) -> Option<Schema> {
    Some(match name {
        "actor" => schema_for!(Actor),
        "attack" => schema_for!(AttackScenario),
        "fight" => schema_for!(FightScenario),
        "injuries" => schema_for!(InjuryTable),
        "phenomena" => schema_for!(PhenomenaTable),
        _ => return None,
    })
}
