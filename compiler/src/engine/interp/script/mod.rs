//! The reference interpreter of scripts: walks the HIR of [`crate::hir::script`] and **is** its meaning.
//!
//! ```text
//! Script + arguments --walk--> statements, expressions --> Table: dice, players, lines, statistics
//!                       |
//!                       +--heap: records and lists    +--path: where a trial is and how it got there
//! ```
//!
//! Dice are rolled by the [`Interpreter`](super::Interpreter) of rules. What stands round a trial is a [`Table`]: a simulation's is a stream, a player's
//! remembers every roll by its path.

mod expr;
mod heap;
mod kernel;
mod path;
mod table;
mod walk;

pub use kernel::ScriptKernel;
pub use table::{RollSite, Simulated, Table};
pub use walk::ScriptInterpreter;
