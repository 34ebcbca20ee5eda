//! Escape analysis of the records and lists that a function makes, for [`super::aggregates`],
//! [`super::unshift`] and [`super::constant_lists`].
//!
//! An object escapes if its address is used for anything but reading, writing and moving its own
//! words and comparing it: if it is stored, passed, returned or merged with another address. The
//! words of an object that does not escape depend only on the function's own instructions.

use crate::analysis::{Executions, Given, KnownRanges};
use crate::ir::cfg::{ControlFlow, repeats};
use crate::ir::{Block, Function, Imm, Inst, InstData, Op, Tables, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::{HEADER, LENGTH, START};

/// The maximum capacity that is reserved for a list in memory.
const MAX_ROOM: i64 = 256;

/// A record or list that the function makes.
pub(super) struct Object {
    pub(super) block: Block,
    pub(super) made: Inst,
    /// The number of its words when it is made, and of those for appended elements.
    pub(super) size: i64,
    pub(super) appends: i64,
    pub(super) is_list: bool,
    /// Whether anything but the function's own accesses may see it.
    pub(super) escapes: bool,
    /// Whether an access has an unknown index.
    pub(super) has_indices: bool,
    /// Whether an instruction moves its elements.
    pub(super) is_shifted: bool,
    /// Whether its length changes: elements are appended, or removed at the end.
    pub(super) changes_length: bool,
    /// Whether elements are removed at its end, so that it may become shorter.
    pub(super) shrinks: bool,
    /// Whether it may grow beyond its capacity.
    pub(super) is_unbounded: bool,
}

/// An address inside an object.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub(super) object: usize,
    pub(super) offset: i64,
    /// A variable index, added to the offset.
    pub(super) index: Option<Value>,
}

/// The objects that a function makes.
pub(super) struct Objects<'f> {
    pub(super) function: &'f Function,
    pub(super) tables: &'f Tables,
    pub(super) all: Vec<Object>,
    addresses: SecondaryMap<Value, Option<Address>>,
}

impl<'f> Objects<'f> {
    pub(super) fn of(function: &'f Function, tables: &'f Tables, known: &mut KnownRanges) -> Self {
        let mut objects = Self {
            function,
            tables,
            all: Vec::new(),
            addresses: SecondaryMap::new(),
        };
        let blocks = function.blocks.iter();
        let insts =
            blocks.flat_map(|(block, data)| data.insts.iter().map(move |&inst| (block, inst)));
        let insts: Vec<(Block, Inst)> = insts.collect();
        // A use may precede the address in layout order, so this repeats until a fixed point.
        loop {
            let before = objects.all.len() + objects.known();
            insts
                .iter()
                .for_each(|&(block, inst)| objects.find(block, inst));
            if objects.all.len() + objects.known() == before {
                break;
            }
        }
        let executions = executions(function, tables, known);
        insts
            .iter()
            .for_each(|&(block, inst)| objects.grow(block, inst, executions.as_ref()));
        insts.iter().for_each(|&(_, inst)| objects.check(inst));
        for block in function.blocks.values() {
            if let Some(terminator) = &block.terminator {
                terminator.uses().for_each(|value| objects.escape(value));
            }
        }
        objects
    }

    fn known(&self) -> usize {
        self.addresses.values().flatten().count()
    }

    /// Records the object that an instruction makes, or the address that it computes.
    fn find(&mut self, block: Block, inst: Inst) {
        let data = &self.function.insts[inst];
        if self.addresses[data.result].is_some() {
            return;
        }
        let address = match (data.op, data.imm) {
            (Op::Alloc, Imm::Int(size)) => Some(self.object(block, inst, size, false)),
            (Op::NewList, Imm::Int(count)) => Some(self.object(block, inst, HEADER + count, true)),
            (Op::IaddWrap, _) => self.sum(data),
            (Op::Peek | Op::Load, Imm::Field(_)) => self
                .word(data)
                .filter(|word| self.all[word.object].is_list && word.offset == START)
                .filter(|word| word.index.is_none())
                .map(|word| Address {
                    offset: HEADER,
                    ..word
                }),
            _ => None,
        };
        self.addresses[data.result] = address;
    }

    fn object(&mut self, block: Block, made: Inst, size: i64, is_list: bool) -> Address {
        self.all.push(Object {
            block,
            made,
            size,
            appends: 0,
            is_list,
            escapes: false,
            has_indices: false,
            is_shifted: false,
            changes_length: false,
            shrinks: false,
            is_unbounded: false,
        });
        Address {
            object: self.all.len() - 1,
            offset: 0,
            index: None,
        }
    }

    /// The address that an addition computes.
    fn sum(&self, data: &InstData) -> Option<Address> {
        let (address, number) = match [0, 1].map(|place| self.addresses[data.args[place]]) {
            [Some(address), None] => (address, data.args[1]),
            [None, Some(address)] => (address, data.args[0]),
            _ => return None,
        };
        match self.function.as_iconst(number) {
            Some(number) => Some(Address {
                offset: address.offset.checked_add(number)?,
                ..address
            }),
            // A variable index is added to the address of the first element.
            None if address.index.is_none() && address.offset == HEADER => Some(Address {
                index: Some(number),
                ..address
            }),
            None => None,
        }
    }

    /// The word that an instruction reads or writes, if it is known to belong to an object.
    pub(super) fn word(&self, data: &InstData) -> Option<Address> {
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let address = self.addresses[data.args[0]]?;
        let offset = address.offset + i64::from(self.tables.fields[field].offset);
        let object = &self.all[address.object];
        let fits = match address.index {
            None => (0..object.size).contains(&offset),
            Some(_) => object.is_list && offset == HEADER && object.size > HEADER,
        };
        fits.then_some(Address { offset, ..address })
    }

    /// Reserves capacity for an instruction that appends to a list.
    fn grow(&mut self, block: Block, inst: Inst, executions: Option<&Executions>) {
        let data = &self.function.insts[inst];
        if let Some(list) = self.shrunk(data) {
            self.all[list].changes_length = true;
            self.all[list].shrinks = true;
        }
        let Some(list) = self.grown(data) else {
            return;
        };
        let made = self.all[list].block;
        let times = match repeats(self.function, block, Some(made)) {
            true => executions.and_then(|executions| executions.max_since(made, block)),
            false => Some(1),
        };
        let list = &mut self.all[list];
        list.changes_length = true;
        let times = times.filter(|&times| list.size + times <= HEADER + MAX_ROOM);
        list.appends += times.unwrap_or(0);
        list.size += times.unwrap_or(0);
        list.is_unbounded |= times.is_none() || list.size - HEADER > self.tables.limits.list.into();
    }

    /// The list whose length an instruction writes.
    pub(super) fn shrunk(&self, data: &InstData) -> Option<usize> {
        let word = self.word(data).filter(|_| data.op == Op::Store)?;
        let is_length = word.offset == LENGTH && word.index.is_none();
        (is_length && self.all[word.object].is_list).then_some(word.object)
    }

    /// The list that an instruction appends to.
    pub(super) fn grown(&self, data: &InstData) -> Option<usize> {
        let list = self.addresses[*data.args.first()?]?;
        let is_list = self.all[list.object].is_list && list.offset == 0;
        (data.op == Op::Append && is_list && list.index.is_none()).then_some(list.object)
    }

    /// The first of the elements that an instruction moves.
    pub(super) fn shifted(&self, data: &InstData) -> Option<Address> {
        let word = self.word(data)?;
        let is_shift = matches!(data.op, Op::ShiftDown | Op::ShiftUp);
        let is_element = self.all[word.object].is_list && word.offset >= HEADER;
        (is_shift && is_element).then_some(word)
    }

    /// Marks the objects that escape through an instruction.
    fn check(&mut self, inst: Inst) {
        let data = &self.function.insts[inst];
        let derives = self.addresses[data.result].is_some();
        for (place, &arg) in data.args.iter().enumerate() {
            let is_fine = match data.op {
                Op::IaddWrap => derives,
                Op::Peek | Op::Load => self.word(data).is_some(),
                Op::Append if place == 0 => self.grown(data).is_some(),
                Op::Ieq | Op::Ine => self.base(arg).is_some(),
                Op::ShiftDown | Op::ShiftUp if place == 0 => self.shifted(data).is_some(),
                // The rest of the header never changes.
                Op::Store if place == 0 => self.word(data).is_some_and(|word| {
                    let is_element = word.offset >= HEADER || word.offset == LENGTH;
                    !self.all[word.object].is_list || is_element
                }),
                _ => false,
            };
            if !is_fine {
                self.escape(arg);
            }
        }
        if let Some(word) = self.shifted(data) {
            self.all[word.object].is_shifted = true;
        }
        if let Some(word) = self.word(data).filter(|word| word.index.is_some()) {
            self.all[word.object].has_indices = true;
        }
    }

    /// The object that a value is the address of.
    pub(super) fn base(&self, value: Value) -> Option<usize> {
        let address = self.addresses[value].filter(|address| address.offset == 0)?;
        address.index.is_none().then_some(address.object)
    }

    /// Whether two addresses are equal, if that is known: each object has its own, and nothing else
    /// holds the address of an object that does not escape.
    pub(super) fn same(&self, data: &InstData) -> Option<bool> {
        let &[left, right] = data.args.as_slice() else {
            return None;
        };
        let is_own = |object: usize| !self.all[object].escapes;
        match (self.base(left), self.base(right)) {
            (Some(left), Some(right)) => Some(left == right),
            (Some(object), None) | (None, Some(object)) => is_own(object).then_some(false),
            (None, None) => None,
        }
    }

    fn escape(&mut self, value: Value) {
        if let Some(address) = self.addresses[value] {
            self.all[address.object].escapes = true;
        }
    }
}

/// The number of executions of each block, if it matters: appends may be in loops.
fn executions(function: &Function, tables: &Tables, known: &mut KnownRanges) -> Option<Executions> {
    let mut insts = function.live_insts();
    insts.find(|&inst| function.insts[inst].op == Op::Append)?;
    let graph = ControlFlow::new(function);
    let given = Given::of(tables);
    graph.has_loops().then(|| {
        let ranges = known.within(function, given);
        Executions::of(function, &graph, &ranges, given.fuel)
    })
}
