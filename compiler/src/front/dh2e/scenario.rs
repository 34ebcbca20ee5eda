//! Documents as they are read: what they are, and what is wrong with them.

use super::json::{Notes, Wrong};
use super::model::{Actor, AttackScenario, FightScenario};
use super::script::{attack_script, fight_script};
use super::tables::{InjuryTable, PhenomenaTable};
use schemars::{Schema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// The script that a scenario is: of an attack, if it has an `attacker`, or of a fight.
///
/// # Errors
/// What is wrong with the scenario.
pub fn scenario_script(json: &Value, notes: &mut Notes) -> Result<String, Wrong> {
    let json = with_rows(json);
    match (json.get("attacker"), json.get("sides")) {
        (Some(_), _) => attack_script(&read::<AttackScenario>(&json)?, notes),
        (None, Some(_)) => fight_script(&read::<FightScenario>(&json)?, notes),
        (None, None) => Err(Wrong {
            path: "$".to_owned(),
            what: "is not a scenario: an attack has an `attacker` and a `target`, a fight `sides`"
                .to_owned(),
        }),
    }
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
    let tables: PhenomenaTable = read(json)?;
    tables.check()?;
    Ok(tables)
}

/// Reads an actor.
///
/// # Errors
/// The path of what is wrong.
pub fn read_actor(json: &Value) -> Result<Actor, Wrong> {
    read(json)
}

fn read<T: DeserializeOwned>(json: &Value) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => "$".to_owned(),
            path => format!("$.{path}"),
        };
        let what = format!("is wrong: {}", error.inner());
        // The names of types in Rust mean nothing to the author of a document.
        let names = [
            ("a nonzero u32", "a whole number above 0"),
            ("i64", "a whole number"),
            ("u32", "a whole number"),
            ("u8", "a whole number"),
        ];
        let what = names.into_iter().fold(what, |what, (name, said)| {
            what.replace(&format!("expected {name}"), &format!("expected {said}"))
        });
        Wrong { path, what }
    })
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
