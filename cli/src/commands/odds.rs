//! `dicec odds`: the exact odds.

use super::sim::result;
use crate::args::{BudgetArgs, Shared};
use crate::batch::swept::{SweepArgs, Swept};
use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number::{self, Total};
use crate::output;
use crate::plot::PictureFile;
use crate::rule::RuleArgs;
use crate::script::{OptionArgs, no_script, not_for_scripts};
use crate::text::{comparison_report, odds_report, script_odds_report, subtotals_report};
use clap::Args;
use dicec_compiler::answer::document::{ComparisonDocument, OddsDocument, ScriptOddsDocument};
use dicec_compiler::answer::{Distribution, Exactness, Questions, Side, Weights, kind_word};
use dicec_compiler::hir::Kind;
use dicec_compiler::syntax::Code;
use dicec_compiler::{Bound, Subtotal};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::scale::Scale;
use dicec_tables::{Method, Numbers};

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
  dicec odds '1d20+7 >= [AC]' --sweep AC=10..25 --plot ac.svg
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
    /// often each is greater. With --sweep it may be repeated, and each has its rows and its curve
    #[arg(long, value_name = "EXPR2")]
    compare: Vec<String>,
    /// Give every probability as a fraction, too; an error for dice that can explode without end,
    /// whose odds are not fractions
    #[arg(long, conflicts_with = "compare")]
    rational: bool,
    /// Draw the odds, too, or with --sweep a curve for each rule: a .svg or .png file; only a
    /// complete picture replaces what was there
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse)]
    plot: Option<PictureFile>,
    #[command(flatten)]
    sweep: SweepArgs,
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
    /// The questions, if they can be asked of this. Those to a script are about whole numbers.
    pub(super) fn questions(&self, loaded: &Loaded) -> Result<Questions, CliError> {
        let scale = match loaded.program.is_rule() {
            true => self.scale_of(loaded)?,
            false => Scale::Whole,
        };
        Ok(Questions {
            at_least: self.outcomes(scale),
            quantiles: self.quantiles.clone(),
            summary: false,
        })
    }

    /// The scale of the numbers that an expression gives.
    fn scale_of(&self, rule: &Loaded) -> Result<Scale, CliError> {
        let kind = rule.kind()?;
        if self.given().is_none() || kind.is_number() {
            return Ok(kind.scale());
        }
        let mut finding = rule.finding(Code::CheckAsNumber);
        let word = kind_word(kind);
        finding.message = format!("a {word} has no totals to ask --ge or --quantile about");
        let help = match kind {
            Kind::Label => "leave the flag out: labels have no order",
            _ => "leave the flag out, or give a rule without a comparison",
        };
        Err(finding.help(help).into())
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
    if args.sweep.is_given() {
        return sweep(args);
    }
    if args.rule.script().is_some() {
        not_for_scripts(&[
            ("--compare", !args.compare.is_empty()),
            ("--plot", args.plot.is_some()),
            ("--rational", args.rational),
        ])?;
    }
    let (script, shared) = (&args.script, &args.shared);
    let first = Loaded::new(&args.rule, script, args.options.given(), shared);
    let [second, more @ ..] = args.compare.as_slice() else {
        let first = first?;
        return match first.program.is_rule() {
            true => show(args, &first),
            false => show_script(args, &first),
        };
    };
    if !more.is_empty() {
        let message = "--compare sets one expression against another";
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        let help = "give it once; with --sweep, the table has rows for any number of expressions";
        return Err(finding.help(help).into());
    }
    // A flag that is not for expressions says nothing about either of them.
    no_script(script.given().or(args.options.given()))?;
    let second = Loaded::expression(COMPARED, unguard(second), shared);
    let (first, second) = both(first, second)?;
    let kinds = [first.kind()?, second.kind()?];
    if kinds.contains(&Kind::Label) {
        let label = if kinds[0] == Kind::Label {
            first
        } else {
            second
        };
        return Err(without_order(&label).into());
    }
    if kinds[0] != kinds[1] && !kinds.iter().all(|kind| kind.is_number()) {
        return Err(not_alike(kinds.map(kind_word), &second).into());
    }
    compare(args, &first, &second)
}

/// The odds for each value of a sweep.
fn sweep(args: &OddsArgs) -> Result<(), CliError> {
    let (script, shared) = (&args.script, &args.shared);
    let rational = args.rational.then_some("--rational");
    let flag = args.questions.given().or(args.options.stat()).or(rational);
    args.sweep.only(flag)?;
    let swept = Swept {
        args: &args.sweep,
        shared,
        method: Method::Exact(args.budget.limits(), None),
        threads: None,
        is_seed_open: false,
        numbers: Numbers::Quantiles,
        plot: args.plot.as_ref(),
        script,
        decisions: args.options.decisions(),
    };
    if args.rule.script().is_some() {
        not_for_scripts(&[("--compare", !args.compare.is_empty())])?;
        let loaded = Loaded::new(&args.rule, script, args.options.given(), shared)?;
        return swept.script(&loaded);
    }
    let first = Loaded::new(&args.rule, script, args.options.given(), shared);
    let others = args.compare.iter();
    let others = others.map(|text| Loaded::expression(COMPARED, unguard(text), shared));
    let (good, bad): (Vec<_>, Vec<_>) = [first].into_iter().chain(others).partition(Result::is_ok);
    let bad = bad.into_iter().filter_map(Result::err);
    CliError::of(bad.flat_map(|error| error.findings))?;
    let rules: Vec<Loaded> = good.into_iter().flatten().collect();
    swept.rules(&rules)
}

/// The odds of a roll of a script.
fn show_script(args: &OddsArgs, loaded: &Loaded) -> Result<(), CliError> {
    let asked = args.questions.questions(loaded)?;
    let bound = args
        .options
        .decided(loaded.bind(&args.script, &args.shared)?)?;
    let whole = args.options.whole(&bound)?;
    let limits = args.budget.limits();
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    let answer = answer.map_err(|failure| loaded.failed(&failure))?;
    if args.shared.json {
        let names = (bound.definition().name(), bound.definition().label());
        return output::json(&ScriptOddsDocument::new(names, &answer, &asked));
    }
    output::print(&script_odds_report(&answer, &asked, whole, output::width()))
}

impl OddsArgs {
    fn weights(&self) -> Weights {
        match self.rational {
            true => Weights::Fractions,
            false => Weights::Cheapest,
        }
    }
}

fn exactness(weights: Weights) -> Exactness {
    Exactness {
        weights,
        ..Exactness::default()
    }
}

/// One rule's odds.
fn show(args: &OddsArgs, rule: &Loaded) -> Result<(), CliError> {
    let asked = args.questions.questions(rule)?;
    let answer = Solved::new(args, rule)?;
    if let Some(file) = &args.plot {
        file.write(&[answer.side()])?;
    }
    let parts = subtotals(args, rule)?;
    if args.shared.json {
        let parts = parts.into_iter().map(|part| (part.label, part.value));
        return output::json(&OddsDocument::new(&answer.odds, &asked).with_subtotals(parts));
    }
    let report = odds_report(&answer.odds, &asked, output::width());
    output::print(&(report + &subtotals_report(&parts)))
}

/// The odds of what the terms with each label contribute to a rule's total.
fn subtotals(args: &OddsArgs, rule: &Loaded) -> Result<Vec<Subtotal<Distribution>>, CliError> {
    let bound = rule.bind(&args.script, &args.shared)?;
    let exactness = exactness(args.weights());
    let odds = bound.subtotal_odds(&args.budget.limits(), exactness, &Control::default());
    odds.map_err(|failure| rule.failed(&failure))
}

/// The odds of two rules of one kind, or of two numbers.
fn compare(args: &OddsArgs, first: &Loaded, second: &Loaded) -> Result<(), CliError> {
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
    fn new(args: &OddsArgs, rule: &Loaded) -> Result<Self, CliError> {
        let bound = rule.bind(&args.script, &args.shared)?;
        let limits = args.budget.limits();
        let odds = exact(rule, &bound, limits, args.weights())?;
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
fn without_order(rule: &Loaded) -> Finding {
    let mut finding = rule.finding(Code::CheckAsNumber);
    finding.message = "a label is neither greater nor less than anything".to_owned();
    finding.help("leave --compare out, and ask for the odds of each rule by itself")
}

/// Two rules of different kinds, as an error about the second.
fn not_alike([first_kind, kind]: [&str; 2], second: &Loaded) -> Finding {
    let mut finding = second.finding(Code::CheckAsNumber);
    finding.message = format!("a {first_kind} cannot be compared with a {kind}");
    finding.help(format!(
        "the first rule is a {first_kind}: give another {first_kind} to compare it with"
    ))
}

/// Odds that leave rolls out, as an error about `--rational`.
fn without_fractions(rule: &Loaded) -> Finding {
    let mut finding = rule.finding(Code::NoFraction);
    finding.message = "the odds of dice that can explode without end are not fractions".to_owned();
    finding.help(
        "leave --rational out: the odds then say how small a share of all rolls they leave out",
    )
}

/// The exact odds of a rule.
pub(super) fn exact(
    rule: &Loaded,
    bound: &Bound,
    limits: Limits,
    weights: Weights,
) -> Result<Distribution, CliError> {
    let answer = bound.answer(&limits, exactness(weights), &Control::default());
    result(answer.map_err(|failure| rule.failed(&failure))?)
}
