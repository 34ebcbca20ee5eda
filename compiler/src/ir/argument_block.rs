//! The **argument block**: a script's arguments and resources as words, which is what a kernel is
//! given as its resources.
//!
//! ```text
//! | argument, a word each | resource, a word each | words | texts | constants | records and lists ... | texts of the arguments ... |
//! 0                                                                                               words
//! ```
//!
//! The constants' records and lists are [`Tables::constants`]. `words` is where the records and
//! lists end: so much is copied into [`Memory`] before the first trial. `texts` is how many texts
//! the arguments bring that are not the module's: their ids follow those, and each is its length in
//! bytes and the bytes, eight a word. Records and lists stand in the order in which a walk meets
//! them, breadth first; nothing is shared, a list's room is its length, and its elements follow its
//! header. So what a program finds by following addresses is in the argument block, whatever words
//! someone may hand to a kernel: [`ArgumentBlock::read`] accepts nothing else, and for a module of
//! known arguments no argument block but theirs.

use super::module::{Shape, Tables};
use dicec_runtime::script::{HEADER, Memory, Notes, Texts, Window, Workspace};
use std::collections::VecDeque;
use std::sync::Arc;

/// Words between the resources and the first record.
pub const PREFACE: usize = 2;

/// An argument block that fits a module.
#[derive(Clone, Debug)]
pub struct ArgumentBlock<'i> {
    /// The words that trials begin with.
    pub words: &'i [i64],
    /// Those of them that trials may change.
    pub written: Vec<u32>,
    /// The texts that the arguments bring.
    pub texts: Vec<String>,
}

impl<'i> ArgumentBlock<'i> {
    /// Reads the argument block of a module whose trial reads so many `slots`: arguments and
    /// resources. `None` where it is not one.
    pub fn read(tables: &Tables, slots: usize, image: &'i [i64]) -> Option<Self> {
        if tables.known.as_deref().is_some_and(|known| known != image) {
            return None;
        }
        let word = |place: usize| usize::try_from(*image.get(place)?).ok();
        let words = image.get(..word(slots)?)?;
        let constants = slots + PREFACE;
        if !words.get(constants..)?.starts_with(&tables.constants) {
            return None;
        }
        let texts = read_texts(word(slots + 1)?, image.get(words.len()..)?)?;
        let mut walk = Walk {
            tables,
            words,
            texts: tables.texts.len() + texts.len(),
            end: constants + tables.constants.len(),
            written: Vec::new(),
            pending: tables.inputs.iter().copied().enumerate().collect(),
        };
        while let Some((place, shape)) = walk.pending.pop_front() {
            walk.word(place, shape)?;
        }
        (walk.end == words.len()).then_some(Self {
            words,
            written: walk.written,
            texts,
        })
    }
}

impl Tables {
    /// What trials on this argument block work on. Statistics have the cells of `windows`.
    pub fn workspace(&self, image: &ArgumentBlock<'_>, windows: &Arc<[Window]>) -> Workspace {
        let texts = Texts::new(self.texts.clone(), image.texts.clone());
        Workspace {
            memory: Memory::new(image.words),
            notes: Notes::new(self.sites.clone(), windows.clone(), &texts),
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
pub fn write_text(text: &str, image: &mut Vec<i64>) {
    // Memory holds fewer than 2^63 bytes.
    image.push(text.len() as i64);
    for part in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        image.push(i64::from_le_bytes(word));
    }
}

struct Walk<'w> {
    tables: &'w Tables,
    words: &'w [i64],
    /// How many texts there are.
    texts: usize,
    /// Where the next record or list has to begin.
    end: usize,
    written: Vec<u32>,
    pending: VecDeque<(usize, Shape)>,
}

impl Walk<'_> {
    fn word(&mut self, place: usize, shape: Shape) -> Option<()> {
        let word = *self.words.get(place)?;
        let here = usize::try_from(word).ok();
        match shape {
            Shape::Word => Some(()),
            Shape::Text => here.filter(|&id| id < self.texts).map(|_| ()),
            Shape::Record(number) => {
                let record = self.tables.records.get(number as usize)?;
                let start = self.take(here?, record.words())?;
                for (place, &(field, shape)) in (start..).zip(&record.fields) {
                    self.note(place, self.tables.fields[field].written)?;
                    self.pending.push_back((place, shape));
                }
                Some(())
            }
            Shape::List(kind) => {
                let list = self.tables.lists.get(kind)?;
                let start = self.take(here?, HEADER as usize)?;
                let &[length, capacity, first] = self.words.get(start..)?.first_chunk()?;
                for place in start..start + HEADER as usize {
                    self.note(place, self.tables.grows(list))?;
                }
                let count = usize::try_from(length).ok()?;
                let elements = self.take(usize::try_from(first).ok()?, count)?;
                for place in elements..elements + count {
                    self.note(place, self.tables.fields[list.element].written)?;
                    if list.shape != Shape::Word {
                        self.pending.push_back((place, list.shape));
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

    fn note(&mut self, place: usize, written: bool) -> Option<()> {
        if written {
            self.written.push(u32::try_from(place).ok()?);
        }
        Some(())
    }
}
