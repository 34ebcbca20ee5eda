//! Values of a trial, and the records and lists that they refer to.

use crate::hir::Data;
use dicec_runtime::bug;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;

/// A value. Its tag is a whole word, so that all of its contents begin at one aligned offset: after
/// a tag of one byte they were moved in misaligned pieces, and reading those back took a third of
/// the time.
#[derive(Clone, Debug, PartialEq)]
#[repr(u64)]
pub(super) enum Value<'s> {
    /// The result of a function without a value.
    Unit,
    /// A whole number, or a rung.
    Int(i64),
    /// A float.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(Text),
    /// The index of a record or a list in the heap.
    Ref(usize),
    /// A record or a list that is constant, or a part of one.
    Constant(&'s Data),
}

impl<'s> Value<'s> {
    /// A constant.
    pub(super) fn constant(data: &'s Data) -> Self {
        match data {
            Data::Int(value) | Data::Named(value) => Value::Int(*value),
            Data::Float(value) => Value::Float(value.get()),
            Data::Bool(value) => Value::Bool(*value),
            Data::Text(text) => Value::Text(Text::words(text)),
            Data::List(_) | Data::Record(_) => Value::Constant(data),
        }
    }
}

/// The records and lists of a trial: the values of their fields and elements. Types are not
/// recursive, so nothing refers to itself.
#[derive(Debug, Default)]
pub(super) struct Heap<'s> {
    objects: Vec<Vec<Value<'s>>>,
}

impl<'s> Heap<'s> {
    /// Forgets all records and lists.
    pub(super) fn clear(&mut self) {
        self.objects.clear();
    }

    /// A new record or list.
    pub(super) fn add(&mut self, values: Vec<Value<'s>>) -> Value<'s> {
        self.objects.push(values);
        Value::Ref(self.objects.len() - 1)
    }

    /// The value of `data`, in new records and lists.
    pub(super) fn load(&mut self, data: &Data) -> Value<'s> {
        match data {
            Data::Int(value) | Data::Named(value) => Value::Int(*value),
            Data::Float(value) => Value::Float(value.get()),
            Data::Bool(value) => Value::Bool(*value),
            Data::Text(text) => Value::Text(Text::words(text)),
            Data::List(parts) | Data::Record(parts) => {
                let values = parts.iter().map(|part| self.load(part)).collect();
                self.add(values)
            }
        }
    }

    /// The number of fields or elements of `value`.
    ///
    /// # Errors
    /// An internal error if it is not a reference, which a checked module never asks for.
    #[inline]
    pub(super) fn length(&self, value: &Value<'s>) -> Result<usize, TrapCode> {
        match value {
            Value::Ref(index) => Ok(self.objects[*index].len()),
            Value::Constant(data) => Ok(data.parts().len()),
            other => Err(bug!("the parts of {other:?}").into()),
        }
    }

    /// A field or an element of the record or list that `value` refers to, if it exists.
    ///
    /// # Errors
    /// As for [`Heap::length`].
    #[inline]
    pub(super) fn part(
        &self,
        value: &Value<'s>,
        part: usize,
    ) -> Result<Option<Value<'s>>, TrapCode> {
        match value {
            Value::Ref(index) => Ok(self.objects[*index].get(part).cloned()),
            Value::Constant(data) => Ok(data.parts().get(part).map(Value::constant)),
            other => Err(bug!("the parts of {other:?}").into()),
        }
    }

    /// The fields or elements of the record or list that `value` refers to, to be changed.
    ///
    /// # Errors
    /// An internal error if it is a constant or not a reference, which a checked module never
    /// changes.
    #[inline]
    pub(super) fn parts_mut(&mut self, value: &Value<'s>) -> Result<&mut Vec<Value<'s>>, TrapCode> {
        match value {
            Value::Ref(index) => Ok(&mut self.objects[*index]),
            other => Err(bug!("the parts of {other:?}").into()),
        }
    }
}
