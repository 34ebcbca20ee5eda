//! Reads documents of the d100 rules, and reports their errors.

use super::item_schema::Items;
use super::json::{Notes, Wrong};
use super::model::{Actor, AttackScenario, FightScenario};
use super::script::{FightPlan, attack_script, fight};
use super::tables::{InjuryTable, PhenomenaTable};
use crate::document::read;
use crate::purpose::Purpose;
use schemars::{Schema, schema_for};
use serde_json::Value;
use std::borrow::Cow;

/// A scenario that was read.
#[derive(Clone, Debug)]
pub enum Scenario {
    /// Somebody attacks somebody.
    Attack(Box<AttackScenario>),
    /// Two sides fight.
    Fight(Box<FightScenario>),
}

impl Scenario {
    /// Reads a scenario: an attack, if it has an `attacker`, or a fight.
    ///
    /// # Errors
    /// The errors in it.
    pub fn read(json: &Value) -> Result<Self, Wrong> {
        match (json.get("attacker"), json.get("sides")) {
            (Some(_), _) => Ok(Self::Attack(Box::new(read(&with_rows(json), "$")?))),
            (None, Some(_)) => Ok(Self::Fight(Box::new(read(&with_rows(json), "$")?))),
            (None, None) => Err(Wrong::new("$", "is not a scenario")
                .help("an attack has an `attacker` and a `target`, a fight has `sides`")),
        }
    }

    /// The script of a fight, with the names for reading its answer; `None` for an attack.
    ///
    /// # Errors
    /// The errors in it.
    pub fn fight_plan(
        &self,
        purpose: Purpose,
        notes: &mut Notes,
    ) -> Result<Option<FightPlan>, Wrong> {
        match self {
            Self::Attack(_) => Ok(None),
            Self::Fight(scenario) => fight(scenario, purpose, notes).map(Some),
        }
    }

    /// Its script. For an attack it does not depend on the report form.
    ///
    /// # Errors
    /// The errors in it.
    pub fn script(&self, purpose: Purpose, notes: &mut Notes) -> Result<String, Wrong> {
        match self {
            Self::Attack(attack) => attack_script(attack, notes),
            Self::Fight(scenario) => Ok(fight(scenario, purpose, notes)?.script),
        }
    }
}

/// The script of a document, for trials.
///
/// # Errors
/// The errors in the scenario.
pub fn scenario_script(json: &Value, notes: &mut Notes) -> Result<String, Wrong> {
    Scenario::read(json)?.script(Purpose::Trials, notes)
}

/// A scenario in which the table of injuries is replaced by its rows, which are all that its
/// document has.
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
/// The errors in them.
pub fn read_phenomena(json: &Value) -> Result<PhenomenaTable, Wrong> {
    let tables: PhenomenaTable = read(json, "$")?;
    tables.check()?;
    Ok(tables)
}

/// Reads an actor.
///
/// # Errors
/// The path of the error.
pub fn read_actor(json: &Value) -> Result<Actor, Wrong> {
    read(json, "$")
}

/// The JSON Schema of a document: `actor`, `attack`, `fight`, `items`, `injuries` or `phenomena`.
pub fn schema(name: &str) -> Option<Schema> {
    Some(match name {
        "actor" => schema_for!(Actor),
        "attack" => schema_for!(AttackScenario),
        "fight" => schema_for!(FightScenario),
        "items" => schema_for!(Items),
        "injuries" => schema_for!(InjuryTable),
        "phenomena" => schema_for!(PhenomenaTable),
        _ => return None,
    })
}
