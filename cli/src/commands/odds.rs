//! `dicec odds`: the exact odds.

use crate::args::{BudgetArgs, Shared};
use crate::distribution::{Distribution, OddsJson, Questions, kind_word, odds_report};
use crate::error::CliError;
use crate::number;
use crate::output;
use crate::rule::{Rule, RuleArgs};
use clap::Args;
use dicec_compiler::hir::Kind;
use dicec_compiler::syntax::Code;
use dicec_compiler::{Bound, Failure};
use dicec_runtime::pmf::Limits;

/// What exact fractions may cost; an answer that takes more is computed in floating point, which is many times faster.
const FRACTION_WORK: u64 = 20_000_000;

const EXAMPLES: &str = "\
Examples:
  dicec odds 3d6 --ge 15                    the chance of 15 or more
  dicec odds 8d6 --quantile 0.1 --quantile 90%
  dicec odds '1d20 + [Attack] >= [Target Defense]' --self fighter.json --target goblin.json
  dicec odds --json 2d6";

/// Compute the exact odds
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OddsArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    questions: QuestionArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// What can be asked beside the table.
#[derive(Args, Debug)]
pub(super) struct QuestionArgs {
    /// Give the chance of a total of at least N; may be repeated
    #[arg(long = "ge", value_name = "N", value_parser = number::integer)]
    at_least: Vec<i64>,
    /// Give the total that a share P of all rolls does not exceed, 0.9 or 90%; may be repeated
    #[arg(long = "quantile", value_name = "P", value_parser = number::share)]
    quantiles: Vec<f64>,
}

impl QuestionArgs {
    /// The questions, if they can be asked of this rule.
    pub(super) fn questions(&self, rule: &Rule) -> Result<Questions, CliError> {
        let asked = !self.at_least.is_empty() || !self.quantiles.is_empty();
        if asked && rule.program.kind() != Kind::Number {
            let mut finding = rule.finding(Code::CheckAsNumber);
            let kind = kind_word(rule.program.kind());
            finding.message = format!("a {kind} has no totals to ask --ge or --quantile about");
            return Err(finding
                .help("leave the flag out, or give a rule without a comparison")
                .into());
        }
        Ok(Questions {
            at_least: self.at_least.clone(),
            quantiles: self.quantiles.clone(),
        })
    }
}

pub(crate) fn run(args: &OddsArgs) -> Result<(), CliError> {
    let rule = args.rule.compile(&args.shared)?;
    let asked = args.questions.questions(&rule)?;
    let bound = rule.bind(&args.shared)?;
    let odds = exact(&bound, args.budget.limits()).map_err(|failure| rule.failed(&failure))?;
    if args.shared.json {
        output::json(&OddsJson::new(&odds, &asked))
    } else {
        output::print(&odds_report(&odds, &asked, output::width()))
    }
}

/// The exact odds: in fractions where they are cheap, else in floating point.
pub(super) fn exact(bound: &Bound<'_>, limits: Limits) -> Result<Distribution, Failure> {
    let kind = bound.program().kind();
    let cheap = Limits {
        work: limits.work.min(FRACTION_WORK),
        ..limits
    };
    match bound.fractions(&cheap) {
        Ok(table) => Ok(Distribution::fractions(kind, table)),
        Err(Failure::Exhausted(_)) => {
            let table = bound.distribution(&limits)?;
            Ok(Distribution::floats(kind, table))
        }
        Err(failure) => Err(failure),
    }
}
