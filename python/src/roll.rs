//! `dicec.roll`: one roll, die by die, and rolls of scripts.

use crate::asked::{Asked, Reading};
use crate::error::Answered;
use crate::value::document;
use dicec_compiler::unstable::Made;
use dicec_compiler::{Bound as BoundRoll, Played, Session, random_seed};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use std::collections::BTreeMap;

/// One roll: what it comes to, and its dice.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Roll {
    bound: BoundRoll,
    made: Made,
    /// The seed that gives it again; none of given faces.
    seed: Option<u64>,
}

/// Roll a rule once, and show each die.
///
/// The same `seed` gives the same roll. `faces` are the dice that you rolled yourself, in the order
/// in which they are rolled; all of them have to be used.
#[pyfunction]
#[pyo3(signature = (
    rule, /, resources=None, *, seed=None, faces=None, dialect=None, limits=None, **named
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn roll(
    py: Python<'_>,
    rule: &str,
    resources: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    faces: Option<Vec<i64>>,
    dialect: Option<String>,
    limits: Option<BTreeMap<String, u64>>,
    named: Option<&Bound<'_, PyDict>>,
) -> Answered<Roll> {
    let asked = Asked::new(py, rule, Reading { dialect, limits }, resources, named)?;
    let (seed, mut session) = match (seed, &faces) {
        (Some(_), Some(_)) => {
            let message = "give a seed or faces: given faces leave nothing to a seed";
            return Err(PyErr::new::<pyo3::exceptions::PyTypeError, _>(message).into());
        }
        (None, Some(faces)) => (None, Session::scripted(faces.clone())),
        (seed, None) => {
            let seed = seed.unwrap_or_else(random_seed);
            (Some(seed), Session::seeded(seed))
        }
    };
    let made = Made::new(&asked.bound, &mut session).map_err(|failure| asked.failed(&failure))?;
    if let Some(faces) = faces.filter(|faces| session.used() < faces.len()) {
        let (given, used) = (faces.len(), session.used());
        let message = format!("{given} faces were given, and {used} dice are rolled");
        return Err(PyErr::new::<pyo3::exceptions::PyValueError, _>(message).into());
    }
    Ok(Roll {
        bound: asked.bound,
        made,
        seed,
    })
}

impl Roll {
    /// An execution of a script's roll.
    pub(crate) fn played(bound: BoundRoll, played: Played, seed: u64) -> Self {
        Self {
            bound,
            made: Made::Steps(Box::new(played)),
            seed: Some(seed),
        }
    }
}

#[pymethods]
impl Roll {
    /// What it comes to: a number, a truth value, or the name of a degree or a label; None of a
    /// script that returns nothing.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = self.to_dict(py)?;
        let members: &[&str] = match &self.made {
            Made::Steps(_) => &["result"],
            Made::Single(_) => &["degree", "label", "check", "total"],
        };
        for member in members {
            let value = document.call_method1("get", (*member,))?;
            if !value.is_none() {
                return Ok(value);
            }
        }
        Ok(py.None().into_bound(py))
    }

    /// The roll as text: `2d6[3, 4] + 1 = 8`; of a script its lines.
    #[getter]
    fn text(&self) -> String {
        match &self.made {
            Made::Single(roll) => roll.rendered.clone(),
            Made::Steps(played) => {
                let lines = played.lines().into_iter().map(str::to_owned);
                let lines: Vec<String> = lines.chain(played.result_text()).collect();
                lines.join("\n")
            }
        }
    }

    /// The lines of a script, in order; none of a rule.
    #[getter]
    fn lines(&self) -> Vec<&str> {
        match &self.made {
            Made::Single(_) => Vec::new(),
            Made::Steps(played) => played.lines(),
        }
    }

    /// The seed that gives the same roll again; None of given faces.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// All of it as dictionaries and lists: what `dicec roll --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.made.document(&self.bound, self.seed))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let text = self.text();
        format!("<roll {}>", text.lines().last().unwrap_or_default())
    }
}
