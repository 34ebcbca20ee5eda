//! `dicec roll`: one roll, shown die by die.

use super::best::{LIMITS, WantedArgs};
use super::rolled::report;
use crate::args::{MAX_TRIALS, Shared};
use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::output;
use crate::rule::RuleArgs;
use crate::script::{Advising, How, PlayArgs, not_for_scripts, play};
use clap::Args;
use dicec_compiler::unstable::{Made, MadeDocument};
use dicec_compiler::{Bound, Failure, Session, random_seed};
use dicec_games::dh2e::Purpose;
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  dicec roll 3d6
  dicec roll -n 6 4d6kh3                    six rolls
  dicec roll -q 8d6                         only the total
  dicec roll --faces 4,2,5 3d6              the dice that you rolled yourself
  dicec roll --seed 42 '(1d8 + [Strength]) * 2' -r Strength=4
  dicec roll --seed 42 --trial 1000 3d6     trial 1000 of a faithful simulation
  dicec roll attack.dice --roll fullattack --args sheet.json --session s.json
  dicec roll attack.dice --session s.json --choose 'Reroll?=true' ...";

/// Roll once, and show each die. A file FILE.dice is a script, of which one roll is made
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RollArgs {
    #[command(flatten)]
    rule: RuleArgs,
    /// The faces of the dice, in the order in which they are rolled, instead of random ones
    #[arg(long, value_name = "FACES", value_delimiter = ',', value_parser = face, conflicts_with_all = ["seed", "trial"])]
    faces: Option<Vec<i64>>,
    /// Seed of the roll; the same seed gives the same roll [default: random]
    #[arg(long, value_name = "N", value_parser = number::count)]
    seed: Option<u64>,
    /// Roll this trial of a faithful simulation with the same seed; the first is 0
    #[arg(long, value_name = "T", requires = "seed", value_parser = number::count_in::<u64>(0..=MAX_TRIALS))]
    trial: Option<u64>,
    /// Roll this many times; with a seed, its trials one after the other, and a script's executions
    /// of that seed and the next ones
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "session", value_parser = number::count_in::<u64>(1..=MAX_TIMES))]
    times: Option<u64>,
    /// Print only what the roll comes to: its total, its name or its truth
    #[arg(short = 'q', long, conflicts_with = "json")]
    quiet: bool,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    play: PlayArgs,
    /// Say at each option of a script which answer is best, and how much the next one loses;
    /// --maximise and --minimise say what is wanted
    #[arg(long, help_heading = "Scripts (FILE.dice)")]
    advise: bool,
    #[command(flatten)]
    wanted: WantedArgs,
}

impl RollArgs {
    /// What is wanted, if there is to be advice.
    fn advising(&self, bound: &Bound) -> Result<Option<Advising>, CliError> {
        match (self.advise, self.wanted.given()) {
            (true, _) => Ok(Some(Advising {
                asked: self.wanted.asked(bound)?,
                limits: LIMITS,
            })),
            (false, Some(flag)) => {
                let message = format!("{flag} is for advice, and no advice is asked for");
                let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
                Err(finding.help("add --advise").into())
            }
            (false, None) => Ok(None),
        }
    }
}

/// More rolls than this are a simulation.
const MAX_TIMES: u64 = 1_000_000;

/// One of several rolls as JSON.
#[derive(Serialize)]
struct Numbered<'m> {
    #[serde(flatten)]
    roll: MadeDocument<'m>,
    /// The trial of the seed that it is.
    trial: u64,
}

pub(crate) fn run(args: &RollArgs) -> Result<(), CliError> {
    let loaded = Loaded::new(
        &args.rule,
        &args.script,
        args.play.given().or(args.advise.then_some("--advise")),
        Purpose::Trials,
        &args.shared,
    )?;
    if !loaded.program.is_rule() {
        not_for_scripts(&[
            ("--faces", args.faces.is_some()),
            ("--trial", args.trial.is_some()),
        ])?;
    }
    let before = args.play.remembered()?;
    let (bound, given) = loaded.bind_over(&args.script, &args.shared, before.as_ref())?;
    if args.quiet && bound.kind().is_none() {
        let message = "this roll gives no result, so --quiet has nothing to print";
        let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
        return Err(finding.help("leave --quiet out").into());
    }
    if !loaded.program.is_rule() {
        let how = How {
            seed: args.seed,
            times: args.times,
            quiet: args.quiet,
            json: args.shared.json,
        };
        let advising = args.advising(&bound)?;
        let play_args = (&args.play, advising.as_ref());
        return play(&loaded, (&bound, given), play_args, how);
    }
    match &args.faces {
        Some(faces) => roll_scripted(args, &loaded, &bound, faces),
        None => roll_drawn(args, &loaded, &bound),
    }
}

/// Rolls with faces from a seed.
fn roll_drawn(args: &RollArgs, rule: &Loaded, bound: &Bound) -> Result<(), CliError> {
    let seed = args.seed.unwrap_or_else(random_seed);
    let first = args.trial.unwrap_or(0);
    let trials = first..first.saturating_add(args.times.unwrap_or(1));
    let failed = |failure| rule.failed(&failure);
    let rolls = Made::of_trials(bound, seed, trials.clone()).map_err(failed)?;
    for (trial, roll) in trials.zip(rolls) {
        show(args, bound, &roll.map_err(failed)?, Some((seed, trial)))?;
    }
    let is_told = args.seed.is_some() || args.quiet || args.shared.json;
    if args.times.is_some() && !is_told {
        output::print(&format!("(seed {seed})\n"))?;
    }
    Ok(())
}

/// Prints a roll, which is this trial of a seed.
fn show(
    args: &RollArgs,
    bound: &Bound,
    roll: &Made,
    drawn: Option<(u64, u64)>,
) -> Result<(), CliError> {
    let seed = drawn.map(|(seed, _)| seed);
    let is_one = args.times.is_none();
    match (args.shared.json, args.quiet, drawn) {
        (true, _, Some((_, trial))) if !is_one => output::json(&Numbered {
            roll: roll.document(bound, seed),
            trial,
        }),
        (true, ..) => output::json(&roll.document(bound, seed)),
        (false, true, _) => output::print(&format!("{}\n", roll.result().unwrap_or_default())),
        (false, false, _) => {
            let unknown_seed = seed.filter(|_| args.seed.is_none() && is_one);
            output::print(&report(roll, bound, unknown_seed, None))
        }
    }
}

/// Rolls with given faces, all of which have to be used.
fn roll_scripted(
    args: &RollArgs,
    rule: &Loaded,
    bound: &Bound,
    faces: &[i64],
) -> Result<(), CliError> {
    let times = 0..args.times.unwrap_or(1);
    let rolls: Result<Vec<Made>, Failure> = Session::with_faces(faces, |session| {
        times.map(|_| Made::new(bound, session)).collect()
    });
    let rolls = rolls.map_err(|failure| rule.failed(&failure))?;
    let mut rolls = rolls.iter();
    rolls.try_for_each(|roll| show(args, bound, roll, None))
}

/// Parses a face, for clap.
fn face(text: &str) -> Result<i64, String> {
    let text = unguard(text).trim();
    text.parse()
        .map_err(|_| format!("`{text}` is not a face such as 4"))
}
