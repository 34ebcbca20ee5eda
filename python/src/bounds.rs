//! The results that a question is about: `p(ge=9, lt=13)`.

use crate::value::type_error;
use dicec_compiler::answer::Total;
use dicec_runtime::scale::Scale;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat};

/// The bounds of results, as they are asked for; each of them holds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bounds<'a, 'py> {
    pub(crate) ge: Option<&'a Bound<'py, PyAny>>,
    pub(crate) gt: Option<&'a Bound<'py, PyAny>>,
    pub(crate) le: Option<&'a Bound<'py, PyAny>>,
    pub(crate) lt: Option<&'a Bound<'py, PyAny>>,
}

impl Bounds<'_, '_> {
    /// Whether there is none.
    pub(crate) fn is_empty(self) -> bool {
        let all = [self.ge, self.gt, self.le, self.lt];
        all.iter().all(Option::is_none)
    }

    /// The first and the last outcome; the last is less if there is none.
    ///
    /// # Errors
    /// A bound that is not a number.
    pub(crate) fn outcomes(self, scale: Scale) -> PyResult<(i64, i64)> {
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        if let Some(bound) = self.ge {
            low = low.max(at_least(total(bound)?, scale));
        }
        if let Some(bound) = self.gt {
            match at_most(total(bound)?, scale).checked_add(1) {
                Some(above) => low = low.max(above),
                None => return Ok((0, -1)),
            }
        }
        if let Some(bound) = self.le {
            high = high.min(at_most(total(bound)?, scale));
        }
        if let Some(bound) = self.lt {
            match at_least(total(bound)?, scale).checked_sub(1) {
                Some(below) => high = high.min(below),
                None => return Ok((0, -1)),
            }
        }
        Ok((low, high))
    }
}

/// The least outcome that is at least a total.
fn at_least(total: Total, scale: Scale) -> i64 {
    match (total, scale) {
        (Total::Whole(value), Scale::Whole) => value,
        _ => scale.at_least(total.number()),
    }
}

/// The greatest outcome that is at most a total.
fn at_most(total: Total, scale: Scale) -> i64 {
    match (total, scale) {
        (Total::Whole(value), Scale::Whole) => value,
        _ => scale.at_most(total.number()),
    }
}

/// A number that totals are compared with.
///
/// # Errors
/// `TypeError` for anything else, and `ValueError` for NaN.
pub(crate) fn total(value: &Bound<'_, PyAny>) -> PyResult<Total> {
    if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.extract::<f64>()?;
        return match float.is_nan() {
            true => Err(PyValueError::new_err("NaN is not a number to compare with")),
            false => Ok(Total::Float(float)),
        };
    }
    let is_number = !value.is_instance_of::<PyBool>() && value.hasattr("__index__")?;
    match is_number {
        true => Ok(Total::Whole(value.extract()?)),
        false => Err(type_error("a result of these odds", "a number", value)),
    }
}
