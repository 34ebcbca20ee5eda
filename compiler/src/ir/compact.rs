//! Renumbering: removes unreachable blocks and dead instructions, and numbers the others in layout
//! order.
//!
//! The pass manager does this after each pass, so that a function's text is canonical: parsing it
//! gives the same numbers.

use super::cfg::ControlFlow;
use super::entity::{Block, Value};
use super::function::{BlockData, Function, InstData, Terminator, ValueDef};
use cranelift_entity::{PrimaryMap, SecondaryMap};

impl Function {
    /// This function without unreachable blocks and dead instructions, numbered in layout order.
    pub fn compacted(&self) -> Function {
        let graph = ControlFlow::new(self);
        let kept: Vec<Block> = self
            .blocks
            .keys()
            .filter(|&b| graph.is_reachable(b))
            .collect();
        let numbers = Numbers::new(self, &kept);
        let mut compact = Function {
            result: self.result,
            resources: self.resources.clone(),
            pools: self.pools.clone(),
            draws: self.draws.clone(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
        };
        for &block in &kept {
            numbers.copy_block(self, block, &mut compact);
        }
        compact
    }
}

/// New numbers for old entities. Everything that a well-formed function uses has one. An entity
/// without one keeps its old number, which the verifier then reports.
struct Numbers {
    blocks: SecondaryMap<Block, Option<Block>>,
    values: SecondaryMap<Value, Option<Value>>,
}

impl Numbers {
    fn new(function: &Function, kept: &[Block]) -> Self {
        let mut numbers = Self {
            blocks: SecondaryMap::new(),
            values: SecondaryMap::new(),
        };
        let mut values = 0;
        for (index, &block) in kept.iter().enumerate() {
            numbers.blocks[block] = Some(Block::from_u32(index as u32));
            let data = &function.blocks[block];
            let results = data.insts.iter().map(|&inst| function.insts[inst].result);
            for value in data.params.iter().copied().chain(results) {
                numbers.values[value] = Some(Value::from_u32(values));
                values += 1;
            }
        }
        numbers
    }

    fn value(&self, value: Value) -> Value {
        self.values[value].unwrap_or(value)
    }

    fn block(&self, block: Block) -> Block {
        self.blocks[block].unwrap_or(block)
    }

    fn copy_block(&self, from: &Function, block: Block, to: &mut Function) {
        let data = &from.blocks[block];
        let here = self.block(block);
        let mut copy = BlockData::default();
        for &param in &data.params {
            let entry = (from.value_type(param), ValueDef::Param(here));
            copy.params.push(to.values.push(entry));
        }
        for &inst in &data.insts {
            let old = &from.insts[inst];
            let new = to.insts.next_key();
            let entry = (from.value_type(old.result), ValueDef::Result(new));
            let result = to.values.push(entry);
            copy.insts.push(to.insts.push(InstData {
                op: old.op,
                args: old.args.iter().map(|&arg| self.value(arg)).collect(),
                imm: old.imm,
                result,
                span: old.span,
            }));
        }
        copy.terminator = data.terminator.clone().map(|end| self.terminator(end));
        to.blocks.push(copy);
    }

    fn terminator(&self, mut end: Terminator) -> Terminator {
        end.for_each_use(|value| *value = self.value(*value));
        match &mut end {
            Terminator::Jump(target) => target.block = self.block(target.block),
            Terminator::Branch {
                then, otherwise, ..
            } => {
                then.block = self.block(then.block);
                otherwise.block = self.block(otherwise.block);
            }
            Terminator::Return(_) => {}
        }
        end
    }
}
