//! `dicec.Script`: a script of a file or a text, and its rolls.

use crate::error::{Answered, Wrong, warn_of};
use crate::limits::{compiler, limits};
use crate::resources::Resources;
use crate::roll::Roll;
use crate::script_odds::ScriptOdds;
use crate::simulate::Wanted;
use crate::value::{document, json};
use crate::watch::{interruptible, watched};
use crate::wording::words;
use dicec_compiler::answer::Exactness;
use dicec_compiler::unstable::{ArgumentError, Backend, BindError, Data};
use dicec_compiler::{
    Bound as BoundRoll, Compiler, Failure, Program, Roll as Definition, ScriptSession, Simulation,
    random_seed,
};
use dicec_lang::front::script::import_file;
use dicec_lang::hir::Policy;
use dicec_lang::syntax::{FileCode, Finding, SourceLimits, json_in, read_file};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyMapping, PyString};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A script of the rolling language: a path whose name ends in .dice, or a text.
///
/// Its rolls are asked for by name; a script that defines one needs none. Arguments are a mapping
/// with a member for each parameter.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Script {
    /// What errors call it.
    origin: String,
    program: Program,
    compiler: Compiler,
}

/// What a roll is made with.
struct Given<'a, 'py> {
    args: Option<&'a Bound<'py, PyAny>>,
    roll: Option<&'a str>,
    resources: Option<&'a Bound<'py, PyMapping>>,
    options: Option<&'a Bound<'py, PyMapping>>,
}

impl Script {
    fn failed(&self, failure: &Failure) -> Wrong {
        Wrong::failed(failure, self.program.sources())
    }

    fn wrong(&self, code: FileCode, message: String) -> Finding {
        Finding::in_file(code.as_str(), &self.origin, None, message)
    }

    /// A roll with everything that its answers depend on.
    fn bind(&self, given: &Given<'_, '_>) -> Answered<BoundRoll> {
        let roll = self.program.roll_or_only(given.roll).map_err(|error| {
            let help = error.help("choose one: roll=\"name\"");
            self.wrong(FileCode::UnknownRoll, error.to_string())
                .help(help)
        })?;
        let args = arguments(&roll, given.args)?;
        let resources = Resources::new(&self.compiler, given.resources, None)?;
        if resources.has_dice {
            let message = "the resources of a script are numbers, and one that is given is dice";
            let help = "give dice as an argument, to a parameter of the type `dice`";
            return Err(self
                .wrong(FileCode::BadArguments, message.to_owned())
                .help(help)
                .into());
        }
        let bound = roll
            .bind(args, &resources.table)
            .map_err(|error| match error {
                BindError::Resources(found) => Wrong::found(&found, self.program.sources()),
                error => self.wrong(FileCode::BadArguments, error.to_string()).into(),
            })?;
        self.decided(bound, given.options)
    }

    /// The roll with the decisions of simulated players.
    fn decided(
        &self,
        mut bound: BoundRoll,
        options: Option<&Bound<'_, PyMapping>>,
    ) -> Answered<BoundRoll> {
        let Some(options) = options else {
            return Ok(bound);
        };
        for pair in options.items()? {
            let (option, how): (String, Bound<'_, PyAny>) = pair.extract()?;
            let how = how_text(&how)?;
            let Some(offers) = self.program.offers(&option) else {
                let known = self.program.options().join(", ");
                let message = format!("the script has no option {option:?}");
                let finding = self.wrong(FileCode::UnknownOption, message);
                return Err(finding.help(format!("there are: {known}")).into());
            };
            let policy: Policy = offers.decided(&how).ok_or_else(|| {
                let message = format!("the option {option:?} cannot be decided by {how:?}");
                self.wrong(FileCode::UnknownOption, message)
                    .help(offers.help(&how))
            })?;
            let decided = bound.with_policy(&option, policy);
            bound = decided.map_err(|error| {
                Wrong::from(self.wrong(FileCode::UnknownOption, error.to_string()))
            })?;
        }
        Ok(bound)
    }
}

/// A decision as the command writes it: `always`, `never`, `0.3`, `orc`.
fn how_text(how: &Bound<'_, PyAny>) -> PyResult<String> {
    match how.cast::<PyBool>() {
        Ok(truth) => Ok(if truth.is_true() { "always" } else { "never" }.to_owned()),
        Err(_) => Ok(how.str()?.to_string()),
    }
}

/// The arguments of a roll.
fn arguments(roll: &Definition, given: Option<&Bound<'_, PyAny>>) -> Answered<Vec<Data>> {
    let text = match given {
        Some(given) => json(given)?,
        None => "{}".to_owned(),
    };
    let value = json_in("the arguments", text.as_bytes(), FileCode::BadArguments)?;
    roll.arguments(&value).map_err(|errors| {
        let findings = errors.0.iter();
        Wrong::Findings(findings.map(|error| bad_argument(roll, error)).collect())
    })
}

/// What is wrong with an argument.
fn bad_argument(roll: &Definition, error: &ArgumentError) -> Finding {
    if let Some(found) = error.finding_in_text(words) {
        return found;
    }
    let help = error
        .help
        .clone()
        .unwrap_or_else(|| format!("{} takes ({})", roll.name(), roll.parameter_list()));
    Finding::general(FileCode::BadArguments.as_str(), error.to_string()).help(help)
}

#[pymethods]
impl Script {
    #[new]
    #[pyo3(signature = (source, /, *, limits=None))]
    fn new(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        limits: Option<BTreeMap<String, u64>>,
    ) -> Answered<Self> {
        let limits = self::limits(limits)?;
        let (origin, text) = self::source(source, "dice", "script", limits.source)?;
        let compiler = compiler(limits);
        let mut load =
            |importer: &str, written: &str| import_file(importer, written, limits.source);
        let program = compiler.script_file(&origin, &text, &mut load);
        let program = program.map_err(|errors| Wrong::found(&errors.found, &errors.sources))?;
        warn_of(py, program.notes(), program.sources())?;
        Ok(Self {
            origin,
            program,
            compiler,
        })
    }

    /// The names of its rolls.
    #[getter]
    fn rolls(&self) -> Vec<String> {
        let rolls = self.program.rolls();
        rolls.map(|roll| roll.name().to_owned()).collect()
    }

    /// What an application needs to know: the JSON Schema of each roll's arguments, and more.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.program.describe())
    }

    /// Compute the exact odds of a roll.
    #[pyo3(signature = (args=None, /, *, roll=None, resources=None, options=None))]
    fn odds(
        &self,
        py: Python<'_>,
        args: Option<&Bound<'_, PyAny>>,
        roll: Option<&str>,
        resources: Option<&Bound<'_, PyMapping>>,
        options: Option<&Bound<'_, PyMapping>>,
    ) -> Answered<ScriptOdds> {
        let bound = self.bind(&Given {
            args,
            roll,
            resources,
            options,
        })?;
        let budget = self.program.limits().exact;
        let answer = interruptible(py, |control| {
            bound.answer(&budget, Exactness::default(), control)
        })?;
        let answer = answer.map_err(|failure| self.failed(&failure))?;
        Ok(ScriptOdds::new(bound.definition(), answer, None))
    }

    /// Make a roll once.
    #[pyo3(signature = (args=None, /, *, roll=None, resources=None, seed=None))]
    fn roll(
        &self,
        args: Option<&Bound<'_, PyAny>>,
        roll: Option<&str>,
        resources: Option<&Bound<'_, PyMapping>>,
        seed: Option<u64>,
    ) -> Answered<Roll> {
        let bound = self.bind(&Given {
            args,
            roll,
            resources,
            options: None,
        })?;
        let seed = seed.unwrap_or_else(random_seed);
        let played = bound.play(&mut ScriptSession::new(seed));
        let played = played.map_err(|failure| self.failed(&failure))?;
        Ok(Roll::played(bound, played, seed))
    }

    /// Simulate a roll; see `dicec.sim`. Without `trials` or `precision`, it runs until the results
    /// are known to 0.1 % of their range.
    #[pyo3(signature = (
        args=None, /, *, roll=None, resources=None, options=None, trials=None, precision=None,
        seed=None, threads=None, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn sim(
        &self,
        py: Python<'_>,
        args: Option<&Bound<'_, PyAny>>,
        roll: Option<&str>,
        resources: Option<&Bound<'_, PyMapping>>,
        options: Option<&Bound<'_, PyMapping>>,
        trials: Option<u64>,
        precision: Option<f64>,
        seed: Option<u64>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Answered<ScriptOdds> {
        let bound = self.bind(&Given {
            args,
            roll,
            resources,
            options,
        })?;
        let wanted = Wanted {
            trials,
            precision,
            seed,
            threads,
        };
        let simulation = wanted.simulation(Simulation::usual(Backend::Auto, true))?;
        let simulation = bound.resolved(&simulation);
        let report = watched(py, progress, |control, _| {
            bound.simulate_with(&simulation, control)
        })?;
        let report = report.map_err(|failure| self.failed(&failure))?;
        let run = report.run();
        Ok(ScriptOdds::new(
            bound.definition(),
            bound.sampled(report),
            Some(run),
        ))
    }

    fn __repr__(&self) -> String {
        let rolls = self.rolls().join(", ");
        match self.origin.as_str() {
            "" => format!("<script with {rolls}>"),
            path => format!("<script {path} with {rolls}>"),
        }
    }
}
/// Whether a text is the path of a script: a single line that ends in `.dice`.
fn is_path(text: &str, ending: &str) -> bool {
    let ends = Path::new(text).extension().is_some_and(|end| end == ending);
    ends && !text.contains('\n')
}

/// The name of a file and its text, or a text under an empty name; a text whose extension is
/// `ending` is a path.
///
/// # Errors
/// The file cannot be read as a `what`.
pub(crate) fn source(
    given: &Bound<'_, PyAny>,
    ending: &str,
    what: &str,
    limits: SourceLimits,
) -> Answered<(String, String)> {
    let text = given.cast::<PyString>().map(|text| text.to_string()).ok();
    if let Some(text) = text.filter(|text| !is_path(text, ending)) {
        return Ok((String::new(), text));
    }
    let path: PathBuf = given.extract()?;
    let origin = path.display().to_string();
    let text = read_file(&path, limits);
    let text = text.map_err(|error| error.finding(&origin, what))?;
    Ok((origin, text))
}
