//! The state of a script's trials: records and lists ([`Memory`]), joined texts ([`Texts`]) and
//! notes ([`Notes`]).
//!
//! The IR evaluator uses them directly. Compiled code accesses memory and the cells of notes
//! itself, and calls them ([`crate::abi::call`]) in rare or slow cases.

mod memory;
mod notes;
mod texts;

use crate::limits::join_cost;
use crate::trap::TrapCode;

pub use memory::{CAPACITY, FIRST_WORDS, HEADER, LENGTH, Memory, SPARE, START};
pub use notes::{NamedWindow, Notes, Window, Windows};
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

impl Workspace {
    /// Begins a trial; see [`Memory::restart`].
    pub fn restart(&mut self, image: &[i64], written: &[u32]) {
        self.memory.restart(image, written);
        if self.texts.are_many() {
            self.forget();
        }
    }

    /// Forgets the texts that trials put together, but not the lines that they noted.
    pub fn forget(&mut self) {
        self.notes.tell(&self.texts);
        self.texts.forget();
    }

    /// The concatenation of two texts, which costs [`join_cost`] of `values` out of `fuel`.
    ///
    /// # Errors
    /// More than [`MAX_TEXT`](crate::limits::MAX_TEXT) bytes, or too little fuel.
    pub fn join(&mut self, texts: [i64; 2], values: u64, fuel: &mut i64) -> Result<i64, TrapCode> {
        let id = self.texts.join(texts[0], texts[1])?;
        let cost = i64::try_from(join_cost(values, self.texts.text(id).len()));
        let left = cost.ok().and_then(|cost| fuel.checked_sub(cost));
        *fuel = left.filter(|&left| left >= 0).ok_or(TrapCode::OutOfFuel)?;
        Ok(id)
    }
}
