//! Compiles the d100 rules of seed 003: items, actors and scenarios in JSON become a script.
//!
//! ```text
//! items --json, element, predicate--> Synthetics --modifier--> Resolved: what a roll adds up to
//! actors, scenarios --model, change (cell, change_paths)--> Combatant --script--> a script
//! ```
//!
//! The rules themselves are `std/dh2e.dice`. Facts that are known before a roll are resolved here:
//! the modifiers of the roll, which of them apply, and their sum.

mod cell;
mod change;
mod change_paths;
mod combatant;
mod condition;
mod element;
mod item_schema;
mod json;
mod location;
mod members;
mod model;
mod modifier;
mod predicate;
mod quality;
mod scenario;
mod script;
mod synthetics;
mod tables;

pub use crate::purpose::Purpose;
pub use change::Change;
pub use combatant::note_characteristic;
pub use condition::{Condition, Lasting};
pub use element::{
    AttributeOverride, DegreeAdjustment, DiceChange, DiceOverride, Element, OptionElement,
    Resistance, ResistanceChange, ToughnessAdjustment, ToughnessChange,
};
pub use json::{At, Notes, Wrong, instead};
pub use model::{Actor, AttackScenario, FightScenario, Mode, Tactic};
pub use modifier::{Asked, CAP, Domain, Line, Modifier, Resolved, resolve};
pub use predicate::{Options, Predicate};
pub use scenario::{Scenario, read_actor, read_phenomena, scenario_script, schema};
pub use script::{
    Circumstances, FightPlan, FightSide, FighterFigures, HITS, Happening, KILLED, OUT_OF_THE_FIGHT,
    OUTCOMES, Plan, ROUNDS, Tested, WOUNDS_TO, happening, test_script,
};
pub use synthetics::Synthetics;
pub use tables::{InjuryRow, InjuryTable, OneOrMore, PerilRow, PhenomenaTable, PhenomenonRow};
