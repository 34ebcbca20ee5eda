//! `dicec.batch`: rules for each row of a table of Arrow. Rows come in by Arrow's C interface, and
//! the columns that answers add go out by it.
//!
//! ```text
//! batches of Arrow --slices--> dicec_tables::Batch --> RecordBatches: the added columns
//!        |                                                |
//!        +----------- their own columns, as they are -----+--> batches of Arrow
//! ```
//!
//! The table's own columns are never copied: they are left out, or go out as they came in.

use crate::asked::{Reading, Rule};
use crate::error::{Answered, Wrong, warn};
use crate::faults::missing;
use crate::resources::Resources;
use crate::rows::{OnError, Rows};
use crate::simulate::Wanted;
use crate::watch::watched;
use arrow_array::RecordBatchIterator;
use dicec_compiler::Simulation;
use dicec_compiler::unstable::Backend;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_tables::{Batch, Columns as Header, Method, Numbers, Wanted as Columns};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use pyo3_arrow::PyRecordBatchReader;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Works out rules for each row of a table. Gives what is added to it, as a stream of Arrow; with
/// `whole` after the table's own columns, and with `lazy` as the stream is read.
#[pyfunction]
#[pyo3(signature = (
    table, rules, resources=None, /, *, trials=None, precision=None, seed=None, threads=None,
    quantiles=None, on_error="raise", progress=None, rows=None, whole=false, lazy=false,
    dialect=None, limits=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn batch(
    py: Python<'_>,
    table: PyRecordBatchReader,
    rules: Vec<(String, String)>,
    resources: Option<&Bound<'_, PyMapping>>,
    trials: Option<u64>,
    precision: Option<f64>,
    seed: Option<u64>,
    threads: Option<usize>,
    quantiles: Option<Vec<f64>>,
    on_error: &str,
    progress: Option<&Bound<'_, PyAny>>,
    rows: Option<u64>,
    whole: bool,
    lazy: bool,
    dialect: Option<String>,
    limits: Option<BTreeMap<String, u64>>,
) -> Answered<PyRecordBatchReader> {
    let wanted = Wanted {
        trials,
        precision,
        seed,
        threads,
    };
    let on_error = OnError::named(on_error)?;
    let compiler = Reading { dialect, limits }.compiler()?;
    let resources = Resources::new(&compiler, resources, None)?;
    let rules = rules.into_iter().map(|(name, text)| {
        let rule = Rule::new(py, &text, &compiler, &resources)?;
        Ok((name, rule))
    });
    let rules: Vec<(String, Rule)> = rules.collect::<Answered<_>>()?;
    let reader = table.into_reader()?;
    let header = Rows::header(reader.schema())?;
    let columns = Header::new(&header, resources.table);
    let (method, numbers) = (method(wanted, &rules)?, numbers(quantiles)?);
    let worked = watched(py, progress.filter(|_| !lazy), |control, progress| {
        let control = match lazy {
            // Nobody looks after work that goes on later.
            true => dicec_compiler::Control::default(),
            false => control.clone(),
        };
        let batch = Batch::controlled(columns, method, numbers, threads, control);
        let mut batch =
            batch.map_err(|why| Finding::general(FileCode::NoNativeCode.as_str(), why))?;
        let told = Arc::clone(progress);
        batch.on_progress(rows, move |done, most| told.set(done, most.unwrap_or(0)));
        ask(&mut batch, &rules)?;
        let sources = rules.iter().map(|(_, rule)| rule.sources().clone());
        let mut rows = Rows::new(reader, batch, sources.collect(), on_error, whole)?;
        let batches = match lazy {
            true => Vec::new(),
            false => rows.by_ref().collect::<Answered<Vec<_>>>()?,
        };
        Ok::<_, Wrong>((rows, batches))
    })?;
    let (rows, batches) = worked?;
    if lazy {
        return Ok(PyRecordBatchReader::new(Box::new(rows.into_reader())));
    }
    warn(py, rows.notes())?;
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), rows.schema());
    Ok(PyRecordBatchReader::new(Box::new(batches)))
}

/// How answers are found: exactly, or by the simulation that is asked for.
fn method(wanted: Wanted, rules: &[(String, Rule)]) -> PyResult<Method> {
    let is_script = rules.iter().any(|(_, rule)| rule.program.is_script());
    match (wanted.has_extent(), wanted.seed, rules.first()) {
        (_, _, None) => Err(PyValueError::new_err(
            "there is no rule: give at least one, {\"hit\": \"1d20 + [Attack] >= [AC]\"}",
        )),
        (true, ..) => {
            let usual = Simulation::usual(Backend::Auto, is_script);
            Ok(Method::Sample(wanted.simulation(usual)?))
        }
        (false, Some(_), _) => Err(PyTypeError::new_err(
            "exact odds take no seed: give trials or a precision, too",
        )),
        (false, None, Some((_, rule))) => Ok(Method::Exact(rule.program.limits().exact, None)),
    }
}

/// The columns of numbers.
fn numbers(quantiles: Option<Vec<f64>>) -> PyResult<Numbers> {
    let Some(quantiles) = quantiles else {
        return Ok(Numbers::Quantiles);
    };
    match quantiles.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(wrong) => Err(PyValueError::new_err(format!(
            "a quantile is of a share from 0 to 1, not {wrong}"
        ))),
        None if quantiles.is_empty() => Ok(Numbers::Ends),
        None => Ok(Numbers::Asked(Arc::new(Columns::new(&quantiles, &[], &[])))),
    }
}

/// Asks for the odds of rules.
fn ask(batch: &mut Batch, rules: &[(String, Rule)]) -> Answered<()> {
    let mut findings = Vec::new();
    for (name, rule) in rules {
        if let Err(lacking) = batch.ask_rule(name, &rule.program) {
            let columns = batch.columns();
            let lacking = lacking
                .iter()
                .map(|used| missing(columns, used, rule.sources()));
            findings.extend(lacking);
        }
    }
    match findings.is_empty() {
        true => Ok(()),
        false => Err(Wrong::Findings(findings)),
    }
}
