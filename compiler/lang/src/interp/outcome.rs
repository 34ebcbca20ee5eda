//! The results of a trial.

use super::heap;
use crate::hir::Type;
use dicec_runtime::float::key;

/// The result of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number, or the index of a label.
    Int(i64),
    /// A float.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A rung, or the degrees of a test.
    Degree(i64),
}

impl Value {
    /// The whole number that it is.
    pub fn whole(self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(value),
            Value::Float(_) | Value::Bool(_) | Value::Degree(_) => None,
        }
    }

    /// The float that it is.
    pub fn float(self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(value),
            Value::Int(_) | Value::Bool(_) | Value::Degree(_) => None,
        }
    }

    /// The value as sinks hold it: false is 0 and true is 1, a float is its key.
    #[inline]
    pub fn to_cell(self) -> i64 {
        match self {
            Value::Int(value) | Value::Degree(value) => value,
            Value::Float(value) => key(value),
            Value::Bool(value) => i64::from(value),
        }
    }

    #[inline]
    pub(super) fn of(value: &heap::Value<'_>, ty: &Type) -> Option<Self> {
        match (value, ty) {
            (heap::Value::Int(grade), Type::Degree(_) | Type::Test) => Some(Value::Degree(*grade)),
            (heap::Value::Int(value), _) => Some(Value::Int(*value)),
            (heap::Value::Float(value), _) => Some(Value::Float(*value)),
            (heap::Value::Bool(value), _) => Some(Value::Bool(*value)),
            (
                heap::Value::Unit
                | heap::Value::Text(_)
                | heap::Value::Ref(_)
                | heap::Value::Constant(_),
                _,
            ) => None,
        }
    }
}

/// The result of one roll of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The result.
    pub value: Value,
    /// A number before the final clamp, or the total that gave a degree; absent for a check.
    pub raw: Option<Value>,
    /// The face that could shift the degree (see [`dicec_runtime::degree`]).
    pub natural: Option<i64>,
    /// The number that the roll was held against.
    pub against: Option<i64>,
}

impl Outcome {
    #[inline]
    pub(super) fn new(value: Value, raw: Option<Value>) -> Self {
        Self {
            value,
            raw,
            natural: None,
            against: None,
        }
    }
}
