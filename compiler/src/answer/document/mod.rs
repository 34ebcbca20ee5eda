//! Answers as documents: what `dicec --json` prints, and what a server can send. These types are
//! the documented format (`docs/json.md`): fields are only ever added.

mod comparison;
mod joint;
mod number;
mod odds;
mod outputs;
mod program;
pub(crate) mod roll;
mod script;
mod simulation;

pub use comparison::ComparisonDocument;
pub use joint::JointDocument;
pub use number::Number;
pub use odds::OddsDocument;
pub use outputs::OutputsDocument;
pub use program::{RuleDocument, ScriptDocument};
pub use roll::{PlayDocument, RollDocument};
pub use script::{AnswersDocument, ScriptOddsDocument, ScriptSimulationDocument};
pub use simulation::SimulationDocument;
