//! The module: the function of one trial, the functions that it calls, and the tables that their
//! instructions refer to. Lowering builds it, passes rewrite it, engines run it.
//!
//! A rule is a module with one function and empty tables, because the notation has no records,
//! texts or lines. A script's tables are never empty: they have at least the site of plain lines.

use super::entity::{Field, Func, ListKind};
use super::function::Function;
use super::open::OpenWords;
use cranelift_entity::PrimaryMap;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::script::{CAPACITY, HEADER, LENGTH, START, Site};
use std::sync::Arc;

/// A trial and everything that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The functions; the first is the trial.
    pub functions: PrimaryMap<Func, Function>,
    /// The tables of their instructions.
    pub tables: Tables,
}

/// The tables that instructions refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// The bounds on a trial.
    pub limits: ScriptLimits,
    /// The texts of the program, by their ids, each once.
    pub texts: Arc<[String]>,
    /// Texts whose ids follow those of the known arguments' texts: precomputed joins of known ones.
    /// They may be equal to others.
    pub joined: Arc<[String]>,
    /// The words around a text that is output, by site.
    pub sites: Arc<[Site]>,
    /// The names of the statistics.
    pub stats: Vec<String>,
    /// The names of further statistics, which the program joins from known texts.
    pub named_stats: Arc<[String]>,
    /// The kinds of words in memory.
    pub fields: PrimaryMap<Field, FieldData>,
    /// The types of records.
    pub records: Vec<RecordData>,
    /// The kinds of lists.
    pub lists: PrimaryMap<ListKind, ListData>,
    /// The arguments: the contents of the first words of the argument block.
    pub inputs: Vec<Shape>,
    /// The words of its constants' records and lists, which come before those of the arguments in
    /// memory. Trials do not change them, so the module may hold any address in them as a constant.
    pub constants: Arc<[i64]>,
    /// The only argument block that the module is for, if its arguments are known: it may hold any
    /// address in it as a constant.
    pub known: Option<Arc<[i64]>>,
    /// The words of the known block that may hold other numbers.
    pub open: OpenWords,
    /// The objects that a trial makes at most once and that passes have put after the known block,
    /// one after the other: the module holds their addresses as constants.
    pub placed: Arc<[Placed]>,
}

/// An object after the known argument block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placed {
    /// A record of this many words.
    Record(u32),
    /// A list of this many elements, its header first.
    List(u32),
}

impl Placed {
    /// The initial contents of its words, at this address.
    pub fn words(self, address: i64) -> Vec<i64> {
        match self {
            Self::Record(words) => vec![0; words as usize],
            Self::List(elements) => {
                let words = (0..HEADER + i64::from(elements)).map(|at| match at {
                    LENGTH | CAPACITY => elements.into(),
                    START => address + HEADER,
                    _ => 0,
                });
                words.collect()
            }
        }
    }
}

/// A kind of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldData {
    /// Its name in the textual IR.
    pub name: String,
    /// Its offset from the address of its record or list. That of an element is 0, from the
    /// element's own address.
    pub offset: u32,
    /// Whether the program may change it after its record or list was made.
    pub written: bool,
}

/// A type of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordData {
    /// Its name.
    pub name: String,
    /// Its fields and their contents, by index.
    pub fields: Vec<(Field, Shape)>,
}

impl RecordData {
    /// Whether its words shape code, like those of a term of a dice value. A script cannot name a
    /// type with a space.
    pub fn shapes_code(&self) -> bool {
        self.name.starts_with(' ')
    }

    /// The words of a record.
    pub fn words(&self) -> usize {
        self.fields.len().max(1)
    }
}

/// A kind of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListData {
    /// The number of elements.
    pub length: Field,
    /// The capacity.
    pub capacity: Field,
    /// The address of the first.
    pub start: Field,
    /// An element.
    pub element: Field,
    /// The contents of an element.
    pub shape: Shape,
}

/// The contents of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A whole number, a truth value or a degree.
    Word,
    /// A text.
    Text,
    /// The address of a record of the type with this number.
    Record(u32),
    /// The address of a list.
    List(ListKind),
}

impl From<Function> for Module {
    fn from(function: Function) -> Self {
        Self {
            functions: [function].into_iter().collect(),
            tables: Tables::default(),
        }
    }
}

impl Module {
    /// The function of one trial.
    pub fn trial(&self) -> &Function {
        &self.functions[Func::TRIAL]
    }

    /// The function of one trial, to change it.
    pub fn trial_mut(&mut self) -> &mut Function {
        &mut self.functions[Func::TRIAL]
    }

    /// Whether trials need memory, fuel, texts or anything else that only a script has. A module
    /// that needs none of these is a rule.
    pub fn is_script(&self) -> bool {
        self.tables != Tables::default()
    }

    /// The tables of a script; `None` for a rule.
    pub fn script_tables(&self) -> Option<&Tables> {
        self.is_script().then_some(&self.tables)
    }

    /// The number of words that a trial reads by slot: a script's arguments, then resources.
    pub fn slots(&self) -> usize {
        self.trial().resources.len()
    }
}

impl Tables {
    /// The number of numbered statistics: those of [`Tables::stats`] and then of
    /// [`Tables::named_stats`].
    pub fn stat_count(&self) -> usize {
        self.stats.len() + self.named_stats.len()
    }

    /// Whether lists of this kind may grow.
    pub fn grows(&self, list: &ListData) -> bool {
        self.fields[list.length].written
    }
}
