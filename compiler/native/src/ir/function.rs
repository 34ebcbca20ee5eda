//! The function: blocks, instructions and values in flat maps.

use super::entity::{Block, Draw, Field, Func, Inst, ListKind, Pool, Value};
use super::op::{Op, Type};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use dashu_int::UBig;
use dicec_runtime::pmf::Pmf;
use dicec_runtime::pool::Step;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::rng::AliasTable;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The immediate of an instruction; the operation's row says of which kind it is.
#[derive(Clone, Copy, Debug)]
pub enum Imm {
    /// Nothing.
    None,
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A resource slot.
    Slot(u32),
    /// Dice of equal sides.
    Dice {
        /// How many.
        count: u32,
        /// Of how many sides each.
        sides: u32,
    },
    /// The maximum number of dice that a pool may hold.
    Limit(u32),
    /// Dice that are drawn at once.
    Draw(Draw),
    /// A step on a pool.
    Step(Pool, Step),
    /// A kind of word in memory.
    Field(Field),
    /// A kind of lists.
    List(ListKind),
    /// A site: a statement that outputs lines.
    Site(u32),
    /// A statistic.
    Stat(u32),
    /// A function, and how much deeper than this one it is called.
    Call(Func, u32),
}

/// Equality of floats is equality of bits, so that equal immediates are interchangeable.
impl PartialEq for Imm {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Imm::None, Imm::None) => true,
            (Imm::Int(a), Imm::Int(b)) => a == b,
            (Imm::Float(a), Imm::Float(b)) => a.to_bits() == b.to_bits(),
            (Imm::Bool(a), Imm::Bool(b)) => a == b,
            (Imm::Slot(a), Imm::Slot(b)) | (Imm::Limit(a), Imm::Limit(b)) => a == b,
            (
                Imm::Dice { count, sides },
                Imm::Dice {
                    count: count2,
                    sides: sides2,
                },
            ) => (count, sides) == (count2, sides2),
            (Imm::Draw(a), Imm::Draw(b)) => a == b,
            (Imm::Step(pool, step), Imm::Step(pool2, step2)) => (pool, step) == (pool2, step2),
            (Imm::Field(a), Imm::Field(b)) => a == b,
            (Imm::List(a), Imm::List(b)) => a == b,
            (Imm::Site(a), Imm::Site(b)) | (Imm::Stat(a), Imm::Stat(b)) => a == b,
            (Imm::Call(a, depth), Imm::Call(b, depth2)) => (a, depth) == (b, depth2),
            _ => false,
        }
    }
}

impl Eq for Imm {}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstData {
    /// Its operation.
    pub op: Op,
    /// Its operands.
    pub args: Vec<Value>,
    /// Its immediate.
    pub imm: Imm,
    /// Its result.
    pub result: Value,
    /// The source that it came from; a trap names it.
    pub span: Span,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// From an instruction.
    Result(Inst),
    /// From a block's parameter list.
    Param(Block),
}

/// A branch's destination, with the values that its parameters take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// A value for each parameter.
    pub args: Vec<Value>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Continues at another block.
    Jump(Target),
    /// Continues at one of two blocks.
    Branch {
        /// The condition.
        condition: Value,
        /// The target if it is true.
        then: Target,
        /// The target if it is false.
        otherwise: Target,
    },
    /// Ends the trial with a result.
    Return(Value),
}

impl Terminator {
    /// The destinations.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let pair = match self {
            Terminator::Jump(target) => [Some(target), None],
            Terminator::Branch {
                then, otherwise, ..
            } => [Some(then), Some(otherwise)],
            Terminator::Return(_) => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// The destinations, to change them.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let pair = match self {
            Terminator::Jump(target) => [Some(target), None],
            Terminator::Branch {
                then, otherwise, ..
            } => [Some(then), Some(otherwise)],
            Terminator::Return(_) => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// The values that are read.
    pub fn uses(&self) -> impl Iterator<Item = Value> {
        let value = match self {
            Terminator::Jump(_) => None,
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Return(value) => Some(*value),
        };
        let args = self.targets().flat_map(|target| &target.args);
        value.into_iter().chain(args.copied())
    }

    /// Calls `f` on each value that is read, to change it.
    pub fn for_each_use(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Terminator::Jump(target) => target.args.iter_mut().for_each(f),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                f(condition);
                then.args.iter_mut().chain(&mut otherwise.args).for_each(f);
            }
            Terminator::Return(value) => f(value),
        }
    }
}

/// A basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockData {
    /// Its parameters.
    pub params: Vec<Value>,
    /// Its instructions, in order.
    pub insts: Vec<Inst>,
    /// Its end; `None` only while it is being built.
    pub terminator: Option<Terminator>,
}

/// One trial of a program, or a function that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its result type.
    pub result: Type,
    /// The words that it may read by slot: a script's arguments, then resources.
    pub resources: Vec<ResourceName>,
    /// The pools that it works on: the faces of their dice, or none for plain dice.
    pub pools: PrimaryMap<Pool, Vec<i64>>,
    /// Its fused draws. Copies of the function share the tables.
    pub draws: PrimaryMap<Draw, Arc<FusedDraw>>,
    /// The blocks; the first is the entry. Its parameters are those of the function: a trial has
    /// none.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The instructions. One that is in no block is dead.
    pub insts: PrimaryMap<Inst, InstData>,
    /// The values: their types and where they come from.
    pub values: PrimaryMap<Value, (Type, ValueDef)>,
}

/// A fused draw: straight-line code of dice of which only the distribution of the result matters.
#[derive(Clone, Debug)]
pub struct FusedDraw {
    code: Function,
    bounds: (i64, i64),
    table: Arc<AliasTable>,
}

/// Equality is that of the code: everything else follows from it.
impl PartialEq for FusedDraw {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for FusedDraw {}

impl FusedDraw {
    /// A draw of the result of `code`, a function of one block that reads no resources and cannot
    /// trap, by its exact distribution. `None` if that has no table.
    pub fn new(code: Function, distribution: &Pmf<UBig>) -> Option<Self> {
        Some(Self {
            code,
            bounds: (distribution.min(), distribution.max()),
            table: Arc::new(AliasTable::new(distribution)?),
        })
    }

    /// The code that the draw replaces.
    pub fn code(&self) -> &Function {
        &self.code
    }

    /// The least and the greatest outcome.
    pub fn bounds(&self) -> (i64, i64) {
        self.bounds
    }

    /// The alias table of the exact distribution.
    pub fn table(&self) -> &Arc<AliasTable> {
        &self.table
    }
}

impl Function {
    /// The entry block. Every function has one: [`super::verify`] checks it.
    pub fn entry(&self) -> Block {
        Block::from_u32(0)
    }

    /// The type of a value.
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].0
    }

    /// The instruction that defines this value, if one does.
    pub fn def(&self, value: Value) -> Option<&InstData> {
        match self.values[value].1 {
            ValueDef::Result(inst) => Some(&self.insts[inst]),
            ValueDef::Param(_) => None,
        }
    }

    /// The whole number that a value always is, if an `iconst` defines it.
    pub fn as_iconst(&self, value: Value) -> Option<i64> {
        let data = self.def(value)?;
        match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(number)) => Some(number),
            _ => None,
        }
    }

    /// The result of a function with one block; `None` if it has more.
    pub fn straight_result(&self) -> Option<Value> {
        let mut blocks = self.blocks.values();
        match (blocks.next()?.terminator.as_ref()?, blocks.next()) {
            (&Terminator::Return(value), None) => Some(value),
            _ => None,
        }
    }

    /// The instructions of the blocks, in layout order.
    pub fn live_insts(&self) -> impl Iterator<Item = Inst> {
        self.blocks
            .values()
            .flat_map(|block| block.insts.iter().copied())
    }

    /// A new instruction without operands at the beginning of a block; returns its result.
    pub fn begin_with(&mut self, block: Block, op: Op, imm: Imm) -> Value {
        let inst = self.new_inst(op, Vec::new(), imm, Span::default());
        self.blocks[block].insts.insert(0, inst);
        self.insts[inst].result
    }

    /// A new instruction, in no block yet.
    pub fn new_inst(&mut self, op: Op, args: Vec<Value>, imm: Imm, span: Span) -> Inst {
        let inst = self.insts.next_key();
        let ty = op.info().result;
        let result = self.values.push((ty, ValueDef::Result(inst)));
        self.insts.push(InstData {
            op,
            args,
            imm,
            result,
            span,
        })
    }

    /// Adds a parameter to a block; the caller adds the argument to each edge.
    pub fn block_param(&mut self, block: Block, ty: Type) -> Value {
        let value = self.values.push((ty, ValueDef::Param(block)));
        self.blocks[block].params.push(value);
        value
    }

    /// The values that the blocks read for which `reads` holds.
    pub fn used(&self, reads: impl Fn(Block) -> bool) -> SecondaryMap<Value, bool> {
        let mut used = SecondaryMap::new();
        for (_, data) in self.blocks.iter().filter(|(block, _)| reads(*block)) {
            let args = data.insts.iter().flat_map(|&inst| &self.insts[inst].args);
            args.for_each(|&arg| used[arg] = true);
            if let Some(terminator) = &data.terminator {
                terminator.uses().for_each(|value| used[value] = true);
            }
        }
        used
    }

    /// Replaces every use of each value `v` by `with(v)`.
    pub fn replace_uses(&mut self, with: impl Fn(Value) -> Value) {
        for inst in self.insts.values_mut() {
            inst.args.iter_mut().for_each(|arg| *arg = with(*arg));
        }
        for block in self.blocks.values_mut() {
            if let Some(terminator) = &mut block.terminator {
                terminator.for_each_use(|value| *value = with(*value));
            }
        }
    }
}
