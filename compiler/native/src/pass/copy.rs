//! Copies of blocks, and the repair of SSA form after copying.
//!
//! A pass that copies blocks redirects some edges to the copies. Then a value of an original block
//! has two definitions, and [`Copies::repair`] (SSA repair) adds block parameters where they join:
//! one for each such value and each block with several predecessors in which the value is live.
//! That is more than needed; [`super::params`] removes the redundant ones.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, BlockData, Function, InstData, Terminator, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Copies of some blocks of a function; only one of them is entered from outside.
#[derive(Debug)]
pub(super) struct Copies {
    originals: Vec<Block>,
    blocks: SecondaryMap<Block, Option<Block>>,
    values: SecondaryMap<Value, Option<Value>>,
}

impl Copies {
    /// Copies blocks. Edges between originals become edges between copies; no other edge leads to a
    /// copy yet.
    pub(super) fn new(function: &mut Function, originals: &[Block]) -> Self {
        let mut copies = Self {
            originals: originals.to_vec(),
            blocks: SecondaryMap::new(),
            values: SecondaryMap::new(),
        };
        copies.values.resize(function.values.len());
        for &block in originals {
            let copy = function.blocks.push(BlockData::default());
            copies.blocks[block] = Some(copy);
            for param in function.blocks[block].params.clone() {
                let ty = function.value_type(param);
                let twin = function.block_param(copy, ty);
                copies.values[param] = Some(twin);
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
                copies.values[result] = Some(function.insts[inst].result);
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
        self.blocks[block].unwrap_or(block)
    }

    fn value(&self, value: Value) -> Value {
        self.values[value].unwrap_or(value)
    }

    /// Repairs SSA form after edges were redirected to copies.
    pub(super) fn repair(&self, function: &mut Function) {
        let graph = ControlFlow::new(function);
        let mut homes: SecondaryMap<Block, Option<bool>> = SecondaryMap::new();
        homes.resize(function.blocks.len());
        for &block in &self.originals {
            homes[block] = Some(false);
            homes[self.block(block)] = Some(true);
        }
        let mut used = self.used_behind(function, &graph, &homes);
        // A deterministic order.
        used.sort_unstable_by_key(|&(value, _)| value);
        let mut repair = Repair {
            function,
            graph: &graph,
            homes: &homes,
            here: SecondaryMap::new(),
            live: SecondaryMap::new(),
        };
        for (value, blocks) in used {
            repair.run([value, self.value(value)], blocks);
        }
    }

    /// The copied values that other blocks use, and those blocks.
    fn used_behind(
        &self,
        function: &Function,
        graph: &ControlFlow,
        homes: &SecondaryMap<Block, Option<bool>>,
    ) -> Vec<(Value, Vec<Block>)> {
        let mut used: FxHashMap<Value, Vec<Block>> = FxHashMap::default();
        for &block in graph.reverse_postorder() {
            if homes[block].is_some() {
                continue;
            }
            let mut note = |value: Value| {
                if self.values[value].is_some() {
                    let blocks = used.entry(value).or_default();
                    if blocks.last() != Some(&block) {
                        blocks.push(block);
                    }
                }
            };
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let args = function.insts[inst].args.iter();
                args.copied().for_each(&mut note);
            }
            if let Some(end) = &data.terminator {
                end.uses().for_each(note);
            }
        }
        used.into_iter().collect()
    }
}

/// SSA repair of values with two definitions.
struct Repair<'f> {
    function: &'f mut Function,
    graph: &'f ControlFlow,
    /// The originals (false) and the copies (true).
    homes: &'f SecondaryMap<Block, Option<bool>>,
    /// The value at the beginning of each other block in which it is live.
    here: SecondaryMap<Block, Option<Value>>,
    /// Whether the value is live at the beginning of a block.
    live: SecondaryMap<Block, bool>,
}

impl Repair<'_> {
    /// Repairs one value with these definitions: in the originals, and in the copies.
    fn run(&mut self, pair: [Value; 2], uses: Vec<Block>) {
        let live = self.find_live(uses);
        let ty = self.function.value_type(pair[0]);
        // A block comes after its only predecessor.
        for &block in &live {
            let value = match self.graph.predecessors(block) {
                &[before] => self.at_end(pair, before),
                _ => self.function.block_param(block, ty),
            };
            self.here[block] = Some(value);
        }
        for &block in &live {
            self.rewrite(pair, block);
        }
        for &block in &live {
            if self.graph.predecessors(block).len() != 1 {
                self.pass(pair, block);
            }
        }
        for &block in &live {
            self.here[block] = None;
            self.live[block] = false;
        }
    }

    /// The blocks at whose beginning the value is live, in reverse postorder.
    fn find_live(&mut self, mut pending: Vec<Block>) -> Vec<Block> {
        while let Some(block) = pending.pop() {
            if self.homes[block].is_none() && !std::mem::replace(&mut self.live[block], true) {
                pending.extend(self.graph.predecessors(block));
            }
        }
        let blocks = self.graph.reverse_postorder().iter().copied();
        blocks.filter(|&block| self.live[block]).collect()
    }

    fn at_end(&self, pair: [Value; 2], block: Block) -> Value {
        match self.homes[block] {
            Some(copy) => pair[usize::from(copy)],
            None => self.here[block].unwrap_or(pair[0]),
        }
    }

    fn rewrite(&mut self, pair: [Value; 2], block: Block) {
        let (from, to) = (pair[0], self.at_end(pair, block));
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

    /// Adds the value as a parameter of a block, and as an argument of every edge to it.
    fn pass(&mut self, pair: [Value; 2], block: Block) {
        let mut before = self.graph.predecessors(block).to_vec();
        before.dedup();
        for from in before {
            let value = self.at_end(pair, from);
            let terminator = self.function.blocks[from].terminator.iter_mut();
            let targets = terminator.flat_map(Terminator::targets_mut);
            for target in targets.filter(|target| target.block == block) {
                target.args.push(value);
            }
        }
    }
}
