//! The compiler for tabletop dice: text in, one roll, exact odds or a simulation out.
//!
//! A [`Compiler`] makes a [`Program`] of a rule or a script. A program defines [`Roll`]s; a roll
//! that is given arguments and resources is [`Bound`], and answers: [`Bound::roll`] and
//! [`Bound::play`] make one roll, [`Bound::solve`] computes the exact odds, [`Bound::simulate`]
//! runs a [`Simulation`], and a [`Sampler`] runs it as often as wanted.
//!
//! ```
//! use dicec_compiler::prelude::*;
//!
//! let program = Compiler::new().rule("1d20 + [Attack] >= [Target Defense]")?;
//! let mut table = ResourceTable::new();
//! table.set(ResourceName::parse("Attack"), 6);
//! table.set(ResourceName::parse("Target Defense"), 12);
//! let rule = program.bind(&table)?;
//!
//! let odds = rule.distribution(&program.limits().exact)?;
//! assert!((odds.probability(1) - 0.75).abs() <= odds.error_bound());
//! println!("{}", rule.roll(&mut Session::from_entropy())?.rendered);
//! let report = rule.simulate(&Simulation::trials(1_000_000))?;
//! assert!((report.tally()?.share_at_least(1) - 0.75).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A script (seed 004) has rolls with parameters, and is played by choices:
//!
//! ```
//! use dicec_compiler::prelude::*;
//!
//! let script = Compiler::new().script(r#"
//!     defroll "Attack" attack(bonus: int) {
//!         if (userOption("Bless?")) { bonus += roll(d4); }
//!         output("Attack: " + (roll(d20) + bonus));
//!     }
//! "#)?;
//! let attack = script.roll("attack").expect("it is defined above");
//! let args = attack.arguments(&serde_json::json!({"bonus": 5}))?;
//! let attack = attack.bind(args, &ResourceTable::new())?;
//!
//! let mut session = ScriptSession::new(1);
//! let before = attack.play(&mut session)?;
//! session.choose(&before.options[0].path, true);
//! let after = attack.play(&mut session)?;
//! assert_eq!(before.rolls[0].dice, after.rolls[1].dice);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here prints, exits or keeps global state. Programs, bound rolls and samplers own what
//! they use: they can be kept, cloned and sent to other threads. Long work takes a [`Control`],
//! which reports progress and can cancel. [`Limits::untrusted`] is for servers.
//!
//! Inside, data flows one way; the stages are not part of the stable interface.
//!
//! ```text
//! text --front--> hir --check--> hir (typed) --lower--> ir --pass--> ir
//!                                  |                               |
//!                         interp, exact                       eval, jit
//! ```

pub mod answer;
mod program;
#[doc(hidden)]
pub mod verify;

pub use dicec_exact::{Noted, Odds};
pub use dicec_lang::front::dice_resources::{DiceResources, is_dice, is_expression};
pub use dicec_lang::front::notation::{Dialect, Segment, Style};
pub use dicec_lang::front::script::{Load, Loaded};
pub use dicec_lang::hir::{Data, Kind, Offers, Policy, ResourceUse};
pub use dicec_lang::interp::{RolledDie, Value};
#[cfg(feature = "jit")]
pub use dicec_native::jit::JitError;
pub use dicec_runtime::control::Control;
pub use dicec_runtime::driver::{Ended, Extent, Workers};
pub use dicec_runtime::resource::{ResourceName, ResourceTable};
#[cfg(feature = "serde")]
pub use program::MadeDocument;
#[doc(hidden)]
pub use program::diagnose;
pub use program::{
    Answered, AnswersDescription, ArgumentError, ArgumentErrors, Asked, Backend, BadSheet,
    BindError, Bound, BugReport, Check, CheckLimits, Choice, ChoiceError, Compiler, Description,
    FIGHTS_HALF_WIDTH, Failure, Fault, Field, Given, Identity, InText, KNOWN_FROM, Keep, Limits,
    Made, Misuse, NoSuchRoll, Played, Program, Refusal, Report, Results, Roll, RollDescription,
    Rolled, SHARED_FROM, Sampler, Sampling, SavedSession, Schema, ScriptErrors, ScriptSession,
    Session, SessionError, Sheet, Simulation, StatKey, Step, Subtotal, Throw, Thrown, Verification,
    Verified, WrongAnswer, random_seed, read_fields, read_sheet,
};

pub use dicec_lang::syntax;
pub use dicec_lang::syntax::read_json;

/// The names that most applications need.
pub mod prelude {
    pub use crate::{
        Backend, Bound, Compiler, Control, Dialect, Failure, Keep, Limits, Policy, Program, Report,
        ResourceName, ResourceTable, Roll, Sampler, Sampling, ScriptSession, Session, Simulation,
    };
}
