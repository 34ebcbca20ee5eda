//! The result of range analysis: the interval of each value, and of values in the blocks that a
//! branch leads to. [`super::range`] computes it.

use super::edge::EdgeConstraints;
use super::float_interval::FloatInterval;
use super::interval::Interval;
use crate::ir::{Block, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_FUEL_CEILING;

/// What is taken for granted.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Where resources lie.
    pub resources: Interval,
    /// The most fuel that a trial has.
    pub fuel: u32,
}

impl Default for Given {
    /// Nothing but what no limit exceeds.
    fn default() -> Self {
        Self {
            resources: Interval::ALL,
            fuel: MAX_FUEL_CEILING,
        }
    }
}

/// The intervals of a function's values.
#[derive(Debug)]
pub struct Ranges {
    /// `None`: never computed, because nothing leads there.
    pub(super) known: SecondaryMap<Value, Option<Interval>>,
    /// Of floats; `None`: any number, infinite ones included, or none. They follow from whole
    /// numbers and each other in the order of the blocks, so each round computes them anew.
    pub(super) floats: SecondaryMap<Value, Option<FloatInterval>>,
    /// What branches tell besides.
    pub(super) constraints: EdgeConstraints,
    /// Whether a trial can come to a block.
    pub(super) reached: SecondaryMap<Block, bool>,
    pub(super) given: Given,
}

impl Ranges {
    /// The interval of a whole number, wherever it is defined.
    pub fn of(&self, value: Value) -> Interval {
        self.known[value].unwrap_or(Interval::ALL)
    }

    /// The interval of a whole number or truth value in a block, from the branches that lead there
    /// too.
    pub fn at(&self, block: Block, value: Value) -> Interval {
        let known = self.constraints.at(block, value);
        known.unwrap_or_else(|| self.of(value))
    }

    /// Whether a trial can come to a block, as far as is known.
    pub fn reaches(&self, block: Block) -> bool {
        self.reached[block]
    }
}
