//! The library's entry: compile a rule, bind its resources, ask.
//!
//! ```
//! use dicec_compiler::{Compiler, Session, Simulation};
//! use dicec_runtime::resource::{ResourceName, ResourceTable};
//!
//! let program = Compiler::new().compile("1d20 + [Attack] >= [Target Defense]")?;
//! let mut table = ResourceTable::new();
//! table.set(ResourceName::parse("Attack"), 6);
//! table.set(ResourceName::parse("Target Defense"), 12);
//! let rule = program.bind(&table)?;
//!
//! let odds = rule.distribution(&Default::default())?;
//! assert!((odds.probability(1) - 0.75).abs() <= odds.error_bound());
//! println!("{}", rule.roll(&mut Session::seeded(42))?.rendered);
//! let sampled = rule.simulate(&Simulation::trials(1_000_000))?;
//! assert!((sampled.tally.share_at_least(1) - 0.75).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bind;
mod compile;
mod failure;
mod roll;
mod sampler;
mod script;
mod show;
mod simulate;
mod summarise;

pub use bind::Bound;
pub use compile::{Compiler, Program};
pub use failure::{Failure, diagnose};
pub use roll::{Roll, Session};
pub use sampler::Sampler;
pub use script::{
    ArgumentError, Asked, BoundScript, Identity, Played, Script, ScriptErrors, ScriptRoll,
    ScriptSampler, ScriptSession, ScriptSimulated, ScriptSummarised, SessionError, SharedKernel,
    Step, Throw, Thrown,
};
pub use simulate::{Backend, KNOWN_FROM, Sampling, Simulated, Simulation};
pub use summarise::{Summarised, Summariser};
