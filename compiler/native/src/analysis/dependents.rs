//! Def-use information for incremental analysis: the positions that depend on each value, through
//! its uses or through constraints from conditions. [`super::pending`] and [`super::trip_count`]
//! visit only these again.
//!
//! Every computation has a *position*: the beginning of each reachable block, in reverse postorder,
//! and after it the instructions of the block.

use super::choice::{MAX_DEPTH, added_choice, choice};
use super::edge::Edge;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Inst, Op, Value};
use cranelift_entity::SecondaryMap;

/// The computation at a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Position {
    /// The beginning of a block, where it takes its parameters.
    Begin(Block),
    /// An instruction of a block.
    Inst(Block, Inst),
    /// A select of whole numbers whose condition constrains its operands, or a sum of a number and
    /// such selects.
    Choice(Block, Inst),
}

/// The positions of a function, and those that depend on each value.
#[derive(Debug)]
pub(super) struct Dependents {
    positions: Vec<Position>,
    begin: SecondaryMap<Block, u32>,
    /// The dependent positions, grouped by value.
    all: Vec<u32>,
    /// The start of each value's group, and the end of the last one.
    first: Vec<u32>,
}

impl Position {
    pub(super) fn block(self) -> Block {
        match self {
            Position::Begin(block) | Position::Inst(block, _) | Position::Choice(block, _) => block,
        }
    }
}

/// A set of positions.
#[derive(Debug)]
pub(super) struct PositionSet {
    /// Sixty-four positions each.
    words: Vec<u64>,
}

impl PositionSet {
    pub(super) fn none_of(dependents: &Dependents) -> Self {
        Self {
            words: vec![0; dependents.positions.len().div_ceil(64)],
        }
    }

    pub(super) fn add(&mut self, position: u32) {
        self.words[position as usize / 64] |= 1 << (position % 64);
    }

    /// Adds all positions; the last word may have more bits than there are positions.
    pub(super) fn add_all(&mut self) {
        self.words.fill(u64::MAX);
    }

    /// Removes and returns the first position at or after this one.
    pub(super) fn take(&mut self, from: u32) -> Option<u32> {
        let (mut index, bit) = (from as usize / 64, from % 64);
        let mut word = self.words.get(index)? & (u64::MAX << bit);
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        let bit = word.trailing_zeros();
        self.words[index] &= !(1 << bit);
        Some(index as u32 * 64 + bit)
    }
}

impl Dependents {
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut positions = Vec::new();
        let mut choices = Choices::default();
        let mut begin = SecondaryMap::new();
        begin.resize(function.blocks.len());
        for &block in graph.reverse_postorder() {
            // Memory holds fewer than 2^32 instructions.
            begin[block] = positions.len() as u32;
            positions.push(Position::Begin(block));
            let insts = function.blocks[block].insts.iter();
            positions.extend(insts.map(|&inst| match choices.say(function, inst) {
                true => Position::Choice(block, inst),
                false => Position::Inst(block, inst),
            }));
        }
        let mut reads = Vec::with_capacity(2 * positions.len());
        for (at, &position) in (0..).zip(&positions) {
            of_position(function, (at, position), &mut choices, &mut reads);
        }
        for &block in graph.reverse_postorder() {
            of_edges(function, block, &begin, &mut reads);
        }
        let (all, first) = by_value(&reads, function.values.len());
        Self {
            positions,
            begin,
            all,
            first,
        }
    }

    /// The computation at a position, if there is one.
    pub(super) fn at(&self, position: u32) -> Option<Position> {
        self.positions.get(position as usize).copied()
    }

    /// The position of the beginning of a block that can be reached.
    pub(super) fn begin(&self, block: Block) -> u32 {
        self.begin[block]
    }

    /// The positions of all instructions.
    pub(super) fn insts(&self) -> impl Iterator<Item = (u32, Inst)> {
        (0..)
            .zip(&self.positions)
            .filter_map(|(at, position)| match *position {
                Position::Begin(_) => None,
                Position::Inst(_, inst) | Position::Choice(_, inst) => Some((at, inst)),
            })
    }

    /// The positions that depend on a value; some may be listed more than once.
    pub(super) fn of(&self, value: Value) -> &[u32] {
        let index = value.as_u32() as usize;
        let [begin, end] = [self.first[index], self.first[index + 1]];
        &self.all[begin as usize..end as usize]
    }
}

/// Records the values on which an instruction depends.
fn of_position(
    function: &Function,
    (at, position): (u32, Position),
    choices: &mut Choices,
    reads: &mut Vec<(Value, u32)>,
) {
    let (Position::Inst(_, inst) | Position::Choice(_, inst)) = position else {
        return;
    };
    let args = &function.insts[inst].args;
    reads.extend(args.iter().map(|&arg| (arg, at)));
    if let Position::Choice(..) = position {
        choices.find(function, inst);
        for &condition in &choices.conditions {
            for_each_source(function, condition, &mut |value| reads.push((value, at)));
        }
        reads.extend(choices.narrowed.iter().map(|&value| (value, at)));
    }
}

/// The conditions of an instruction's selects, and the values that they may narrow.
#[derive(Default)]
struct Choices {
    conditions: Vec<Value>,
    narrowed: Vec<Value>,
}

impl Choices {
    /// Finds those of a choice, or of the choices that are added to a number.
    fn find(&mut self, function: &Function, inst: Inst) {
        self.conditions.clear();
        self.narrowed.clear();
        let data = &function.insts[inst];
        match added_choice(function, data) {
            Some((index, other)) => {
                self.narrowed.push(other);
                self.gather(function, data.args[index], MAX_DEPTH);
            }
            None if data.op == Op::Select => self.gather(function, data.result, 1),
            None => {}
        }
    }

    /// Whether an instruction is a [`Position::Choice`].
    fn say(&mut self, function: &Function, inst: Inst) -> bool {
        self.find(function, inst);
        let mut says = false;
        for &condition in &self.conditions {
            for_each_source(function, condition, &mut |value| {
                says |= self.narrowed.contains(&value);
            });
        }
        says
    }

    fn gather(&mut self, function: &Function, value: Value, depth: usize) {
        match choice(function, value).filter(|_| depth > 0) {
            Some([condition, yes, no]) => {
                self.conditions.push(condition);
                self.gather(function, yes, depth - 1);
                self.gather(function, no, depth - 1);
            }
            None => {
                self.narrowed.push(value);
                let computed = function.def(value).map(|data| data.args.as_slice());
                self.narrowed.extend(computed.into_iter().flatten());
            }
        }
    }
}

/// Records the values on which the beginnings of a block's successors depend.
fn of_edges(
    function: &Function,
    block: Block,
    begin: &SecondaryMap<Block, u32>,
    reads: &mut Vec<(Value, u32)>,
) {
    for edge in Edge::all(function, block) {
        let position = begin[edge.target.block];
        reads.extend(edge.target.args.iter().map(|&arg| (arg, position)));
        if let Some((condition, _)) = edge.condition {
            for_each_source(function, condition, &mut |value| {
                reads.push((value, position));
            });
        }
    }
}

/// The values that [`super::assume`] visits for a condition: the parts of a conjunction that holds,
/// and of a disjunction that does not.
fn for_each_source(function: &Function, condition: Value, found: &mut impl FnMut(Value)) {
    for holds in [true, false] {
        for_each_source_if(function, (condition, holds), found);
    }
}

fn for_each_source_if(
    function: &Function,
    (condition, holds): (Value, bool),
    found: &mut impl FnMut(Value),
) {
    found(condition);
    let Some(data) = function.def(condition) else {
        return;
    };
    match (data.op, holds) {
        (Op::Not, _) => for_each_source_if(function, (data.args[0], !holds), found),
        (Op::Both, true) | (Op::Either, false) => {
            for &part in &data.args {
                for_each_source_if(function, (part, holds), found);
            }
        }
        (Op::Both | Op::Either, _) => {}
        _ => {
            // The compared values, and the values that they were computed from by addition.
            for &arg in &data.args {
                found(arg);
                if let Some(sum) = function.def(arg) {
                    sum.args.iter().copied().for_each(&mut *found);
                }
            }
        }
    }
}

/// The positions of each value, one value after the other, and where those of each begin.
fn by_value(reads: &[(Value, u32)], values: usize) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; values + 1];
    for (value, _) in reads {
        first[value.as_u32() as usize + 1] += 1;
    }
    for index in 0..values {
        first[index + 1] += first[index];
    }
    let mut next = first.clone();
    let mut all = vec![0; reads.len()];
    for &(value, position) in reads {
        let next: &mut u32 = &mut next[value.as_u32() as usize];
        all[*next as usize] = position;
        *next += 1;
    }
    (all, first)
}
