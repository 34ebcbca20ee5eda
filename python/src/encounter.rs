//! `dicec.encounter`: who wins a fight, how often, and why.

use crate::error::{Answered, Wrong, warn};
use crate::html;
use crate::limits::{compiler, limits};
use crate::odds::Odds;
use crate::simulate::Wanted;
use crate::value::{document, json, type_error};
use crate::watch::{interruptible, watched};
use dicec_compiler::answer::{Exactness, short_percent, significant};
use dicec_compiler::unstable::{Ended, FIGHTS_HALF_WIDTH};
use dicec_compiler::{Failure, Simulation};
use dicec_games::encounter::{Bestiary, Encounter as Fight, Plan, Purpose, Source, Told};
use dicec_games::statblock::add_blocks;
use dicec_lang::syntax::{Code, FileCode, Finding, Location, Sources};

use dicec_fights::{EncounterError, FightDocument, Fought, compile_encounter};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What an encounter came to: who won, how often, and what became of whom.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Encounter {
    fought: Fought,
}

/// Fight an encounter many times.
///
/// It is a line, `"4 Veteran vs 1 Troll, 6 Goblin"`, the path of a document, or a document as a
/// mapping. Without `trials` or `precision`, fights go on until each chance is known to 0.3
/// percentage points; `exact` gives exact odds of small fights. `bestiary` has stat blocks of your
/// own: a mapping, a list of them, or the path of a JSON file.
#[pyfunction]
#[pyo3(signature = (
    encounter, /, *, bestiary=None, exact=false, trials=None, precision=None, seed=None,
    threads=None, progress=None, limits=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn encounter(
    py: Python<'_>,
    encounter: &Bound<'_, PyAny>,
    bestiary: Option<&Bound<'_, PyAny>>,
    exact: bool,
    trials: Option<u64>,
    precision: Option<f64>,
    seed: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    limits: Option<BTreeMap<String, u64>>,
) -> Answered<Encounter> {
    let wanted = Wanted {
        trials,
        precision,
        seed,
        threads,
    };
    if exact && (wanted.has_extent() || seed.is_some()) {
        let message = "exact odds take no trials, precision or seed";
        return Err(PyTypeError::new_err(message).into());
    }
    let (plan, notes) = planned(encounter, bestiary)?;
    warn(py, notes)?;
    let purpose = match exact {
        true => Purpose::Odds,
        false => Purpose::Trials,
    };
    let limits = self::limits(limits)?;
    let bound = compile_encounter(&compiler(limits), &plan, Told::Figures, purpose);
    let bound = bound.map_err(|error| match error {
        EncounterError::Functions(found) => {
            let functions = plan.functions().unwrap_or_default();
            Wrong::found(&found, &Sources::single("functions", functions))
        }
        EncounterError::Encounter(wrong) => Source::line(&plan.title()).wrong(&wrong).into(),
        EncounterError::Failure(failure) => failed(&plan, &failure),
    })?;
    let (answer, run) = match exact {
        true => {
            let answer = interruptible(py, |control| {
                bound.answer(&limits.exact, Exactness::default(), control)
            })?;
            (answer.map_err(|failure| failed(&plan, &failure))?, None)
        }
        false => {
            let simulation = wanted.simulation(Simulation::fights(FIGHTS_HALF_WIDTH))?;
            let simulation = bound.resolved(&simulation);
            let report = watched(py, progress, |control, _| {
                bound.simulate_with(&simulation, control)
            })?;
            let report = report.map_err(|failure| failed(&plan, &failure))?;
            let run = report.run();
            (bound.sampled(report), Some(run))
        }
    };
    let fought = Fought::new(&plan, answer, run)?;
    Ok(Encounter { fought })
}

/// The stat blocks of the 334 creatures of the SRD 5.1, as dictionaries.
#[pyfunction]
pub(crate) fn creatures(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    document(py, &Bestiary::srd().blocks().collect::<Vec<_>>())
}

/// An encounter that was read: what it comes to, and the notes on it.
fn planned(
    encounter: &Bound<'_, PyAny>,
    bestiary: Option<&Bound<'_, PyAny>>,
) -> Answered<(Plan, Vec<Finding>)> {
    let (bestiary, mut notes) = known(bestiary)?;
    let (source, fight) = read(encounter, &bestiary)?;
    let plan = Plan::new(&fight, &bestiary).map_err(|wrong| source.wrong(&wrong))?;
    for (name, missing) in plan.missing() {
        let message = format!("{name}: not modelled: {}", missing.join(", "));
        let note = Finding::general(FileCode::EncounterNote.as_str(), message);
        notes.push(note.note());
    }
    Ok((plan, notes))
}

/// Reads a line, a file or a mapping.
fn read(encounter: &Bound<'_, PyAny>, bestiary: &Bestiary) -> Answered<(Source, Fight)> {
    if let Ok(mapping) = encounter.cast::<PyMapping>() {
        return Ok(Source::read_document(
            "encounter",
            json(mapping.as_any())?.as_bytes(),
        )?);
    }
    let line = encounter.cast::<PyString>().map(|line| line.to_string());
    if let Ok(line) = line
        && !line.ends_with(".json")
    {
        return Ok(Source::read_line(&line, bestiary)?);
    }
    let path: PathBuf = encounter
        .extract()
        .map_err(|_| type_error("an encounter", "a line, a path or a mapping", encounter))?;
    let (origin, bytes) = bytes_of(path, "encounter")?;
    Ok(Source::read_document(&origin, &bytes)?)
}

/// The creatures of the SRD and those of a caller, and notes on what nothing knows.
pub(crate) fn known(given: Option<&Bound<'_, PyAny>>) -> Answered<(Bestiary, Vec<Finding>)> {
    let mut bestiary = Bestiary::srd();
    let Some(given) = given else {
        return Ok((bestiary, Vec::new()));
    };
    let is_path = given.is_instance_of::<PyString>() || given.hasattr("__fspath__")?;
    let (origin, bytes) = match is_path {
        true => bytes_of(given.extract()?, "bestiary")?,
        false => ("bestiary".to_owned(), json(given)?.into_bytes()),
    };
    let notes = add_blocks(&mut bestiary, &origin, &bytes)?;
    Ok((bestiary, notes))
}

/// The name and the bytes of a file.
pub(crate) fn bytes_of(path: PathBuf, what: &str) -> Answered<(String, Vec<u8>)> {
    let origin = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| {
        let message = format!("cannot read the {what}: {error}");
        Finding::in_file(FileCode::Unreadable.as_str(), &origin, None, message)
    })?;
    Ok((origin, bytes))
}

/// A failure of the script that an encounter became: nobody has written that.
fn failed(plan: &Plan, failure: &Failure) -> Wrong {
    Wrong::failed(failure, &Sources::single("", "")).each(|finding| {
        finding.location = Location::File {
            path: plan.title(),
            at: None,
        };
        if finding.code == Code::Budget.as_str() {
            let help = "leave exact=True out, or raise the budget: limits={\"work\": ...}";
            finding.help = Some(help.to_owned());
        }
    })
}

#[pymethods]
impl Encounter {
    /// The encounter as a line.
    #[getter]
    fn title(&self) -> &str {
        &self.fought.title
    }

    /// The names of the sides.
    #[getter]
    fn sides(&self) -> (&str, &str) {
        let [first, second] = &self.fought.sides;
        (first, second)
    }

    /// The probability that the first side wins.
    #[getter]
    fn win(&self) -> f64 {
        self.fought.wins[0].p
    }

    /// The probability that the second side wins.
    #[getter]
    fn lose(&self) -> f64 {
        self.fought.wins[1].p
    }

    /// The probability that nobody does.
    #[getter]
    fn draw(&self) -> f64 {
        self.fought.draw.p
    }

    /// The 95 % interval of `win`; None if it is exact.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.fought.wins[0].interval
    }

    /// The odds of how many rounds a fight has.
    #[getter]
    fn rounds(&self) -> Option<Odds> {
        let rounds = self.fought.rounds()?.clone();
        Some(Odds::new(
            "rounds".to_owned(),
            rounds,
            self.fought.run.clone(),
        ))
    }

    /// How many fights were simulated; None if the odds are exact.
    #[getter]
    fn trials(&self) -> Option<u64> {
        self.fought.run.as_ref().map(|run| run.trials)
    }

    /// The seed that gives the same odds again; None if they are exact.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.fought.run.as_ref().map(|run| run.seed)
    }

    /// Whether the simulation ended before it was done, because its callback returned False.
    #[getter]
    fn interrupted(&self) -> bool {
        let run = self.fought.run.as_ref();
        run.is_some_and(|run| run.ended == Ended::Finished)
    }

    /// All of it as dictionaries and lists: what `dicec encounter --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &FightDocument::new(&self.fought))
    }

    /// A picture of who wins as an SVG document.
    fn svg(&self) -> PyResult<String> {
        let side = self.fought.side();
        Odds::new(side.expression.to_owned(), side.odds.clone(), None).drawn()
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn _repr_html_(&self) -> String {
        let fought = &self.fought;
        let [first, second] = &fought.sides;
        let [wins, loses] = &fought.wins;
        let sides = [
            (first.as_str(), wins.p),
            (second, loses.p),
            ("draw", fought.draw.p),
        ];
        let creatures = fought.figures.iter().map(|figures| {
            let deeds = figures.deeds.iter();
            let deeds = deeds.map(|deed| format!("{} {:.1}", deed.name, fought.mean(&deed.damage)));
            let deeds: Vec<String> = deeds.collect();
            vec![
                figures.title.clone(),
                format!(
                    "{} of {}",
                    significant(fought.mean(&figures.standing), 3),
                    figures.count
                ),
                format!("{:.1}", fought.mean(&figures.hit_points)),
                deeds.join(", "),
            ]
        });
        let headings = ["", "standing", "hit points", "damage done in a fight"];
        format!(
            "<div><b>{}</b>{}{}</div>",
            html::escaped(&fought.title),
            html::bars(&sides),
            html::table(&headings, &creatures.collect::<Vec<_>>())
        )
    }

    fn __repr__(&self) -> String {
        let [first, _] = &self.fought.sides;
        let win = short_percent(self.fought.wins[0].p);
        format!("<encounter {}: {first} win {win}>", self.fought.title)
    }
}
