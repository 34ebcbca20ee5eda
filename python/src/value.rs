//! Values of Python from documents and numbers of the libraries.

use dashu_int::UBig;
use dicec_compiler::answer::Distribution;
use dicec_compiler::answer::document::Number;
use dicec_runtime::bug;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use serde::Serialize;

/// A document as dictionaries and lists.
///
/// # Errors
/// An internal one.
pub(crate) fn document<'py>(
    py: Python<'py>,
    document: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(document);
    let text = text.map_err(|error| {
        let bug = bug!("a document that is not JSON: {error}");
        PyErr::from(crate::error::Wrong::from(bug))
    })?;
    py.import("json")?.call_method1("loads", (text,))
}

/// JSON of dictionaries and lists, which numbers of NumPy may be in.
///
/// # Errors
/// `TypeError` for values that JSON does not have.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let options = PyDict::new(py);
    options.set_item("default", py.import("dicec._values")?.getattr("plain")?)?;
    let json = py.import("json")?;
    json.call_method("dumps", (value,), Some(&options))?
        .extract()
}

/// A result of these odds: a number, a truth value or a name.
pub(crate) fn outcome<'py>(
    py: Python<'py>,
    odds: &Distribution,
    outcome: i64,
) -> PyResult<Bound<'py, PyAny>> {
    if odds.kind() == dicec_compiler::Kind::Check {
        return Ok(PyBool::new(py, outcome != 0).to_owned().into_any());
    }
    match odds.name(outcome) {
        Some(name) => Ok(PyString::new(py, name).into_any()),
        None => number(py, Number::new(odds.scale(), outcome)),
    }
}

/// A number.
pub(crate) fn number(py: Python<'_>, number: Number) -> PyResult<Bound<'_, PyAny>> {
    Ok(match number {
        Number::Whole(value) => value.into_pyobject(py)?.into_any(),
        Number::Float(value) => value.into_pyobject(py)?.into_any(),
    })
}

/// A fraction as a `fractions.Fraction`.
pub(crate) fn fraction<'py>(
    py: Python<'py>,
    (above, below): &(UBig, UBig),
) -> PyResult<Bound<'py, PyAny>> {
    let text = format!("{above}/{below}");
    py.import("fractions")?.call_method1("Fraction", (text,))
}

/// What is told of a value of a wrong type.
pub(crate) fn type_error(what: &str, wanted: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name();
    let name = name.map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} has to be {wanted}, not {name}"))
}
