//! Which words of its argument block a trial reads, and which of them shape its code: how many dice
//! of how many sides are rolled, how often loops iterate, which element is read, what divides. Code
//! that knows these writes its dice out and unrolls its loops; it needs no other number.

use super::edge::Edge;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Field, Function, Imm, InstData, Module, Op, Terminator, Value, ValueDef};
use rustc_hash::FxHashSet;

/// Words of an argument block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// Those at these addresses.
    pub addresses: FxHashSet<u32>,
    /// All of these fields.
    pub fields: FxHashSet<Field>,
}

impl Words {
    fn extend(&mut self, other: Words) {
        self.addresses.extend(other.addresses);
        self.fields.extend(other.fields);
    }
}

/// The words that the functions of a module may read.
pub(crate) fn read_words(module: &Module) -> Words {
    let mut words = Words::default();
    for function in module.functions.values() {
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            match (data.op, data.imm) {
                (Op::Resource, Imm::Slot(address)) => {
                    words.addresses.insert(address);
                }
                (Op::Peek | Op::Load, Imm::Field(field)) => {
                    words.fields.insert(field);
                }
                _ => {}
            }
        }
    }
    words
}

/// The words that shape the code of a module.
pub(crate) fn shaping_words(module: &Module) -> Words {
    let mut words = Words::default();
    for function in module.functions.values() {
        let graph = ControlFlow::new(function);
        for &block in graph.reverse_postorder() {
            let mut look = |value: Value, in_memory: bool| {
                let mut slice = Slice::new(function, &graph, in_memory);
                if slice.follow(value) {
                    words.extend(slice.words);
                }
            };
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                for &operand in shaping_operands(data) {
                    look(operand, true);
                }
            }
            if let Some(Terminator::Branch { condition, .. }) = function.blocks[block].terminator
                && graph.is_looped(function, block)
            {
                look(condition, false);
            }
        }
    }
    words
}

/// The operands that make an instruction much faster if they are known.
pub(crate) fn shaping_operands(data: &InstData) -> &[Value] {
    match data.op {
        Op::Roll
        | Op::Dice
        | Op::DieSides
        | Op::DiceCount
        | Op::NotNegative
        | Op::PoolDraw
        | Op::PoolSelect => &data.args,
        Op::Index => &data.args[..1],
        Op::Idiv | Op::IdivPos | Op::Irem | Op::IremPos => &data.args[1..],
        _ => &[],
    }
}

/// What a value is computed from.
struct Slice<'f> {
    function: &'f Function,
    graph: &'f ControlFlow,
    /// Whether it may go through memory.
    in_memory: bool,
    seen: FxHashSet<Value>,
    words: Words,
}

impl<'f> Slice<'f> {
    fn new(function: &'f Function, graph: &'f ControlFlow, in_memory: bool) -> Self {
        Self {
            function,
            graph,
            in_memory,
            seen: FxHashSet::default(),
            words: Words::default(),
        }
    }

    /// Adds the words that a value is computed from; whether nothing else is random in it.
    fn follow(&mut self, value: Value) -> bool {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if !self.seen.insert(value) {
                continue;
            }
            match self.function.values[value].1 {
                ValueDef::Param(block) => {
                    let before = self.arguments(block, value);
                    if before.is_empty() {
                        return false;
                    }
                    pending.extend(before);
                }
                ValueDef::Result(inst) => {
                    let data = &self.function.insts[inst];
                    match (data.op, data.imm) {
                        (Op::Resource, Imm::Slot(address)) => {
                            self.words.addresses.insert(address);
                        }
                        (Op::Peek | Op::Load, Imm::Field(field)) if self.in_memory => {
                            self.words.fields.insert(field);
                        }
                        (op, _) if op.is_pure() => pending.extend(&data.args),
                        _ => return false,
                    }
                }
            }
        }
        true
    }

    /// What the edges to a block pass for a parameter; nothing for those of the entry.
    fn arguments(&self, block: Block, param: Value) -> Vec<Value> {
        let mut params = self.function.blocks[block].params.iter();
        let Some(index) = params.position(|&other| other == param) else {
            return Vec::new();
        };
        let before = self.graph.predecessors(block).iter();
        let edges = before.flat_map(|&from| Edge::between(self.function, from, block));
        edges.map(|edge| edge.target.args[index]).collect()
    }
}
