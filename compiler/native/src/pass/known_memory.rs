//! Points-to analysis for scripts in lanes: the words with known addresses that an access may
//! reach, so that [`super::scalar_replacement`] can select among them instead of reading memory.
//!
//! Lowering guarantees that a field is only accessed at the address of a record or list of its
//! type. So an access reaches only addresses whose word may belong to its field:
//!
//! * A word of the arguments belongs to the field that its type gives it. A constant may belong to
//!   any field, but nothing writes it.
//! * A word of an object that a trial makes may belong to any field at its offset in a record, in
//!   the header of a list, or of elements. A store may reach all of these. A word is written before
//!   it is read, so a load reaches those that a store of its field may reach.
//!
//! An access that may reach addresses outside of this memory, or too many, is not resolved at all.
//! If trials make no objects, there is nothing outside: such addresses are never reached.

use crate::analysis::{FewValues, Given, Ranges};
use crate::ir::argument_block::PREFACE;
use crate::ir::{ArgumentBlock, Field, Function, Imm, Module, Op, Placed, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::HEADER;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The maximum number of words that an access selects among if nothing writes them.
pub(super) const MAX_LOOKED_UP: usize = 64;

/// The words at known addresses: those of known arguments, and those of objects that a trial makes
/// at most once.
pub(super) struct KnownMemory {
    /// The contents when a trial begins.
    pub(super) words: Vec<i64>,
    /// The words of the arguments, with the field that each belongs to.
    arguments: FxHashSet<(Field, usize)>,
    constants: Range<usize>,
    /// The objects, in order, each with the address of its first word.
    objects: Vec<(usize, Placed)>,
    offsets: SecondaryMap<Field, i64>,
    /// The fields of list headers, and those of elements; all others are fields of records.
    headers: FxHashSet<Field>,
    elements: FxHashSet<Field>,
}

impl KnownMemory {
    /// The memory of a script with known arguments; `None` if they are not known.
    pub(super) fn of(script: &Module) -> Option<Self> {
        let tables = &script.tables;
        let words = tables.known.as_deref()?;
        let fields = ArgumentBlock::fields(tables, script.slots(), words)?;
        let mut offsets = SecondaryMap::new();
        for (field, data) in &tables.fields {
            offsets[field] = data.offset.into();
        }
        let constants = script.slots() + PREFACE;
        let lists = tables.lists.values();
        let (mut words, mut objects) = (words.to_vec(), Vec::new());
        for &object in tables.placed.iter() {
            objects.push((words.len(), object));
            // Far below 2^63.
            words.extend(object.words(words.len() as i64));
        }
        Some(Self {
            words,
            arguments: fields
                .into_iter()
                .map(|(field, at)| (field, at as usize))
                .collect(),
            constants: constants..constants + tables.constants.len(),
            objects,
            offsets,
            headers: lists
                .clone()
                .flat_map(|list| [list.length, list.capacity, list.start])
                .collect(),
            elements: lists.map(|list| list.element).collect(),
        })
    }

    /// Whether a word of an object that a trial makes may belong to a field.
    fn may_hold(&self, field: Field, at: usize) -> bool {
        let Some((object, offset)) = self.object(at) else {
            return false;
        };
        match object {
            Placed::Record(_) => {
                let is_of_lists = self.headers.contains(&field) || self.elements.contains(&field);
                !is_of_lists && self.offsets[field] == offset
            }
            Placed::List(_) if offset < HEADER => self.is_header(field, offset),
            Placed::List(_) => self.elements.contains(&field),
        }
    }

    /// Whether a word of a list header that a trial makes belongs to a field: it is written when
    /// the list is made.
    fn is_made(&self, field: Field, at: usize) -> bool {
        let object = self.object(at);
        object.is_some_and(|(object, offset)| {
            matches!(object, Placed::List(_)) && self.is_header(field, offset)
        })
    }

    /// The object that a word belongs to, and its offset there.
    fn object(&self, at: usize) -> Option<(Placed, i64)> {
        let before = self.objects.partition_point(|&(begin, _)| begin <= at);
        let &(begin, object) = self.objects.get(before.checked_sub(1)?)?;
        // Objects are small.
        Some((object, (at - begin) as i64))
    }

    fn is_header(&self, field: Field, offset: i64) -> bool {
        self.headers.contains(&field) && self.offsets[field] == offset
    }
}

/// The words that the accesses of a trial may reach.
pub(super) struct Places<'m> {
    ranges: Ranges,
    few: FewValues,
    memory: &'m KnownMemory,
    /// The words of objects that stores may write, with their fields.
    written: FxHashSet<(Field, usize)>,
    /// Whether the memory has all objects of a trial: it makes no others, and no list grows. Then
    /// no trial reaches an address outside, because indices are checked before.
    is_closed: bool,
}

impl<'m> Places<'m> {
    pub(super) fn of(module: &Module, memory: &'m KnownMemory) -> Self {
        let trial = module.trial();
        let ranges = Ranges::within(trial, Given::of(&module.tables));
        let mut places = Self {
            few: FewValues::within(trial, &ranges, MAX_LOOKED_UP),
            ranges,
            memory,
            written: FxHashSet::default(),
            is_closed: !makes_objects(trial),
        };
        for data in trial.live_insts().map(|inst| &trial.insts[inst]) {
            if let (Op::Store, Imm::Field(field)) = (data.op, data.imm) {
                // An unresolved access keeps all accesses to its field in memory.
                let reached = places.written(field, data.args[0], MAX_LOOKED_UP);
                let words = reached.into_iter().flatten();
                places.written.extend(words.map(|at| (field, at)));
            }
        }
        places
    }

    /// The words of a field that a load at an address may read, in order; `None` if there are more
    /// than `most`, or other words may be read.
    pub(super) fn read(&self, field: Field, address: Value, most: usize) -> Option<Vec<usize>> {
        self.reached(field, address, most, |at| {
            let memory = self.memory;
            memory.constants.contains(&at)
                || memory.arguments.contains(&(field, at))
                || memory.is_made(field, at)
                || self.written.contains(&(field, at))
        })
    }

    /// The same for the words that a store may write.
    pub(super) fn written(&self, field: Field, address: Value, most: usize) -> Option<Vec<usize>> {
        self.reached(field, address, most, |at| {
            self.memory.arguments.contains(&(field, at)) || self.memory.may_hold(field, at)
        })
    }

    /// The words at the possible addresses of a value that can belong to the field.
    fn reached(
        &self,
        field: Field,
        address: Value,
        most: usize,
        can_be: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let offset = self.memory.offsets[field];
        let at = |address: i64| {
            let at = usize::try_from(address.checked_add(offset)?).ok();
            at.filter(|&at| at < self.memory.words.len())
        };
        let all: Vec<usize> = match self.few.numbers(address) {
            Some(numbers) if self.is_closed => {
                numbers.iter().filter_map(|&number| at(number)).collect()
            }
            Some(numbers) => numbers
                .iter()
                .map(|&number| at(number))
                .collect::<Option<_>>()?,
            None => {
                let range = self.ranges.of(address);
                (at(range.low)?..=at(range.high)?).collect()
            }
        };
        let words: Vec<usize> = all
            .into_iter()
            .filter(|&at| can_be(at))
            .take(most + 1)
            .collect();
        (1..=most).contains(&words.len()).then_some(words)
    }
}

/// Whether a trial makes objects at run time, or grows lists, which moves their elements.
fn makes_objects(trial: &Function) -> bool {
    let mut insts = trial.live_insts();
    insts.any(|inst| {
        let op = trial.insts[inst].op;
        matches!(op, Op::Alloc | Op::NewList | Op::Append)
    })
}
