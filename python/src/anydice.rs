//! `dicec.anydice`: the odds of the outputs of an AnyDice program.

use crate::error::{Answered, Wrong, warn_of};
use crate::html;
use crate::limits::{compiler, limits};
use crate::odds::Odds;
use crate::script::source;
use crate::value::{document, type_error};
use crate::watch::interruptible;
use dicec_compiler::answer::document::OutputsDocument;
use dicec_compiler::answer::plot::{Format, picture};
use dicec_compiler::answer::{NamedAnswers, Questions};
use dicec_compiler::{AnyDice, Limits};
use dicec_lang::syntax::nearest;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::BTreeMap;

/// The values of global variables of a program.
type Values = BTreeMap<String, i64>;

/// The maximum number of combinations of a sweep.
const MAX_POINTS: usize = 100_000;

/// The odds of the outputs of an AnyDice program, in their order.
///
/// outputs["ability"] and outputs[0] are the odds of one, which are None if it has no outcomes;
/// iteration gives those of all. In a notebook they are tables; `svg()` is a picture of all.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Outputs {
    answers: NamedAnswers,
    odds: Vec<(String, Option<Py<Odds>>)>,
}

/// Compute the exact odds of the outputs of an AnyDice program: a text, or a path whose name ends
/// in .anydice.
///
/// `set` has values for global variables of the program, `{"N": 4}`, which its assignments do not
/// change.
#[pyfunction]
#[pyo3(signature = (program, /, *, set=None, limits=None))]
pub(crate) fn anydice(
    py: Python<'_>,
    program: &Bound<'_, PyAny>,
    set: Option<BTreeMap<String, i64>>,
    limits: Option<BTreeMap<String, u64>>,
) -> Answered<Outputs> {
    let limits = self::limits(limits)?;
    let program = parsed(program, limits)?;
    Outputs::of(py, &program, &set.unwrap_or_default(), limits)
}

/// Compute the exact odds of an AnyDice program for each value of global variables, or each
/// combination of the values of several: `sweep={"N": range(1, 6)}`. The last one varies fastest.
///
/// A list of pairs: the values, `{"N": 1}`, and the outputs.
#[pyfunction]
#[pyo3(signature = (program, /, sweep, *, set=None, limits=None))]
pub(crate) fn anydice_sweep(
    py: Python<'_>,
    program: &Bound<'_, PyAny>,
    sweep: &Bound<'_, PyDict>,
    set: Option<BTreeMap<String, i64>>,
    limits: Option<BTreeMap<String, u64>>,
) -> Answered<Vec<(Values, Outputs)>> {
    let limits = self::limits(limits)?;
    let program = parsed(program, limits)?;
    let set = set.unwrap_or_default();
    let mut points = vec![Values::new()];
    for (name, values) in sweep {
        let name: String = name.extract()?;
        if set.contains_key(&name) {
            let message =
                format!("{name} is swept, and has a value, too: leave one of the two out");
            return Err(PyValueError::new_err(message).into());
        }
        let values = values.try_iter()?.map(|value| value?.extract());
        let values = values.collect::<PyResult<Vec<i64>>>()?;
        if points.len().saturating_mul(values.len()) > MAX_POINTS {
            let message = format!("a sweep has at most {MAX_POINTS} combinations");
            return Err(PyValueError::new_err(message).into());
        }
        points = points
            .iter()
            .flat_map(|point| {
                let with = |value: &i64| {
                    let mut point = point.clone();
                    point.insert(name.clone(), *value);
                    point
                };
                values.iter().map(with).collect::<Vec<Values>>()
            })
            .collect();
    }
    let pairs = points.into_iter().map(|point| {
        let given = set.iter().chain(&point);
        let given = given.map(|(name, value)| (name.clone(), *value)).collect();
        let outputs = Outputs::of(py, &program, &given, limits)?;
        Ok((point, outputs))
    });
    pairs.collect()
}

/// A program: a text, or a path whose name ends in `.anydice`.
fn parsed(program: &Bound<'_, PyAny>, limits: Limits) -> Answered<AnyDice> {
    let (origin, text) = source(program, "anydice", "program", limits.source)?;
    let program = compiler(limits).anydice(&text);
    let sources = dicec_lang::syntax::Sources::single(&origin, &text);
    let program = program.map_err(|found| Wrong::found(&found, &sources))?;
    Ok(program.from_file(&origin))
}

impl Outputs {
    /// The outputs of a program with these values of its variables.
    fn of(py: Python<'_>, program: &AnyDice, given: &Values, limits: Limits) -> Answered<Self> {
        let given: Vec<(&str, i64)> = given
            .iter()
            .map(|(name, to)| (name.as_str(), *to))
            .collect();
        let outputs = interruptible(py, |control| {
            program.outputs(&given, &limits.exact, control)
        })?;
        let sources = program.sources();
        let outputs = outputs.map_err(|failure| Wrong::failed(&failure, sources))?;
        warn_of(py, &outputs.notes, sources)?;
        let odds = outputs.answers.iter().map(|named| {
            let odds = named.answer.result.clone();
            let odds = odds.map(|odds| Py::new(py, Odds::new(named.name.clone(), odds, None)));
            Ok((named.name.clone(), odds.transpose()?))
        });
        let odds = odds.collect::<PyResult<_>>()?;
        Ok(Self {
            answers: outputs.answers,
            odds,
        })
    }

    /// The position of the only output of this name.
    fn position(&self, name: &str) -> PyResult<usize> {
        let named = self.odds.iter().enumerate();
        let mut named = named.filter(|(_, (other, _))| other == name);
        match (named.next(), named.next()) {
            (Some((position, _)), None) => Ok(position),
            (Some((position, _)), Some((other, _))) => Err(PyKeyError::new_err(format!(
                "several outputs are named {name:?}: choose by position, [{position}] or [{other}]"
            ))),
            (None, _) => {
                let help = match nearest(name, self.odds.iter().map(|(name, _)| name.as_str())) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None => format!("there are: {}", self.names().join(", ")),
                };
                let message = format!("no output is named {name:?}; {help}");
                Err(PyKeyError::new_err(message))
            }
        }
    }

    fn drawn(&self) -> PyResult<String> {
        let sides = self.answers.sides();
        let bytes = picture(&sides, Format::Svg).map_err(PyValueError::new_err)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[pymethods]
impl Outputs {
    /// The names of the outputs.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.odds.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Each name with the odds of its output.
    fn items(&self, py: Python<'_>) -> Vec<(String, Option<Py<Odds>>)> {
        let items = self.odds.iter();
        let odds = |odds: &Option<Py<Odds>>| odds.as_ref().map(|odds| odds.clone_ref(py));
        items.map(|(name, of)| (name.clone(), odds(of))).collect()
    }

    fn __len__(&self) -> usize {
        self.odds.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.odds.iter().any(|(other, _)| other == name)
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<Py<Odds>>> {
        let position = match key.cast::<PyString>() {
            Ok(name) => Some(self.position(&name.to_string())?),
            Err(_) => {
                let position: isize = key
                    .extract()
                    .map_err(|_| type_error("the key of an output", "a name or a position", key))?;
                let from_end = self.odds.len().checked_add_signed(position);
                usize::try_from(position).ok().or(from_end)
            }
        };
        let found = position.and_then(|position| self.odds.get(position));
        let (_, odds) = found.ok_or_else(|| {
            let count = self.odds.len();
            PyIndexError::new_err(format!("there is no output {key}: there are {count}"))
        })?;
        Ok(odds.as_ref().map(|odds| odds.clone_ref(py)))
    }

    /// All of it as dictionaries and lists: what `dicec odds FILE.anydice --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(
            py,
            &OutputsDocument::new(&self.answers, &Questions::default()),
        )
    }

    /// A picture of all outputs as an SVG document.
    fn svg(&self) -> PyResult<String> {
        self.drawn()
    }

    fn _repr_html_(&self) -> String {
        let answers = self.answers.iter();
        let tables = answers.map(|named| match &named.answer.result {
            Some(odds) => html::odds(&named.name, odds),
            None => format!(
                "<div><b><code>{}</code></b>: no outcomes</div>",
                html::escaped(&named.name)
            ),
        });
        tables.collect()
    }

    fn __repr__(&self) -> String {
        format!("<exact odds of {}>", self.names().join(", "))
    }
}
