//! The **argument block**: a script's arguments and resources as words. A kernel takes it as its
//! resources.
//!
//! ```text
//! | arguments | resources | words | texts | constants | records and lists ... | texts ... |
//! 0                                                                           words
//! ```
//!
//! An argument and a resource take a word each. The constants' records and lists are
//! [`Tables::constants`]. `words` is the address at which records and lists end; the words before
//! it are copied into [`Memory`] before the first trial. `texts` is the number of texts in the
//! arguments that the module does not have. Their ids follow those of the module's texts; each is
//! stored as its length in bytes and then its bytes, eight a word. Records and lists are in
//! breadth-first order; nothing is shared, a list's capacity is its length, and its elements follow
//! its header. [`ArgumentBlock::read`] refuses words of any other layout, so all addresses that a
//! program can follow stay in the block, whatever a caller passes to a kernel. A module of known
//! arguments accepts only the block of these, except for its open words ([`Tables::open`]).

use super::entity::Field;
use super::module::{Placed, Shape, Tables};
use dicec_runtime::script::{HEADER, Memory, Notes, Texts, Windows, Workspace};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

/// Words between the resources and the first record.
pub const PREFACE: usize = 2;

/// An argument block of a module, checked.
#[derive(Clone, Debug)]
pub struct ArgumentBlock<'i> {
    /// The initial memory of trials, including objects after the block ([`Tables::placed`]).
    pub words: Cow<'i, [i64]>,
    /// The addresses of words that trials may change.
    pub written: Vec<u32>,
    /// The texts that the arguments bring.
    pub texts: Vec<String>,
}

impl<'i> ArgumentBlock<'i> {
    /// Reads the argument block of a module whose trial reads `slots` words by slot: arguments and
    /// resources. `None` if the words are not such a block.
    pub fn read(tables: &Tables, slots: usize, arguments: &'i [i64]) -> Option<Self> {
        let (walk, texts) = Walk::over(tables, slots, arguments, false)?;
        let written = walk.noted.into_iter().map(|(_, address)| address);
        let mut block = Self {
            words: Cow::Borrowed(walk.words),
            written: written.collect(),
            texts,
        };
        if !tables.placed.is_empty() {
            block.place(&tables.placed, arguments.len())?;
        }
        Some(block)
    }

    /// Adds the words of objects after the block, all of which trials may change.
    fn place(&mut self, placed: &[Placed], end: usize) -> Option<()> {
        let words = self.words.to_mut();
        words.resize(end, 0);
        for object in placed {
            // Far below 2^63.
            words.extend(object.words(words.len() as i64));
        }
        let end = u32::try_from(end).ok()?;
        self.written.extend(end..u32::try_from(words.len()).ok()?);
        Some(())
    }

    /// The fields of the records and lists in it, with the addresses of their words. Constants are
    /// left out.
    pub fn fields(
        tables: &Tables,
        slots: usize,
        arguments: &'i [i64],
    ) -> Option<Vec<(Field, u32)>> {
        Some(Walk::over(tables, slots, arguments, true)?.0.noted)
    }
}

impl Tables {
    /// Whether the module is made for this argument block: for any, if its arguments are not known.
    fn serves(&self, arguments: &[i64]) -> bool {
        let Some(known) = self.known.as_deref() else {
            return true;
        };
        let open = self.open.addresses.iter();
        let mut open = open.map(|&address| address as usize).peekable();
        let numbers = self.open.range.numbers();
        let mut words = known.iter().zip(arguments).enumerate();
        known.len() == arguments.len()
            && words.all(
                |(address, (known, word))| match open.next_if_eq(&address).is_some() {
                    true => numbers.contains(word),
                    false => known == word,
                },
            )
    }

    /// The workspace of trials on this argument block. Statistics have the cells of `windows`.
    pub fn workspace(&self, arguments: &ArgumentBlock<'_>, windows: &Arc<Windows>) -> Workspace {
        let others = arguments.texts.iter().chain(&*self.joined);
        let texts = Texts::new(self.texts.clone(), others.cloned().collect());
        let stats = (self.stats.as_slice(), self.named_stats.clone());
        Workspace {
            memory: Memory::new(&arguments.words),
            notes: Notes::new(self.sites.clone(), windows.clone(), stats, &texts),
            texts,
        }
    }
}

fn read_texts(count: usize, mut words: &[i64]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for _ in 0..count {
        let (length, rest) = words.split_first()?;
        let length = usize::try_from(*length).ok()?;
        let (packed, rest) = rest.split_at_checked(length.div_ceil(8))?;
        let bytes = packed.iter().flat_map(|word| word.to_le_bytes());
        texts.push(String::from_utf8(bytes.take(length).collect()).ok()?);
        words = rest;
    }
    Some(texts)
}

/// Appends a text as [`ArgumentBlock::read`] reads it.
pub fn write_text(text: &str, arguments: &mut Vec<i64>) {
    // Memory holds fewer than 2^63 bytes.
    arguments.push(text.len() as i64);
    for part in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        arguments.push(i64::from_le_bytes(word));
    }
}

struct Walk<'t, 'w> {
    tables: &'t Tables,
    words: &'w [i64],
    /// How many texts there are.
    texts: usize,
    /// Where the next record or list has to begin.
    end: usize,
    /// Whether all fields are noted, and not only those that trials may change.
    all: bool,
    noted: Vec<(Field, u32)>,
    pending: VecDeque<(usize, Shape)>,
}

impl<'t, 'w> Walk<'t, 'w> {
    /// Walks over a whole block; returns the texts in it, too.
    fn over(
        tables: &'t Tables,
        slots: usize,
        arguments: &'w [i64],
        all: bool,
    ) -> Option<(Self, Vec<String>)> {
        if !tables.serves(arguments) {
            return None;
        }
        let word = |address: usize| usize::try_from(*arguments.get(address)?).ok();
        let words = arguments.get(..word(slots)?)?;
        let constants = slots + PREFACE;
        if !words.get(constants..)?.starts_with(&tables.constants) {
            return None;
        }
        let texts = read_texts(word(slots + 1)?, arguments.get(words.len()..)?)?;
        let mut walk = Walk {
            tables,
            words,
            texts: tables.texts.len() + texts.len(),
            end: constants + tables.constants.len(),
            all,
            noted: Vec::new(),
            pending: tables.inputs.iter().copied().enumerate().collect(),
        };
        while let Some((address, shape)) = walk.pending.pop_front() {
            walk.word(address, shape)?;
        }
        (walk.end == words.len()).then_some((walk, texts))
    }

    fn word(&mut self, address: usize, shape: Shape) -> Option<()> {
        let word = *self.words.get(address)?;
        let here = usize::try_from(word).ok();
        match shape {
            Shape::Word => Some(()),
            Shape::Text => here.filter(|&id| id < self.texts).map(|_| ()),
            Shape::Record(number) => {
                let record = self.tables.records.get(number as usize)?;
                let start = self.take(here?, record.words())?;
                for (address, &(field, shape)) in (start..).zip(&record.fields) {
                    self.note(field, address, self.tables.fields[field].written)?;
                    self.pending.push_back((address, shape));
                }
                Some(())
            }
            Shape::List(kind) => {
                let list = self.tables.lists.get(kind)?;
                let start = self.take(here?, HEADER as usize)?;
                let &[length, capacity, first] = self.words.get(start..)?.first_chunk()?;
                for (address, field) in (start..).zip([list.length, list.capacity, list.start]) {
                    self.note(field, address, self.tables.grows(list))?;
                }
                let count = usize::try_from(length).ok()?;
                let elements = self.take(usize::try_from(first).ok()?, count)?;
                for address in elements..elements + count {
                    let written = self.tables.fields[list.element].written;
                    self.note(list.element, address, written)?;
                    if list.shape != Shape::Word {
                        self.pending.push_back((address, list.shape));
                    }
                }
                (capacity == length).then_some(())
            }
        }
    }

    /// The next `count` words, which have to begin at `start`.
    fn take(&mut self, start: usize, count: usize) -> Option<usize> {
        let end = start.checked_add(count)?;
        if start != self.end || end > self.words.len() {
            return None;
        }
        self.end = end;
        Some(start)
    }

    fn note(&mut self, field: Field, address: usize, written: bool) -> Option<()> {
        if written || self.all {
            self.noted.push((field, u32::try_from(address).ok()?));
        }
        Some(())
    }
}
