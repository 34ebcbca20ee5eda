//! `dicec roll`: one roll, shown die by die.

use super::rolled::Made;
use crate::args::{MAX_TRIALS, Shared, random_seed};
use crate::error::CliError;
use crate::guard::unguard;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::output;
use crate::rule::RuleArgs;
use crate::script::{PlayArgs, not_for_scripts, play};
use clap::Args;
use dicec_compiler::syntax::Code;
use dicec_compiler::{Bound, Failure, Session};
use dicec_runtime::trap::TrapCode;

const EXAMPLES: &str = "\
Examples:
  dicec roll 3d6
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
    faces: Option<Vec<u64>>,
    /// Seed of the roll; the same seed gives the same roll [default: random]
    #[arg(long, value_name = "N", value_parser = number::count)]
    seed: Option<u64>,
    /// Roll this trial of a faithful simulation with the same seed; the first is 0
    #[arg(long, value_name = "T", requires = "seed", value_parser = number::count_in::<u64>(0..=MAX_TRIALS))]
    trial: Option<u64>,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    play: PlayArgs,
}

pub(crate) fn run(args: &RollArgs) -> Result<(), CliError> {
    if args.rule.script().is_some() {
        not_for_scripts(&[
            ("--faces", args.faces.is_some()),
            ("--trial", args.trial.is_some()),
        ])?;
    }
    let loaded = Loaded::new(&args.rule, &args.script, args.play.given(), &args.shared)?;
    let bound = loaded.bind(&args.script, &args.shared)?;
    if !loaded.program.is_rule() {
        return play(&loaded, &bound, &args.play, args.seed, &args.shared);
    }
    let (roll, seed) = match &args.faces {
        Some(faces) => (roll_scripted(&loaded, &bound, faces)?, None),
        None => {
            let seed = args.seed.unwrap_or_else(random_seed);
            let trial = args.trial.unwrap_or(0);
            let roll = Made::of_trial(&bound, seed, trial);
            (roll.map_err(|failure| loaded.failed(&failure))?, Some(seed))
        }
    };
    if args.shared.json {
        output::json(&roll.document(&bound, seed))
    } else {
        let unknown_seed = seed.filter(|_| args.seed.is_none());
        output::print(&roll.report(&bound, unknown_seed, None))
    }
}

/// Rolls with given faces, all of which have to be used.
fn roll_scripted(rule: &Loaded, bound: &Bound, faces: &[u64]) -> Result<Made, CliError> {
    let mut session = Session::scripted(faces.to_vec());
    let rolled = Made::new(bound, &mut session);
    let used = session.used();
    match rolled {
        Ok(roll) if used == faces.len() => Ok(roll),
        Ok(_) => Err(too_many_faces(rule, faces.len(), used)),
        Err(failure) => Err(name_the_die(rule, &failure, faces, used)),
    }
}

fn too_many_faces(rule: &Loaded, given: usize, used: usize) -> CliError {
    let mut finding = rule.finding(Code::LeftoverFaces);
    let dice = match used {
        1 => "1 die is".to_owned(),
        used => format!("{used} dice are"),
    };
    finding.message = format!("face {} belongs to no die: {dice} rolled", used + 1);
    let help = format!("{given} faces were given; leave the last ones out");
    finding.help(help).into()
}

/// A failure of given faces, with the die that it is about.
fn name_the_die(rule: &Loaded, failure: &Failure, faces: &[u64], used: usize) -> CliError {
    let mut error = rule.failed(failure);
    if let (Failure::Trap(trap), Some(finding)) = (failure, error.findings.first_mut()) {
        let die = used + 1;
        let detail = match (trap.code, faces.get(used)) {
            (TrapCode::FacesRanOut, _) => format!("die {die} has none"),
            (TrapCode::ImpossibleFace, Some(face)) => format!("die {die} was given a {face}"),
            _ => return error,
        };
        finding.message = format!("{}: {detail}", finding.message);
    }
    error
}

/// Parses a face, for clap.
fn face(text: &str) -> Result<u64, String> {
    let text = unguard(text).trim();
    text.parse()
        .map_err(|_| format!("`{text}` is not a face such as 4"))
}
