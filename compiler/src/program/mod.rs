//! The library's entry: compile a rule or a script, bind one of its rolls, ask. The documentation
//! of the crate has examples.
//!
//! ```text
//! Compiler --> Program --> Roll --bind--> Bound --> stages (cached) --> Sampler --> Report
//!                                           |
//!                                           +--> Rolled, Played, Odds
//! ```

mod answer;
mod anydice;
mod anydice_trials;
mod argument_errors;
mod arguments;
mod best;
mod bind;
mod bind_error;
mod cache;
mod checked;
mod choosing;
mod clamping;
mod compiler;
mod condition;
mod deciding;
mod describe;
mod dice_session;
#[cfg(feature = "serde")]
mod documents;
mod each_rewrite;
mod failed;
mod failure;
mod fields;
mod files;
mod given_faces;
mod guard;
mod kept;
mod kernels;
mod limits;
mod made;
mod no_such_roll;
mod odds;
mod patterns;
mod plan;
mod play;
mod played;
#[allow(
    clippy::module_inception,
    reason = "the type of this name is the heart of it"
)]
mod program;
mod replay;
mod report;
mod roll;
mod sampler;
mod session;
mod shared_code;
mod sheet;
mod show;
mod simulation;
mod stages;
mod subtotals;
mod thrown;
mod translated;
mod unfit_faces;
mod verified;

pub use anydice::{AnyDice, AnyDiceOutputs};
pub use argument_errors::{ArgumentError, ArgumentErrors, InText};
pub use best::{
    Advice, Advised, Advisor, BestAsked, BestGoal, BestPlay, OptionPolicy, PolicyState, Rule,
    Sampled, Test,
};
pub use bind::Bound;
pub use bind_error::BindError;
pub use checked::{Check, CheckLimits, WrongAnswer};
pub use choosing::ChoiceError;
pub use compiler::Compiler;
pub use describe::{AnswersDescription, Description, RollDescription, Schema};
pub use dice_session::{SavedSession, Session};
pub use dicec_native::pass::Sampling;
pub use failure::{BugReport, Failure, Misuse, Refusal, diagnose};
pub use fields::{BadSheet, Field, read_fields};
pub use files::ScriptErrors;
pub use limits::Limits;
pub use made::Made;
#[cfg(feature = "serde")]
pub use made::MadeDocument;
pub use no_such_roll::NoSuchRoll;
pub use played::{Answered, Asked, Played, StatKey, Step, Thrown};
pub use program::{Program, Roll};
pub use report::{Report, Results};
pub use roll::Rolled;
pub use sampler::Sampler;
pub use session::{Choice, Given, Identity, ScriptSession, SessionError, Throw};
pub use sheet::{Sheet, read_sheet};
pub use simulation::{
    Backend, FIGHTS_HALF_WIDTH, KNOWN_FROM, Keep, SHARED_FROM, Simulation, random_seed,
};
pub use subtotals::Subtotal;
pub use translated::AnyDiceScript;
pub use unfit_faces::UnfitFaces;
pub use verified::{Fault, Verification, Verified};
