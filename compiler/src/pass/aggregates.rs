//! Scalar replacement of aggregates: the words of a record or list that only its own function sees
//! become values.
//!
//! An object is replaced if its address is used for nothing but reading and writing its words: it
//! is not stored, passed, returned or merged with another address. So a comparison of its address
//! with any other one (whether two records are the same) is known, too. A list may grow if each
//! `append` runs at most once while the list lives, so that it has room for all of them. Its
//! elements have to be at known indices, or, where `any_index` asks for it, the list has to be
//! short: then an access selects among all of them, which lanes can do. Replacing a list frees the
//! records whose addresses it holds, so the pass repeats. Of other lists, the header becomes
//! values, so that loops over them can be unrolled: one that grows is made with room for what is
//! appended.

use super::params::params;
use super::words::{Access, Choice, First, Growth, MAX_PARAMS, Room, rewrite};
use crate::analysis::{Executions, Given, Ranges};
use crate::ir::cfg::{ControlFlow, repeats};
use crate::ir::{Block, Function, Imm, Inst, InstData, Op, Tables, Terminator, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::{CAPACITY, HEADER, LENGTH, START};
use rustc_hash::FxHashMap;

/// The maximum number of words of an object: a list of 16 elements and its header.
const MAX_WORDS: i64 = 16 + HEADER;

/// The maximum number of elements that a list in memory gets room for.
const MAX_ROOM: i64 = 256;

/// The maximum depth of objects in objects that are replaced.
const MAX_DEPTH: usize = 8;

/// Replaces all objects that can be replaced.
pub(super) fn aggregates(function: &mut Function, tables: &Tables, any_index: bool) {
    for _ in 0..MAX_DEPTH {
        let mut objects = Objects::of(function, tables, any_index);
        let words = objects.number();
        let accesses = objects.accesses();
        if accesses.is_empty() || words * function.blocks.len() > MAX_PARAMS {
            return;
        }
        rewrite(function, &vec![First::Number(0); words], &accesses);
        // The address of a record may have been a word: it should be a value of its own again.
        params(function);
        *function = function.compacted();
    }
}

/// A record or list that the function makes.
struct Object {
    block: Block,
    made: Inst,
    /// Its words when it is made, and those for what is appended to it.
    size: i64,
    appends: i64,
    is_list: bool,
    /// Whether something else than the function's own reads and writes may see it.
    escapes: bool,
    /// Whether it is too large, or an element is at an index that is not known.
    stays: bool,
    /// Whether its length changes: it grows, or elements are taken from its end.
    changes_length: bool,
    /// Whether it may grow beyond what has room.
    is_unbounded: bool,
    /// The number of its first word, or of its length if only its header is replaced.
    first: usize,
}

/// An address inside an object.
#[derive(Clone, Copy)]
struct Address {
    object: usize,
    offset: i64,
    /// What is added to the offset.
    index: Option<Value>,
}

struct Objects<'f> {
    function: &'f Function,
    tables: &'f Tables,
    any_index: bool,
    objects: Vec<Object>,
    addresses: SecondaryMap<Value, Option<Address>>,
}

impl<'f> Objects<'f> {
    fn of(function: &'f Function, tables: &'f Tables, any_index: bool) -> Self {
        let mut objects = Self {
            function,
            tables,
            any_index,
            objects: Vec::new(),
            addresses: SecondaryMap::new(),
        };
        let blocks = function.blocks.iter();
        let insts =
            blocks.flat_map(|(block, data)| data.insts.iter().map(move |&inst| (block, inst)));
        let insts: Vec<(Block, Inst)> = insts.collect();
        // A use may precede its address in layout order, so this is repeated until all are known.
        loop {
            let before = objects.objects.len() + objects.known();
            insts
                .iter()
                .for_each(|&(block, inst)| objects.find(block, inst));
            if objects.objects.len() + objects.known() == before {
                break;
            }
        }
        let executions = executions(function, tables);
        insts
            .iter()
            .for_each(|&(block, inst)| objects.grow(block, inst, executions.as_ref()));
        insts.iter().for_each(|&(_, inst)| objects.check(inst));
        for block in function.blocks.values() {
            if let Some(terminator) = &block.terminator {
                Terminator::for_each_use(&mut terminator.clone(), |value| objects.escape(*value));
            }
        }
        objects
    }

    fn known(&self) -> usize {
        self.addresses.values().flatten().count()
    }

    /// Notes the object or the address that an instruction gives.
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
                .filter(|word| self.objects[word.object].is_list && word.offset == START)
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
        self.objects.push(Object {
            block,
            made,
            size,
            appends: 0,
            is_list,
            escapes: false,
            stays: size > MAX_WORDS,
            changes_length: false,
            is_unbounded: false,
            first: 0,
        });
        Address {
            object: self.objects.len() - 1,
            offset: 0,
            index: None,
        }
    }

    /// An address plus a number.
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
            // An index is added to the address of the first element.
            None if address.index.is_none() && address.offset == HEADER => Some(Address {
                index: Some(number),
                ..address
            }),
            None => None,
        }
    }

    /// The word that an instruction reads or writes, if it is known to be one of an object.
    fn word(&self, data: &InstData) -> Option<Address> {
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let address = self.addresses[data.args[0]]?;
        let offset = address.offset + i64::from(self.tables.fields[field].offset);
        let object = &self.objects[address.object];
        let fits = match address.index {
            None => (0..object.size).contains(&offset),
            Some(_) => object.is_list && offset == HEADER && object.size > HEADER,
        };
        fits.then_some(Address { offset, ..address })
    }

    /// Makes room in a list for what an instruction appends to it.
    fn grow(&mut self, block: Block, inst: Inst, executions: Option<&Executions>) {
        let data = &self.function.insts[inst];
        if let Some(list) = self.shrunk(data) {
            self.objects[list].changes_length = true;
        }
        let Some(list) = self.grown(data) else {
            return;
        };
        let times = match repeats(self.function, block, Some(self.objects[list].block)) {
            true => executions.and_then(|executions| executions.most(block)),
            false => Some(1),
        };
        let list = &mut self.objects[list];
        list.changes_length = true;
        let times = times.filter(|&times| list.size + times <= HEADER + MAX_ROOM);
        list.appends += times.unwrap_or(0);
        list.size += times.unwrap_or(0);
        list.stays |= list.size > MAX_WORDS;
        list.is_unbounded |= times.is_none() || list.size - HEADER > self.tables.limits.list.into();
    }

    /// The list whose length an instruction writes.
    fn shrunk(&self, data: &InstData) -> Option<usize> {
        let word = self.word(data).filter(|_| data.op == Op::Store)?;
        let is_length = word.offset == LENGTH && word.index.is_none();
        (is_length && self.objects[word.object].is_list).then_some(word.object)
    }

    /// The list that an instruction appends to.
    fn grown(&self, data: &InstData) -> Option<usize> {
        let list = self.addresses[*data.args.first()?]?;
        let is_list = self.objects[list.object].is_list && list.offset == 0;
        (data.op == Op::Append && is_list && list.index.is_none()).then_some(list.object)
    }

    /// Lets objects escape that an instruction uses for something else than their words.
    fn check(&mut self, inst: Inst) {
        let data = &self.function.insts[inst];
        let derives = self.addresses[data.result].is_some();
        for (place, &arg) in data.args.iter().enumerate() {
            let is_fine = match data.op {
                Op::IaddWrap => derives,
                Op::Peek | Op::Load => self.word(data).is_some(),
                Op::Append if place == 0 => self.grown(data).is_some(),
                Op::Ieq | Op::Ine => self.base(arg).is_some(),
                // The rest of the header stays as it was made.
                Op::Store if place == 0 => self.word(data).is_some_and(|word| {
                    let is_element = word.offset >= HEADER || word.offset == LENGTH;
                    !self.objects[word.object].is_list || is_element
                }),
                _ => false,
            };
            if !is_fine {
                self.escape(arg);
            }
        }
        if let Some(word) = self.word(data).filter(|word| word.index.is_some()) {
            self.objects[word.object].stays |= !self.any_index;
        }
    }

    /// The object whose address a value is.
    fn base(&self, value: Value) -> Option<usize> {
        let address = self.addresses[value].filter(|address| address.offset == 0)?;
        address.index.is_none().then_some(address.object)
    }

    /// Whether two addresses are equal, if that is known: each object has one of its own, and
    /// nothing else holds that of an object that does not escape.
    fn same(&self, data: &InstData) -> Option<bool> {
        let &[left, right] = data.args.as_slice() else {
            return None;
        };
        let is_own = |object: usize| !self.objects[object].escapes;
        match (self.base(left), self.base(right)) {
            (Some(left), Some(right)) => Some(left == right),
            (Some(object), None) | (None, Some(object)) => is_own(object).then_some(false),
            (None, None) => None,
        }
    }

    fn escape(&mut self, value: Value) {
        if let Some(address) = self.addresses[value] {
            self.objects[address.object].escapes = true;
        }
    }

    /// Numbers the words that are replaced; returns how many there are.
    fn number(&mut self) -> usize {
        let mut words = 0;
        for object in &mut self.objects {
            object.first = words;
            words += match (object.is_replaced(), object.has_room()) {
                (true, _) => object.size.unsigned_abs() as usize,
                (false, true) => 1,
                (false, false) => 0,
            };
        }
        words
    }

    fn accesses(&self) -> FxHashMap<Inst, Access> {
        let mut accesses = FxHashMap::default();
        for object in &self.objects {
            if object.is_replaced() {
                accesses.insert(object.made, Access::Make(object.begin()));
            } else if object.has_room() {
                accesses.insert(object.made, Access::Room(object.room()));
            }
        }
        for inst in self.function.live_insts() {
            let data = &self.function.insts[inst];
            let access = match (self.grown(data), data.op) {
                (Some(list), _) => self.append(data, &self.objects[list]),
                (None, Op::Ieq) => self.same(data).map(Access::Truth),
                (None, Op::Ine) => self.same(data).map(|same| Access::Truth(!same)),
                (None, _) => self.word(data).and_then(|word| self.access(data, word)),
            };
            accesses.extend(access.map(|access| (inst, access)));
        }
        accesses
    }

    /// What an instruction does that appends to a list.
    fn append(&self, data: &InstData, list: &Object) -> Option<Access> {
        let Imm::List(kind) = data.imm else {
            return None;
        };
        match (list.is_replaced(), list.has_room()) {
            (true, _) => Some(Access::Append(list.growth())),
            (false, true) => Some(Access::Place {
                length: list.first,
                element: self.tables.lists[kind].element,
            }),
            (false, false) => None,
        }
    }

    /// What an instruction does that reads or writes a word.
    fn access(&self, data: &InstData, word: Address) -> Option<Access> {
        let object = &self.objects[word.object];
        if !object.is_replaced() {
            let is_known = data.op == Op::Peek || !object.escapes;
            if data.op == Op::Store {
                let is_length = self.shrunk(data).is_some() && object.has_room();
                return is_length.then_some(Access::Store(object.first));
            }
            return self.header(object, word).filter(|_| is_known);
        }
        Some(match (data.op, word.index) {
            (Op::Store, None) => Access::Store(object.word(word.offset)),
            (Op::Store, Some(index)) => Access::StoreOf(object.choice(index)),
            (_, None) => Access::Load(object.word(word.offset)),
            (_, Some(index)) => Access::LoadOf(object.choice(index)),
        })
    }

    /// What the header of a list holds that stays in memory.
    fn header(&self, object: &Object, word: Address) -> Option<Access> {
        let made = self.function.insts[object.made].result;
        match word.offset {
            _ if !object.is_list || word.index.is_some() => None,
            _ if object.changes_length && !object.has_room() => None,
            LENGTH if object.changes_length => Some(Access::Load(object.first)),
            LENGTH | CAPACITY => Some(Access::Always(First::Number(object.size - HEADER))),
            START => Some(Access::Sum(made, HEADER)),
            _ => None,
        }
    }
}

/// How often blocks are executed, if that matters: appends may be in loops.
fn executions(function: &Function, tables: &Tables) -> Option<Executions> {
    let mut insts = function.live_insts();
    insts.find(|&inst| function.insts[inst].op == Op::Append)?;
    let graph = ControlFlow::new(function);
    let given = Given::of(tables);
    let ranges = Ranges::within(function, given);
    graph
        .has_loops()
        .then(|| Executions::of(function, &graph, &ranges, given.fuel))
}

impl Object {
    fn is_replaced(&self) -> bool {
        !self.escapes && !self.stays && !self.is_unbounded
    }

    /// Whether it changes its length in memory, with room for everything that is appended.
    fn has_room(&self) -> bool {
        self.changes_length && !self.is_replaced() && !self.escapes && !self.is_unbounded
    }

    /// The number of elements when it is made.
    fn count(&self) -> i64 {
        self.size - HEADER - self.appends
    }

    fn room(&self) -> Room {
        Room {
            elements: self.size - HEADER,
            length: self.first,
            count: self.count(),
        }
    }

    fn word(&self, offset: i64) -> usize {
        // Offsets lie within the object.
        self.first + offset.unsigned_abs() as usize
    }

    /// The elements by their indices.
    fn choice(&self, index: Value) -> Choice {
        let elements = 0..self.size - HEADER;
        Choice {
            index,
            words: elements
                .map(|element| (element, self.word(HEADER + element)))
                .collect(),
        }
    }

    /// The words that a list grows into.
    fn growth(&self) -> Growth {
        let end = self.size - HEADER;
        let elements = end - self.appends..end;
        Growth {
            length: self.word(LENGTH),
            words: elements
                .map(|element| (element, self.word(HEADER + element)))
                .collect(),
        }
    }

    /// What its words hold when it is made. Those that are written before they are read hold 0, and
    /// so does the start of a list: its address is used for nothing any more.
    fn begin(&self) -> Vec<(usize, i64)> {
        let mut words: Vec<(usize, i64)> = (0..self.size)
            .map(|offset| (self.word(offset), 0))
            .collect();
        if self.is_list {
            for offset in [LENGTH, CAPACITY] {
                words[offset.unsigned_abs() as usize].1 = self.count();
            }
        }
        words
    }
}
