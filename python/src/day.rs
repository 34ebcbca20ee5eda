//! `dicec.day`: whether a party survives a day of fights and rests.

use crate::encounter::{bytes_of, known};
use crate::error::{Answered, Wrong, warn};
use crate::html;
use crate::limits::{compiler, limits};
use crate::simulate::Wanted;
use crate::value::{document, json, type_error};
use crate::watch::watched;
use dicec_compiler::answer::short_percent;
use dicec_compiler::unstable::{Ended, FIGHTS_HALF_WIDTH};
use dicec_compiler::{Failure, Simulation};
use dicec_fights::{DayDocument, EncounterError, Lived, compile_day};
use dicec_games::encounter::{Day as Steps, DayPlan, Source, Told};
use dicec_lang::syntax::{FileCode, Finding, Location, Sources};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a day of fights and rests came to.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Day {
    lived: Lived,
}

/// Fight and rest through a whole day many times.
///
/// It is a line, `"4 Veteran: 6 Goblin; short rest; 2 Ogre"`, the path of a JSON file, or a
/// document as a mapping. Without `trials` or `precision`, days go on until the chance to survive
/// is known to 0.3 percentage points. `bestiary` has stat blocks of your own, as for `encounter`.
#[pyfunction]
#[pyo3(signature = (
    day, /, *, bestiary=None, trials=None, precision=None, seed=None, threads=None, progress=None,
    limits=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn day(
    py: Python<'_>,
    day: &Bound<'_, PyAny>,
    bestiary: Option<&Bound<'_, PyAny>>,
    trials: Option<u64>,
    precision: Option<f64>,
    seed: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    limits: Option<BTreeMap<String, u64>>,
) -> Answered<Day> {
    let wanted = Wanted {
        trials,
        precision,
        seed,
        threads,
    };
    let (bestiary, mut notes) = known(bestiary)?;
    let (source, steps) = read(day)?;
    let plan = DayPlan::new(&steps, &bestiary).map_err(|wrong| source.wrong(&wrong))?;
    let own = plan.notes().into_iter();
    let code = FileCode::EncounterNote.as_str();
    notes.extend(own.map(|note| Finding::general(code, note).note()));
    warn(py, notes)?;
    let bound = compile_day(&compiler(self::limits(limits)?), &plan, Told::Sides);
    let bound = bound.map_err(|error| match error {
        EncounterError::Encounter(wrong) => Source::line(&plan.title()).wrong(&wrong).into(),
        EncounterError::Functions(found) => Wrong::found(&found, &Sources::single("", "")),
        EncounterError::Failure(failure) => failed(&plan, &failure),
    })?;
    let simulation = wanted.simulation(Simulation::fights(FIGHTS_HALF_WIDTH))?;
    let simulation = bound.resolved(&simulation);
    let report = watched(py, progress, |control, _| {
        bound.simulate_with(&simulation, control)
    })?;
    let report = report.map_err(|failure| failed(&plan, &failure))?;
    let run = report.run();
    let lived = Lived::new(&plan, bound.sampled(report), run)?;
    Ok(Day { lived })
}

/// Reads a line, a file or a mapping.
fn read(day: &Bound<'_, PyAny>) -> Answered<(Source, Steps)> {
    if let Ok(mapping) = day.cast::<PyMapping>() {
        let source = Source::read_json("day", json(mapping.as_any())?.as_bytes())?;
        let steps = source.day()?;
        return Ok((source, steps));
    }
    let line = day.cast::<PyString>().map(|line| line.to_string());
    if let Ok(line) = line
        && !line.ends_with(".json")
    {
        return Ok(Source::read_day_line(&line)?);
    }
    let path: PathBuf = day
        .extract()
        .map_err(|_| type_error("a day", "a line, a path or a mapping", day))?;
    let (origin, bytes) = bytes_of(path, "day")?;
    let source = Source::read_json(&origin, &bytes)?;
    let steps = source.day()?;
    Ok((source, steps))
}

/// A failure of the script that a day became: nobody has written that.
fn failed(plan: &DayPlan, failure: &Failure) -> Wrong {
    Wrong::failed(failure, &Sources::single("", "")).each(|finding| {
        finding.location = Location::File {
            path: plan.title(),
            at: None,
        };
    })
}

#[pymethods]
impl Day {
    /// The day as a line.
    #[getter]
    fn title(&self) -> &str {
        &self.lived.title
    }

    /// The probability that the party wins all fights.
    #[getter]
    fn survives(&self) -> f64 {
        self.lived.survives().p
    }

    /// Its 95 % interval.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.lived.survives().interval
    }

    /// The fights in order, each a dictionary with its chances and what the party has left.
    #[getter]
    fn fights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("fights")
    }

    /// The number of days.
    #[getter]
    fn trials(&self) -> u64 {
        self.lived.run.trials
    }

    /// The seed that gives the same odds again.
    #[getter]
    fn seed(&self) -> u64 {
        self.lived.run.seed
    }

    /// Whether the simulation ended before it was done, because its callback returned False.
    #[getter]
    fn interrupted(&self) -> bool {
        self.lived.run.ended == Ended::Finished
    }

    /// All of it as dictionaries and lists: what `dicec day --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &DayDocument::new(&self.lived))
    }

    fn _repr_html_(&self) -> String {
        let fights = self.lived.fights();
        let won: Vec<(&str, f64)> = fights
            .iter()
            .map(|fight| (fight.figures.name.as_str(), fight.won.p))
            .collect();
        format!(
            "<div><b>{}</b>{}</div>",
            html::escaped(&self.lived.title),
            html::bars(&won)
        )
    }

    fn __repr__(&self) -> String {
        let survives = short_percent(self.lived.survives().p);
        format!("<day {}: survived {survives}>", self.lived.title)
    }
}
