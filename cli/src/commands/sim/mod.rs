//! `dicec sim`: sampled odds.

mod programs;

use super::present::{Presenter, of_script};
use super::questions::QuestionArgs;
use crate::anydice;
use crate::args::{BackendName, SampleArgs, Shared};
use crate::batch::swept::{SweepArgs, Swept};
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::interrupt::interrupted;
use crate::loaded::{Loaded, ScriptArgs};
use crate::plot::PictureFile;
use crate::progress::watched_for;
use crate::rule::RuleArgs;
use crate::scenario::Generated;
use crate::script::OptionArgs;
use crate::text::{script_simulation_report, sim_report};
use clap::Args;
use dicec_compiler::answer::document::{ScriptSimulationDocument, SimulationDocument};
use dicec_compiler::answer::{
    Answer, Distribution, Exactness, NamedAnswer, NamedAnswers, Questions, Run,
};
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Bound, Failure, Keep, Simulation};
use dicec_games::dh2e::Purpose;
use dicec_runtime::bug;
use dicec_runtime::control::Control;
use dicec_runtime::driver::{Ended, RunError};
use dicec_runtime::pmf::Limits;
use dicec_tables::Method;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  dicec sim -n 100M 10d6
  dicec sim --precision 0.001 '1d20 + 7 >= 15'   until known to 0.1 %
  dicec sim --summary --precision 0.01 20d100     the mean, to a hundredth
  dicec sim --seed 1 --backend interp --sampling faithful 3d6
  dicec sim duel.dice --args duel.json --stat rounds
  dicec sim -n 1M '1d20+7 >= [AC]' --sweep AC=10..25
  dicec sim --json -n 1e6 '(1d8 + [Strength]) * 2' -r Strength=4";

/// Simulate in native code. A file FILE.dice is a script, of which one roll is simulated
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SimArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    questions: QuestionArgs,
    #[command(flatten)]
    sweep: SweepArgs,
    /// Draw the odds, too, or with --sweep a curve of the chance or the mean: a .svg or .png file.
    /// Of a script, --stat says which statistics
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse)]
    plot: Option<PictureFile>,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    sample: SampleArgs,
    /// Give only the figures, without a chart: of a number its mean, spread, lowest and highest
    /// result, which takes less time; of a check, a degree or a label its chances
    #[arg(long, help_heading = "Simulation")]
    summary: bool,
    /// What runs the trials; it does not change the result
    #[arg(
        long,
        value_name = "NAME",
        default_value = "auto",
        help_heading = "Simulation"
    )]
    backend: BackendName,
    /// The same as --backend jit
    #[arg(long, conflicts_with_all = ["interp", "backend"], help_heading = "Simulation")]
    jit: bool,
    /// The same as --backend interp
    #[arg(long, conflicts_with = "backend", help_heading = "Simulation")]
    interp: bool,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    checks: CheckArgs,
}

impl SimArgs {
    fn simulation(&self, is_script: bool) -> Simulation {
        let backend = match (self.jit, self.interp) {
            (true, _) => Backend::Jit,
            (_, true) => Backend::Interp,
            _ => self.backend.into(),
        };
        let keep = match self.summary {
            true => Keep::Moments,
            false => Keep::Outcomes,
        };
        self.sample.simulation(backend, is_script).keep(keep)
    }

    /// The file that is simulated, if it is not an expression.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.rule.script()
    }

    /// Whether it is asked for more than what a simulation comes to as a whole.
    pub(crate) fn asks_for_parts(&self) -> bool {
        let stats = !self.options.stats().is_empty();
        self.sweep.is_given() || self.summary || stats || self.questions.given().is_some()
    }

    /// Whether everything is to be shown that may be long.
    pub(crate) fn all(&self) -> bool {
        self.questions.all
    }

    /// Compiles the script of a scenario, for [`run_loaded`] and [`Self::answer_script`].
    ///
    /// # Errors
    /// As for [`Loaded::text`].
    pub(crate) fn generated(&self, origin: &str, made: Generated) -> Result<Loaded, CliError> {
        Loaded::generated(origin, made, &self.script, &self.shared)
    }

    /// The roll of a script with its arguments and decisions.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(crate) fn bound(&self, loaded: &Loaded) -> Result<Bound, CliError> {
        self.options
            .decided(self.checks.on(loaded.bind(&self.script, &self.shared)?))
    }

    /// The seed that is asked for.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.sample.seed
    }

    /// What `--set` says.
    pub(crate) fn set(&self) -> &[String] {
        self.script.set()
    }

    /// Simulates a script, or has its exact odds within limits, and shows what it comes to: as a
    /// document, or as text of a width. There is no run of exact odds.
    ///
    /// # Errors
    /// Everything that keeps the odds from being known or shown.
    pub(crate) fn answer_script<D: Serialize>(
        &self,
        loaded: &Loaded,
        exact: Option<&Limits>,
        document: impl FnOnce(&Answer, Option<&Run>) -> D,
        report: impl FnOnce(&Answer, Option<&Run>, usize) -> String,
    ) -> Result<ExitCode, CliError> {
        let asked = self.questions.questions(loaded, self.summary)?;
        let bound = self.bound(loaded)?;
        let (answer, run) = match exact {
            None => {
                let (answer, run) = simulate(loaded, &bound, self.simulation(true))?;
                (answer, Some(run))
            }
            Some(limits) => {
                let answer = bound.answer(limits, Exactness::default(), &Control::default());
                (answer.map_err(|failure| loaded.failed(&failure))?, None)
            }
        };
        self.presenter(&asked).show(
            || of_script(bound.definition().label(), &answer, &[]),
            || document(&answer, run.as_ref()),
            |width| report(&answer, run.as_ref(), width),
        )?;
        Ok(run.as_ref().map_or(ExitCode::SUCCESS, exit_code))
    }

    fn presenter<'a>(&'a self, asked: &'a Questions) -> Presenter<'a> {
        let aside = self.questions.given();
        let plot = self.plot.as_ref();
        Presenter::new(&self.sweep, plot, self.shared.json, asked, aside)
    }

    /// Refuses questions about single results where these are not kept.
    fn check_summary(&self) -> Result<(), CliError> {
        match (self.summary, &self.plot) {
            (true, Some(_)) if !self.sweep.is_given() => {
                let message = "a picture shows single results, and --summary keeps none of them";
                let finding = Finding::general(FileCode::NotInSummary.as_str(), message);
                Err(finding.help("leave --summary out").into())
            }
            (true, _) => self.questions.check_summary(),
            (false, _) => Ok(()),
        }
    }
}

pub(crate) fn run(args: &SimArgs) -> Result<ExitCode, CliError> {
    args.check_summary()?;
    if let Some(program) = anydice::given(&args.rule, &args.shared)? {
        return programs::run(args, &program);
    }
    let given = args.options.given();
    let loaded = Loaded::new(
        &args.rule,
        &args.script,
        given,
        Purpose::Trials,
        &args.shared,
    )?;
    run_loaded(args, loaded)
}

/// [`run`] with an expression or a script that was read already.
///
/// # Errors
/// Everything that keeps the odds from being known or shown.
pub(crate) fn run_loaded(args: &SimArgs, loaded: Loaded) -> Result<ExitCode, CliError> {
    args.check_summary()?;
    if args.sweep.is_given() {
        sweep(args, loaded)?;
        return Ok(ExitCode::SUCCESS);
    }
    let asked = args.questions.questions(&loaded, args.summary)?;
    let bound = args.bound(&loaded)?;
    let whole = args.options.whole(&bound)?;
    let asked_for = args.simulation(loaded.program.is_script());
    let (answer, run) = simulate(&loaded, &bound, asked_for)?;
    let code = exit_code(&run);
    let presenter = args.presenter(&asked);
    if loaded.program.is_rule() {
        let (name, odds) = (loaded.program.normal_form(), result(answer)?);
        let named = || NamedAnswers::new(vec![NamedAnswer::of_odds(&name, odds.clone())]);
        presenter.show(
            || Ok(named()),
            || SimulationDocument::new(&odds, &run, &asked),
            |width| sim_report(&odds, &run, &asked, width),
        )?;
        return Ok(code);
    }
    let names = (bound.definition().name(), bound.definition().label());
    presenter.show(
        || of_script(names.1, &answer, whole),
        || ScriptSimulationDocument::new(names, &answer, &run, &asked),
        |width| script_simulation_report(&answer, &run, &asked, whole, width),
    )?;
    Ok(code)
}

/// The odds for each value of a sweep.
fn sweep(args: &SimArgs, loaded: Loaded) -> Result<(), CliError> {
    let is_script = loaded.program.is_script();
    args.questions.check_all(args.options.stats())?;
    if loaded.program.is_rule() {
        args.questions.check(&loaded, loaded.kind()?)?;
    } else {
        args.options.known(&loaded.program)?;
    }
    let swept = Swept {
        args: &args.sweep,
        shared: &args.shared,
        method: Method::Sample(args.simulation(is_script)),
        threads: args.sample.threads,
        is_seed_open: args.sample.seed.is_none(),
        numbers: args.questions.columns(args.summary, args.options.stats()),
        plot: args.plot.as_ref(),
        script: &args.script,
        decisions: args.options.decisions(),
        checks: args.checks,
    };
    match loaded.program.is_rule() {
        true => swept.rules(&[loaded]),
        false => swept.script(&loaded),
    }
}

/// The exit code of a command that simulated.
pub(crate) fn exit_code(run: &Run) -> ExitCode {
    match run.ended {
        Ended::Finished => interrupted(),
        Ended::Trials | Ended::Precise | Ended::Most => ExitCode::SUCCESS,
    }
}

/// Runs a simulation with a line of progress.
pub(crate) fn simulate(
    loaded: &Loaded,
    bound: &Bound,
    asked: Simulation,
) -> Result<(Answer, Run), CliError> {
    simulate_for(loaded, bound, asked, None)
}

/// Runs a simulation that ends after a time with the trials done so far.
pub(super) fn simulate_for(
    loaded: &Loaded,
    bound: &Bound,
    asked: Simulation,
    longest: Option<Duration>,
) -> Result<(Answer, Run), CliError> {
    let asked = bound.resolved(&asked);
    let got = watched_for(&asked, longest, |control| {
        bound.simulate_with(&asked, control)
    });
    let got = got.map_err(|failure| explain(loaded, &failure, asked.sampling))?;
    let run = got.run();
    Ok((bound.sampled(got), run))
}

/// The results in the answer of an expression.
///
/// # Errors
/// An internal one.
pub(super) fn result(answer: Answer) -> Result<Distribution, CliError> {
    let result = answer.result;
    result.ok_or_else(|| bug!("an expression without results").into())
}

/// A failed simulation as an error. A faithful trial of an expression that failed can be rolled
/// again.
fn explain(loaded: &Loaded, failure: &Failure, sampling: Sampling) -> CliError {
    let mut error = loaded.failed(failure);
    if !loaded.program.is_script()
        && let Failure::Run(RunError::Trapped { trial, seed, .. }) = failure
        && sampling == Sampling::Faithful
        && let Some(finding) = error.findings.first_mut()
    {
        let again = format!("dicec roll --seed {seed} --trial {trial} does it again");
        finding.help = Some(match finding.help.take() {
            Some(help) => format!("{help}; {again}"),
            None => again,
        });
    }
    error
}
