//! Values of a trial, and the records and lists that they refer to.

use crate::hir::Data;
use dicec_runtime::bug;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// What a function without a value gives.
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
}

/// The records and lists of a trial: the values of their fields and elements. Types are not recursive, so nothing refers
/// to itself.
#[derive(Debug, Default)]
pub(super) struct Heap {
    objects: Vec<Vec<Value>>,
}

impl Heap {
    /// A new record or list.
    pub(super) fn add(&mut self, values: Vec<Value>) -> Value {
        self.objects.push(values);
        Value::Ref(self.objects.len() - 1)
    }

    /// The value of `data`, in new records and lists.
    pub(super) fn load(&mut self, data: &Data) -> Value {
        match data {
            Data::Int(value) | Data::Degree(value) => Value::Int(*value),
            Data::Float(value) => Value::Float(value.get()),
            Data::Bool(value) => Value::Bool(*value),
            Data::Text(text) => Value::Text(Text::words(text.as_str())),
            Data::List(parts) | Data::Record(parts) => {
                let values = parts.iter().map(|part| self.load(part)).collect();
                self.add(values)
            }
        }
    }

    /// The fields or elements of what `value` refers to.
    ///
    /// # Errors
    /// An internal error if it is no reference, which a checked module never asks for.
    pub(super) fn parts(&self, value: &Value) -> Result<&[Value], TrapCode> {
        match value {
            Value::Ref(index) => Ok(&self.objects[*index]),
            other => Err(bug!("the parts of {other:?}").into()),
        }
    }

    /// [`Heap::parts`], to change them.
    ///
    /// # Errors
    /// As for [`Heap::parts`].
    pub(super) fn parts_mut(&mut self, value: &Value) -> Result<&mut Vec<Value>, TrapCode> {
        match value {
            Value::Ref(index) => Ok(&mut self.objects[*index]),
            other => Err(bug!("the parts of {other:?}").into()),
        }
    }
}
