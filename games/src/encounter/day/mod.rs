//! Whole days: a party that fights and rests in turn, and carries hit points, spell slots and uses
//! from one fight to the next.
//!
//! ```text
//! a line of text --line--+
//!                        +--> Day --plan--> DayPlan --script--> a script
//! JSON, TOML --document--+     each fight is an Encounter with a Plan of its own
//! ```
//!
//! Each fight of the script is the same as in the script of that fight alone (`script::carried`);
//! its definitions have a prefix.

mod document;
mod figures;
mod hit_dice;
mod line;
mod plan;
mod script;

pub use document::{Day, HitDiceUse};
pub use figures::{DayFigures, FightFigures, HeroFigures, SURVIVED};
pub use line::read_day_line;
pub use plan::DayPlan;
pub use script::day_script;
