//! The reference interpreter: walks the HIR. It **is** the meaning of a program; every other back end is held to it.
//!
//! Operands are evaluated left to right, so dice are drawn in source order; a pool evaluates its count, then its sides,
//! then draws its dice one by one, each from a word of its own (the *faithful* layout).

mod kernel;
mod pool;
pub mod script;
mod trace;
mod walk;

pub use dicec_runtime::rng::{Dice, Scripted};
pub use kernel::InterpKernel;
pub use trace::{Observer, PoolRoll, RolledDie, SubRoll, Trace};
pub use walk::{Interpreter, Outcome, Value};
