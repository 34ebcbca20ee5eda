//! Odds as numbers of Python, and odds of such numbers: for arithmetic, equality and pickles, which
//! `dicec/_arithmetic.py` and `dicec/_habits.py` do.

use crate::odds::Odds;
use dashu_int::UBig;
use dicec_compiler::Kind;
use dicec_compiler::answer::document::Number;
use dicec_compiler::answer::{Distribution, Run, Share, Unbounded};
use dicec_compiler::unstable::{Ended, Extent};
use dicec_lang::hir::Labels;
use dicec_runtime::degree::Ladder;
use dicec_runtime::float::{finite, key};
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use dicec_runtime::stats::Tally;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use std::time::Duration;

/// Odds as a dictionary. One of `fractions`, `floats` and `counts` has the weights of the values.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Parts<'py> {
    expression: String,
    /// "whole", "float", "check", "test", "degree", "label" or "level".
    kind: String,
    /// The first level that is a success.
    success: i64,
    /// The names of labels, levels and degrees.
    names: Vec<String>,
    values: Vec<Value>,
    fractions: Option<Vec<Bound<'py, PyAny>>>,
    floats: Option<Vec<f64>>,
    counts: Option<Vec<u64>>,
    /// The relative error bound of floats.
    error: f64,
    left_out: f64,
    /// Whether the results have no lower bound, and no upper one.
    unbounded: (bool, bool),
    clamped: Option<f64>,
    run: Option<RunParts>,
}

/// The run of a simulation.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct RunParts {
    seed: u64,
    trials: u64,
    backend: String,
    sampling: String,
    /// Half the width of the interval that it ran for, of a share of the range or not.
    precision: Option<(f64, bool)>,
    /// The most trials of such a run.
    most: u64,
    /// The index of the reason in [`ENDS`].
    ended: usize,
    nanoseconds: u64,
}

/// Why runs end.
const ENDS: [Ended; 4] = [Ended::Trials, Ended::Precise, Ended::Most, Ended::Finished];

/// A whole number, or a float.
#[derive(Clone, Copy, FromPyObject, IntoPyObject)]
enum Value {
    Whole(i64),
    Float(f64),
}

/// What odds consist of.
///
/// # Errors
/// `ValueError` if their single outcomes are not known.
#[pyfunction]
pub(crate) fn parts<'py>(py: Python<'py>, odds: &Odds) -> PyResult<Parts<'py>> {
    let found = odds.distribution();
    if !found.has_outcomes() || found.resolution().is_some_and(|width| width > 1) {
        let message = "the single results of these odds are not known: a simulation had too many";
        return Err(PyValueError::new_err(message));
    }
    let (kind, success) = kind_parts(found.kind());
    let outcomes = found.outcomes();
    let value = |value| match Number::new(found.scale(), value) {
        Number::Whole(value) => Value::Whole(value),
        Number::Float(value) => Value::Float(value),
    };
    let fractions = outcomes.iter().map(|found| found.weight.as_ref());
    let fractions: Option<Vec<&UBig>> = fractions.collect();
    let fractions = fractions.map(|all| all.into_iter().map(|weight| whole(py, weight)).collect());
    let counts: Option<Vec<u64>> = outcomes.iter().map(|found| found.count).collect();
    let is_float = fractions.is_none() && counts.is_none();
    let unbounded = found.unbounded();
    Ok(Parts {
        expression: odds.text().to_owned(),
        kind: kind.to_owned(),
        success,
        names: names(found),
        values: outcomes.iter().map(|found| value(found.value)).collect(),
        fractions: fractions.transpose()?,
        floats: is_float.then(|| outcomes.iter().map(|found| found.p).collect()),
        counts,
        error: found.error_bound().unwrap_or(0.0),
        left_out: found.left_out(),
        unbounded: (unbounded.below, unbounded.above),
        clamped: found.clamped().map(|share| share.p),
        run: odds.run().map(run_parts),
    })
}

/// The odds that consist of these parts.
///
/// # Errors
/// `ValueError` if no odds do.
#[pyfunction]
pub(crate) fn of_parts(parts: Parts<'_>) -> PyResult<Odds> {
    let kind = kind_of(&parts)?;
    let keys = parts.values.iter().map(|value| outcome(kind, *value));
    let keys = keys.collect::<PyResult<Vec<i64>>>()?;
    let wrong = || PyValueError::new_err("odds have at least one result that can occur");
    let mut odds = match (parts.fractions, parts.floats, parts.counts) {
        (Some(weights), None, None) => {
            let weights = weights.iter().map(ubig).collect::<PyResult<Vec<UBig>>>()?;
            let table = Pmf::from_weights(keys.into_iter().zip(weights));
            Distribution::fractions(kind, table.ok_or_else(wrong)?)
        }
        (None, Some(weights), None) => {
            let table = Pmf::from_weights(keys.into_iter().zip(weights));
            let table = table.ok_or_else(wrong)?;
            let roundings = table.roundings().saturating_add(roundings(parts.error));
            Distribution::floats(kind, table.with_roundings(roundings))
        }
        (None, None, Some(counts)) => {
            let mut tally = Tally::new(kind.scale(), None);
            for (key, count) in keys.into_iter().zip(counts) {
                tally.add_counts(key, &[count]);
            }
            if tally.count() == 0 {
                return Err(wrong());
            }
            Distribution::sampled(kind, tally)
        }
        _ => return Err(PyValueError::new_err("odds have one list of weights")),
    };
    if kind.is_label() {
        odds = odds.labelled(Labels::Each(parts.names.into()));
    }
    let (below, above) = parts.unbounded;
    let odds = odds
        .leaving_out(parts.left_out)
        .unbounded_at(Unbounded { below, above })
        .clamped_by(parts.clamped.map(share));
    Ok(Odds::new(
        parts.expression,
        odds,
        parts.run.as_ref().map(run_of),
    ))
}

/// The odds of the sum of two independent rolls of exact odds of whole numbers.
///
/// # Errors
/// `OverflowError` for sums of more than 64 bits, and `ValueError` for odds of too many results.
#[pyfunction]
pub(crate) fn summed(one: &Odds, other: &Odds, expression: String) -> PyResult<Odds> {
    let (first, second) = (one.distribution(), other.distribution());
    let odds = match (weights(first), weights(second)) {
        (Some(first), Some(second)) => Distribution::fractions(Kind::Number, sum(&first, &second)?),
        _ => {
            let table = |odds: &Distribution| {
                let table = Pmf::from_weights(odds.probabilities())?;
                let known = roundings(odds.error_bound().unwrap_or(0.0));
                let all = table.roundings().saturating_add(known);
                Some(table.with_roundings(all))
            };
            let tables = table(first).zip(table(second));
            let (first, second) = tables.ok_or_else(|| PyValueError::new_err("no results"))?;
            Distribution::floats(Kind::Number, sum(&first, &second)?)
        }
    };
    let (ends, others) = (first.unbounded(), second.unbounded());
    let clamped = [first, second].map(|odds| odds.clamped().map_or(0.0, |share| share.p));
    let clamped = 1.0 - (1.0 - clamped[0]) * (1.0 - clamped[1]);
    let odds = odds
        .leaving_out(first.left_out() + second.left_out())
        .unbounded_at(Unbounded {
            below: ends.below || others.below,
            above: ends.above || others.above,
        })
        .clamped_by((clamped > 0.0).then(|| share(clamped)));
    Ok(Odds::new(expression, odds, None))
}

/// The roundings of weights with this relative error bound.
fn roundings(error: f64) -> u64 {
    // The conversion saturates.
    (error / (f64::EPSILON / 2.0)).ceil() as u64
}

fn sum<W: Weight>(first: &Pmf<W>, second: &Pmf<W>) -> PyResult<Pmf<W>> {
    use dicec_runtime::pmf::CombineError;
    let found = first.sum(second, &mut Budget::default());
    found.map_err(|error| match error {
        CombineError::Value(why) => PyOverflowError::new_err(why.to_string()),
        CombineError::Exhausted(why) => PyValueError::new_err(format!("too many results: {why}")),
    })
}

/// Exact odds in whole weights.
fn weights(odds: &Distribution) -> Option<Pmf<UBig>> {
    odds.denominator()?;
    let outcomes = odds.outcomes().into_iter();
    Pmf::from_weights(outcomes.filter_map(|found| Some((found.value, found.weight?))))
}

/// A probability of which only the number is known.
fn share(p: f64) -> Share {
    Share {
        p,
        fraction: None,
        in_full: false,
        interval: None,
    }
}

fn kind_parts(kind: Kind) -> (&'static str, i64) {
    match kind {
        Kind::Number => ("whole", 0),
        Kind::Float => ("float", 0),
        Kind::Check => ("check", 0),
        Kind::Test => ("test", 0),
        Kind::Degree(_) => ("degree", 0),
        Kind::Label => ("label", 0),
        Kind::Level(success) => ("level", success),
    }
}

/// The names of results; none of numbers and checks.
fn names(odds: &Distribution) -> Vec<String> {
    match odds.kind() {
        Kind::Degree(ladder) => ladder.names().map(str::to_owned).collect(),
        _ => odds.labels().to_vec(),
    }
}

fn kind_of(parts: &Parts<'_>) -> PyResult<Kind> {
    Ok(match parts.kind.as_str() {
        "whole" => Kind::Number,
        "float" => Kind::Float,
        "check" => Kind::Check,
        "test" => Kind::Test,
        "label" => Kind::Label,
        "level" => Kind::Level(parts.success),
        _ => {
            let ladders = [Ladder::PATHFINDER, Ladder::PATHFINDER.or_none()];
            let is_it = |ladder: &Ladder| ladder.names().eq(parts.names.iter());
            let ladder = ladders.into_iter().find(is_it);
            Kind::Degree(
                ladder.ok_or_else(|| PyValueError::new_err("an unknown ladder of degrees"))?,
            )
        }
    })
}

/// A value as an outcome of a kind.
fn outcome(kind: Kind, value: Value) -> PyResult<i64> {
    match (kind, value) {
        (Kind::Float, Value::Whole(value)) => Ok(key(value as f64)),
        (Kind::Float, Value::Float(value)) => match finite(value) {
            Ok(value) => Ok(key(value)),
            Err(_) => Err(PyValueError::new_err(format!("{value} is not a number"))),
        },
        (_, Value::Whole(value)) => Ok(value),
        (_, Value::Float(value)) => Err(PyValueError::new_err(format!(
            "{value} is not a whole number"
        ))),
    }
}

fn run_parts(run: &Run) -> RunParts {
    let (precision, most) = match run.extent {
        Extent::Trials(trials) => (None, trials),
        Extent::Precision { half_width, most } => (Some((half_width, false)), most),
        Extent::OfRange { share, most } => (Some((share, true)), most),
    };
    RunParts {
        seed: run.seed,
        trials: run.trials,
        backend: run.backend.to_owned(),
        sampling: run.sampling.to_owned(),
        precision,
        most,
        ended: ENDS.iter().position(|end| *end == run.ended).unwrap_or(0),
        nanoseconds: run.elapsed_ns(),
    }
}

/// The run again; the check of its answer was that of another process.
fn run_of(parts: &RunParts) -> Run {
    let most = parts.most;
    Run {
        extent: match parts.precision {
            None => Extent::Trials(most),
            Some((half_width, false)) => Extent::Precision { half_width, most },
            Some((share, true)) => Extent::OfRange { share, most },
        },
        seed: parts.seed,
        backend: known(&parts.backend, ["jit", "interp"]),
        sampling: known(&parts.sampling, ["faithful", "fused"]),
        trials: parts.trials,
        ended: ENDS.get(parts.ended).copied().unwrap_or(Ended::Trials),
        elapsed: Duration::from_nanos(parts.nanoseconds),
        checked: None,
    }
}

/// One of two words.
fn known(word: &str, words: [&'static str; 2]) -> &'static str {
    match word == words[1] {
        true => words[1],
        false => words[0],
    }
}

/// A whole number of any length.
fn whole<'py>(py: Python<'py>, number: &UBig) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = u64::try_from(number) {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let bytes = number.to_le_bytes();
    let int = py.get_type::<pyo3::types::PyInt>();
    int.call_method1("from_bytes", (&bytes[..], "little"))
}

/// The same from Python.
fn ubig(number: &Bound<'_, PyAny>) -> PyResult<UBig> {
    if let Ok(small) = number.extract::<u64>() {
        return Ok(UBig::from(small));
    }
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    let bytes = number.call_method1("to_bytes", (bits / 8 + 1, "little"))?;
    Ok(UBig::from_le_bytes(&bytes.extract::<Vec<u8>>()?))
}
