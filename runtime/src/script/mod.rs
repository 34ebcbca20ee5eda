//! What a trial of a script works on: its records and lists ([`Memory`]), the texts that it puts
//! together ([`Texts`]) and what it notes beside its result ([`Notes`]).
//!
//! The IR evaluator uses them as they stand. Compiled code reads and writes memory and the cells of
//! notes itself, and comes here ([`crate::abi::call`]) for what is seldom or long.

mod memory;
mod notes;
mod texts;

pub use memory::{CAPACITY, HEADER, LENGTH, Memory, START};
pub use notes::{Notes, Window};
pub use texts::{Site, Texts};

/// All of it, for the trials of one call of a kernel.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Records and lists.
    pub memory: Memory,
    /// Texts.
    pub texts: Texts,
    /// Lines and statistics.
    pub notes: Notes,
}
