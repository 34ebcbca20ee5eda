//! The odds of a script's roll: its results, its lines, and its statistics.

use crate::html;
use crate::odds::Odds;
use crate::value::document;
use dicec_compiler::answer::document::{ScriptOddsDocument, ScriptSimulationDocument};
use dicec_compiler::answer::{Answer, Questions, Run, figures, significant};
use dicec_compiler::unstable::Ended;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The odds of a roll of a script, exact or sampled: its results, lines and statistics.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct ScriptOdds {
    name: String,
    label: String,
    answer: Answer,
    run: Option<Run>,
}

impl ScriptOdds {
    /// The answer to a question about a roll, given its name and its label.
    pub(crate) fn new((name, label): (&str, &str), answer: Answer, run: Option<Run>) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            answer,
            run,
        }
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
