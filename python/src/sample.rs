//! `dicec.sample`: the results of many trials as an array of NumPy. The package makes the array, so
//! that one that is too large is a `MemoryError`, and this module fills it.

use crate::asked::{Asked, Reading};
use crate::error::Answered;
use crate::simulate::Wanted;
use crate::watch::watched;
use dicec_compiler::{Backend, Keep, Kind, Sampler, Simulation, random_seed};
use dicec_runtime::scale::Scale;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
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

/// Fills an array with results, one for each trial: numbers, 0 and 1 for false and true, indices of
/// names, or the bits of floats.
#[pyfunction]
#[pyo3(signature = (ready, array, progress=None))]
pub(crate) fn fill(
    py: Python<'_>,
    ready: &Ready,
    array: &Bound<'_, PyArray1<i64>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> Answered<()> {
    let wrong = |why: String| PyValueError::new_err(format!("the array cannot be filled: {why}"));
    let array = array.try_readwrite();
    let mut array = array.map_err(|error| wrong(error.to_string()))?;
    let samples = array.as_slice_mut();
    let samples = samples.map_err(|error| wrong(error.to_string()))?;
    let (bound, is_float) = (&ready.asked.bound, ready.kind == "float");
    let filled = watched(py, progress, |control, _| {
        let filled = ready.sampler.fill(bound, samples, control);
        if is_float {
            for sample in samples {
                *sample = Scale::Float.number(*sample).to_bits().cast_signed();
            }
        }
        filled
    })?;
    filled.map_err(|failure| ready.asked.failed(&failure))?;
    Ok(())
}
