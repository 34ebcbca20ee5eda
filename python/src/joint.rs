//! The odds of several parts of a result together.

use crate::value::{document, fraction, outcome};
use dicec_compiler::answer::document::JointDocument;
use dicec_compiler::answer::{Answer, JointOdds};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The exact odds of several parts of the result of a roll together.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Joint {
    /// The name of the roll, and its label.
    names: (String, String),
    answer: Answer,
    odds: JointOdds,
}

impl Joint {
    /// The odds of parts of an answer about a roll with this name and this label.
    pub(crate) fn new((name, label): (&str, &str), answer: Answer, odds: JointOdds) -> Self {
        Self {
            names: (name.to_owned(), label.to_owned()),
            answer,
            odds,
        }
    }

    /// The values of the parts of a combination.
    fn values<'py>(&self, py: Python<'py>, row: &[i64]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let values = self.odds.parts.iter().zip(row);
        values
            .map(|(part, value)| outcome(py, &part.odds, *value))
            .collect()
    }
}

#[pymethods]
impl Joint {
    /// The names of the parts.
    #[getter]
    fn parts(&self) -> Vec<&str> {
        let parts = self.odds.parts.iter();
        parts.map(|part| part.name.as_str()).collect()
    }

    /// Each possible combination, a tuple with the value of every part, with its probability.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyTuple>, f64)>> {
        let pair = self.odds.outcomes().map(|(row, outcome)| {
            let values = PyTuple::new(py, self.values(py, row)?)?;
            Ok((values, outcome.p))
        });
        pair.collect()
    }

    /// A dictionary for each possible combination, with the value of every part by its name, and
    /// its probability as `p`: for `pandas.DataFrame` or `polars.DataFrame`.
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        if self.parts().contains(&"p") {
            let message = "a part is called p, as the probability is: use outcomes()";
            return Err(PyValueError::new_err(message));
        }
        let record = self.odds.outcomes().map(|(row, outcome)| {
            let record = PyDict::new(py);
            for (part, value) in self.odds.parts.iter().zip(self.values(py, row)?) {
                record.set_item(&part.name, value)?;
            }
            record.set_item("p", outcome.p)?;
            Ok(record)
        });
        record.collect()
    }

    /// The probability of a value of every part, in their order: 0 if it is impossible.
    #[pyo3(signature = (*values))]
    fn p(&self, py: Python<'_>, values: &Bound<'_, PyTuple>) -> PyResult<f64> {
        self.counted(values)?;
        for (row, outcome) in self.odds.outcomes() {
            if values.eq(PyTuple::new(py, self.values(py, row)?)?)? {
                return Ok(outcome.p);
            }
        }
        Ok(0.0)
    }

    /// The same as a fractions.Fraction; None if the odds are not fractions.
    #[pyo3(signature = (*values))]
    fn fraction<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.counted(values)?;
        let Some(total) = self.odds.exactness().denominator() else {
            return Ok(None);
        };
        let mut weight = 0_u8.into();
        for (row, outcome) in self.odds.outcomes() {
            if values.eq(PyTuple::new(py, self.values(py, row)?)?)? {
                weight = outcome.weight.unwrap_or_default();
            }
        }
        fraction(py, &(weight, total.clone())).map(Some)
    }

    /// All of it as dictionaries and lists: what `dicec odds FILE.dice --joint --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names = (self.names.0.as_str(), self.names.1.as_str());
        document(py, &JointDocument::new(names, &self.odds, &self.answer))
    }

    fn __repr__(&self) -> String {
        let (label, parts) = (&self.names.1, self.parts().join(", "));
        let count = self.odds.outcomes().count();
        format!("<exact odds of {parts} of {label}: {count} combinations>")
    }
}

impl Joint {
    /// Refuses another number of values than of parts.
    fn counted(&self, values: &Bound<'_, PyTuple>) -> PyResult<()> {
        let (given, wanted) = (values.len(), self.odds.parts.len());
        match given == wanted {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "give a value for each of the {wanted} parts, in their order, not {given}"
            ))),
        }
    }
}
