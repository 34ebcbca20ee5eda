//! Values that are known before a trial, and records in general, as words.

use super::lower::Context;
use super::plan::Pure;
use super::shape::{FieldPlace, ShapeId};
use crate::hir::{Data, Type, TypeId};
use dicec_runtime::float::key;

impl Context<'_, '_> {
    /// The shape of values of a type.
    pub(super) fn shape(&mut self, ty: &Type) -> ShapeId {
        self.shapes.shape(self.script, ty)
    }

    /// A record of these fields.
    pub(super) fn assembled(&mut self, id: TypeId, fields: Vec<Pure>) -> Pure {
        let Some(layout) = self.shapes.layout(id) else {
            return Pure::Word(0);
        };
        let (mut fixed, mut slots) = (Vec::new(), vec![Pure::Word(0)]);
        for (value, place) in fields.into_iter().zip(&layout.fields) {
            match place {
                FieldPlace::Fixed(_) => fixed.push(value),
                FieldPlace::Slot(_) => slots.push(value),
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

    /// A tuple, built at once if its parts are known.
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

    /// A value that is known, in new objects.
    pub(super) fn data(&mut self, data: &Data, ty: &Type) -> Pure {
        match (data, ty) {
            (Data::Int(word) | Data::Degree(word), _) => Pure::Word(*word),
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
            // Data fits its type.
            (Data::Record(_) | Data::List(_), _) => Pure::Word(0),
        }
    }
}
