//! Compiles encounters of the SRD 5.1 to scripts of the rolling language.
//!
//! ```text
//! a line of text --line--+   change: by columns of a table
//!                        |     |
//!                        +--> Encounter --plan--> Plan --script--> a script
//! JSON --document--------+      ^
//!                            bestiary: stat blocks by name
//! ```
//!
//! The script is specialised for the fight: numbers of stat blocks are constants, and traits that
//! no creature has are omitted. docs/encounters.md describes the model.

mod bestiary;
mod budget;
mod change;
mod day;
mod document;
mod feature;
mod figures;
mod line;
mod plan;
mod policy;
mod rest;
mod schema;
mod script;
mod source;
mod spells;
mod wrong;

pub use crate::purpose::Purpose;
pub use bestiary::{Bestiary, Creature, Size};
pub use budget::Budget;
pub use change::{Change, OfCreature, OfSide, Whole};
pub use day::{
    Day, DayFigures, DayPlan, FightFigures, HeroFigures, HitDiceUse, SURVIVED, day_script,
    read_day_line,
};
pub use document::{
    Encounter, Escape, Flees, Gazes, Group, Heal, HitPoints, Initiative, Limited, MAX_CREATURES,
    Side, Targets,
};
pub use figures::{
    DEAD, DeedFigure, ENEMIES_STANDING, Figures, HIT_POINTS, ROUNDS, STANDING, SideFigures, Taken,
};
pub use line::{read_line, read_sides};
pub(crate) use plan::{ALL_DAMAGE, condition_named};
pub use plan::{Caveat, Plan};
pub use policy::Policy;
pub use schema::schema;
pub use script::{Told, encounter_script};
pub use source::Source;
pub(crate) use spells::is_known_spell;
pub use spells::with_spells;
pub use wrong::Wrong;
