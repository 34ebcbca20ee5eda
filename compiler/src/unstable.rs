//! **Unstable.** Types that few applications name: parts of errors and results, and choices among
//! engines. They may change in any version.

/// The mistakes that a [`Failure`](crate::Failure) is made of, and those of single steps.
pub use crate::program::{
    AnyDiceOutputs, AnyDiceScript, ArgumentError, ArgumentErrors, BadSheet, BindError, BugReport,
    ChoiceError, Fault, InText, Misuse, NoSuchRoll, Refusal, ScriptErrors, SessionError,
    UnfitFaces, WrongAnswer, diagnose,
};
#[cfg(feature = "jit")]
pub use dicec_native::jit::JitError;

/// Parts of what [`Played`](crate::Played), [`Report`](crate::Report) and
/// [`Odds`](crate::Odds) tell.
pub use crate::program::{Answered, Asked, Results, StatKey, Throw, Thrown};
pub use dicec_exact::Noted;
pub use dicec_lang::front::notation::{Segment, Style};
pub use dicec_runtime::driver::{Ended, Extent, Workers};

/// Engines, and checks of their answers.
pub use crate::program::{
    Backend, Check, CheckLimits, FIGHTS_HALF_WIDTH, KNOWN_FROM, SHARED_FROM, Sampling,
    Verification, Verified,
};

/// Best play.
pub use crate::program::{
    Advice, Advised, Advisor, BestAsked, BestGoal, BestPlay, OptionPolicy, PolicyState, Rule,
    Sampled, Test,
};
pub use dicec_exact::Best;

/// Descriptions of programs.
pub use crate::program::{AnswersDescription, Description, RollDescription, Schema};
pub use dicec_lang::hir::{Data, Offers, ResourceUse};

/// Sessions as documents.
pub use crate::program::{Given, Identity, SavedSession};

/// Fields of character sheets, and resources that are dice.
pub use crate::program::{Field, Sheet, read_fields, read_sheet};
pub use dicec_lang::front::dice_resources::{DiceResources, is_dice, is_expression};

/// Programs that documents become, and the files that scripts import.
pub use crate::program::Made;
#[cfg(feature = "serde")]
pub use crate::program::MadeDocument;
pub use dicec_lang::front::script::{Load, Loaded};

/// Diagnostics as data, and JSON values with paths.
pub use dicec_lang::syntax::{self, read_json};
