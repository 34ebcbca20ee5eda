//! Edges between blocks, and the constraints on them: bounds of values that hold only after a
//! branch went one way. [`super::assume`] derives them from conditions.
//!
//! They hold in every block that the edge dominates: in the one to which only this edge leads, and
//! in those that this one dominates.

use super::interval::Interval;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Target, Terminator, Value};
use cranelift_entity::SecondaryMap;

/// The most branches above a block that a query looks at.
const MAX_GUARDS: usize = 64;

/// One way out of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'f> {
    /// Where from.
    pub(crate) from: Block,
    /// Where to, with what is passed.
    pub(crate) target: &'f Target,
    /// The condition of the branch, and what it is on this edge.
    pub(super) condition: Option<(Value, bool)>,
}

impl<'f> Edge<'f> {
    /// The ways out of a block, in the order of its end's targets.
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

    /// The ways from one block to another.
    pub(crate) fn between(
        function: &'f Function,
        from: Block,
        to: Block,
    ) -> impl Iterator<Item = Edge<'f>> {
        Self::all(function, from).filter(move |edge| edge.target.block == to)
    }
}

/// Bounds that hold in some place beside those that hold everywhere.
#[derive(Clone, Debug, Default)]
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
    /// The closest block at or above one to which an edge of a branch alone leads.
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

    /// Notes what holds on the edge to a block, if that alone leads there.
    pub(super) fn set(&mut self, block: Block, facts: Facts) {
        if self.guard[block] == Some(block) {
            self.facts[block] = facts;
        }
    }

    /// The bounds of a value in a block, if the branches above tell any.
    pub(super) fn at(&self, block: Block, value: Value) -> Option<Interval> {
        let guards = std::iter::successors(self.guard[block], |&guard| self.above[guard]);
        // Those below were made within those above.
        guards
            .take(MAX_GUARDS)
            .find_map(|guard| self.facts[guard].of(value))
    }
}
