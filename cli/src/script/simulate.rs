//! `dicec sim FILE.dice`: a roll over many trials.

use super::answer::{Answer, AnswerJson, Stat};
use super::loaded::{Loaded, ScriptArgs};
use super::options::OptionArgs;
use crate::args::{Shared, backend_word, sampling_word};
use crate::distribution::{Distribution, Questions, Run, sim_body, sim_footer, sim_heading};
use crate::error::CliError;
use crate::output;
use crate::progress::Progress;
use dicec_compiler::hir::Kind;
use dicec_compiler::{Bound, Keep, Report, Simulation};
use dicec_runtime::driver::Extent;
use dicec_runtime::events::Events;
use dicec_runtime::stats::{Tally, standard_error};
use serde::Serialize;
use std::path::Path;

/// The output of `dicec sim FILE.dice --json`.
#[derive(Serialize)]
struct SimJson {
    #[serde(flatten)]
    answer: AnswerJson,
    /// How many trials ran.
    trials: u64,
    /// The seed that gives the same result again.
    seed: u64,
    /// `jit` or `interp`.
    backend: &'static str,
    /// `faithful` or `fused`.
    sampling: &'static str,
    /// How long the trials took, in nanoseconds.
    elapsed_ns: u64,
    /// Trials by that time.
    trials_per_second: f64,
}

/// Simulates a roll of the script at `path`.
pub(crate) fn run(
    path: &Path,
    script: &ScriptArgs,
    options: &OptionArgs,
    simulation: Simulation,
    asked: &Questions,
    shared: &Shared,
) -> Result<(), CliError> {
    let loaded = Loaded::read(path, script, shared)?;
    let bound = options.decided(loaded.bind(script, shared)?)?;
    let whole = options.whole(&bound)?;
    let keep = match asked.summary {
        true => Keep::Moments,
        false => Keep::Outcomes,
    };
    let simulation = bound.resolved(&simulation.keep(keep));
    let progress = Progress::new(trials(&simulation), "trials");
    let report = bound.simulate_with(&simulation, &progress.control());
    drop(progress);
    let report = report.map_err(|failure| loaded.failed(&failure))?;
    let run = Run::new(&report);
    let got = Sampled::new(&bound, report);
    let answer = got.answer(&bound, &whole);
    if shared.json {
        return output::json(&SimJson::new(&bound, &answer, &run, asked));
    }
    let width = output::width();
    let mut text = sim_heading(&run);
    if let Some(odds) = &answer.result {
        text += sim_body(odds, &run, asked, width).trim_end();
        text += "\n\n";
    }
    text += &answer.report(asked, width);
    output::print(&(text + &sim_footer(&run)))
}

/// How many trials it is, if that is known beforehand.
fn trials(simulation: &Simulation) -> Option<u64> {
    match simulation.extent {
        Extent::Trials(trials) => Some(trials),
        Extent::Precision { .. } => None,
    }
}

/// What came of a simulation.
pub(super) struct Sampled {
    trials: u64,
    /// None where the roll returns nothing.
    result: Option<Distribution>,
    events: Events,
}

impl Sampled {
    pub(super) fn new(bound: &Bound, report: Report) -> Self {
        Self {
            trials: report.trials(),
            result: bound
                .kind()
                .map(|kind| Distribution::reported(kind, report.results)),
            events: report.events,
        }
    }

    /// What it says, with these statistics shown whole.
    pub(super) fn answer(self, bound: &Bound, whole: &[usize]) -> Answer {
        let trials = self.trials.max(1) as f64;
        let lines = self.events.lines();
        let stats = bound.program().stats().iter().zip(self.events.stats());
        let stat = |(place, (name, tally)): (usize, (&String, &Tally))| {
            let noted = tally.count() > 0;
            Stat {
                name: name.clone(),
                notes: tally.count() as f64 / trials,
                odds: noted.then(|| Distribution::sampled(Kind::Number, tally.clone())),
                error: tally.sd().map(|sd| standard_error(sd, tally.count())),
                whole: whole.contains(&place),
            }
        };
        Answer {
            left_out: 0.0,
            lines: lines
                .map(|(line, times)| (line.to_owned(), times as f64 / trials))
                .collect(),
            stats: stats.enumerate().map(stat).collect(),
            result: self.result,
        }
    }
}

impl SimJson {
    fn new(bound: &Bound, answer: &Answer, run: &Run, asked: &Questions) -> Self {
        let roll = bound.definition();
        Self {
            answer: AnswerJson::new(roll.name(), roll.label(), answer, asked),
            trials: run.trials,
            seed: run.asked.seed,
            backend: backend_word(run.asked.backend),
            sampling: sampling_word(run.asked.sampling),
            elapsed_ns: u64::try_from(run.elapsed.as_nanos()).unwrap_or(u64::MAX),
            trials_per_second: run.trials_per_second(),
        }
    }
}
