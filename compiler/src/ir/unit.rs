//! A script's roll as a whole: the function of one trial, the functions that it calls, and what their instructions refer to.
//!
//! A lone [`Function`] is a unit of its own whose tables are empty: notation has no records, texts or lines.

use super::entity::{Field, Func, ListKind};
use super::function::Function;
use cranelift_entity::PrimaryMap;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::script::Site;
use std::sync::Arc;

/// A trial and all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The functions; the first is the trial.
    pub functions: PrimaryMap<Func, Function>,
    /// What they refer to.
    pub tables: Tables,
}

/// What instructions refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// The bounds on a trial.
    pub limits: ScriptLimits,
    /// The texts of the program, by their ids, each once.
    pub texts: Arc<[String]>,
    /// What stands around a text that is output, by place.
    pub sites: Arc<[Site]>,
    /// The names of the statistics.
    pub stats: Vec<String>,
    /// The kinds of words in memory.
    pub fields: PrimaryMap<Field, FieldData>,
    /// The types of records.
    pub records: Vec<RecordData>,
    /// The kinds of lists.
    pub lists: PrimaryMap<ListKind, ListData>,
    /// The arguments: what the first words of the image hold.
    pub inputs: Vec<Shape>,
    /// The only image that the unit is for, if it is for one alone: it may know any address in it.
    pub known: Option<Arc<[i64]>>,
}

/// A kind of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldData {
    /// What to call it.
    pub name: String,
    /// Its place behind the address of its record or list; an element's is 0, behind the element's own address.
    pub offset: u32,
    /// Whether the program may change it after its record or list was made.
    pub written: bool,
}

/// A type of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordData {
    /// Its name.
    pub name: String,
    /// Its fields and what they hold, by place.
    pub fields: Vec<(Field, Shape)>,
}

impl RecordData {
    /// The words of a record.
    pub fn words(&self) -> usize {
        self.fields.len().max(1)
    }
}

/// A kind of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListData {
    /// How many elements there are.
    pub length: Field,
    /// How many there is room for.
    pub capacity: Field,
    /// The address of the first.
    pub start: Field,
    /// An element.
    pub element: Field,
    /// What an element holds.
    pub shape: Shape,
}

/// What a word holds.
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

impl From<Function> for Unit {
    fn from(function: Function) -> Self {
        Self {
            functions: [function].into_iter().collect(),
            tables: Tables::default(),
        }
    }
}

impl Unit {
    /// The function of one trial.
    pub fn trial(&self) -> &Function {
        &self.functions[Func::from_u32(0)]
    }
}

impl Tables {
    /// Whether lists of this kind may grow.
    pub fn grows(&self, list: &ListData) -> bool {
        self.fields[list.length].written
    }

    /// Whether there is memory at all, or anything else that only a script has.
    pub fn is_script(&self) -> bool {
        *self != Tables::default()
    }
}
