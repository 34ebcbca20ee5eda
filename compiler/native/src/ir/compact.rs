//! Renumbering: removes unreachable blocks and dead instructions, and numbers the others in layout
//! order.
//!
//! The pass manager does this after each pass, so that a function's text is canonical: parsing it
//! gives the same numbers.

use super::cfg::reachable;
use super::entity::{Block, Value};
use super::function::{BlockData, Function, InstData, Terminator, ValueDef};
use cranelift_entity::{PrimaryMap, SecondaryMap};

impl Function {
    /// Removes unreachable blocks and dead instructions, and numbers the others in layout order.
    pub fn compact(&mut self) {
        let reachable = reachable(self);
        if self.is_compact(&reachable) {
            return;
        }
        let kept: Vec<Block> = self.blocks.keys().filter(|&b| reachable[b]).collect();
        let numbers = Numbers::new(self, &kept);
        let compact = Function {
            result: self.result,
            resources: std::mem::take(&mut self.resources),
            pools: std::mem::take(&mut self.pools),
            draws: std::mem::take(&mut self.draws),
            blocks: PrimaryMap::with_capacity(kept.len()),
            insts: PrimaryMap::with_capacity(self.insts.len()),
            values: PrimaryMap::with_capacity(self.values.len()),
        };
        let mut from = std::mem::replace(self, compact);
        for &block in &kept {
            numbers.move_block(&mut from, block, self);
        }
    }

    /// Whether nothing has to be removed or to get another number: most passes find nothing to do.
    fn is_compact(&self, reachable: &SecondaryMap<Block, bool>) -> bool {
        let mut insts = self.insts.keys();
        let mut values = self.values.iter();
        let blocks_are = self.blocks.iter().all(|(block, data)| {
            let params_are = data.params.iter().all(|&param| {
                let here = values.next();
                here.is_some_and(|(value, &(_, def))| {
                    value == param && def == ValueDef::Param(block)
                })
            });
            let mut numbered = data.insts.iter().map(|&inst| {
                let here = values.next();
                let is_next = insts.next() == Some(inst);
                is_next
                    && here.is_some_and(|(value, &(_, def))| {
                        value == self.insts[inst].result && def == ValueDef::Result(inst)
                    })
            });
            reachable[block] && params_are && numbered.all(|is_numbered| is_numbered)
        });
        blocks_are && insts.next().is_none() && values.next().is_none()
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
        numbers.blocks.resize(function.blocks.len());
        numbers.values.resize(function.values.len());
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

    fn renumber(&self, value: &mut Value) {
        *value = self.values[*value].unwrap_or(*value);
    }

    fn block(&self, block: Block) -> Block {
        self.blocks[block].unwrap_or(block)
    }

    fn move_block(&self, from: &mut Function, block: Block, to: &mut Function) {
        let BlockData {
            mut params,
            mut insts,
            mut terminator,
        } = std::mem::take(&mut from.blocks[block]);
        let here = self.block(block);
        for param in &mut params {
            let entry = (from.value_type(*param), ValueDef::Param(here));
            *param = to.values.push(entry);
        }
        for inst in &mut insts {
            let new = to.insts.next_key();
            let ty = from.value_type(from.insts[*inst].result);
            let old = &mut from.insts[*inst];
            let mut args = std::mem::take(&mut old.args);
            args.iter_mut().for_each(|arg| self.renumber(arg));
            *inst = to.insts.push(InstData {
                op: old.op,
                args,
                imm: old.imm,
                result: to.values.push((ty, ValueDef::Result(new))),
                span: old.span,
            });
        }
        if let Some(end) = &mut terminator {
            self.renumber_end(end);
        }
        to.blocks.push(BlockData {
            params,
            insts,
            terminator,
        });
    }

    fn renumber_end(&self, end: &mut Terminator) {
        end.for_each_use(|value| self.renumber(value));
        for target in end.targets_mut() {
            target.block = self.block(target.block);
        }
    }
}
