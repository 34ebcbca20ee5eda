//! `dicec.sample`: the results of many trials as an array of NumPy. The package makes the array, so
//! that one that is too large is a `MemoryError`, and this module fills it.

use crate::asked::{Asked, Reading};
use crate::error::Answered;
use crate::simulate::Wanted;
use crate::watch::watched;
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Failure, Keep, Kind, Sampler, Simulation, random_seed};
use dicec_runtime::driver::{Element, RunError};
use dicec_runtime::scale::Scale;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use std::collections::BTreeMap;

/// A rule that is ready to be sampled, and how its results are read.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Ready {
    asked: Asked,
    sampler: Sampler,
    /// "int", "float", "bool", or "name": an index of `names`.
    #[pyo3(get)]
    kind: &'static str,
    /// The names that results stand for.
    #[pyo3(get)]
    names: Vec<String>,
}

/// Prepares the sampling of a rule.
#[pyfunction]
#[pyo3(signature = (
    rule, resources=None, /, *, seed=None, threads=None, dialect=None, limits=None, **named
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn sampler(
    py: Python<'_>,
    rule: &str,
    resources: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    threads: Option<usize>,
    dialect: Option<String>,
    limits: Option<BTreeMap<String, u64>>,
    named: Option<&Bound<'_, PyDict>>,
) -> Answered<Ready> {
    let asked = Asked::new(py, rule, Reading { dialect, limits }, resources, named)?;
    let wanted = Wanted {
        seed: Some(seed.unwrap_or_else(random_seed)),
        threads,
        ..Wanted::default()
    };
    let usual = Simulation::usual(Backend::Auto, asked.bound.program().is_script());
    let simulation = wanted.simulation(usual)?.keep(Keep::Samples);
    let sampler = asked.bound.sampler(&simulation);
    let sampler = sampler.map_err(|failure| asked.failed(&failure))?;
    let kind = asked.bound.kind();
    let names = match kind {
        Some(Kind::Degree(ladder)) => ladder.names().map(str::to_owned).collect(),
        Some(Kind::Label | Kind::Level(_)) => asked.bound.definition().labels().to_vec(),
        _ => Vec::new(),
    };
    let kind = match kind {
        Some(Kind::Check) => "bool",
        Some(Kind::Degree(_) | Kind::Label | Kind::Level(_)) => "name",
        Some(kind) if kind.scale() == Scale::Float => "float",
        _ => "int",
    };
    Ok(Ready {
        asked,
        sampler,
        kind,
        names,
    })
}

/// An array of any type that results can have.
#[derive(FromPyObject)]
pub(crate) enum Array<'py> {
    Int64(Bound<'py, PyArray1<i64>>),
    Int32(Bound<'py, PyArray1<i32>>),
    Int16(Bound<'py, PyArray1<i16>>),
    Int8(Bound<'py, PyArray1<i8>>),
    Uint32(Bound<'py, PyArray1<u32>>),
    Uint16(Bound<'py, PyArray1<u16>>),
    Uint8(Bound<'py, PyArray1<u8>>),
    Float64(Bound<'py, PyArray1<f64>>),
    Truth(Bound<'py, PyArray1<bool>>),
}

/// Fills an array with results, one for each trial: numbers, truth values, or indices of names. The
/// results of a rule with decimals are for an array of floats.
#[pyfunction]
#[pyo3(signature = (ready, array, progress=None))]
pub(crate) fn fill(
    ready: &Ready,
    array: Array<'_>,
    progress: Option<&Bound<'_, PyAny>>,
) -> Answered<()> {
    match array {
        Array::Int64(array) => ready.fill(&array, progress),
        Array::Int32(array) => ready.fill(&array, progress),
        Array::Int16(array) => ready.fill(&array, progress),
        Array::Int8(array) => ready.fill(&array, progress),
        Array::Uint32(array) => ready.fill(&array, progress),
        Array::Uint16(array) => ready.fill(&array, progress),
        Array::Uint8(array) => ready.fill(&array, progress),
        Array::Float64(array) => ready.fill(&array, progress),
        Array::Truth(array) => ready.fill(&array, progress),
    }
}

impl Ready {
    fn fill<E: Element + numpy::Element>(
        &self,
        array: &Bound<'_, PyArray1<E>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Answered<()> {
        let py = array.py();
        let wrong =
            |why: String| PyValueError::new_err(format!("the array cannot be filled: {why}"));
        let elements = array.try_readwrite();
        let mut elements = elements.map_err(|error| wrong(error.to_string()))?;
        let samples = elements.as_slice_mut();
        let samples = samples.map_err(|error| wrong(error.to_string()))?;
        let bound = &self.asked.bound;
        let filled = watched(py, progress, |control, _| {
            self.sampler.fill(bound, samples, control)
        })?;
        match filled {
            Ok(_) => Ok(()),
            Err(Failure::Run(why @ RunError::DoesNotFit { .. })) => {
                let kind = array.dtype();
                let message = format!("{why}, whose type is {kind}: choose a wider dtype=");
                Err(PyOverflowError::new_err(message).into())
            }
            Err(failure) => Err(self.asked.failed(&failure)),
        }
    }
}
