//! `dicec best`: the best play of a script's decisions.

mod report;
mod written;

use crate::args::{BudgetArgs, Shared};
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::interrupt::on_interrupt;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::output;
use crate::progress::Progress;
use crate::script::DecisionArgs;
use clap::Args;
use dicec_compiler::Bound;
use dicec_compiler::unstable::{BestAsked, BestPlay};
use dicec_games::dh2e::Purpose;
use dicec_runtime::pmf::Limits;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec best threes.dice --minimise total       which dice to keep
  dicec best game.dice --maximise 'total >= 17' the best chance of 17 or more
  dicec best game.dice --minimise turns         the mean of a statistic
  dicec best game.dice --decide 'Reroll?' --option 'Smite?=always'
  dicec best pig.dice --player A --against B --max-outcomes 20M
  dicec best game.dice --emit                   the rules as functions";

/// The budget of best play, whose states cost more than those of odds.
pub(crate) const LIMITS: Limits = Limits {
    work: 20_000_000_000,
    outcomes: 8_000_000,
};

/// What helps against too many states.
const SMALLER: &str = "ask a smaller question: fewer dice, a lower goal, or a loop that cannot go \
                       on forever with ever greater numbers; or raise the budget with --max-work \
                       or --max-outcomes";

/// Find the best decisions in a script: when to stop, which dice to keep. Each option is answered
/// for the best, from what the script has shown so far, and the answer is exact
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BestArgs {
    /// The script
    #[arg(value_name = "FILE.dice")]
    file: PathBuf,
    #[command(flatten)]
    wanted: WantedArgs,
    /// List this many of the states in which each option is met, the most frequent first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::count)]
    states: u64,
    /// Print the rules for each option as a function of a script
    #[arg(long, conflicts_with = "json")]
    emit: bool,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    decisions: DecisionArgs,
    #[command(flatten)]
    checks: CheckArgs,
}

/// What is wanted, and who decides.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WantedArgs {
    /// Find the decisions with the greatest mean of a number (total, 'hits + 2 * crits'), the
    /// greatest chance of a condition ('total >= 17'), or the greatest mean of a statistic
    /// [default: the result]
    #[arg(long, value_name = "GOAL")]
    maximise: Option<String>,
    /// The same with the least mean or chance
    #[arg(long, value_name = "GOAL", conflicts_with = "maximise")]
    minimise: Option<String>,
    /// Decide only about this option for the best; the others keep to --option. May be repeated
    #[arg(long, value_name = "OPTION")]
    decide: Vec<String>,
    /// Decide only for this player, whom the options name; the others keep to --option
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The opponent of --player, who decides for the opposite
    #[arg(long, value_name = "NAME", requires = "player")]
    against: Option<String>,
}

impl WantedArgs {
    /// The first of these flags that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--maximise", self.maximise.is_some()),
            ("--minimise", self.minimise.is_some()),
            ("--decide", !self.decide.is_empty()),
            ("--player", self.player.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }

    /// The question.
    ///
    /// # Errors
    /// A goal that cannot be computed from the result, or an option that the script does not have.
    pub(crate) fn asked(&self, bound: &Bound) -> Result<BestAsked, CliError> {
        let program = bound.program();
        program.check_options(&self.decide)?;
        let roll = bound.definition();
        let wanted = self.maximise.as_deref().or(self.minimise.as_deref());
        let goal = match wanted {
            Some(text) => roll.best_goal(text),
            // A number has one name in conditions, all others another.
            None => roll
                .best_goal("total")
                .or_else(|_| roll.best_goal("result")),
        };
        let goal = goal.map_err(|wrong| CliError::found(&wrong.found, &wrong.sources))?;
        Ok(BestAsked {
            goal,
            minimise: self.minimise.is_some(),
            decide: self.decide.clone(),
            player: self.player.clone(),
            against: self.against.clone(),
        })
    }
}

pub(crate) fn run(args: &BestArgs) -> Result<(), CliError> {
    let loaded = Loaded::script(&args.file, &args.script, Purpose::Odds, &args.shared)?;
    let bound = loaded.bind(&args.script, &args.shared)?;
    let bound = args.decisions.decided(args.checks.on(bound))?;
    if bound.program().options().is_empty() {
        let message = "the script offers no option, so there is nothing to decide";
        let help = "an option is written `userOption(\"Reroll?\")`";
        return Err(nothing_to_decide(message.to_owned(), help));
    }
    let asked = args.wanted.asked(&bound)?;
    let limits = args.budget.limits_or(LIMITS);
    let best = {
        let progress = Progress::new(Some(limits.work), "steps of work at most");
        let control = progress.control();
        let stopped = control.clone();
        on_interrupt(move || stopped.cancel());
        bound.with_best(&asked, &limits, &control, |advisor| advisor.best_play())
    };
    let best = best.map_err(|failure| refused(loaded.failed(&failure)))?;
    met(&best, &asked)?;
    if args.shared.json {
        return output::json(&report::document(&best, &asked, &bound));
    }
    if args.emit {
        return output::print(&written::functions(&best));
    }
    output::print(&report::report(&best, &asked, &bound, args.states))
}

/// An error; what helps against too many states is not a simulation.
fn refused(mut error: CliError) -> CliError {
    if error.is_budget() {
        for finding in &mut error.findings {
            finding.help = Some(SMALLER.to_owned());
        }
    }
    error
}

fn nothing_to_decide(message: String, help: &str) -> CliError {
    let finding = Finding::general(FileCode::UnknownOption.as_str(), message);
    finding.help(help).into()
}

/// Refuses a question about a player who is never asked.
fn met(best: &BestPlay, asked: &BestAsked) -> Result<(), CliError> {
    for player in asked.player.iter().chain(&asked.against) {
        if best.options.iter().all(|option| option.who != *player) {
            let message = format!("no option that is met asks {player:?}");
            let help = "the player is the first argument of `userOption`";
            return Err(nothing_to_decide(message, help));
        }
    }
    Ok(())
}
