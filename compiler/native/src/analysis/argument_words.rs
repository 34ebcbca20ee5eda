//! The words of the argument block that a trial reads, and those that shape its code: counts and
//! sides of dice, trip counts of loops, indices, divisors. Code that knows these can unroll its
//! dice and loops. For other numbers it is enough to know whether they are 0, if the trial tests
//! that: a creature without poison makes no saves.

use super::edge::passed_for;
use super::trip_count::heads as loop_heads;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Field, Function, Imm, InstData, Module, Op, Terminator, Value, ValueDef};
use rustc_hash::FxHashSet;

/// Words of an argument block.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The words at these addresses.
    pub addresses: FxHashSet<u32>,
    /// All words of these fields.
    pub fields: FxHashSet<Field>,
}

impl Words {
    fn extend(&mut self, other: Words) {
        self.addresses.extend(other.addresses);
        self.fields.extend(other.fields);
    }

    /// Adds the word that an instruction reads, if it reads one.
    fn note(&mut self, data: &InstData) {
        match (data.op, data.imm) {
            (Op::Resource, Imm::Slot(address)) => {
                self.addresses.insert(address);
            }
            (Op::Peek | Op::Load, Imm::Field(field)) => {
                self.fields.insert(field);
            }
            _ => {}
        }
    }
}

/// The words that the functions of a module may read.
pub fn read_words(module: &Module) -> Words {
    let mut words = Words::default();
    for function in module.functions.values() {
        for inst in function.live_insts() {
            words.note(&function.insts[inst]);
        }
    }
    words
}

/// The words that shape the code of a module.
pub fn shaping_words(module: &Module) -> Words {
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
                && tested_word(function, condition).is_none()
                && graph.is_looped(function, block)
            {
                look(condition, false);
            }
        }
    }
    words
}

/// The words that a trial compares with 0, unchanged.
pub fn tested_words(module: &Module) -> Words {
    let mut words = Words::default();
    for function in module.functions.values() {
        for inst in function.live_insts() {
            let found = tested_word(function, function.insts[inst].result);
            found.into_iter().for_each(|read| words.note(read));
        }
    }
    words
}

/// The instruction that reads a word, if the condition compares the word with 0.
fn tested_word(function: &Function, condition: Value) -> Option<&InstData> {
    let of = |value: Value| match function.values[value].1 {
        ValueDef::Result(inst) => Some(&function.insts[inst]),
        ValueDef::Param(_) => None,
    };
    let data = of(condition)?;
    let (Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige, &[left, right]) =
        (data.op, &*data.args)
    else {
        return None;
    };
    // A number is above 0 if it is at least 1.
    let is_bound = |value| matches!(function.as_iconst(value), Some(0 | 1));
    let tested = match (is_bound(left), is_bound(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    of(tested).filter(|read| matches!(read.op, Op::Resource | Op::Peek | Op::Load))
}

/// Whether a trial has a loop that does more than count to a word: dice decide how long a fight is.
pub fn has_open_loops(module: &Module) -> bool {
    let trial = module.trial();
    let graph = ControlFlow::new(trial);
    loop_heads(&graph)
        .into_iter()
        .any(|head| match trial.blocks[head].terminator {
            Some(Terminator::Branch { condition, .. }) => {
                !Slice::new(trial, &graph, false).follow(condition)
            }
            _ => true,
        })
}

/// The operands whose knowledge makes an instruction much faster.
pub fn shaping_operands(data: &InstData) -> &[Value] {
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

/// The backward slice of a value.
struct Slice<'f> {
    function: &'f Function,
    graph: &'f ControlFlow,
    /// Whether the slice includes memory accesses.
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

    /// Adds the words in the slice of a value; returns whether nothing else in it is random.
    fn follow(&mut self, value: Value) -> bool {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if !self.seen.insert(value) {
                continue;
            }
            match self.function.values[value].1 {
                ValueDef::Param(block) => {
                    let before = passed_for(self.function, self.graph, block, value);
                    if before.is_empty() {
                        return false;
                    }
                    pending.extend(before);
                }
                ValueDef::Result(inst) => {
                    let data = &self.function.insts[inst];
                    match (data.op, data.imm) {
                        (Op::Resource, Imm::Slot(_)) => self.words.note(data),
                        (Op::Peek | Op::Load, Imm::Field(_)) if self.in_memory => {
                            self.words.note(data);
                        }
                        (op, _) if op.is_pure() => pending.extend(&data.args),
                        _ => return false,
                    }
                }
            }
        }
        true
    }
}
