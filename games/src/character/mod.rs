//! Characters by class and level, of the SRD 5.1 and 5.2: a name such as `champion 5`, or a short
//! file, becomes a stat block in the layout of encounters.
//!
//! ```text
//! "champion 5" --name--> Sheet --build--> Character: a stat block, and a verdict for each feature
//! a file       --sheet-->  ^        |
//!                          |        numbers, casting, attacks: its parts
//!                   class, species, gear: facts of the rules, in data/
//! ```
//!
//! Everything downstream reads the stat block: nothing in fights knows classes.
//!
//! This work includes material taken from the System Reference Documents 5.1 and 5.2 by Wizards of
//! the Coast LLC, available under the Creative Commons Attribution 4.0 International License.
//! `data/` has facts of them only.

mod attacks;
mod build;
mod casting;
mod character;
mod class;
mod gear;
mod name;
mod numbers;
mod sheet;
mod species;

pub use character::{Character, Entry, Verdict};
pub use name::{named, nearest_named};
pub use sheet::{Magic, Sheet, is_sheet};
