//! The result of range analysis: an interval for each value, and narrower ones in blocks that a
//! branch guards. [`super::range`] computes it.

use super::edge::EdgeConstraints;
use super::float_interval::FloatInterval;
use super::interval::Interval;
use super::pending::Pending;
use crate::ir::{Block, Tables, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_FUEL_CEILING;

/// The assumptions of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The interval of resources.
    pub resources: Interval,
    /// The maximum fuel of a trial.
    pub fuel: u32,
    /// The maximum number of rerolls or explosions of a die, if it is less than the limit.
    pub extras: u32,
}

impl Default for Given {
    /// No assumption: the largest limits that can be set.
    fn default() -> Self {
        Self {
            resources: Interval::ALL,
            fuel: MAX_FUEL_CEILING,
            extras: u32::MAX,
        }
    }
}

impl Given {
    /// The assumptions of a script's tables. The resources of an engine are the words of its
    /// argument block, so those of a module with open words are open.
    pub fn of(tables: &Tables) -> Self {
        let any = Self {
            fuel: tables.limits.fuel,
            ..Self::default()
        };
        match tables.open.is_empty() {
            true => any,
            false => Self {
                resources: Interval::open(tables.open.range),
                ..any
            },
        }
    }
}

/// The intervals of a function's values.
#[derive(Debug)]
pub struct Ranges {
    /// `None`: never computed, because its block cannot be reached.
    pub(super) known: SecondaryMap<Value, Option<Interval>>,
    /// The intervals of floats; `None`: any number, even an infinite one, or none. They follow from
    /// whole numbers and from each other in the order of the blocks, so each iteration recomputes
    /// them.
    pub(super) floats: SecondaryMap<Value, Option<FloatInterval>>,
    /// The constraints from branches.
    pub(super) constraints: EdgeConstraints,
    /// Whether a trial can come to a block.
    pub(super) reached: SecondaryMap<Block, bool>,
    /// The bounds that follow from trip counts.
    pub(super) bounds: SecondaryMap<Value, Option<Interval>>,
    /// The whole numbers that the function names, in order.
    pub(super) constants: Vec<i64>,
    /// The number of moves of a value's lower and upper bound by widening.
    pub(super) moves: SecondaryMap<Value, [u8; 2]>,
    pub(super) given: Given,
    /// The work list of the iterations.
    pub(super) pending: Pending,
}

impl Ranges {
    /// The interval of a whole number, wherever it is defined.
    pub fn of(&self, value: Value) -> Interval {
        self.known[value].unwrap_or(Interval::ALL)
    }

    /// The interval of a whole number or truth value in a block, narrowed by the branches that
    /// guard it.
    pub fn at(&self, block: Block, value: Value) -> Interval {
        let known = self.constraints.at(block, value);
        known.unwrap_or_else(|| self.of(value))
    }

    /// Whether a block may be reachable.
    pub fn reaches(&self, block: Block) -> bool {
        self.reached[block]
    }
}
