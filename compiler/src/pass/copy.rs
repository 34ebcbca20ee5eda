//! Copies of blocks, and the repair of SSA form after copying.
//!
//! A pass that copies blocks redirects some edges to the copies. After that, a value of an original
//! has two definitions; [`Copies::repair`] adds block parameters where they meet. It adds one for
//! each such value and each block with several predecessors that the value is live in. That is more
//! than needed; [`super::params`] removes those that are always the same.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, BlockData, Function, InstData, Terminator, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Copies of some blocks of a function, which are entered through one of them only.
#[derive(Debug)]
pub(super) struct Copies {
    blocks: FxHashMap<Block, Block>,
    values: FxHashMap<Value, Value>,
}

impl Copies {
    /// Copies blocks. No edge leads to the copies yet, but edges between originals become edges
    /// between copies.
    pub(super) fn new(function: &mut Function, originals: &[Block]) -> Self {
        let mut copies = Self {
            blocks: FxHashMap::default(),
            values: FxHashMap::default(),
        };
        for &block in originals {
            let copy = function.blocks.push(BlockData::default());
            copies.blocks.insert(block, copy);
            for param in function.blocks[block].params.clone() {
                let ty = function.value_type(param);
                let twin = function.block_param(copy, ty);
                copies.values.insert(param, twin);
            }
            for inst in function.blocks[block].insts.clone() {
                let InstData {
                    op,
                    args,
                    imm,
                    result,
                    span,
                } = function.insts[inst].clone();
                let inst = function.new_inst(op, args, imm, span);
                copies.values.insert(result, function.insts[inst].result);
                function.blocks[copy].insts.push(inst);
            }
        }
        for &block in originals {
            let copy = copies.block(block);
            let mut terminator = function.blocks[block].terminator.clone();
            if let Some(end) = &mut terminator {
                end.for_each_use(|value| *value = copies.value(*value));
                for target in end.targets_mut() {
                    target.block = copies.block(target.block);
                }
            }
            for inst in function.blocks[copy].insts.clone() {
                let args = &mut function.insts[inst].args;
                args.iter_mut().for_each(|arg| *arg = copies.value(*arg));
            }
            function.blocks[copy].terminator = terminator;
        }
        copies
    }

    /// The copy of a block, or itself if it has none.
    pub(super) fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// Repairs SSA form after edges were redirected to copies.
    pub(super) fn repair(&self, function: &mut Function) {
        let graph = ControlFlow::new(function);
        let mut homes: FxHashMap<Block, bool> = FxHashMap::default();
        for (&block, &copy) in &self.blocks {
            homes.insert(block, false);
            homes.insert(copy, true);
        }
        let mut used: Vec<(Value, Vec<Block>)> = self.used_behind(function, &graph, &homes);
        // In an order that depends on the function only.
        used.sort_unstable_by_key(|&(value, _)| value);
        for (value, blocks) in used {
            let pair = [value, self.value(value)];
            Repair {
                function: &mut *function,
                graph: &graph,
                homes: &homes,
                pair,
                here: SecondaryMap::new(),
            }
            .run(blocks);
        }
    }

    /// The copied values that are used outside of originals and copies, and the blocks that use
    /// them.
    fn used_behind(
        &self,
        function: &Function,
        graph: &ControlFlow,
        homes: &FxHashMap<Block, bool>,
    ) -> Vec<(Value, Vec<Block>)> {
        let mut used: FxHashMap<Value, Vec<Block>> = FxHashMap::default();
        for &block in graph.reverse_postorder() {
            if homes.contains_key(&block) {
                continue;
            }
            let mut note = |value: Value| {
                if self.values.contains_key(&value) {
                    let blocks = used.entry(value).or_default();
                    if blocks.last() != Some(&block) {
                        blocks.push(block);
                    }
                }
            };
            let data = &function.blocks[block];
            for &inst in &data.insts {
                function.insts[inst]
                    .args
                    .iter()
                    .copied()
                    .for_each(&mut note);
            }
            if let Some(mut end) = data.terminator.clone() {
                end.for_each_use(|&mut value| note(value));
            }
        }
        used.into_iter().collect()
    }
}

/// One value with two definitions.
struct Repair<'f> {
    function: &'f mut Function,
    graph: &'f ControlFlow,
    /// The originals (false) and the copies (true).
    homes: &'f FxHashMap<Block, bool>,
    /// The value of the originals, and that of the copies.
    pair: [Value; 2],
    /// The value at the beginning of each other block.
    here: SecondaryMap<Block, Option<Value>>,
}

impl Repair<'_> {
    fn run(mut self, uses: Vec<Block>) {
        let live = self.live(uses);
        let ty = self.function.value_type(self.pair[0]);
        // A block comes after its only predecessor.
        for &block in self.graph.reverse_postorder() {
            if live[block] {
                let value = match self.graph.predecessors(block) {
                    &[before] => self.at_end(before),
                    _ => self.function.block_param(block, ty),
                };
                self.here[block] = Some(value);
            }
        }
        for &block in self.graph.reverse_postorder() {
            if live[block] {
                self.rewrite(block);
            }
        }
        for &block in self.graph.reverse_postorder() {
            if live[block] && self.graph.predecessors(block).len() != 1 {
                self.pass(block);
            }
        }
    }

    /// The blocks at whose beginning the value is live.
    fn live(&self, mut pending: Vec<Block>) -> SecondaryMap<Block, bool> {
        let mut live: SecondaryMap<Block, bool> = SecondaryMap::new();
        while let Some(block) = pending.pop() {
            if !self.homes.contains_key(&block) && !std::mem::replace(&mut live[block], true) {
                pending.extend(self.graph.predecessors(block));
            }
        }
        live
    }

    fn at_end(&self, block: Block) -> Value {
        match self.homes.get(&block) {
            Some(&copy) => self.pair[usize::from(copy)],
            None => self.here[block].unwrap_or(self.pair[0]),
        }
    }

    fn rewrite(&mut self, block: Block) {
        let (from, to) = (self.pair[0], self.at_end(block));
        let with = |value: &mut Value| {
            if *value == from {
                *value = to;
            }
        };
        let data = &mut self.function.blocks[block];
        for &inst in &data.insts {
            self.function.insts[inst].args.iter_mut().for_each(with);
        }
        data.terminator
            .iter_mut()
            .for_each(|end| end.for_each_use(with));
    }

    /// Passes the value on every edge to a block that takes it as its last parameter.
    fn pass(&mut self, block: Block) {
        let mut before = self.graph.predecessors(block).to_vec();
        before.dedup();
        for from in before {
            let value = self.at_end(from);
            let terminator = self.function.blocks[from].terminator.iter_mut();
            let targets = terminator.flat_map(Terminator::targets_mut);
            for target in targets.filter(|target| target.block == block) {
                target.args.push(value);
            }
        }
    }
}
