//! Constants (values known before a trial) and records as words.
//!
//! Constants never change, so a constant object is not part of any state: it is in a heap of its
//! own, at negative addresses, which packing leaves as they are.

use super::lower::Context;
use super::plan::Pure;
use super::reads::Word;
use super::shape::{FieldPlace, ShapeId};
use dicec_lang::hir::{ConstantId, Data, Type, TypeId};
use dicec_runtime::bug;
use dicec_runtime::float::key;
use rustc_hash::FxHashMap;

/// The constants that are objects.
#[derive(Default)]
pub(super) struct Constants {
    /// The heap: the word at the address `at` is at the index `-at - 1`, so an object's words are
    /// in reverse order. Nothing is at -1.
    pub(super) heap: Vec<Word>,
    known: FxHashMap<(ConstantId, Type), i64>,
}

impl Constants {
    /// The address of new words.
    fn place(&mut self, words: impl DoubleEndedIterator<Item = i64>) -> i64 {
        if self.heap.is_empty() {
            self.heap.push(Word::new(0));
        }
        self.heap.extend(words.rev().map(Word::new));
        -(self.heap.len() as i64)
    }

    /// The word of a value whose parts are all constant.
    fn store(&mut self, value: Pure) -> i64 {
        match value {
            Pure::Word(word) => word,
            Pure::Object(parts) => {
                let words = self.all(parts);
                self.place(words.into_iter())
            }
            Pure::List(parts) => {
                let words = self.all(parts);
                let length = words.len() as i64;
                let body = self.place([length].into_iter().chain(words));
                self.place([body].into_iter())
            }
            other => bug!("{other:?} is not known").raise(),
        }
    }

    fn all(&mut self, parts: Vec<Pure>) -> Vec<i64> {
        parts.into_iter().map(|part| self.store(part)).collect()
    }
}

impl Context<'_, '_> {
    /// The shape of values of a type.
    pub(super) fn shape(&mut self, ty: &Type) -> ShapeId {
        self.shapes.shape(self.script, ty)
    }

    /// A constant as a value of this type.
    pub(super) fn constant(&mut self, id: ConstantId, ty: &Type) -> Pure {
        if let Some(&at) = self.constants.known.get(&(id, ty.clone())) {
            return Pure::Word(at);
        }
        let value = self.data(&self.script.constant(id).value, ty);
        let word = self.constants.store(value);
        self.constants.known.insert((id, ty.clone()), word);
        Pure::Word(word)
    }

    /// A record of these fields.
    pub(super) fn assembled(&mut self, id: TypeId, fields: Vec<Pure>) -> Pure {
        let Some(layout) = self.shapes.layout(id) else {
            return Pure::Word(0);
        };
        let (mut fixed, mut slots) = (Vec::new(), vec![Pure::Word(0)]);
        let places = layout.fields.iter().zip(&layout.read);
        for (value, (place, is_read)) in fields.into_iter().zip(places) {
            match (place, value) {
                (FieldPlace::Fixed(_), Pure::Word(_)) if !is_read => fixed.push(Pure::Word(0)),
                (FieldPlace::Fixed(_), value) => fixed.push(value),
                (FieldPlace::Slot(_), value) => slots.push(value),
            }
        }
        let object = layout.shape.is_object();
        let fixed = self.tuple(fixed);
        if !object {
            return fixed;
        }
        slots[0] = fixed;
        Pure::Object(slots)
    }

    /// A tuple; a constant one if its parts are constant.
    fn tuple(&mut self, parts: Vec<Pure>) -> Pure {
        let words: Option<Vec<i64>> = parts
            .iter()
            .map(|part| match part {
                Pure::Word(word) => Some(*word),
                _ => None,
            })
            .collect();
        match words {
            Some(words) => Pure::Word(self.values.tuple(&words)),
            None => Pure::Tuple(parts),
        }
    }

    /// A constant, in new objects.
    pub(super) fn data(&mut self, data: &Data, ty: &Type) -> Pure {
        match (data, ty) {
            (Data::Int(word) | Data::Named(word), _) => Pure::Word(*word),
            (Data::Float(value), _) => Pure::Word(key(value.get())),
            (Data::Bool(truth), _) => Pure::Word(i64::from(*truth)),
            (Data::Text(text), _) => Pure::Word(self.values.text(text)),
            (Data::Record(values), Type::Record(id)) => {
                let script = self.script;
                let values = values.iter().zip(&script.record(*id).fields);
                let values = values.map(|(value, field)| self.data(value, &field.ty));
                let values = values.collect();
                self.assembled(*id, values)
            }
            (Data::List(values), Type::List(element)) => {
                let values = values
                    .iter()
                    .map(|value| self.data(value, element))
                    .collect();
                if self.shape(ty).is_object() {
                    Pure::List(values)
                } else {
                    self.tuple(values)
                }
            }
            // Data matches its type.
            (Data::Record(_) | Data::List(_), _) => Pure::Word(0),
        }
    }
}
