//! Memory whose words have known addresses, for scripts in lanes: which of them an address may be,
//! so that [`super::scalar_replacement`] can select among these instead of reading memory.

use crate::analysis::{FewValues, Given, Ranges};
use crate::ir::argument_block::PREFACE;
use crate::ir::{ArgumentBlock, Field, Function, ListData, Module, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::{CAPACITY, HEADER, LENGTH, START};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The maximum number of words that an access selects among if nothing writes them.
pub(super) const MAX_LOOKED_UP: usize = 64;

/// The words at known addresses: those of the known arguments, and those of objects that a trial
/// makes at most once.
pub(super) struct KnownMemory {
    /// What they hold when a trial begins.
    pub(super) words: Vec<i64>,
    /// The fields of records and lists, but for constants.
    fields: FxHashSet<(Field, usize)>,
    offsets: SecondaryMap<Field, i64>,
    constants: Range<usize>,
    /// The fields of the headers of lists, and where the lists are that a trial makes.
    headers: FxHashSet<Field>,
    lists: FxHashSet<usize>,
}

impl KnownMemory {
    /// Those of a script's known arguments; `None` if they are not known.
    pub(super) fn of(script: &Module) -> Option<Self> {
        let tables = &script.tables;
        let words = tables.known.as_deref()?;
        let fields = ArgumentBlock::fields(tables, script.slots(), words)?;
        let mut offsets = SecondaryMap::new();
        for (field, data) in &tables.fields {
            offsets[field] = data.offset.into();
        }
        let constants = script.slots() + PREFACE;
        Some(Self {
            words: words.to_vec(),
            fields: fields
                .into_iter()
                .map(|(field, at)| (field, at as usize))
                .collect(),
            offsets,
            constants: constants..constants + tables.constants.len(),
            headers: tables.lists.values().flat_map(header_of).collect(),
            lists: FxHashSet::default(),
        })
    }

    /// Adds the words of a record; returns its address.
    pub(super) fn place_record(&mut self, words: i64) -> i64 {
        let address = self.words.len() as i64;
        self.words.extend((0..words).map(|_| 0));
        address
    }

    /// Adds the words of a list of this many elements, its header first; returns its address.
    pub(super) fn place_list(&mut self, elements: i64) -> i64 {
        let address = self.words.len() as i64;
        self.lists.insert(self.words.len());
        self.words.extend((0..HEADER + elements).map(|at| match at {
            LENGTH | CAPACITY => elements,
            START => address + HEADER,
            _ => 0,
        }));
        address
    }

    /// Whether the word at an address is one of a field, or may be, as that of a constant.
    fn has(&self, field: Field, at: usize) -> bool {
        let list = usize::try_from(self.offsets[field]).ok();
        let list = list.and_then(|offset| at.checked_sub(offset));
        self.constants.contains(&at)
            || self.fields.contains(&(field, at))
            || self.headers.contains(&field) && list.is_some_and(|list| self.lists.contains(&list))
    }

    /// Notes that the word at an address is one of a field, if the address is known.
    pub(super) fn note(&mut self, function: &Function, field: Field, address: Value) {
        let at = function.as_iconst(address);
        let at = at.and_then(|at| usize::try_from(at + self.offsets[field]).ok());
        self.fields.extend(at.map(|at| (field, at)));
    }
}

fn header_of(list: &ListData) -> [Field; 3] {
    [list.length, list.capacity, list.start]
}

/// Which words the addresses of a trial may reach.
pub(super) struct Places<'m> {
    ranges: Ranges,
    few: FewValues,
    memory: &'m KnownMemory,
}

impl<'m> Places<'m> {
    pub(super) fn of(module: &Module, memory: &'m KnownMemory) -> Self {
        let ranges = Ranges::within(module.trial(), Given::of(&module.tables));
        Self {
            few: FewValues::within(module.trial(), &ranges, MAX_LOOKED_UP),
            ranges,
            memory,
        }
    }

    /// The words of a field that an address may reach; none if they are too many, or if it may
    /// reach others.
    pub(super) fn reached(
        &self,
        field: Field,
        address: Value,
        offset: i64,
        most: usize,
    ) -> Vec<usize> {
        let found: Vec<usize> = match self.few.numbers(address) {
            Some(numbers) => {
                let at = numbers.iter().filter_map(|number| {
                    let at = number.checked_add(offset)?;
                    usize::try_from(at).ok()
                });
                let is_there = |at: &usize| self.memory.has(field, *at);
                at.filter(is_there).take(most + 1).collect()
            }
            None => self.in_range(field, address, offset, most),
        };
        match found.len() <= most {
            true => found,
            false => Vec::new(),
        }
    }

    /// The words of a field in the range of an address, up to one more than `most`; none if that
    /// leaves the memory.
    fn in_range(&self, field: Field, address: Value, offset: i64, most: usize) -> Vec<usize> {
        let range = self.ranges.of(address);
        let ends = [range.low, range.high].map(|end| usize::try_from(end.saturating_add(offset)));
        let [Ok(low), Ok(high)] = ends else {
            return Vec::new();
        };
        if high >= self.memory.words.len() {
            return Vec::new();
        }
        let there = (low..=high).filter(|&at| self.memory.has(field, at));
        there.take(most + 1).collect()
    }
}
