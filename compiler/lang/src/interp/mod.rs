//! The reference interpreter walks the HIR. It **defines** the meaning of a module; every other
//! engine is tested against it.
//!
//! ```text
//! Module + arguments --walk (statements), expr, number, pool--> Host: dice, players,
//!                       |                                            lines, statistics
//!                       |
//!                       +--heap: records and lists    +--path: the position of a trial
//! ```
//!
//! Operands are evaluated left to right, so dice are drawn in source order; a pool evaluates its
//! count, then its sides, then draws its dice one by one, each from its own word (the *faithful*
//! layout). A [`Host`] supplies the faces: a simulation's come from a stream, a player's are
//! derived from the path of their roll.

mod counted;
mod expr;
mod heap;
mod host;
mod interpreter;
mod kernel;
mod number;
mod option;
mod outcome;
mod path;
mod pool;
mod trace;
mod walk;

pub use counted::CountedTrial;
pub use dicec_runtime::rng::{Dice, Scripted};
pub use host::{AtTable, Decision, Host, Offer, OptionSite, RollSite, Simulated};
pub use interpreter::Interpreter;
pub use kernel::InterpKernel;
pub use outcome::{Outcome, Value};
pub use trace::{Observer, PoolRoll, RolledDie, SubRoll, Trace};
