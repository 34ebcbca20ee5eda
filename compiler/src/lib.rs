//! The compiler for tabletop dice: text in, one roll, exact odds or a simulation out.
//!
//! A [`Compiler`] makes a [`Program`] of a rule or a script. A program defines [`Roll`]s; a roll
//! that is given arguments and resources is [`Bound`], and answers: [`Bound::roll`] and
//! [`Bound::play`] make one roll, [`Bound::solve`] computes the exact odds, [`Bound::simulate`]
//! runs a [`Simulation`], and a [`Sampler`] runs it as often as wanted.
//!
//! ```
//! use dicec_compiler::{Compiler, ResourceName, ResourceTable, Session, Simulation};
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
//! use dicec_compiler::{Compiler, ResourceTable, ScriptSession};
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
//! which reports progress and can cancel. [`Limits::untrusted`] is for servers. [`Failure`] is the
//! one error of all questions: it has a code, a location and help.
//!
//! The names of this page are the interface. The modules are unstable: they may change in any
//! version.
//!
//! ```text
//! text --front--> hir --check--> hir (typed) --lower--> ir --pass--> ir
//!                                  |                               |
//!                         interp, exact                       eval, jit
//! ```

pub mod answer;
mod program;
pub mod unstable;
pub mod verify;

pub use dicec_exact::Odds;
pub use dicec_lang::front::notation::Dialect;
pub use dicec_lang::hir::{Kind, Policy};
pub use dicec_lang::interp::{RolledDie, Value};
pub use dicec_runtime::control::Control;
pub use dicec_runtime::resource::{ResourceName, ResourceTable};
pub use program::{
    AnyDice, Bound, Choice, Compiler, Failure, Keep, Limits, Played, Program, Report, Roll, Rolled,
    Sampler, ScriptSession, Session, Simulation, Step, Subtotal, random_seed,
};
