//! Fights: encounters and scenarios compiled to rolls, fought, and their odds as documents.

mod compile;
mod day_document;
mod document;
mod fought;
mod fought_document;
mod lived;
mod outlook;
mod series;

pub use compile::{EncounterError, compile_day, compile_encounter, compile_generated};
pub use day_document::DayDocument;
pub use document::{EncounterDocument, FightTitle, MostFoesDocument, ToldDocument};
pub use fought::Fought;
pub use fought_document::{FightDocument, Rounds};
pub use lived::{FightOdds, Lived};
pub use outlook::{LEVELS, Outlook, Verdict};
pub use series::{Ablated, MostFoes, against};
