//! The layout of memory: the types of a script as the module's tables, and arguments as the words
//! of an [argument block](crate::ir::argument_block).
//!
//! A record is one word per field, in the order of the type. Words that may be the same have the
//! same [`Field`]: those of all records of a type, and of all lists of a class
//! ([`super::classes`]).

use super::classes::{Class, Classes};
use super::reach::Reach;
use super::text::TextTable;
use crate::ir::argument_block::{PREFACE, write_text};
use crate::ir::{self, Field, FieldData, ListData, ListKind, RecordData, Shape, Tables};
use dicec_lang::hir::{ConstantId, Data, Expr, FunctionId, LocalId, Module, Type, TypeId};
use dicec_runtime::bug;
use dicec_runtime::float::key;
use dicec_runtime::script::{CAPACITY, HEADER, LENGTH, START};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The types of a script in memory.
#[derive(Debug)]
pub(super) struct Layout<'s> {
    script: &'s Module,
    reach: &'s Reach<'s>,
    pub(super) tables: Tables,
    classes: Classes,
    kinds: FxHashMap<Class, ListKind>,
}

impl<'s> Layout<'s> {
    pub(super) fn new(script: &'s Module, reach: &'s Reach<'s>, classes: Classes) -> Self {
        let mut layout = Self {
            script,
            reach,
            tables: Tables::default(),
            classes,
            kinds: FxHashMap::default(),
        };
        for (id, record) in (0..).zip(&script.types) {
            let fields = record.fields.iter().zip(0..).map(|(field, place)| {
                let written = reach
                    .fields
                    .iter()
                    .any(|(ty, at)| (ty.0, *at) == (id, place));
                let name = format!("{}.{}", record.name, field.name);
                let class = layout.classes.field(TypeId(id), place);
                let shape = layout.shape(&field.ty, class);
                (layout.field(name, place, written), shape)
            });
            let fields = fields.collect();
            layout.tables.records.push(RecordData {
                name: record.name.clone(),
                fields,
            });
        }
        layout
    }

    fn field(&mut self, name: String, offset: u32, written: bool) -> Field {
        self.tables.fields.push(FieldData {
            name,
            offset,
            written,
        })
    }

    /// The representation of a variable.
    pub(super) fn variable(&mut self, function: FunctionId, local: LocalId) -> Shape {
        let ty = &self.script.function(function).locals[local.index()].ty;
        let class = self.classes.local(function, local);
        self.shape(ty, class)
    }

    /// The representation of a value of this type, which has the class if it is a list.
    fn shape(&mut self, ty: &Type, class: Class) -> Shape {
        match ty {
            Type::Unknown
            | Type::Unit
            | Type::Int
            | Type::Float
            | Type::Bool
            | Type::Degree(_)
            | Type::Test
            | Type::Enum(_)
            | Type::Flags(_) => Shape::Word,
            Type::Text => Shape::Text,
            Type::Record(id) => Shape::Record(id.0),
            Type::List(element) => Shape::List(self.kind(element, class)),
        }
    }

    /// The kind of an expression that is a list, in a function.
    pub(super) fn kind_of(&mut self, function: FunctionId, list: &Expr) -> ListKind {
        let Type::List(element) = &list.ty else {
            bug!("{list:?} is not a list").raise()
        };
        let class = self.classes.of(function, list);
        self.kind(element, class)
    }

    /// The kind of lists of this class, with elements of this type.
    fn kind(&mut self, element: &Type, class: Class) -> ListKind {
        let class = self.classes.root(class);
        if let Some(&kind) = self.kinds.get(&class) {
            return kind;
        }
        let inner = self.classes.inner(class);
        let shape = self.shape(element, inner);
        let grows = self.reach.grows.contains(&class);
        let written = self.reach.elements.contains(&class);
        let name = self.script.type_name(element);
        let mut header = |part: &str, place: i64| {
            // An index in the header.
            self.field(format!("{name} list.{part}"), place as u32, grows)
        };
        let list = ListData {
            length: header("length", LENGTH),
            capacity: header("capacity", CAPACITY),
            start: header("start", START),
            element: self.field(format!("{name} list[]"), 0, written),
            shape,
        };
        let kind = self.tables.lists.push(list);
        self.kinds.insert(class, kind);
        kind
    }

    /// The field of a record, by its index in the type. Both come from the script, so it exists.
    pub(super) fn field_of(&self, record: u32, place: u32) -> Field {
        self.tables.records[record as usize].fields[place as usize].0
    }
}

/// The addresses of the constants of a roll.
#[derive(Debug, Default)]
pub(super) struct Constants<'s> {
    addresses: FxHashMap<(ConstantId, &'s Type), i64>,
}

impl<'s> Constants<'s> {
    /// Lays out the constants that the roll mentions, after `slots` arguments and resources. Their
    /// texts are added to the module's.
    pub(super) fn new(layout: &mut Layout<'s>, texts: &mut TextTable, slots: usize) -> Self {
        let (script, mentioned) = (layout.script, &layout.reach.constants);
        let first = slots + PREFACE;
        let shapes: Vec<Shape> = mentioned
            .iter()
            .map(|&(id, ty)| {
                let class = layout.classes.constant(id);
                layout.shape(ty, class)
            })
            .collect();
        let mut ids = FxHashMap::default();
        for (id, _) in mentioned {
            script.constant(*id).value.each_text(&mut |text| {
                ids.insert(text, texts.id(text));
            });
        }
        let mut writer = Writer::new(&layout.tables, &ids, vec![0; first]);
        let mut addresses = FxHashMap::default();
        for (&(id, ty), shape) in mentioned.iter().zip(shapes) {
            // The first word does not belong to a constant.
            let laid_out = writer.walk([(0, &script.constant(id).value, shape, false)]);
            laid_out.unwrap_or_else(|| bug!("a constant that is not of its type").raise());
            addresses.insert((id, ty), writer.words[0]);
        }
        let words = writer.words.split_off(first);
        layout.tables.constants = words.into();
        Self { addresses }
    }

    /// The address of a constant that the roll mentions as of this type.
    pub(super) fn address(&self, id: ConstantId, ty: &'s Type) -> i64 {
        // All mentions that the roll reaches were laid out.
        self.addresses[&(id, ty)]
    }
}

/// Lays out arguments for a module.
#[derive(Debug)]
pub struct Arguments<'u> {
    tables: &'u Tables,
    /// How many arguments and resources there are.
    slots: usize,
    /// The module's texts by text.
    ids: FxHashMap<&'u str, i64>,
}

/// A word of an argument block that holds no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its address.
    pub address: u32,
    /// Its contents.
    pub holds: Holds,
}

/// The contents of a [`Leaf`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A whole number that is not the number of a name.
    Int,
    /// The id of a text.
    Text,
    /// A truth value, a float, the number of a name, or a number that always shapes code.
    Other,
}

impl<'u> Arguments<'u> {
    /// A layout for this module, usable any number of times.
    pub fn new(module: &'u ir::Module) -> Self {
        Self::of(&module.tables, module.slots())
    }

    pub(super) fn of(tables: &'u Tables, slots: usize) -> Self {
        let texts = tables.texts.iter().map(String::as_str);
        Self {
            tables,
            slots,
            ids: texts.zip(0..).collect(),
        }
    }

    /// The argument block of arguments, one per parameter of the roll, and resources, one per slot
    /// of the script. `None` if they do not have the roll's types.
    pub fn lay_out(&self, args: &[Data], resources: &[i64]) -> Option<Vec<i64>> {
        self.lay_out_read(args, resources, &[])
    }

    /// The same without the contents of unread words, whose addresses are in order: 0 or the empty
    /// text replaces them.
    pub fn lay_out_read(
        &self,
        args: &[Data],
        resources: &[i64],
        unread: &[u32],
    ) -> Option<Vec<i64>> {
        let LaidOut {
            mut words, texts, ..
        } = self.laid_out(args, resources, unread)?;
        words[self.slots + 1] = i64::try_from(texts.len()).ok()?;
        texts.iter().for_each(|text| write_text(text, &mut words));
        Some(words)
    }

    /// An argument block before its texts are written to its end.
    pub fn laid_out<'w>(
        &'w self,
        args: &'w [Data],
        resources: &[i64],
        unread: &'w [u32],
    ) -> Option<LaidOut<'w>> {
        let (inputs, slots) = (&self.tables.inputs, self.slots);
        if args.len() != inputs.len() || slots != inputs.len() + resources.len() {
            return None;
        }
        let mut words = vec![0; inputs.len()];
        words.extend(resources);
        words.extend([0; PREFACE]);
        words.extend(self.tables.constants.iter());
        let mut writer = Writer::new(self.tables, &self.ids, words);
        writer.unread = unread;
        for slot in inputs.len()..slots {
            writer.leaf(slot, Holds::Int);
            if writer.is_unread(slot) {
                writer.words[slot] = 0;
            }
        }
        let args = args.iter().zip(inputs).enumerate();
        writer.walk(args.map(|(place, (data, &shape))| (place, data, shape, false)))?;
        let Writer {
            mut words,
            texts,
            mut leaves,
            ..
        } = writer;
        leaves.sort_unstable_by_key(|leaf| leaf.address);
        words[slots] = i64::try_from(words.len()).ok()?;
        Some(LaidOut {
            words,
            texts,
            leaves,
        })
    }
}

/// An argument block before its texts are written to its end.
#[derive(Debug)]
pub struct LaidOut<'w> {
    /// Its words up to the texts.
    pub words: Vec<i64>,
    /// The texts that the module does not have.
    pub texts: Vec<&'w str>,
    /// The words that hold no addresses, in order.
    pub leaves: Vec<Leaf>,
}

/// A value to write: its address, the value, what the word there holds, and whether it shapes code.
type Written<'w> = (usize, &'w Data, Shape, bool);

struct Writer<'w> {
    tables: &'w Tables,
    /// The module's texts by text.
    known: &'w FxHashMap<&'w str, i64>,
    words: Vec<i64>,
    /// The texts that the module does not have.
    texts: Vec<&'w str>,
    ids: FxHashMap<&'w str, i64>,
    /// The addresses of words that nothing reads, in order.
    unread: &'w [u32],
    leaves: Vec<Leaf>,
    pending: VecDeque<Written<'w>>,
}

impl<'w> Writer<'w> {
    /// Appends to these words.
    fn new(tables: &'w Tables, known: &'w FxHashMap<&'w str, i64>, words: Vec<i64>) -> Self {
        Self {
            tables,
            known,
            words,
            texts: Vec::new(),
            ids: FxHashMap::default(),
            unread: &[],
            leaves: Vec::new(),
            pending: VecDeque::new(),
        }
    }

    /// Writes these values to these addresses, and the values that they refer to after all words.
    /// `None` if one does not have its type.
    fn walk(&mut self, values: impl IntoIterator<Item = Written<'w>>) -> Option<()> {
        self.pending.extend(values);
        while let Some(written) = self.pending.pop_front() {
            self.word(written)?;
        }
        Some(())
    }

    fn word(&mut self, (place, data, shape, shapes_code): Written<'w>) -> Option<()> {
        let tables = self.tables;
        match (data, shape) {
            (Data::Int(_), _) if !shapes_code => self.leaf(place, Holds::Int),
            (_, Shape::Text) => self.leaf(place, Holds::Text),
            (_, Shape::Word) => self.leaf(place, Holds::Other),
            (_, Shape::Record(_) | Shape::List(_)) => {}
        }
        self.words[place] = match (data, shape) {
            (Data::Text(_), Shape::Text) if self.is_unread(place) => self.text(""),
            (Data::Int(_) | Data::Named(_) | Data::Float(_) | Data::Bool(_), Shape::Word)
                if self.is_unread(place) =>
            {
                0
            }
            (Data::Int(value) | Data::Named(value), Shape::Word) => *value,
            (Data::Float(value), Shape::Word) => key(value.get()),
            (Data::Bool(value), Shape::Word) => i64::from(*value),
            (Data::Text(text), Shape::Text) => self.text(text),
            (Data::Record(values), Shape::Record(number)) => {
                let record = tables.records.get(number as usize)?;
                if values.len() != record.fields.len() {
                    return None;
                }
                let address = self.take(record.words());
                let fields = values.iter().zip(&record.fields);
                let fields = (address..).zip(fields);
                let shapes_code = record.shapes_code();
                let pending =
                    fields.map(|(place, (value, (_, shape)))| (place, value, *shape, shapes_code));
                self.pending.extend(pending);
                address as i64
            }
            (Data::List(values), Shape::List(kind)) => {
                let shape = tables.lists.get(kind)?.shape;
                let header = self.take(HEADER as usize);
                let first = self.take(values.len());
                // Addresses are below 2^63.
                for (place, word) in [
                    (LENGTH, values.len()),
                    (CAPACITY, values.len()),
                    (START, first),
                ] {
                    self.words[header + place as usize] = word as i64;
                }
                let elements = (first..).zip(values);
                self.pending
                    .extend(elements.map(|(place, value)| (place, value, shape, false)));
                header as i64
            }
            _ => return None,
        };
        Some(())
    }

    fn leaf(&mut self, place: usize, holds: Holds) {
        // No kernel takes a block that is larger.
        let address = u32::try_from(place).unwrap_or(u32::MAX);
        self.leaves.push(Leaf { address, holds });
    }

    fn is_unread(&self, place: usize) -> bool {
        let address = u32::try_from(place);
        address.is_ok_and(|address| self.unread.binary_search(&address).is_ok())
    }

    /// The address of this many new words.
    fn take(&mut self, count: usize) -> usize {
        let place = self.words.len();
        self.words.resize(place + count, 0);
        place
    }

    fn text(&mut self, text: &'w str) -> i64 {
        if let Some(&id) = self.known.get(text) {
            return id;
        }
        let next = (self.tables.texts.len() + self.texts.len()) as i64;
        let id = *self.ids.entry(text).or_insert(next);
        if id == next {
            self.texts.push(text);
        }
        id
    }
}
