//! The library's entry: compile a rule or a script, bind one of its rolls, ask.
//!
//! ```
//! use dicec_compiler::{Compiler, Session, Simulation};
//! use dicec_runtime::resource::{ResourceName, ResourceTable};
//!
//! let program = Compiler::new().rule("1d20 + [Attack] >= [Target Defense]")?;
//! let mut table = ResourceTable::new();
//! table.set(ResourceName::parse("Attack"), 6);
//! table.set(ResourceName::parse("Target Defense"), 12);
//! let rule = program.bind(&table)?;
//!
//! let odds = rule.distribution(&Default::default())?;
//! assert!((odds.probability(1) - 0.75).abs() <= odds.error_bound());
//! println!("{}", rule.roll(&mut Session::seeded(42))?.rendered);
//! let report = rule.simulate(&Simulation::trials(1_000_000))?;
//! assert!((report.tally()?.share_at_least(1) - 0.75).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A script (seed 004) has rolls with parameters, and is played by choices:
//!
//! ```
//! use dicec_compiler::{Compiler, ScriptSession};
//! use dicec_runtime::resource::ResourceTable;
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
//! Programs, bound rolls and samplers own what they use and can be kept, cloned and sent to other threads.

mod arguments;
mod bind;
mod clock;
mod compiler;
mod describe;
mod failure;
mod files;
mod guard;
mod limits;
mod odds;
mod play;
#[allow(
    clippy::module_inception,
    reason = "the type of this name is the heart of it"
)]
mod program;
mod report;
mod roll;
mod sampler;
mod session;
mod show;
mod simulation;
mod stages;

pub use crate::pass::Sampling;
pub use arguments::{ArgumentError, ArgumentErrors};
pub use bind::{BindError, Bound};
pub use compiler::Compiler;
pub use failure::{BugReport, Failure, Misuse, Refusal, diagnose};
pub use files::ScriptErrors;
pub use limits::Limits;
pub use play::{Asked, Played, Step, Thrown};
pub use program::{Program, Roll};
pub use report::{Report, Results};
pub use roll::{Rolled, SavedSession, Session};
pub use sampler::Sampler;
pub use session::{Identity, ScriptSession, SessionError, Throw};
pub use simulation::{Backend, KNOWN_FROM, Keep, Simulation};
