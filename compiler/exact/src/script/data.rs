//! Constants and records as words; [`super::constants`] holds those that are objects.

use super::lowering::Context;
use super::plan::Pure;
use super::shape::FieldPlace;
use dicec_lang::hir::{ConstantId, Data, Type, TypeId};
use dicec_runtime::float::key;

impl Context<'_, '_> {
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
                // Neither traps.
                (FieldPlace::Fixed(_), Pure::Word(_) | Pure::Local(_)) if !is_read => {
                    fixed.push(Pure::Word(0));
                }
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
