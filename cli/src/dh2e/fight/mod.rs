//! `dicec dh2e fight`: the chances of the sides, the number of rounds, and the state of the
//! fighters.
//!
//! ```text
//! SCENARIO.json --crate::scenario--> FightPlan --sim--> Answer --Fought--> report, document
//! ```

mod document;
mod fought;
mod report;

use super::without_rules;
use crate::args::BudgetArgs;
use crate::blows::Blows;
use crate::commands::sim::{self, SimArgs};
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::Loaded;
use crate::report::Reporter;
use crate::scenario::{fight_plan, is_scenario};
use clap::{Arg, Args};
use dicec_fights::FightTitle;
use dicec_games::dh2e::{FightPlan, Purpose};
use fought::Fought;

const EXAMPLES: &str = "\
Examples:
  dicec dh2e fight ambush.json
  dicec dh2e fight ambush.json -n 1M --seed 1
  dicec dh2e fight ambush.json --set rounds=10 --set Scav.count=5
  dicec dh2e fight duel.json --exact                   exact odds of a small fight
  dicec dh2e fight ambush.json --stat rounds           all of a statistic
  dicec dh2e fight ambush.json --tell --seed 7         one fight, step by step
  dicec emit --stage dice ambush.json                  its script";

/// Fight a scenario many times: who wins, after how many rounds, with which injuries. With
/// questions about results, statistics or a sweep it answers as `dicec sim` does
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_args(fitted))]
pub(super) struct FightArgs {
    #[command(flatten)]
    pub(super) sim: SimArgs,
    /// Exact odds instead of a simulation: of small fights
    #[arg(long, conflicts_with_all = ["trials", "precision"])]
    exact: bool,
    /// Tell one fight, step by step
    #[arg(long, conflicts_with_all = ["trials", "precision", "exact", "plot", "sweep"])]
    tell: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// An argument of simulations as fights have it: those of expressions only are not shown.
fn fitted(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "words" => arg
            .value_name("SCENARIO.json")
            .help("The scenario: a file with `sides` and their `fighters`")
            .num_args(1),
        "all" => arg.help("Show every critical injury and every condition"),
        "file" => arg.hide(true),
        _ => without_rules(arg),
    }
}

pub(super) fn run(args: &FightArgs) -> Result<ExitCode, CliError> {
    let sim = &args.sim;
    let Some(path) = sim.file().filter(|path| is_scenario(path)) else {
        let message = "a fight is a scenario, a file whose name ends in .json";
        let finding = Finding::general(FileCode::BadItem.as_str(), message);
        let help = "dicec sim simulates expressions and scripts";
        return Err(finding.help(help).into());
    };
    let reporter = Reporter::new(sim.shared.json);
    let purpose = match (args.exact, args.tell) {
        (true, _) => Purpose::Odds,
        (false, true) => Purpose::Telling,
        (false, false) => Purpose::Trials,
    };
    let (plan, made) = fight_plan(path, sim.set(), purpose, reporter)?;
    let loaded = sim.generated(&path.display().to_string(), made)?;
    if args.tell {
        tell(sim, &plan, &loaded)?;
        return Ok(ExitCode::SUCCESS);
    }
    if sim.asks_for_parts() {
        if args.exact {
            let message = "--exact answers with the report of a fight only";
            let finding = Finding::general(FileCode::NotInSummary.as_str(), message);
            let help = "`dicec odds` has the exact odds of statistics, and those of a sweep";
            return Err(finding.help(help).into());
        }
        return sim::run_loaded(sim, loaded);
    }
    let limits = args.budget.limits();
    sim.answer_script(
        &loaded,
        args.exact.then_some(&limits),
        |answer, run| document::document(&Fought::new(&plan, answer, run)),
        |answer, run, width| report::report(&Fought::new(&plan, answer, run), sim.all(), width),
    )
}

/// Tells one fight, step by step.
fn tell(sim: &SimArgs, plan: &FightPlan, loaded: &Loaded) -> Result<(), CliError> {
    if sim.asks_for_parts() {
        let message = "--tell tells one fight, which has no odds";
        let finding = Finding::general(FileCode::NotInSummary.as_str(), message);
        let help = "leave --tell out, or the questions about odds";
        return Err(finding.help(help).into());
    }
    let sides = plan.sides.iter();
    let sides: Vec<(&str, &str)> = sides
        .map(|side| (side.result.as_str(), side.name.as_str()))
        .collect();
    let blows = Blows {
        title: FightTitle::Fight(&plan.title),
        loaded,
        bound: &sim.bound(loaded)?,
        sides: &sides,
        seed: sim.seed(),
        json: sim.shared.json,
    };
    blows.tell()
}
