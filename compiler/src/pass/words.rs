//! Words of memory that become values. [`super::scalar_replacement`] finds such words among the
//! known arguments, [`super::aggregates`] among what trials make.
//!
//! Every block takes all words as parameters and passes them on; [`super::params`] removes those
//! that do not change.

use crate::ir::{Block, Field, Function, Imm, Inst, Op, Tables, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::HEADER;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// The maximum number of parameters that the words of one function bring before they are cleaned
/// up.
pub(super) const MAX_PARAMS: usize = 20_000;

/// What an instruction does with words, each given by its number.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// Reads one.
    Load(usize),
    /// Writes its second operand.
    Store(usize),
    /// Reads the one that an index selects.
    LoadOf(Choice),
    /// The same, writing its second operand.
    StoreOf(Choice),
    /// Puts its second operand after the last element of a list, and reads the new length.
    Append(Growth),
    /// Puts its second operand after the last element of a list in memory, and reads the new
    /// length.
    Place {
        /// The word of the length.
        length: usize,
        /// The field of elements.
        element: Field,
    },
    /// Makes a list in memory that will grow.
    Room(Room),
    /// Reads the word whose key equals a value; the keys are in order.
    LookUp(Value, Vec<(i64, First)>),
    /// Makes words that hold these numbers.
    Make(Vec<(usize, i64)>),
    /// Reads a word that never changes.
    Always(First),
    /// Compares with this result.
    Truth(bool),
    /// Reads a word that holds the sum of a value and a number.
    Sum(Value, i64),
}

/// What a word holds when a trial begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// This number.
    Number(i64),
    /// The open word at this address of the argument block.
    Open(u32),
}

impl First {
    /// What the word at an address of a known argument block holds.
    pub(super) fn of(tables: &Tables, known: &[i64], address: usize) -> Option<Self> {
        let number = *known.get(address)?;
        let open = u32::try_from(address).ok();
        let open = open.filter(|&address| tables.is_open(address));
        Some(open.map_or(First::Number(number), First::Open))
    }

    /// The instruction that gives it.
    pub(super) fn inst(self) -> (Op, Imm) {
        match self {
            First::Number(number) => (Op::Iconst, Imm::Int(number)),
            First::Open(address) => (Op::Resource, Imm::Slot(address)),
        }
    }
}

/// One of several words: the one whose key equals the index.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The index; it equals one of the keys.
    pub(super) index: Value,
    /// The keys, each with its word; there is at least one.
    pub(super) words: Vec<(i64, usize)>,
}

/// A list in memory that has room for everything that is appended to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// How many elements have room.
    pub(super) elements: i64,
    /// The word of its length.
    pub(super) length: usize,
    /// How many elements it has at first.
    pub(super) count: i64,
}

/// A list of values that grows.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    /// The word of its length, which equals one of the keys.
    pub(super) length: usize,
    /// The words of the elements to come, by their indices.
    pub(super) words: Vec<(i64, usize)>,
}

/// Replaces `accesses` to words that hold `first` when the function begins.
pub(super) fn rewrite(
    function: &mut Function,
    first: &[First],
    accesses: &FxHashMap<Inst, Access>,
) {
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let entry = function.entry();
    let first: Vec<Value> = first
        .iter()
        .map(|word| {
            let (op, imm) = word.inst();
            function.begin_with(entry, op, imm)
        })
        .collect();
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let now = if block == entry {
            first.clone()
        } else {
            let words = first.iter();
            words
                .map(|_| function.block_param(block, Type::I64))
                .collect()
        };
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut writer = Writer {
            function,
            insts: Vec::with_capacity(insts.len()),
            now,
        };
        for inst in insts {
            match accesses.get(&inst) {
                Some(access) => {
                    let result = writer.function.insts[inst].result;
                    replaced[result] = Some(writer.access(inst, access));
                }
                None => writer.insts.push(inst),
            }
        }
        let Writer { insts, now, .. } = writer;
        let data = &mut function.blocks[block];
        data.insts = insts;
        for target in data.terminator.iter_mut().flat_map(Terminator::targets_mut) {
            target.args.extend(&now);
        }
    }
    function.replace_uses(|mut value| {
        while let Some(next) = replaced[value] {
            value = next;
        }
        value
    });
}

/// Writes the instructions of a block.
struct Writer<'f> {
    function: &'f mut Function,
    insts: Vec<Inst>,
    /// The value of each word.
    now: Vec<Value>,
}

impl Writer<'_> {
    /// What stands for an access; returns the value of its result.
    fn access(&mut self, inst: Inst, access: &Access) -> Value {
        let span = self.function.insts[inst].span;
        let stored = self.function.insts[inst].args.get(1).copied();
        match (access, stored) {
            (Access::Store(word), Some(value)) => {
                self.now[*word] = value;
                value
            }
            (Access::StoreOf(choice), Some(value)) => {
                self.store_of(choice.index, &choice.words, value, span);
                value
            }
            (Access::Append(list), Some(value)) => {
                self.store_of(self.now[list.length], &list.words, value, span);
                self.lengthen(list.length, span)
            }
            (Access::Place { length, element }, Some(value)) => {
                let list = self.function.insts[inst].args[0];
                let first = self.sum(list, HEADER, span);
                let end = vec![first, self.now[*length]];
                let end = self.inst(Op::IaddWrap, end, Imm::None, span);
                self.inst(Op::Store, vec![end, value], Imm::Field(*element), span);
                self.lengthen(*length, span)
            }
            (Access::Room(room), _) => {
                let count = Imm::Int(room.count);
                self.now[room.length] = self.inst(Op::Iconst, Vec::new(), count, span);
                self.inst(Op::NewList, Vec::new(), Imm::Int(room.elements), span)
            }
            (Access::LoadOf(choice), _) => {
                let mut words = choice.words.iter().copied();
                let first = words.next().map(|(_, word)| self.now[word]);
                let mut chosen = first.unwrap_or(choice.index);
                for (key, word) in words {
                    let here = self.is(choice.index, key, span);
                    let word = self.now[word];
                    chosen = self.inst(Op::Select, vec![here, word, chosen], Imm::None, span);
                }
                chosen
            }
            (Access::LookUp(index, numbers), _) => self.look_up(*index, numbers, span),
            (Access::Make(words), _) => {
                for &(word, number) in words {
                    self.now[word] = self.inst(Op::Iconst, Vec::new(), Imm::Int(number), span);
                }
                // Nothing needs its address any more.
                self.inst(Op::Iconst, Vec::new(), Imm::Int(0), span)
            }
            (Access::Always(word), _) => self.first(*word, span),
            (Access::Truth(truth), _) => self.inst(Op::Bconst, Vec::new(), Imm::Bool(*truth), span),
            (Access::Sum(value, number), _) => self.sum(*value, *number, span),
            (Access::Load(word) | Access::Store(word), _) => self.now[*word],
            (Access::StoreOf(choice), None) => choice.index,
            (Access::Append(Growth { length, .. }) | Access::Place { length, .. }, None) => {
                self.now[*length]
            }
        }
    }

    fn first(&mut self, word: First, span: Span) -> Value {
        let (op, imm) = word.inst();
        self.inst(op, Vec::new(), imm, span)
    }

    /// The word at the index: one that is usual unless the index is one of a few, or the one of the
    /// run of equal words that the index lies in, whichever takes fewer choices.
    fn look_up(&mut self, index: Value, words: &[(i64, First)], span: Span) -> Value {
        let runs: Vec<(i64, First)> = words
            .chunk_by(|a, b| a.1 == b.1)
            .filter_map(|run| run.first().copied())
            .collect();
        let count = |wanted: First| words.iter().filter(|&&(_, word)| word == wanted).count();
        let usual = words.iter().map(|&(_, word)| word);
        let usual = usual.max_by_key(|&word| count(word));
        let usual = usual.unwrap_or(First::Number(0));
        let others = words.iter().filter(|&&(_, word)| word != usual);
        let others: Vec<(i64, First)> = others.copied().collect();
        let (op, first, rest) = match runs.split_first() {
            Some((&(_, first), rest)) if rest.len() <= others.len() => (Op::Ige, first, rest),
            _ => (Op::Ieq, usual, &others[..]),
        };
        let mut found = self.first(first, span);
        for &(key, word) in rest {
            let key = self.inst(Op::Iconst, Vec::new(), Imm::Int(key), span);
            let word = self.first(word, span);
            let here = self.inst(op, vec![index, key], Imm::None, span);
            found = self.inst(Op::Select, vec![here, word, found], Imm::None, span);
        }
        found
    }

    /// Adds one to the length of a list; returns the new length.
    fn lengthen(&mut self, length: usize, span: Span) -> Value {
        self.now[length] = self.sum(self.now[length], 1, span);
        self.now[length]
    }

    fn sum(&mut self, value: Value, number: i64, span: Span) -> Value {
        let number = self.inst(Op::Iconst, Vec::new(), Imm::Int(number), span);
        self.inst(Op::IaddWrap, vec![value, number], Imm::None, span)
    }

    /// Writes a value to the word whose key equals the index.
    fn store_of(&mut self, index: Value, words: &[(i64, usize)], value: Value, span: Span) {
        for &(key, word) in words {
            let here = self.is(index, key, span);
            let old = self.now[word];
            self.now[word] = self.inst(Op::Select, vec![here, value, old], Imm::None, span);
        }
    }

    fn is(&mut self, index: Value, key: i64, span: Span) -> Value {
        let key = self.inst(Op::Iconst, Vec::new(), Imm::Int(key), span);
        self.inst(Op::Ieq, vec![index, key], Imm::None, span)
    }

    fn inst(&mut self, op: Op, args: Vec<Value>, imm: Imm, span: Span) -> Value {
        let inst = self.function.new_inst(op, args, imm, span);
        self.insts.push(inst);
        self.function.insts[inst].result
    }
}
