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
use dicec_compiler::{BoundScript, ScriptSimulated, Simulated, Simulation};
use dicec_runtime::driver::Extent;
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
    let simulation = bound.settled(&simulation);
    let got = simulate(&loaded, &bound, simulation)?;
    let answer = answer(&bound, &got, &whole);
    let run = Run {
        asked: simulation,
        got: Simulated {
            tally: got.tally,
            elapsed: got.elapsed,
        },
    };
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

/// Runs a simulation with a progress bar.
fn simulate(
    loaded: &Loaded,
    bound: &BoundScript<'_>,
    simulation: Simulation,
) -> Result<ScriptSimulated, CliError> {
    let total = match simulation.extent {
        Extent::Trials(trials) => Some(trials),
        Extent::Precision { .. } => None,
    };
    let progress = Progress::new(total, "trials");
    let got = bound.simulate_with(&simulation, &progress.control());
    drop(progress);
    got.map_err(|failure| loaded.failed(&failure))
}

/// What a simulation says, with these statistics shown whole.
pub(super) fn answer(bound: &BoundScript<'_>, got: &ScriptSimulated, whole: &[usize]) -> Answer {
    let trials = got.tally.count().max(1) as f64;
    let lines = got.events.lines();
    let stats = bound.script().hir().stats.iter().zip(got.events.stats());
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
        result: bound
            .kind()
            .map(|kind| Distribution::sampled(kind, got.tally.clone())),
        lines: lines
            .map(|(line, times)| (line.to_owned(), times as f64 / trials))
            .collect(),
        stats: stats.enumerate().map(stat).collect(),
    }
}

impl SimJson {
    fn new(bound: &BoundScript<'_>, answer: &Answer, run: &Run, asked: &Questions) -> Self {
        let roll = bound.roll();
        Self {
            answer: AnswerJson::new(&roll.name, &roll.label, answer, asked),
            trials: run.got.tally.count(),
            seed: run.asked.seed,
            backend: backend_word(run.asked.backend),
            sampling: sampling_word(run.asked.sampling),
            elapsed_ns: u64::try_from(run.got.elapsed.as_nanos()).unwrap_or(u64::MAX),
            trials_per_second: run.trials_per_second(),
        }
    }
}
