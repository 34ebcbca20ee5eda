//! `dicec EXPR`: one roll, then the odds.

use super::odds::exact;
use super::rolled::report;
use super::sim::{exit_code, result, simulate};
use crate::args::{BudgetArgs, SampleArgs, Shared};
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::rule::RuleArgs;
use crate::text::{odds_report, sim_report};
use clap::{Args, Command};
use dicec_compiler::answer::document::{OddsDocument, SimulationDocument};
use dicec_compiler::answer::grouped;
use dicec_compiler::answer::{Distribution, Questions, Run, Weights};
use dicec_compiler::unstable::{Backend, Made, MadeDocument};
use dicec_compiler::{Bound, Simulation, random_seed};
use dicec_games::dh2e::Purpose;
use dicec_lang::syntax::nearest;
use dicec_runtime::driver::Extent;
use serde::Serialize;
use std::path::Path;

/// A roll longer than this many lines is cut in the middle; `dicec roll` shows all of it.
const MAX_ROLL_LINES: usize = 5;

/// Roll once and show the odds
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    rule: RuleArgs,
    /// Compute the odds exactly; this is the default
    #[arg(long, conflicts_with_all = ["jit", "interp"])]
    exact: bool,
    /// Take the odds from a simulation in native code
    #[arg(long, conflicts_with = "interp")]
    jit: bool,
    /// Take the odds from a simulation in the interpreter
    #[arg(long)]
    interp: bool,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    checks: CheckArgs,
}

/// The output of `dicec EXPR --json`.
#[derive(Serialize)]
struct ShowJson<'m> {
    /// As `dicec roll --json`.
    roll: MadeDocument<'m>,
    /// As `dicec odds --json`, or `dicec sim --json` if it was sampled.
    odds: AnswerJson,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnswerJson {
    Exact(OddsDocument),
    Sampled(SimulationDocument),
}

/// The odds, with the simulation that they are from, if any.
type Answer = (Distribution, Option<Run>);

pub(crate) fn run(args: &ShowArgs, cli: &Command) -> Result<ExitCode, CliError> {
    if let Some(path) = args.rule.script() {
        return Err(script_needs_command(path).into());
    }
    let none = ScriptArgs::default();
    let compiled = Loaded::new(&args.rule, &none, None, Purpose::Trials, &args.shared);
    let rule = compiled.map_err(|error| with_command_hint(error, &args.rule, cli))?;
    let bound = args.checks.on(rule.bind(&none, &args.shared)?);
    let seed = args.sample.seed.unwrap_or_else(random_seed);
    let roll = Made::of_trial(&bound, seed, 0).map_err(|failure| rule.failed(&failure))?;
    let (odds, run) = answer(args, &rule, &bound)?;
    let code = run.as_ref().map_or(ExitCode::SUCCESS, exit_code);
    let asked = Questions::default();
    if args.shared.json {
        let odds = match &run {
            Some(run) => AnswerJson::Sampled(SimulationDocument::new(&odds, run, &asked)),
            None => AnswerJson::Exact(OddsDocument::new(&odds, &asked)),
        };
        let roll = roll.document(&bound, Some(seed));
        output::json(&ShowJson { roll, odds })?;
        return Ok(code);
    }
    let width = output::width();
    let unknown_seed = args.sample.seed.is_none().then_some(seed);
    let mut text = report(&roll, &bound, unknown_seed, Some(width * MAX_ROLL_LINES)) + "\n";
    text += &match &run {
        Some(run) => sim_report(&odds, run, &asked, width),
        None => odds_report(&odds, &asked, width),
    };
    output::print(&text)?;
    Ok(code)
}

/// The odds, from where the flags say. Exact ones that cost too much are sampled instead.
fn answer(args: &ShowArgs, rule: &Loaded, bound: &Bound) -> Result<Answer, CliError> {
    let sampled = |simulation| {
        let (answer, run) = simulate(rule, bound, simulation)?;
        Ok((result(answer)?, Some(run)))
    };
    if args.jit {
        return sampled(args.sample.simulation(Backend::Jit, false));
    }
    if args.interp {
        return sampled(args.sample.simulation(Backend::Interp, false));
    }
    let error = match exact(rule, bound, args.budget.limits(), Weights::Cheapest) {
        Ok(odds) => return Ok((odds, None)),
        Err(error) => error,
    };
    if args.exact || !error.is_budget() {
        return Err(error);
    }
    let mut simulation = args.sample.simulation(Backend::Auto, false);
    if args.sample.trials.is_none() && args.sample.precision.is_none() {
        // What is too large to compute is likely slow to roll, too.
        simulation.extent = Simulation::usual(Backend::Interp, false).extent;
    }
    for finding in error.findings {
        args.shared
            .reporter()
            .note(&as_note(finding, simulation.extent));
    }
    sampled(simulation)
}

/// The end of the help of a refusal, which was done already.
const OR_SAMPLE: &str = ", or sample instead: dicec sim";

/// The refusal of an exact answer as a note.
pub(super) fn as_note(finding: Finding, extent: Extent) -> Finding {
    let message = format!(
        "{}, so the odds are sampled ({} trials at most)",
        finding.message,
        grouped(extent.most())
    );
    Finding {
        is_error: false,
        message,
        help: finding.help.map(|help| help.replace(OR_SAMPLE, "")),
        ..finding
    }
}

/// What is to be done with a script has to be said.
fn script_needs_command(path: &Path) -> Finding {
    let path = path.display();
    let message = format!("{path} is a script: say what to do with it");
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    finding.help(format!(
        "dicec roll {path} makes a roll, dicec odds {path} gives its odds, dicec check {path} says what it defines"
    ))
}

/// A rule that begins with a command's name, or nearly, was likely meant as that command.
fn with_command_hint(mut error: CliError, rule: &RuleArgs, cli: &Command) -> CliError {
    let names = cli.get_subcommands().map(Command::get_name);
    let meant = rule.first_word().and_then(|word| {
        let word = word.split_whitespace().next()?;
        Some((word, nearest(word, names)?))
    });
    if let (Some((word, name)), Some(finding)) = (meant, error.findings.first_mut()) {
        finding.help = Some(if word == name {
            format!("flags follow the command: dicec {name} ...")
        } else {
            format!("did you mean the command `dicec {name}`?")
        });
    }
    error
}
