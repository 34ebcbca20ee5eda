//! Edges between blocks, and the constraints on them: bounds of values that hold only on one side
//! of a branch. [`super::assume`] derives them from conditions.
//!
//! They hold in every block that the edge dominates: its destination, if no other edge leads there,
//! and the blocks that the destination dominates.

use super::interval::Interval;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Target, Terminator, Value};
use cranelift_entity::SecondaryMap;
use std::ops::Range;

/// The maximum number of dominating branches that a query visits.
const MAX_GUARDS: u32 = 64;

/// The arguments that the edges to a block pass for one of its parameters; none for the entry.
pub(crate) fn passed_for(
    function: &Function,
    graph: &ControlFlow,
    block: Block,
    param: Value,
) -> Vec<Value> {
    let mut params = function.blocks[block].params.iter();
    let Some(index) = params.position(|&other| other == param) else {
        return Vec::new();
    };
    let before = graph.predecessors(block).iter();
    let edges = before.flat_map(|&from| Edge::between(function, from, block));
    edges.map(|edge| edge.target.args[index]).collect()
}

/// An edge out of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'f> {
    /// The block that it leaves.
    pub(crate) from: Block,
    /// Its destination, with the arguments.
    pub(crate) target: &'f Target,
    /// The condition of the branch, with its value on this edge.
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
    /// For each value, the blocks with facts about it, and the bounds.
    about: SecondaryMap<Value, Vec<(Block, Interval)>>,
    guards: SecondaryMap<Block, Guards>,
}

/// The guards of a block: the dominators (or itself) with only one incoming edge, which is from a
/// branch.
#[derive(Clone, Debug, Default)]
struct Guards {
    /// The number of guards.
    count: u32,
    /// Whether the block is one of them.
    is_one: bool,
    /// The subtree of dominated blocks, as [`ControlFlow::dominated`] numbers it, starting with the
    /// block.
    dominated: Range<u32>,
}

impl EdgeConstraints {
    /// No facts yet.
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut guards: SecondaryMap<Block, Guards> = SecondaryMap::new();
        guards.resize(function.blocks.len());
        for &block in graph.reverse_postorder() {
            let above = graph.immediate_dominator(block);
            let inherited = above.map_or(0, |above| guards[above].count);
            let is_one = match graph.predecessors(block) {
                &[from] => matches!(
                    function.blocks[from].terminator,
                    Some(Terminator::Branch { .. })
                ),
                _ => false,
            };
            guards[block] = Guards {
                count: inherited + u32::from(is_one),
                is_one,
                dominated: graph.dominated(block),
            };
        }
        Self {
            facts: SecondaryMap::new(),
            about: SecondaryMap::new(),
            guards,
        }
    }

    /// Forgets all facts.
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.about.clear();
    }

    /// Records the facts on the edge to a block, if it is the only one. Calls `changed` with each
    /// value whose facts changed.
    pub(super) fn set(&mut self, block: Block, facts: Facts, mut changed: impl FnMut(Value)) {
        if !self.guards[block].is_one || self.facts[block] == facts {
            return;
        }
        let before = std::mem::replace(&mut self.facts[block], facts);
        for &(value, bounds) in &before.0 {
            if self.facts[block].of(value) != Some(bounds) {
                self.about[value].retain(|&(known, _)| known != block);
                changed(value);
            }
        }
        for &(value, bounds) in &self.facts[block].0 {
            if before.of(value) != Some(bounds) {
                self.about[value].push((block, bounds));
                changed(value);
            }
        }
    }

    /// The bounds of a value in a block, if the dominating branches give any.
    pub(super) fn at(&self, block: Block, value: Value) -> Option<Interval> {
        let about = &self.about[value];
        if about.is_empty() {
            return None;
        }
        let here = &self.guards[block];
        let distance = |guard: Block| {
            let guard = &self.guards[guard];
            let is_above = guard.dominated.contains(&here.dominated.start);
            let distance = here.count.checked_sub(guard.count)?;
            (is_above && distance < MAX_GUARDS).then_some(distance)
        };
        // The bounds of a dominated block include those of its dominators.
        let bounds = about
            .iter()
            .filter_map(|&(guard, bounds)| Some((distance(guard)?, bounds)));
        let closest = bounds.min_by_key(|&(distance, _)| distance);
        closest.map(|(_, bounds)| bounds)
    }
}
