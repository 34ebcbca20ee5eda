//! Promotes words of memory to values. [`super::scalar_replacement`] finds such words among the
//! known arguments, [`super::aggregates`] in the objects that trials make.
//!
//! A block takes a word as a parameter if paths to it may have written the word differently
//! ([`super::meetings`]).

use super::look_up::{First, LookUp};
use super::meetings::Meetings;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Field, Function, Imm, Inst, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;
use dicec_runtime::script::HEADER;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// The maximum number of words times blocks: the value of each word at the end of each block is
/// kept temporarily.
pub(super) const MAX_HELD: usize = 100_000;

/// The replacement of an instruction that accesses words, which are given by number.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// Reads a word.
    Load(usize),
    /// Writes its second operand to a word.
    Store(usize),
    /// Reads the word that an index selects.
    LoadOf(Choice),
    /// Writes its second operand to the word that an index selects.
    StoreOf(Choice),
    /// Appends its second operand to a list of values, and returns the new length.
    Append(Growth),
    /// Appends its second operand to a list in memory, and returns the new length.
    Place {
        /// The word with the length.
        length: usize,
        /// The field of elements.
        element: Field,
    },
    /// Makes a list of this many elements in memory, and sets words to these numbers.
    List(i64, Vec<(usize, i64)>),
    /// Sets words to values, and returns another value.
    Set(Vec<(usize, Index)>, Value),
    /// Reads an element of a list in memory, adjusted by notes.
    Past(Past),
    /// Reads the word whose key equals a value; the keys are in order.
    LookUp(Value, Vec<(i64, First)>),
    /// Sets words to these numbers.
    Make(Vec<(usize, i64)>),
    /// Reads a word that never changes.
    Always(First),
    /// A comparison with this known result.
    Truth(bool),
    /// Reads a word that holds the sum of a value and a number.
    Sum(Value, i64),
}

impl Access {
    /// The words that it may write.
    fn written(&self) -> Vec<usize> {
        let keyed = |words: &[(i64, usize)]| words.iter().map(|&(_, word)| word).collect();
        match self {
            Self::Store(word) => vec![*word],
            Self::StoreOf(choice) => keyed(&choice.words),
            Self::Append(list) => {
                let mut all: Vec<usize> = keyed(&list.words);
                all.push(list.length);
                all
            }
            Self::Place { length, .. } => vec![*length],
            Self::List(_, words) | Self::Make(words) => {
                words.iter().map(|&(word, _)| word).collect()
            }
            Self::Set(words, _) => words.iter().map(|&(word, _)| word).collect(),
            Self::Load(_)
            | Self::LoadOf(_)
            | Self::Past(_)
            | Self::LookUp(..)
            | Self::Always(_)
            | Self::Truth(_)
            | Self::Sum(..) => Vec::new(),
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

/// An element of an unchanged list in memory whose shifts are recorded in words.
#[derive(Clone, Debug)]
pub(super) struct Past {
    /// The list.
    pub(super) list: Value,
    /// The field of elements.
    pub(super) element: Field,
    pub(super) index: Index,
    /// The notes on the list, the last first.
    pub(super) notes: Vec<Noted>,
}

/// A value or a constant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// A value.
    Value(Value),
    /// A constant.
    Number(i64),
}

/// A recorded change of a list; it took place if the first word holds an index of the list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Noted {
    /// The elements after the index in this word moved down by one, up to the end.
    Down(usize, End),
    /// The elements from the index in this word on moved up by one, up to the end.
    Up(usize, End),
    /// The contents of the second word were stored at the index in the first.
    Put(usize, usize),
}

/// The highest index to which or from which an element was moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// At least the index that is read.
    Beyond,
    /// This number.
    Number(i64),
    /// The index in this word.
    Word(usize),
}

/// A list of values that grows.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    /// The word with its length, which equals one of the keys.
    pub(super) length: usize,
    /// The words for the next elements, by index.
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
    let graph = ControlFlow::new(function);
    let meetings = Meetings::of(
        function,
        &graph,
        first.len(),
        writes(function, &graph, accesses),
    );
    let first: Vec<Value> = first
        .iter()
        .map(|word| {
            let (op, imm) = word.inst();
            function.begin_with(entry, op, imm)
        })
        .collect();
    let mut at_end: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
    let blocks: Vec<Block> = function.blocks.keys().collect();
    let others = blocks.iter().filter(|&&block| !graph.is_reachable(block));
    for &block in graph.reverse_postorder().iter().chain(others) {
        let above = graph.immediate_dominator(block);
        let mut now = above.map_or_else(|| first.clone(), |above| at_end[above].clone());
        for &word in meetings.words(block) {
            now[word] = function.block_param(block, Type::I64);
        }
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
        function.blocks[block].insts = insts;
        at_end[block] = now;
    }
    for block in blocks {
        let targets = function.blocks[block].terminator.iter_mut();
        for target in targets.flat_map(Terminator::targets_mut) {
            let words = meetings.words(target.block).iter();
            target.args.extend(words.map(|&word| at_end[block][word]));
        }
    }
    function.replace_uses(|mut value| {
        while let Some(next) = replaced[value] {
            value = next;
        }
        value
    });
}

/// The words that accesses write, each with the block.
fn writes<'a>(
    function: &'a Function,
    graph: &'a ControlFlow,
    accesses: &'a FxHashMap<Inst, Access>,
) -> impl Iterator<Item = (Block, usize)> + 'a {
    graph.reverse_postorder().iter().flat_map(|&block| {
        let insts = function.blocks[block].insts.iter();
        let accesses = insts.filter_map(|inst| accesses.get(inst));
        accesses.flat_map(move |access| access.written().into_iter().map(move |word| (block, word)))
    })
}

/// Writes the instructions of a block.
struct Writer<'f> {
    function: &'f mut Function,
    insts: Vec<Inst>,
    /// The current value of each word.
    now: Vec<Value>,
}

impl Writer<'_> {
    /// Writes the replacement of an access; returns the value of its result.
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
            (Access::List(elements, words), _) => {
                self.make(words, span);
                self.inst(Op::NewList, Vec::new(), Imm::Int(*elements), span)
            }
            (Access::Set(words, result), _) => {
                for &(word, value) in words {
                    self.now[word] = self.index(value, span);
                }
                *result
            }
            (Access::Past(past), _) => self.past(past, span),
            (Access::LoadOf(choice), _) => {
                let mut words = choice.words.iter().copied();
                let first = words.next().map(|(_, word)| self.now[word]);
                let mut chosen = first.unwrap_or_else(|| bug!("a choice among no words").raise());
                for (key, word) in words {
                    let here = self.is(choice.index, key, span);
                    let word = self.now[word];
                    chosen = self.inst(Op::Select, vec![here, word, chosen], Imm::None, span);
                }
                chosen
            }
            (Access::LookUp(index, numbers), _) => {
                LookUp::of(numbers).write(self.function, &mut self.insts, *index, span)
            }
            (Access::Make(words), _) => {
                self.make(words, span);
                // Nothing needs its address any more.
                self.inst(Op::Iconst, Vec::new(), Imm::Int(0), span)
            }
            (Access::Always(word), _) => self.first(*word, span),
            (Access::Truth(truth), _) => self.inst(Op::Bconst, Vec::new(), Imm::Bool(*truth), span),
            (Access::Sum(value, number), _) => self.sum(*value, *number, span),
            (Access::Load(word), _) => self.now[*word],
            (
                Access::Store(_) | Access::StoreOf(_) | Access::Append(_) | Access::Place { .. },
                None,
            ) => bug!("a store without a value").raise(),
        }
    }

    fn index(&mut self, index: Index, span: Span) -> Value {
        match index {
            Index::Value(index) => index,
            Index::Number(number) => self.iconst(number, span),
        }
    }

    fn make(&mut self, words: &[(usize, i64)], span: Span) {
        for &(word, number) in words {
            self.now[word] = self.iconst(number, span);
        }
    }

    /// The element that is read: the last one stored there, or that of the list in memory, at its
    /// original index.
    fn past(&mut self, past: &Past, span: Span) -> Value {
        let mut index = self.index(past.index, span);
        let mut put = Vec::new();
        for noted in &past.notes {
            let (from, end, [after, within], step) = match *noted {
                Noted::Down(from, end) => (from, end, [Op::Ige, Op::Ilt], Op::IaddWrap),
                Noted::Up(from, end) => (from, end, [Op::Igt, Op::Ile], Op::IsubWrap),
                Noted::Put(at, value) => {
                    let here = vec![index, self.now[at]];
                    put.push((self.inst(Op::Ieq, here, Imm::None, span), self.now[value]));
                    continue;
                }
            };
            let from = self.now[from];
            let mut moved = self.inst(after, vec![index, from], Imm::None, span);
            let end = match end {
                End::Beyond => None,
                End::Number(number) => Some(self.iconst(number, span)),
                End::Word(word) => Some(self.now[word]),
            };
            if let Some(end) = end {
                let within = self.inst(within, vec![index, end], Imm::None, span);
                moved = self.inst(Op::Both, vec![moved, within], Imm::None, span);
            }
            let moved = self.inst(Op::Btoi, vec![moved], Imm::None, span);
            index = self.inst(step, vec![index, moved], Imm::None, span);
        }
        let first = self.sum(past.list, HEADER, span);
        let address = self.inst(Op::IaddWrap, vec![first, index], Imm::None, span);
        let mut read = self.inst(Op::Load, vec![address], Imm::Field(past.element), span);
        for (here, value) in put.into_iter().rev() {
            read = self.inst(Op::Select, vec![here, value, read], Imm::None, span);
        }
        read
    }

    fn first(&mut self, word: First, span: Span) -> Value {
        let (op, imm) = word.inst();
        self.inst(op, Vec::new(), imm, span)
    }

    /// Increments the length of a list; returns the new length.
    fn lengthen(&mut self, length: usize, span: Span) -> Value {
        self.now[length] = self.sum(self.now[length], 1, span);
        self.now[length]
    }

    fn sum(&mut self, value: Value, number: i64, span: Span) -> Value {
        let number = self.iconst(number, span);
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
        let key = self.iconst(key, span);
        self.inst(Op::Ieq, vec![index, key], Imm::None, span)
    }

    fn iconst(&mut self, number: i64, span: Span) -> Value {
        self.inst(Op::Iconst, Vec::new(), Imm::Int(number), span)
    }

    fn inst(&mut self, op: Op, args: Vec<Value>, imm: Imm, span: Span) -> Value {
        let inst = self.function.new_inst(op, args, imm, span);
        self.insts.push(inst);
        self.function.insts[inst].result
    }
}
