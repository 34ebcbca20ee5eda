//! Building a function, instruction by instruction.

use super::entity::{Block, Pool, Value};
use super::function::{BlockData, Function, Imm, InstData, Target, Terminator, ValueDef};
use super::op::{Op, Type};
use cranelift_entity::PrimaryMap;
use dicec_runtime::pool::Step;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

/// Appends to the end of one block at a time; the first is the entry.
#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
    current: Block,
    span: Span,
}

impl FunctionBuilder {
    /// A builder of a function that returns `result` and may read `resources`.
    pub fn new(result: Type, resources: Vec<ResourceName>) -> Self {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(BlockData::default());
        Self {
            function: Function {
                result,
                resources,
                pools: PrimaryMap::new(),
                draws: PrimaryMap::new(),
                blocks,
                insts: PrimaryMap::new(),
                values: PrimaryMap::new(),
            },
            current: entry,
            span: Span::default(),
        }
    }

    /// The instructions that follow come from this part of the source.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Adds a parameter to the function, a whole number.
    pub fn function_param(&mut self) -> Value {
        let entry = self.function.entry();
        let def = (Type::I64, ValueDef::Param(entry));
        let value = self.function.values.push(def);
        self.function.blocks[entry].params.push(value);
        value
    }

    /// The whole number that a value always is, if an `iconst` defines it.
    pub fn as_iconst(&self, value: Value) -> Option<i64> {
        self.function.as_iconst(value)
    }

    /// How many instructions there are so far.
    pub fn len(&self) -> usize {
        self.function.insts.len()
    }

    /// Whether there is no instruction yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A new block with parameters of these types.
    pub fn block(&mut self, params: &[Type]) -> Block {
        let block = self.function.blocks.push(BlockData::default());
        for &ty in params {
            let value = self.function.values.push((ty, ValueDef::Param(block)));
            self.function.blocks[block].params.push(value);
        }
        block
    }

    /// A block's parameter. `index` is below the number of types that the block was made with.
    pub fn param(&self, block: Block, index: usize) -> Value {
        self.function.blocks[block].params[index]
    }

    /// Continues at the end of `block`.
    pub fn switch_to(&mut self, block: Block) {
        self.current = block;
    }

    /// Appends an instruction and returns its result.
    pub fn inst(&mut self, op: Op, args: &[Value], imm: Imm) -> Value {
        let inst = self.function.insts.next_key();
        let ty = op.info().result;
        let result = self.function.values.push((ty, ValueDef::Result(inst)));
        self.function.insts.push(InstData {
            op,
            args: args.to_vec(),
            imm,
            result,
            span: self.span,
        });
        self.function.blocks[self.current].insts.push(inst);
        result
    }

    /// Appends an `iconst`.
    pub fn iconst(&mut self, value: i64) -> Value {
        self.inst(Op::Iconst, &[], Imm::Int(value))
    }

    /// A new pool of dice with these faces; of plain dice if there are none.
    pub fn pool(&mut self, faces: Vec<i64>) -> Pool {
        self.function.pools.push(faces)
    }

    /// Appends a step on a pool.
    pub fn step(&mut self, pool: Pool, step: Step, args: &[Value]) -> Value {
        self.inst(Op::of_step(step), args, Imm::Step(pool, step))
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: Block, args: &[Value]) {
        self.end(Terminator::Jump(Target {
            block,
            args: args.to_vec(),
        }));
    }

    /// Ends the current block with a branch; each destination comes with its arguments.
    pub fn branch(
        &mut self,
        condition: Value,
        then: (Block, &[Value]),
        otherwise: (Block, &[Value]),
    ) {
        let target = |(block, args): (Block, &[Value])| Target {
            block,
            args: args.to_vec(),
        };
        self.end(Terminator::Branch {
            condition,
            then: target(then),
            otherwise: target(otherwise),
        });
    }

    /// Ends the current block with a result.
    pub fn ret(&mut self, value: Value) {
        self.end(Terminator::Return(value));
    }

    fn end(&mut self, terminator: Terminator) {
        self.function.blocks[self.current].terminator = Some(terminator);
    }

    /// The function. [`super::verify`] checks whether it is well formed.
    pub fn finish(self) -> Function {
        self.function
    }
}
