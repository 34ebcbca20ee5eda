//! The work list of range analysis: the positions that depend on something that changed after they
//! were last computed ([`super::dependents`]). For [`super::range`].

use super::dependents::{Dependents, Position, PositionSet};
use crate::ir::cfg::{ControlFlow, successors};
use crate::ir::{Block, Function, Imm, Value};

/// The positions to recompute.
#[derive(Debug)]
pub(super) struct Pending {
    dependents: Dependents,
    positions: PositionSet,
    /// The steps on pools, which all depend on each other.
    steps: Vec<u32>,
}

impl Pending {
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let dependents = Dependents::new(function, graph);
        let steps = dependents.insts().filter_map(|(at, inst)| {
            let is_step = matches!(function.insts[inst].imm, Imm::Step(..));
            is_step.then_some(at)
        });
        Self {
            positions: PositionSet::none_of(&dependents),
            steps: steps.collect(),
            dependents,
        }
    }

    pub(super) fn dependents(&self) -> &Dependents {
        &self.dependents
    }

    /// Begins an iteration, which recomputes everything if the previous results are invalid.
    pub(super) fn begin(&mut self, from_scratch: bool) {
        if from_scratch {
            self.positions.add_all();
        }
        for &step in &self.steps {
            self.positions.add(step);
        }
    }

    /// Adds the dependents of a value.
    pub(super) fn add_dependents(&mut self, value: Value) {
        for &position in self.dependents.of(value) {
            self.positions.add(position);
        }
    }

    /// Adds everything that depends on whether a block is reachable.
    pub(super) fn add_block(&mut self, function: &Function, block: Block) {
        let begin = self.dependents.begin(block);
        // Memory holds fewer than 2^32 instructions.
        let insts = function.blocks[block].insts.len() as u32;
        for position in begin + 1..=begin + insts {
            self.positions.add(position);
        }
        for next in successors(function, block) {
            self.positions.add(self.dependents.begin(next));
        }
    }

    /// Removes and returns the first position at or after this one, with its computation.
    pub(super) fn take(&mut self, from: u32) -> Option<(u32, Position)> {
        let found = self.positions.take(from)?;
        Some((found, self.dependents.at(found)?))
    }
}
