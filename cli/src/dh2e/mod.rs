//! `dicec dh2e`: the d100 rules engine of seed 003 on items, actors and scenarios in JSON.
//!
//! `crate::scenario` makes scripts of the files, which other commands take as well; `show` rolls
//! them and has their odds. Each command has a file of its own.

mod attack;
mod describe;
mod fight;
mod happenings;
mod predicate;
mod resolve;
mod show;
mod test;

use crate::error::CliError;
use crate::exit::ExitCode;
use clap::{Arg, Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  dicec dh2e test vessa.json --skill dodge:dodge-attack
  dicec dh2e attack burst.json
  dicec dh2e fight ambush.json -n 1M
  dicec dh2e resolve items.json --domain attack:ranged --characteristic bs";

/// The d100 rules of DH2E: tests, attacks and fights of characters in JSON
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dh2eArgs {
    #[command(subcommand)]
    command: Dh2eCommand,
}

#[derive(Debug, Subcommand)]
enum Dh2eCommand {
    Test(test::TestArgs),
    Attack(attack::AttackArgs),
    Fight(Box<fight::FightArgs>),
    Resolve(resolve::ResolveArgs),
    Predicate(predicate::PredicateArgs),
    Describe(describe::DescribeArgs),
}

impl Dh2eArgs {
    /// Whether the command prints JSON.
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Dh2eCommand::Test(args) => args.shared.json,
            Dh2eCommand::Attack(args) => args.shared.json,
            Dh2eCommand::Fight(args) => args.sim.shared.json,
            Dh2eCommand::Resolve(args) => args.json,
            Dh2eCommand::Predicate(args) => args.json,
            Dh2eCommand::Describe(_) => true,
        }
    }
}

/// An argument as the commands have it: those of expressions only are not shown.
fn without_rules(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "dialect" | "own" | "target" | "self_sheet" | "target_sheet" | "bestiary"
        | "default_resource" => arg.hide(true),
        _ => arg,
    }
}

pub(crate) fn run(args: &Dh2eArgs) -> Result<ExitCode, CliError> {
    match &args.command {
        Dh2eCommand::Test(args) => test::run(args),
        Dh2eCommand::Attack(args) => attack::run(args),
        Dh2eCommand::Fight(args) => return fight::run(args),
        Dh2eCommand::Resolve(args) => resolve::run(args),
        Dh2eCommand::Predicate(args) => predicate::run(args),
        Dh2eCommand::Describe(args) => describe::run(args),
    }?;
    Ok(ExitCode::SUCCESS)
}
