//! Characters by class and level, of the SRD 5.1 and 5.2: a name such as `champion 5`, or a short
//! file, becomes a stat block in the layout of encounters.
//!
//! ```text
//! "champion 5" --name--> Sheet --build--> Character: a stat block, and a verdict for each feature
//! a file       --sheet-->  ^        |
//! another tool --import--> a file   |
//!                          |        numbers, casting, attacks: its parts
//!                   class, species, gear: facts of the rules, in data/
//! ```
//!
//! Everything downstream reads the stat block: nothing in fights knows classes.
//!
//! This work includes material taken from the System Reference Documents 5.1 and 5.2 by Wizards of
//! the Coast LLC, available under the Creative Commons Attribution 4.0 International License.
//! `data/` has facts of them only.

mod assemble;
mod attacks;
mod build;
mod builder;
mod casting;
mod class;
mod gear;
mod import;
mod name;
mod numbers;
mod played;
mod sheet;
mod species;

pub use import::imported;
pub use name::{named, nearest_named};
pub use played::{Character, Entry, Verdict};
pub use sheet::{Magic, NoSubclass, Sheet, is_sheet};
