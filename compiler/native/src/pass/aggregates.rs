//! Scalar replacement of aggregates: the words of a record or list that only its own function sees
//! become values.
//!
//! An object is replaced if its address is used only to read and write its words: it is not stored,
//! passed, returned or merged with another address. So comparing its address with another one
//! (whether two records are the same) folds, too. A list may grow if each `append` runs at most
//! once during its life, so that it has room for all of them. The elements must be at known
//! indices; with `any_index`, a short list may also be indexed by variables: an access then selects
//! among all elements, which lanes can do. Replacing a list frees the records whose addresses it
//! holds, so the pass repeats. Of other lists, only the header becomes values, so that loops over
//! them can be unrolled; a list that grows is then made with its final capacity.

use super::look_up::First;
use super::objects::{Address, Object, Objects};
use super::params::params;
use super::words::{Access, Choice, Growth, MAX_HELD, rewrite};
use crate::analysis::{Given, KnownRanges, Ranges};
use crate::ir::{Function, Imm, Inst, InstData, Op, Tables, Value};
use dicec_runtime::script::{CAPACITY, HEADER, LENGTH, START};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The maximum number of words of an object: a list of 16 elements and its header.
const MAX_WORDS: i64 = 32 + HEADER;

/// The maximum depth of objects in objects that are replaced.
const MAX_DEPTH: usize = 8;

/// Replaces all objects that can be replaced.
pub(super) fn aggregates(
    function: &mut Function,
    tables: &Tables,
    known: &mut KnownRanges,
    any_index: bool,
) {
    for _ in 0..MAX_DEPTH {
        let objects = Objects::of(function, tables, known);
        let indices = any_index.then(|| known.within(function, Given::of(tables)));
        let replacing = Replacing::new(&objects, indices);
        let words = replacing.words;
        let accesses = replacing.accesses();
        if accesses.is_empty() || words * function.blocks.len() > MAX_HELD {
            return;
        }
        rewrite(function, &vec![First::Number(0); words], &accesses);
        // The address of a record may have been a word; it should be a value of its own again.
        params(function);
        function.compact();
    }
}

/// The objects whose words, or headers, become values.
struct Replacing<'o> {
    objects: &'o Objects<'o>,
    layouts: Vec<Layout<'o>>,
    /// The number of replaced words.
    words: usize,
    /// The ranges of indices, if lists with variable indices are replaced.
    indices: Option<Rc<Ranges>>,
}

/// The words of an object.
struct Layout<'o> {
    object: &'o Object,
    /// The index of its first word, or of its length if only the header is replaced.
    first: usize,
    is_replaced: bool,
    /// Whether its length in memory changes; it has room for everything that is appended.
    has_room: bool,
}

impl<'o> Replacing<'o> {
    fn new(objects: &'o Objects<'o>, indices: Option<Rc<Ranges>>) -> Self {
        let mut words = 0;
        let layouts = objects.all.iter().map(|object| {
            let layout = Layout::new(object, indices.is_some(), words);
            words += match (layout.is_replaced, layout.has_room) {
                (true, _) => object.size.unsigned_abs() as usize,
                (false, true) => 1,
                (false, false) => 0,
            };
            layout
        });
        Self {
            objects,
            layouts: layouts.collect(),
            words,
            indices,
        }
    }

    fn accesses(&self) -> FxHashMap<Inst, Access> {
        let mut accesses = FxHashMap::default();
        for layout in &self.layouts {
            let made = layout.object.made;
            if layout.is_replaced {
                accesses.insert(made, Access::Make(layout.begin()));
            } else if layout.has_room {
                accesses.insert(made, layout.room());
            }
        }
        let objects = self.objects;
        for inst in objects.function.live_insts() {
            let data = &objects.function.insts[inst];
            let access = match (objects.grown(data), data.op) {
                (Some(list), _) => self.append(data, &self.layouts[list]),
                (None, Op::ShiftDown | Op::ShiftUp) => None,
                (None, Op::Ieq) => objects.same(data).map(Access::Truth),
                (None, Op::Ine) => objects.same(data).map(|same| Access::Truth(!same)),
                (None, _) => objects.word(data).and_then(|word| self.access(data, word)),
            };
            accesses.extend(access.map(|access| (inst, access)));
        }
        accesses
    }

    /// The access of an instruction that appends to this list.
    fn append(&self, data: &InstData, list: &Layout<'_>) -> Option<Access> {
        let Imm::List(kind) = data.imm else {
            return None;
        };
        match (list.is_replaced, list.has_room) {
            (true, _) => Some(Access::Append(list.growth())),
            (false, true) => Some(Access::Place {
                length: list.first,
                element: self.objects.tables.lists[kind].element,
            }),
            (false, false) => None,
        }
    }

    /// The access of an instruction that reads or writes this word.
    fn access(&self, data: &InstData, word: Address) -> Option<Access> {
        let layout = &self.layouts[word.object];
        if !layout.is_replaced {
            let is_known = data.op == Op::Peek || !layout.object.escapes;
            if data.op == Op::Store {
                let is_length = self.objects.shrunk(data).is_some() && layout.has_room;
                return is_length.then_some(Access::Store(layout.first));
            }
            return self.header(layout, word).filter(|_| is_known);
        }
        Some(match (data.op, word.index) {
            (Op::Store, None) => Access::Store(layout.word(word.offset)),
            (Op::Store, Some(index)) => Access::StoreOf(self.choice(layout, index)),
            (_, None) => Access::Load(layout.word(word.offset)),
            (_, Some(index)) => Access::LoadOf(self.choice(layout, index)),
        })
    }

    /// The elements that an index may select. In dead code, the range of an index may be empty.
    fn choice(&self, layout: &Layout<'_>, index: Value) -> Choice {
        let all = layout.elements();
        let range = self.indices.as_ref().map(|ranges| ranges.of(index));
        let may_be =
            |element: i64| range.is_none_or(|range| (range.low..=range.high).contains(&element));
        let near: Vec<(i64, usize)> = all.iter().copied().filter(|&(at, _)| may_be(at)).collect();
        Choice {
            index,
            words: if near.is_empty() { all } else { near },
        }
    }

    /// The header of a list whose elements stay in memory.
    fn header(&self, layout: &Layout<'_>, word: Address) -> Option<Access> {
        let object = layout.object;
        let made = self.objects.function.insts[object.made].result;
        match word.offset {
            _ if !object.is_list || word.index.is_some() => None,
            _ if object.changes_length && !layout.has_room => None,
            LENGTH if object.changes_length => Some(Access::Load(layout.first)),
            LENGTH | CAPACITY => Some(Access::Always(First::Number(object.size - HEADER))),
            START => Some(Access::Sum(made, HEADER)),
            _ => None,
        }
    }
}

impl<'o> Layout<'o> {
    fn new(object: &'o Object, any_index: bool, first: usize) -> Self {
        let is_own = !object.escapes && !object.is_unbounded;
        let stays =
            object.size > MAX_WORDS || object.has_indices && !any_index || object.is_shifted;
        Self {
            object,
            first,
            is_replaced: is_own && !stays,
            has_room: is_own && stays && object.changes_length,
        }
    }

    /// The number of elements when the list is made.
    fn count(&self) -> i64 {
        self.object.size - HEADER - self.object.appends
    }

    fn room(&self) -> Access {
        let elements = self.object.size - HEADER;
        Access::List(elements, vec![(self.first, self.count())])
    }

    fn word(&self, offset: i64) -> usize {
        // Offsets lie within the object.
        self.first + offset.unsigned_abs() as usize
    }

    /// The words of the elements, by their indices.
    fn elements(&self) -> Vec<(i64, usize)> {
        let elements = 0..self.object.size - HEADER;
        elements
            .map(|element| (element, self.word(HEADER + element)))
            .collect()
    }

    /// The words for appended elements, including those that shrinking the list frees.
    fn growth(&self) -> Growth {
        let first = match self.object.shrinks {
            true => 0,
            false => self.count(),
        };
        let elements = first..self.object.size - HEADER;
        Growth {
            length: self.word(LENGTH),
            words: elements
                .map(|element| (element, self.word(HEADER + element)))
                .collect(),
        }
    }

    /// The initial contents of its words. A word that is written before it is read starts as 0, and
    /// so does the start address of a list, because nothing uses it any more.
    fn begin(&self) -> Vec<(usize, i64)> {
        let mut words: Vec<(usize, i64)> = (0..self.object.size)
            .map(|offset| (self.word(offset), 0))
            .collect();
        if self.object.is_list {
            for offset in [LENGTH, CAPACITY] {
                words[offset.unsigned_abs() as usize].1 = self.count();
            }
        }
        words
    }
}
