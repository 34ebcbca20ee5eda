//! Edges between blocks, and the constraints on them: bounds of values that hold only on one side
//! of a branch. [`super::assume`] derives them from conditions.
//!
//! They hold in every block that the edge dominates: its destination, if no other edge leads there,
//! and the blocks that the destination dominates.

use super::interval::Interval;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Target, Terminator, Value};
use cranelift_entity::SecondaryMap;

/// The maximum number of dominating branches that a query looks at.
const MAX_GUARDS: usize = 64;

/// An edge out of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'f> {
    /// The block that it leaves.
    pub(crate) from: Block,
    /// Its destination, with the arguments.
    pub(crate) target: &'f Target,
    /// The condition of the branch, and what it is on this edge.
    pub(crate) condition: Option<(Value, bool)>,
}

impl<'f> Edge<'f> {
    /// The edges out of a block, in the order of its terminator's targets.
    pub(crate) fn all(function: &'f Function, from: Block) -> impl Iterator<Item = Edge<'f>> {
        let terminator = function.blocks[from].terminator.as_ref();
        let condition = match terminator {
            Some(Terminator::Branch { condition, .. }) => Some(*condition),
            _ => None,
        };
        let targets = terminator.into_iter().flat_map(Terminator::targets);
        targets.zip([true, false]).map(move |(target, holds)| Edge {
            from,
            target,
            condition: condition.map(|condition| (condition, holds)),
        })
    }

    /// The edges from one block to another.
    pub(crate) fn between(
        function: &'f Function,
        from: Block,
        to: Block,
    ) -> impl Iterator<Item = Edge<'f>> {
        Self::all(function, from).filter(move |edge| edge.target.block == to)
    }
}

/// Bounds that hold in some blocks only, in addition to those that hold everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts(Vec<(Value, Interval)>);

impl Facts {
    /// Sets the bounds of a value.
    pub(super) fn set(&mut self, value: Value, bounds: Interval) {
        self.0.retain(|&(known, _)| known != value);
        self.0.push((value, bounds));
    }

    /// The bounds of a value, if there are any here.
    pub(crate) fn of(&self, value: Value) -> Option<Interval> {
        let known = self.0.iter().find(|&&(known, _)| known == value);
        known.map(|&(_, bounds)| bounds)
    }
}

/// The facts of all blocks.
#[derive(Debug)]
pub(super) struct EdgeConstraints {
    facts: SecondaryMap<Block, Facts>,
    /// For each block, the closest dominator (or itself) that is reached only by one edge of a
    /// branch.
    guard: SecondaryMap<Block, Option<Block>>,
    /// The next one above a guard.
    above: SecondaryMap<Block, Option<Block>>,
}

impl EdgeConstraints {
    /// No facts yet.
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut guard: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut above: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        for &block in graph.reverse_postorder() {
            let inherited = graph.immediate_dominator(block).and_then(|up| guard[up]);
            guard[block] = inherited;
            if let &[from] = graph.predecessors(block)
                && matches!(
                    function.blocks[from].terminator,
                    Some(Terminator::Branch { .. })
                )
            {
                above[block] = inherited;
                guard[block] = Some(block);
            }
        }
        Self {
            facts: SecondaryMap::new(),
            guard,
            above,
        }
    }

    /// Records what holds on the edge to a block, if no other edge leads there; returns whether
    /// that is new.
    pub(super) fn set(&mut self, block: Block, facts: Facts) -> bool {
        let is_new = self.guard[block] == Some(block) && self.facts[block] != facts;
        if is_new {
            self.facts[block] = facts;
        }
        is_new
    }

    /// The bounds of a value in a block, if the dominating branches give any.
    pub(super) fn at(&self, block: Block, value: Value) -> Option<Interval> {
        let guards = std::iter::successors(self.guard[block], |&guard| self.above[guard]);
        // Bounds of a dominated block were computed from those of its dominators.
        guards
            .take(MAX_GUARDS)
            .find_map(|guard| self.facts[guard].of(value))
    }
}
