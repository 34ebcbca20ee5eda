//! Removes shifts of lists, from which a known number of elements is removed or into which it is
//! inserted. The list in memory never changes; words record the shifts (*notes*), and a read
//! adjusts its index by them.
//!
//! ```text
//! v1 = new_list 52                     ; filled
//! v5 = shift_down element (v1 + 3 + v4), (51 - v4)
//! v7 = load element (v1 + 3 + v6)
//! ; becomes
//! v5 = burn 51 (51 - v4)
//! v8 = iadd_wrap v6, (btoi (ige v6, v4))
//! v7 = load element (v1 + 3 + v8)
//! ```
//!
//! So each draw from a deck costs one comparison for each earlier draw, instead of moving the rest
//! of the deck; and if the deck was filled with known words, it need not be in memory
//! ([`super::constant_lists`]). A note is a word of its own ([`super::words`]), because a trial may
//! or may not reach the shift: until then it holds an index above all others.
//!
//! Premise: all shifts, and all stores after a shift, happen at most once during the life of the
//! list.

use super::look_up::First;
use super::objects::{Address, Objects};
use super::params::params;
use super::words::{Access, End, Index, MAX_HELD, Noted, Past, rewrite};
use crate::analysis::{Given, Interval, KnownRanges, Ranges};
use crate::ir::cfg::{ControlFlow, repeats, successors};
use crate::ir::{Block, Field, Function, Imm, Inst, InstData, Op, Tables, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_FUEL_CEILING;
use dicec_runtime::script::HEADER;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The maximum number of notes on a list.
const MAX_NOTES: usize = 16;

/// The maximum number of notes that the reads of a list check; a read in a loop counts several
/// times.
const MAX_LOOKS: usize = 256;
const LOOKS_IN_LOOP: usize = 8;

/// Replaces shifts of lists by notes.
pub(super) fn unshift(function: &mut Function, tables: &Tables, known: &mut KnownRanges) {
    let is_shift = |inst: Inst| matches!(function.insts[inst].op, Op::ShiftDown | Op::ShiftUp);
    if !function.live_insts().any(is_shift) {
        return;
    }
    let objects = Objects::of(function, tables, known);
    let mut plan = Plan::new(&objects, known.within(function, Given::of(tables)));
    for list in 0..objects.all.len() {
        if objects.all[list].is_shifted && !objects.all[list].escapes {
            plan.list(list);
        }
    }
    let Plan {
        first,
        mut accesses,
        shifts,
        ..
    } = plan;
    if accesses.is_empty() || first.len() * function.blocks.len() > MAX_HELD {
        return;
    }
    for shift in shifts {
        let access = shift.write(function);
        accesses.insert(shift.inst, access);
    }
    rewrite(function, &first, &accesses);
    params(function);
}

/// An instruction that reads, writes or moves elements.
#[derive(Clone, Copy)]
struct Step {
    block: Block,
    /// Its position in the block.
    position: usize,
    inst: Inst,
    index: Index,
}

/// A note, with its words.
struct Note {
    step: Step,
    noted: Noted,
    /// The bounds of the index at which the moved elements end.
    end: Interval,
    /// The blocks that a trial may reach after it, during the life of the list.
    reached: SecondaryMap<Block, bool>,
}

impl Note {
    fn reaches(&self, step: &Step) -> bool {
        match self.step.block == step.block {
            true => self.step.position < step.position,
            false => self.reached[step.block],
        }
    }
}

/// A shift that becomes a note.
struct Shift {
    inst: Inst,
    block: Block,
    index: Index,
    /// The word with the index of the first moved element.
    from: usize,
    /// The word with the index of the last moved element, and its value if that is known.
    to: usize,
    end: Option<Value>,
    /// The maximum number of elements that move.
    most: i64,
}

struct Plan<'o> {
    objects: &'o Objects<'o>,
    graph: ControlFlow,
    ranges: Rc<Ranges>,
    /// The initial contents of each word.
    first: Vec<First>,
    accesses: FxHashMap<Inst, Access>,
    shifts: Vec<Shift>,
}

impl<'o> Plan<'o> {
    fn new(objects: &'o Objects<'o>, ranges: Rc<Ranges>) -> Self {
        Self {
            objects,
            graph: ControlFlow::new(objects.function),
            ranges,
            first: Vec::new(),
            accesses: FxHashMap::default(),
            shifts: Vec::new(),
        }
    }

    /// Plans the replacements for a list, if all of its accesses meet the premise.
    fn list(&mut self, list: usize) {
        let (words, shifts) = (self.first.len(), self.shifts.len());
        match self.accesses_of(list) {
            Some(accesses) => self.accesses.extend(accesses),
            None => {
                self.first.truncate(words);
                self.shifts.truncate(shifts);
            }
        }
    }

    fn accesses_of(&mut self, list: usize) -> Option<Vec<(Inst, Access)>> {
        let function = self.objects.function;
        let object = &self.objects.all[list];
        let (reads, writes): (Vec<Step>, Vec<Step>) = self
            .steps(list)?
            .into_iter()
            .partition(|step| function.insts[step.inst].op == Op::Load);
        let begin = self.first.len();
        let mut accesses = Vec::new();
        let notes = self.notes(list, writes, &mut accesses)?;
        let mut looks = 0;
        for read in reads {
            let past: Vec<&Note> = notes.iter().filter(|note| note.reaches(&read)).collect();
            let in_loop = repeats(function, read.block, Some(object.block));
            looks += past.len() * if in_loop { LOOKS_IN_LOOP } else { 1 };
            if !past.is_empty() {
                accesses.push((read.inst, self.read(list, &read, &past)?));
            }
        }
        let words = begin..self.first.len();
        let words = words.step_by(2).map(|word| (word, object.size)).collect();
        accesses.push((object.made, Access::List(object.size - HEADER, words)));
        (looks <= MAX_LOOKS).then_some(accesses)
    }

    /// The notes on a list, in the order of execution. A store before all shifts is not a note: it
    /// changes the list in memory.
    fn notes(
        &mut self,
        list: usize,
        writes: Vec<Step>,
        accesses: &mut Vec<(Inst, Access)>,
    ) -> Option<Vec<Note>> {
        let function = self.objects.function;
        let object = &self.objects.all[list];
        let mut notes: Vec<Note> = Vec::new();
        let mut before: Vec<Step> = Vec::new();
        for step in writes {
            let is_store = function.insts[step.inst].op == Op::Store;
            if is_store && !notes.iter().any(|note| note.reaches(&step)) {
                before.push(step);
                continue;
            }
            if notes.len() == MAX_NOTES || repeats(function, step.block, Some(object.block)) {
                return None;
            }
            let words = self.first.len();
            // No index of the list is as high as its number of words.
            self.first
                .extend([First::Number(object.size), First::Number(0)]);
            let (noted, end) = match is_store {
                false => self.shift(step, words),
                true => {
                    let value = function.insts[step.inst].args[1];
                    let set = vec![(words, step.index), (words + 1, Index::Value(value))];
                    accesses.push((step.inst, Access::Set(set, value)));
                    (Noted::Put(words, words + 1), Interval::ALL)
                }
            };
            let note = Note {
                step,
                noted,
                end,
                reached: reached(function, step.block, object.block),
            };
            before.push(step);
            // The order of blocks is that of execution, unless loops have several entries.
            if before.iter().any(|earlier| note.reaches(earlier)) {
                return None;
            }
            notes.push(note);
        }
        Some(notes)
    }

    /// The instructions that read, write and move the elements of a list, in the order of
    /// execution.
    fn steps(&self, list: usize) -> Option<Vec<Step>> {
        let Objects { function, .. } = *self.objects;
        let mut steps = Vec::new();
        let mut field = None;
        for &block in self.graph.reverse_postorder() {
            for (position, &inst) in function.blocks[block].insts.iter().enumerate() {
                let data = &function.insts[inst];
                if self.objects.grown(data) == Some(list) {
                    return None;
                }
                let Some((address, element)) = self.element(list, data) else {
                    continue;
                };
                let is_known =
                    matches!(data.op, Op::Load | Op::Store | Op::ShiftDown | Op::ShiftUp);
                if !is_known || *field.get_or_insert(element) != element {
                    return None;
                }
                let index = match address.index {
                    Some(index) => Index::Value(index),
                    None => Index::Number(address.offset - HEADER),
                };
                steps.push(Step {
                    block,
                    position,
                    inst,
                    index,
                });
            }
        }
        Some(steps)
    }

    /// The element that an instruction reads, writes or moves.
    fn element(&self, list: usize, data: &InstData) -> Option<(Address, Field)> {
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let word = self.objects.word(data)?;
        (word.object == list && word.offset >= HEADER).then_some((word, field))
    }

    /// Plans a shift, whose note has two words from `words` on.
    fn shift(&mut self, step: Step, words: usize) -> (Noted, Interval) {
        let function = self.objects.function;
        let data = &function.insts[step.inst];
        let count = data.args[1];
        // The number of elements is often the difference of both ends.
        let end = function.def(count).and_then(|def| {
            let &[end, from] = def.args.as_slice() else {
                return None;
            };
            let is_from = match step.index {
                Index::Value(index) => index == from,
                Index::Number(number) => function.as_iconst(from) == Some(number),
            };
            (def.op == Op::IsubWrap && is_from).then_some(end)
        });
        let number = end.and_then(|end| function.as_iconst(end));
        let bounds = end.map_or(Interval::ALL, |end| self.ranges.of(end));
        let most = self.ranges.at(step.block, count).high;
        self.shifts.push(Shift {
            inst: step.inst,
            block: step.block,
            index: step.index,
            from: words,
            to: words + 1,
            end,
            most: most.clamp(0, MAX_FUEL_CEILING.into()),
        });
        let end = number.map_or(End::Word(words + 1), End::Number);
        let noted = match data.op {
            Op::ShiftUp => Noted::Up(words, end),
            _ => Noted::Down(words, end),
        };
        (noted, bounds)
    }

    /// Plans a read that has to account for some notes.
    fn read(&self, list: usize, read: &Step, past: &[&Note]) -> Option<Access> {
        let Objects { function, .. } = *self.objects;
        let mut highest = match read.index {
            Index::Value(index) => self.ranges.at(read.block, index).high,
            Index::Number(number) => number,
        };
        let mut notes = Vec::with_capacity(past.len());
        for note in past.iter().rev() {
            let mut noted = note.noted;
            match &mut noted {
                Noted::Down(_, end) => {
                    if highest < note.end.low {
                        *end = End::Beyond;
                    }
                    highest = highest.saturating_add(1);
                }
                Noted::Up(_, end) => {
                    if highest <= note.end.low {
                        *end = End::Beyond;
                    }
                }
                Noted::Put(..) => {}
            }
            notes.push(noted);
        }
        let Imm::Field(element) = function.insts[read.inst].imm else {
            return None;
        };
        Some(Access::Past(Past {
            list: function.insts[self.objects.all[list].made].result,
            element,
            index: read.index,
            notes,
        }))
    }
}

impl Shift {
    /// Writes the note before the shift, and burns the fuel of the shift.
    fn write(&self, function: &mut Function) -> Access {
        let InstData { args, span, .. } = function.insts[self.inst].clone();
        let mut insts = Vec::new();
        let mut add = |op: Op, args: Vec<Value>, imm: Imm| {
            let inst = function.new_inst(op, args, imm, span);
            insts.push(inst);
            function.insts[inst].result
        };
        let none = add(Op::Iconst, Vec::new(), Imm::Int(0));
        let count = add(Op::Imax, vec![args[1], none], Imm::None);
        add(Op::Burn, vec![count], Imm::Int(self.most));
        let end = match (self.end, self.index) {
            (Some(end), _) => Index::Value(end),
            (None, Index::Value(from)) => {
                Index::Value(add(Op::IaddWrap, vec![from, count], Imm::None))
            }
            (None, Index::Number(number)) => {
                let from = add(Op::Iconst, Vec::new(), Imm::Int(number));
                Index::Value(add(Op::IaddWrap, vec![from, count], Imm::None))
            }
        };
        let block = &mut function.blocks[self.block].insts;
        let position = block.iter().position(|&inst| inst == self.inst);
        let position = position.unwrap_or(block.len());
        block.splice(position..position, insts);
        Access::Set(vec![(self.from, self.index), (self.to, end)], count)
    }
}

/// The blocks that are reachable from the end of a block without passing `except`.
fn reached(function: &Function, block: Block, except: Block) -> SecondaryMap<Block, bool> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut pending = vec![block];
    while let Some(from) = pending.pop() {
        for next in successors(function, from) {
            if next != except && !std::mem::replace(&mut seen[next], true) {
                pending.push(next);
            }
        }
    }
    seen
}
