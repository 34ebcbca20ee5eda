//! What a few trials of a vector form did: what some decisions of later forms go by, such as lanes
//! of 8 bits ([`super::bytes`]) and rare parts ([`super::rare`]). `engine/eval` looks at them, with
//! a fixed seed, so a form still depends on the program and its arguments only.

use crate::analysis::Interval;
use crate::ir::{Block, Value};
use cranelift_entity::SecondaryMap;

/// What a few trials of a form did; empty if none was looked at.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The intervals of the whole numbers that they passed to loops, of those that came to one.
    pub params: Vec<(Value, Interval)>,
    /// How often they came to each block.
    pub visits: SecondaryMap<Block, u32>,
    /// How often each condition of a `select` held.
    pub holds: SecondaryMap<Value, u32>,
}

/// At most one trial of this many has to be in a rare part at once: no lane of a group of 16 is in
/// four of five iterations then.
const RARE: u32 = 64;

impl Seen {
    /// Whether few of the trials that come to `block` came to another one.
    pub(super) fn is_rare_block(&self, rare: Block, block: Block) -> bool {
        self.is_rare(self.visits[rare], block)
    }

    /// Whether a condition held for few of the trials that came to `block`.
    pub(super) fn is_rare_condition(&self, condition: Value, block: Block) -> bool {
        self.is_rare(self.holds[condition], block)
    }

    fn is_rare(&self, count: u32, block: Block) -> bool {
        // A part that nobody came to is only known to be rare after some more trials.
        let often = self.visits[block];
        often >= RARE && count.saturating_mul(RARE) <= often
    }
}
