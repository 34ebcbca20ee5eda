//! Uniform values: equal in all lanes of an iteration; and loops that all lanes leave together.
//!
//! Lanes in one loop are always in the same iteration. So a counter is the same in all of them, and
//! if only uniform values decide the trip count, no lane leaves the loop before the others.

use super::edge::Edge;
use super::region::Region;
use crate::ir::cfg::{ControlFlow, successors};
use crate::ir::{Block, Function, InstData, Terminator, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The values that are equal in all lanes at the block that computes them.
pub(crate) struct Uniform {
    values: SecondaryMap<Value, bool>,
    /// The block that defines each value.
    homes: SecondaryMap<Value, Option<Block>>,
    /// The loops around each block, by their headers.
    around: SecondaryMap<Block, Vec<Block>>,
}

impl Uniform {
    /// The uniform values of a function with these regions. The lanes of the loop with the header
    /// `staggered` are in different iterations.
    pub(crate) fn of(function: &Function, region: &Region, staggered: Option<Block>) -> Self {
        let mut uniform = Self {
            values: SecondaryMap::with_default(true),
            homes: SecondaryMap::new(),
            around: SecondaryMap::new(),
        };
        uniform.enter(region);
        for (block, data) in function.blocks.iter() {
            let results = data.insts.iter().map(|&inst| function.insts[inst].result);
            for value in results.chain(data.params.iter().copied()) {
                uniform.homes[value] = Some(block);
            }
        }
        if let Some(header) = staggered {
            for &param in &function.blocks[header].params {
                uniform.values[param] = false;
            }
        }
        let graph = ControlFlow::new(function);
        // Divergence propagates to dependents, until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for &block in graph.reverse_postorder() {
                changed |= uniform.block(function, &graph, block);
            }
        }
        uniform
    }

    fn enter(&mut self, region: &Region) {
        for inner in region.loops() {
            if let Some(header) = inner.header() {
                inner.for_each_block(&mut |block| self.around[block].push(header));
            }
            self.enter(inner);
        }
    }

    /// Finds divergent values of a block; returns whether there are new ones.
    fn block(&mut self, function: &Function, graph: &ControlFlow, block: Block) -> bool {
        let data = &function.blocks[block];
        let mut changed = false;
        for (index, &param) in data.params.iter().enumerate() {
            if self.values[param] && !self.is_passed(function, graph, block, index) {
                self.values[param] = false;
                changed = true;
            }
        }
        for &inst in &data.insts {
            let data = &function.insts[inst];
            if self.values[data.result] && !self.is_computed(block, data) {
                self.values[data.result] = false;
                changed = true;
            }
        }
        changed
    }

    /// Whether a parameter gets the same number in all lanes: all take it from one value, or one
    /// when they enter a loop and one in each further iteration.
    fn is_passed(
        &self,
        function: &Function,
        graph: &ControlFlow,
        block: Block,
        index: usize,
    ) -> bool {
        let mut passed: [FxHashSet<Value>; 2] = Default::default();
        for &from in graph.predecessors(block) {
            let again = self.around[from].contains(&block);
            for edge in Edge::between(function, from, block) {
                let arg = edge.target.args[index];
                let is_exit = self.around[from]
                    .iter()
                    .any(|header| !self.around[block].contains(header));
                if is_exit || !self.at(from, arg) {
                    return false;
                }
                passed[usize::from(again)].insert(arg);
            }
        }
        passed.iter().all(|args| args.len() <= 1)
    }

    fn is_computed(&self, block: Block, data: &InstData) -> bool {
        let mut args = data.args.iter();
        !data.op.info().effect && args.all(|&arg| self.at(block, arg))
    }

    /// Whether a value is uniform in a block. Lanes that left a loop at different times may have
    /// different values.
    fn at(&self, block: Block, value: Value) -> bool {
        let loops = self.homes[value]
            .iter()
            .flat_map(|&home| &self.around[home]);
        let inside = |header: &Block| self.around[block].contains(header);
        self.values[value] && loops.into_iter().all(inside)
    }

    /// Whether all lanes in a loop leave it at once: a single branch decides, by a uniform
    /// condition, and every iteration reaches it.
    pub(crate) fn leave_together(&self, function: &Function, region: &Region) -> bool {
        let mut inside = FxHashSet::default();
        region.for_each_block(&mut |block| {
            inside.insert(block);
        });
        let leaves = |&block: &Block| successors(function, block).any(|to| !inside.contains(&to));
        let mut leaving = inside.iter().copied().filter(leaves);
        let (Some(last), None, Some(header)) = (leaving.next(), leaving.next(), region.header())
        else {
            return false;
        };
        let Some(Terminator::Branch { condition, .. }) = function.blocks[last].terminator else {
            return false;
        };
        let own = region.blocks().any(|block| block == last);
        own && self.at(last, condition) && always_passes(function, header, last)
    }
}

/// Whether every path around a loop passes a block of it.
fn always_passes(function: &Function, header: Block, passed: Block) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = vec![header];
    while let Some(block) = pending.pop() {
        if block == passed {
            continue;
        }
        for next in successors(function, block) {
            if next == header {
                return false;
            }
            if seen.insert(next) {
                pending.push(next);
            }
        }
    }
    true
}
