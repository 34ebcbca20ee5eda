//! What changed lately in range analysis, so that an iteration computes again only what may come
//! out differently: an instruction whose operands, and the facts where it is, are as they were for
//! the last iteration gives what it gave then. For [`super::range`].

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Op, Terminator, Value};
use cranelift_entity::SecondaryMap;

/// The iterations in which intervals and facts changed last.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The number of this iteration.
    now: u32,
    /// What changed in an iteration from this one on may not have been seen yet.
    since: u32,
    values: SecondaryMap<Value, u32>,
    /// Of the facts of the block itself, or that trials come to it.
    own: SecondaryMap<Block, u32>,
    /// The same with those of its dominators.
    facts: SecondaryMap<Block, u32>,
    /// What the facts on the edges out of a block follow from.
    sources: SecondaryMap<Block, Vec<Value>>,
}

impl Changes {
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut changes = Self::default();
        for &block in graph.reverse_postorder() {
            if let Some(Terminator::Branch { condition, .. }) = function.blocks[block].terminator {
                add_sources(function, condition, &mut changes.sources[block]);
            }
        }
        changes
    }

    /// Begins an iteration, which computes everything if what the last one gave does not hold.
    pub(super) fn begin(&mut self, from_scratch: bool) {
        self.now += 1;
        self.since = if from_scratch { 0 } else { self.now - 1 };
    }

    pub(super) fn note(&mut self, value: Value) {
        self.values[value] = self.now;
    }

    pub(super) fn note_facts(&mut self, block: Block) {
        self.own[block] = self.now;
    }

    /// Takes over the changes of a block's dominators.
    pub(super) fn enter(&mut self, graph: &ControlFlow, block: Block) {
        let above = graph.immediate_dominator(block);
        let above = above.map_or(0, |above| self.facts[above]);
        self.facts[block] = above.max(self.own[block]);
    }

    /// Whether one of these values, or a fact in a block, may have changed.
    pub(super) fn any(&self, block: Block, values: &[Value]) -> bool {
        self.facts[block] >= self.since
            || values.iter().any(|&value| self.values[value] >= self.since)
    }

    /// Whether what a condition compares may have changed, or what that was added to.
    pub(super) fn of_condition(&self, function: &Function, block: Block, condition: Value) -> bool {
        let of = |value: Value| function.def(value).map_or(&[][..], |data| &data.args);
        let mut compared = of(condition).iter();
        self.any(block, of(condition)) || compared.any(|&arg| self.any(block, of(arg)))
    }

    /// Whether what holds on the edges out of a block may have changed.
    pub(super) fn at_end(&self, block: Block) -> bool {
        self.any(block, &self.sources[block])
    }
}

/// Adds the values that [`super::assume`] looks at for a condition.
fn add_sources(function: &Function, condition: Value, found: &mut Vec<Value>) {
    found.push(condition);
    let Some(data) = function.def(condition) else {
        return;
    };
    for &arg in &data.args {
        if matches!(data.op, Op::Not | Op::Both | Op::Either) {
            add_sources(function, arg, found);
            continue;
        }
        // What is compared, and what it was added to.
        found.push(arg);
        found.extend(function.def(arg).iter().flat_map(|sum| &sum.args));
    }
}
