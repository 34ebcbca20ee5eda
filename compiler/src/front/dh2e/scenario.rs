//! Documents as they are read: what they are, and what is wrong with them.

use super::json::{Notes, Wrong};
use super::model::{Actor, AttackScenario, FightScenario};
use super::script::{attack_script, fight_script};
use schemars::{Schema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The script that a scenario is: of an attack, if it has an `attacker`, or of a fight.
///
/// # Errors
/// What is wrong with the scenario.
pub fn scenario_script(json: &Value, notes: &mut Notes) -> Result<String, Wrong> {
    match (json.get("attacker"), json.get("sides")) {
        (Some(_), _) => attack_script(&read::<AttackScenario>(json)?, notes),
        (None, Some(_)) => fight_script(&read::<FightScenario>(json)?, notes),
        (None, None) => Err(Wrong {
            path: "$".to_owned(),
            what: "is not a scenario: an attack has an `attacker` and a `target`, a fight `sides`"
                .to_owned(),
        }),
    }
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
        let what = ["i64", "u32", "u8"].into_iter().fold(what, |what, name| {
            what.replace(&format!("expected {name}"), "expected a whole number")
        });
        Wrong { path, what }
    })
}

/// The JSON Schema of a document: `actor`, `attack` or `fight`.
pub fn schema(name: &str) -> Option<Schema> {
    Some(match name {
        "actor" => schema_for!(Actor),
        "attack" => schema_for!(AttackScenario),
        "fight" => schema_for!(FightScenario),
        _ => return None,
    })
}
