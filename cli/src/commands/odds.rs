//! `dicec odds`: the exact odds.

use super::sim::result;
use crate::args::{BudgetArgs, Shared};
use crate::error::{CliError, Finding};
use crate::guard::unguard;
use crate::number::{self, Total};
use crate::output;
use crate::plot::PictureFile;
use crate::rule::{Rule, RuleArgs};
use crate::script::{self, OptionArgs, ScriptArgs, no_script};
use crate::text::{comparison_report, odds_report};
use clap::Args;
use dicec_compiler::answer::document::{ComparisonDocument, OddsDocument};
use dicec_compiler::answer::{Distribution, Exactness, Questions, Side, Weights, kind_word};
use dicec_compiler::hir::Kind;
use dicec_compiler::syntax::Code;
use dicec_compiler::{Bound, Failure};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::scale::Scale;
use std::path::Path;

/// What errors and notes call the other expression.
const COMPARED: &str = "--compare";

const EXAMPLES: &str = "\
Examples:
  dicec odds 3d6 --ge 15                    the chance of 15 or more
  dicec odds 8d6 --quantile 0.1 --quantile 90%
  dicec odds '1d20 + [Attack] >= [Target Defense]' \\
      --self fighter.json --target goblin.json
  dicec odds 2d6+3 --compare 1d12+3         which is greater, how often
  dicec odds 8d6 --plot fireball.svg
  dicec odds 2d6 --rational                 every probability as a fraction
  dicec odds duel.dice --args duel.json --stat rounds
  dicec odds --json 2d6";

/// Compute the exact odds. A file FILE.dice is a script, and the odds are those of one of its rolls
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OddsArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    questions: QuestionArgs,
    /// Compare with another expression, or a check with another check: the odds of both, and how
    /// often each is greater
    #[arg(long, value_name = "EXPR2")]
    compare: Option<String>,
    /// Give every probability as a fraction, too; an error for dice that can explode without end,
    /// whose odds are not fractions
    #[arg(long, conflicts_with = "compare")]
    rational: bool,
    /// Draw the odds, too: a .svg or .png file; only a complete picture replaces what was there
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse)]
    plot: Option<PictureFile>,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    options: OptionArgs,
}

/// Questions next to the table.
#[derive(Args, Debug)]
pub(super) struct QuestionArgs {
    /// Give the chance of a total of at least N; may be repeated
    #[arg(long = "ge", value_name = "N", value_parser = number::total)]
    at_least: Vec<Total>,
    /// Give the total that a share P of all rolls does not exceed, 0.9 or 90%; may be repeated
    #[arg(long = "quantile", value_name = "P", value_parser = number::share)]
    quantiles: Vec<f64>,
}

impl QuestionArgs {
    /// The questions, if they can be asked of this rule.
    pub(super) fn questions(&self, rule: &Rule) -> Result<Questions, CliError> {
        let asked = !self.at_least.is_empty() || !self.quantiles.is_empty();
        if asked && !rule.kind.is_number() {
            let mut finding = rule.finding(Code::CheckAsNumber);
            let kind = kind_word(rule.kind);
            finding.message = format!("a {kind} has no totals to ask --ge or --quantile about");
            let help = match rule.kind {
                Kind::Label => "leave the flag out: labels have no order",
                _ => "leave the flag out, or give a rule without a comparison",
            };
            return Err(finding.help(help).into());
        }
        Ok(Questions {
            at_least: self.outcomes(rule.kind.scale()),
            quantiles: self.quantiles.clone(),
            summary: false,
        })
    }

    /// The first of these flags that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        [
            ("--ge", !self.at_least.is_empty()),
            ("--quantile", !self.quantiles.is_empty()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }

    /// The questions to whole numbers.
    pub(super) fn of_whole_numbers(&self) -> Questions {
        Questions {
            at_least: self.outcomes(Scale::Whole),
            quantiles: self.quantiles.clone(),
            summary: false,
        }
    }

    /// The totals of --ge as outcomes on a scale.
    fn outcomes(&self, scale: Scale) -> Vec<i64> {
        let totals = self.at_least.iter();
        totals.map(|total| total.outcome(scale)).collect()
    }
}

/// A rule and its odds.
struct Solved {
    /// The rule in its normal form.
    expression: String,
    odds: Distribution,
}

pub(crate) fn run(args: &OddsArgs) -> Result<(), CliError> {
    if let Some(path) = args.rule.script() {
        return script_odds(path, args);
    }
    no_script(args.script.given().or(args.options.given()))?;
    let first = args.rule.compile(&args.shared);
    let Some(second) = &args.compare else {
        return show(args, &first?);
    };
    let second = Rule::compile(COMPARED.to_owned(), unguard(second), &args.shared);
    let (first, second) = both(first, second)?;
    let kinds = [&first, &second].map(|rule| rule.kind);
    if kinds.contains(&Kind::Label) {
        return Err(without_order(&first, &second).into());
    }
    if kinds[0] != kinds[1] && !kinds.iter().all(|kind| kind.is_number()) {
        return Err(not_alike(&first, &second).into());
    }
    compare(args, &first, &second)
}

/// The odds of a roll of a script.
fn script_odds(path: &Path, args: &OddsArgs) -> Result<(), CliError> {
    let refused = [
        ("--compare", args.compare.is_some()),
        ("--plot", args.plot.is_some()),
        ("--rational", args.rational),
    ];
    if let Some((flag, _)) = refused.into_iter().find(|(_, given)| *given) {
        return Err(script::not_for_scripts(flag));
    }
    let asked = args.questions.of_whole_numbers();
    let limits = args.budget.limits();
    script::odds(
        path,
        &args.script,
        &args.options,
        limits,
        &asked,
        &args.shared,
    )
}

/// One rule's odds.
fn show(args: &OddsArgs, rule: &Rule) -> Result<(), CliError> {
    let asked = args.questions.questions(rule)?;
    let answer = Solved::new(args, rule)?;
    if let Some(file) = &args.plot {
        file.write(&[answer.side()])?;
    }
    if args.shared.json {
        output::json(&OddsDocument::new(&answer.odds, &asked))
    } else {
        output::print(&odds_report(&answer.odds, &asked, output::width()))
    }
}

/// The odds of two rules of one kind, or of two numbers.
fn compare(args: &OddsArgs, first: &Rule, second: &Rule) -> Result<(), CliError> {
    let mut asked = args.questions.questions(first)?;
    let (mut first, mut second) = both(Solved::new(args, first), Solved::new(args, second))?;
    if first.odds.scale() != second.odds.scale() {
        asked.at_least = args.questions.outcomes(Scale::Float);
        for answer in [&mut first, &mut second] {
            answer.odds.make_float();
        }
    }
    let sides = [first.side(), second.side()];
    if let Some(file) = &args.plot {
        file.write(&sides)?;
    }
    if args.shared.json {
        output::json(&ComparisonDocument::new(&first.odds, &second.odds, &asked))
    } else {
        output::print(&comparison_report(&sides, &asked, output::width()))
    }
}

impl Solved {
    fn new(args: &OddsArgs, rule: &Rule) -> Result<Self, CliError> {
        let bound = rule.bind(&args.shared)?;
        let limits = args.budget.limits();
        let weights = match args.rational {
            true => Weights::Fractions,
            false => Weights::Cheapest,
        };
        let odds = exact(&bound, limits, weights).map_err(|failure| rule.failed(&failure))?;
        if args.rational && odds.left_out() > 0.0 {
            return Err(without_fractions(rule).into());
        }
        Ok(Self {
            expression: rule.program.normal_form(),
            odds,
        })
    }

    fn side(&self) -> Side<'_> {
        Side {
            expression: &self.expression,
            odds: &self.odds,
        }
    }
}

/// Both, or what is wrong with either.
fn both<T>(first: Result<T, CliError>, second: Result<T, CliError>) -> Result<(T, T), CliError> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(mut first), Err(second)) => {
            first.findings.extend(second.findings);
            Err(first)
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// A rule that gives a label, of two that are to be compared, as an error about it.
fn without_order(first: &Rule, second: &Rule) -> Finding {
    let rule = match first.kind {
        Kind::Label => first,
        _ => second,
    };
    let mut finding = rule.finding(Code::CheckAsNumber);
    finding.message = "a label is neither greater nor less than anything".to_owned();
    finding.help("leave --compare out, and ask for the odds of each rule by itself")
}

/// Two rules of different kinds, as an error about the second.
fn not_alike(first: &Rule, second: &Rule) -> Finding {
    let [first_kind, kind] = [first, second].map(|rule| kind_word(rule.kind));
    let mut finding = second.finding(Code::CheckAsNumber);
    finding.message = format!("a {first_kind} cannot be compared with a {kind}");
    finding.help(format!(
        "the first rule is a {first_kind}: give another {first_kind} to compare it with"
    ))
}

/// Odds that leave rolls out, as an error about `--rational`.
fn without_fractions(rule: &Rule) -> Finding {
    let mut finding = rule.finding(Code::NoFraction);
    finding.message = "the odds of dice that can explode without end are not fractions".to_owned();
    finding.help(
        "leave --rational out: the odds then say how small a share of all rolls they leave out",
    )
}

/// The exact odds of a rule.
pub(super) fn exact(
    bound: &Bound,
    limits: Limits,
    weights: Weights,
) -> Result<Distribution, Failure> {
    let exactness = Exactness {
        weights,
        ..Exactness::default()
    };
    let answer = bound.answer(&limits, exactness, &Control::default());
    answer.map(result)
}
