//! The odds of a script's roll: its results, its lines, and its statistics.

use crate::error::{Answered, Wrong};
use crate::html;
use crate::joint::Joint;
use crate::odds::Odds;
use crate::value::document;
use dicec_compiler::Roll as Definition;
use dicec_compiler::answer::document::{ScriptOddsDocument, ScriptSimulationDocument};
use dicec_compiler::answer::{Answer, Questions, Run, chosen_parts, figures, significant};
use dicec_compiler::unstable::Ended;
use dicec_lang::syntax::{FileCode, Finding};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The odds of a roll of a script, exact or sampled: its results, lines and statistics.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct ScriptOdds {
    name: String,
    label: String,
    answer: Answer,
    run: Option<Run>,
    /// The roll.
    definition: Definition,
}

impl ScriptOdds {
    /// The answer to a question about a roll.
    pub(crate) fn new(definition: &Definition, answer: Answer, run: Option<Run>) -> Self {
        Self {
            name: definition.name().to_owned(),
            label: definition.label().to_owned(),
            answer,
            run,
            definition: definition.clone(),
        }
    }

    fn part_names(&self) -> Vec<String> {
        let parts = self.answer.parts.iter();
        parts.map(|part| part.name.clone()).collect()
    }
}

#[pymethods]
impl ScriptOdds {
    /// The name of the roll.
    #[getter]
    fn roll(&self) -> &str {
        &self.name
    }

    /// The odds of what it returns; None if it returns nothing.
    #[getter]
    fn result(&self) -> Option<Odds> {
        let odds = self.answer.result.clone();
        odds.map(|odds| Odds::new(self.label.clone(), odds, self.run.clone()))
    }

    /// The odds of each part of a result with several, by name; empty if it has only one.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        for part in &self.answer.parts {
            let odds = Odds::new(part.name.clone(), part.odds.clone(), self.run.clone());
            parts.set_item(&part.name, odds)?;
        }
        Ok(parts)
    }

    /// The odds of a part of the result.
    fn __getitem__(&self, name: &str) -> PyResult<Odds> {
        let mut parts = self.answer.parts.iter();
        match parts.find(|part| part.name == name) {
            Some(part) => Ok(Odds::new(
                name.to_owned(),
                part.odds.clone(),
                self.run.clone(),
            )),
            None => {
                let names = self.part_names().join(", ");
                let message = format!("the result has no part {name:?}; there are: {names}");
                Err(PyKeyError::new_err(message))
            }
        }
    }

    /// The odds of two or more parts of the result together: joint("hits", "crits").
    #[pyo3(signature = (*parts))]
    fn joint(&self, parts: Vec<String>) -> Answered<Joint> {
        let chosen = chosen_parts(&parts, &self.part_names()).map_err(|bad| {
            let (message, help) = bad.words();
            Finding::general(FileCode::BadParts.as_str(), message).help(help)
        })?;
        let odds = self.answer.together(&chosen).ok_or_else(|| {
            PyValueError::new_err("only exact odds are known of parts together: ask odds()")
        })?;
        Ok(Joint::new(
            (&self.name, &self.label),
            self.answer.clone(),
            odds,
        ))
    }

    /// The odds of the rolls for which a condition on the result or its parts holds:
    /// given("crits >= 1 and hits = 2"), or given("total >= 10") for a single number. They have no
    /// lines and statistics.
    fn given(&self, condition: &str) -> Answered<Self> {
        let compiled = self.definition.condition(condition);
        let compiled = compiled.map_err(|wrong| Wrong::found(&wrong.found, &wrong.sources))?;
        let answer = compiled.applied(self.answer.clone());
        let answer = answer
            .map_err(|failure| Wrong::failed(&failure, self.definition.program().sources()))?;
        Ok(Self::new(&self.definition, answer, None))
    }

    /// The probability of the condition that the odds are given; 1 without one.
    #[getter]
    fn given_p(&self) -> f64 {
        self.answer
            .given
            .as_ref()
            .map_or(1.0, |given| given.share.p)
    }

    /// The lines that it puts out, with {} for each number, and how many of each a trial has on
    /// average.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lines = PyDict::new(py);
        for (line, times) in &self.answer.lines {
            lines.set_item(line, times)?;
        }
        Ok(lines)
    }

    /// The odds of the numbers of each statistic that was noted.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = PyDict::new(py);
        for stat in &self.answer.stats {
            if let Some(odds) = &stat.odds {
                let odds = Odds::new(stat.name.clone(), odds.clone(), self.run.clone());
                stats.set_item(&stat.name, odds)?;
            }
        }
        Ok(stats)
    }

    /// How many trials were run; None if the odds are exact.
    #[getter]
    fn trials(&self) -> Option<u64> {
        self.run.as_ref().map(|run| run.trials)
    }

    /// The seed that gives the same odds again; None if they are exact.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.run.as_ref().map(|run| run.seed)
    }

    /// Whether a simulation ended before it was done, because its callback returned False.
    #[getter]
    fn interrupted(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.ended == Ended::Finished)
    }

    /// All of it as dictionaries and lists: what `dicec odds FILE.dice --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (names, asked) = ((&*self.name, &*self.label), Questions::default());
        match &self.run {
            None => document(py, &ScriptOddsDocument::new(names, &self.answer, &asked)),
            Some(run) => {
                let made = ScriptSimulationDocument::new(names, &self.answer, run, &asked);
                document(py, &made)
            }
        }
    }

    fn _repr_html_(&self) -> String {
        let mut text = match &self.answer.result {
            Some(odds) => html::odds(&self.label, odds),
            None => format!("<div><b>{}</b></div>", html::escaped(&self.label)),
        };
        for part in &self.answer.parts {
            text += &html::odds(&part.name, &part.odds);
        }
        if !self.answer.lines.is_empty() {
            let rows = self.answer.lines.iter();
            let rows = rows.map(|(line, times)| vec![significant(*times, 6), line.clone()]);
            text += &html::table(&["per trial", "line"], &rows.collect::<Vec<_>>());
        }
        let stats = self.answer.stats.iter();
        let stats = stats.filter_map(|stat| {
            let odds = stat.odds.as_ref()?;
            Some(vec![stat.name.clone(), figures(odds, stat.error)])
        });
        let stats: Vec<Vec<String>> = stats.collect();
        if !stats.is_empty() {
            text += &html::table(&["statistic", ""], &stats);
        }
        text
    }

    fn __repr__(&self) -> String {
        let how = match self.run {
            None => "exact",
            Some(_) => "sampled",
        };
        let result = self.answer.result.as_ref();
        let result = result.map_or_else(String::new, |odds| {
            format!(": {}", figures(odds, odds.standard_error()))
        });
        format!("<{how} odds of {}{result}>", self.label)
    }
}
