//! The profile of a vector form: counts and intervals from sample trials. It decides about later
//! forms, such as 8-bit lanes ([`super::bytes`]) and rare parts ([`super::rare`]). `eval`
//! collects it with a fixed seed, so a form still depends only on the program and its arguments.

use crate::analysis::Interval;
use crate::ir::{Block, Value};
use cranelift_entity::SecondaryMap;

/// A profile; empty if no trials were run.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The intervals of the whole numbers that trials passed to loops that they reached.
    pub params: Vec<(Value, Interval)>,
    /// The number of executions of each block.
    pub visits: SecondaryMap<Block, u32>,
    /// How often each condition of a `select` was true.
    pub holds: SecondaryMap<Value, u32>,
}

/// A part is rare if at most one trial in this many is in it at a time: then in four of five
/// iterations no lane of a group of 16 is.
const RARE: u32 = 64;

impl Seen {
    /// Whether few of the trials that reach `block` reached `rare`.
    pub(super) fn is_rare_block(&self, rare: Block, block: Block) -> bool {
        self.is_rare(self.visits[rare], block)
    }

    /// Whether a condition held for few of the trials that reached `block`.
    pub(super) fn is_rare_condition(&self, condition: Value, block: Block) -> bool {
        self.is_rare(self.holds[condition], block)
    }

    fn is_rare(&self, count: u32, block: Block) -> bool {
        // More trials are needed to call a part rare that no trial reached.
        let often = self.visits[block];
        often >= RARE && count.saturating_mul(RARE) <= often
    }
}
