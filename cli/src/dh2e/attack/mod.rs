//! `dicec dh2e attack`: an attack, hit by hit, and its odds.

mod report;

use super::show::{Generated, show};
use super::without_rules;
use crate::args::Shared;
use crate::error::CliError;
use crate::number;
use crate::report::Reporter;
use crate::scenario::attack_script;
use clap::Args;
use dicec_compiler::answer::Answer;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec dh2e attack burst.json
  dicec odds burst.json --stat killed --set toughness=6    the same script
  dicec batch targets.csv burst.json
  dicec emit --stage dice burst.json                       to read and change it";

/// Make an attack of a scenario: each hit, and the odds of hits, wounds by location and the kill
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_args(without_rules))]
pub(super) struct AttackArgs {
    /// The scenario: `attacker`, `target`, `weapon`, `mode`
    #[arg(value_name = "SCENARIO.json")]
    scenario: PathBuf,
    /// Seed of the roll; the same seed gives the same roll [default: random]
    #[arg(long, value_name = "N", value_parser = number::count)]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) shared: Shared,
}

pub(super) fn run(args: &AttackArgs) -> Result<(), CliError> {
    let shared = &args.shared;
    let attack = attack_script(&args.scenario, Reporter::new(shared.json))?;
    let generated = Generated {
        origin: &args.scenario.display().to_string(),
        text: &attack.script,
        before: (String::new(), None::<()>),
        seed: args.seed,
    };
    let report = |answer: &Answer, width| report::report(&attack.target, answer, width);
    show(&generated, true, Some(&report), shared)
}
