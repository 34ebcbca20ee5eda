//! `dicec odds`: the exact odds.

use super::present::{Presenter, Solved, align, of_script};
use super::questions::QuestionArgs;
use super::sim::result;
use crate::args::{BudgetArgs, Shared};
use crate::batch::swept::{SweepArgs, Swept};
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use crate::loaded::{Loaded, ScriptArgs};
use crate::plot::PictureFile;
use crate::rule::RuleArgs;
use crate::script::{OptionArgs, no_script, not_for_scripts};
use crate::text::{comparison_report, odds_report, script_odds_report, subtotals_report};
use clap::Args;
use dicec_compiler::answer::document::{ComparisonDocument, OddsDocument, ScriptOddsDocument};
use dicec_compiler::answer::plot::MAX_CURVES;
use dicec_compiler::answer::{
    Distribution, Exactness, Questions, Side, Weights, are_comparable, kind_word,
};
use dicec_compiler::{Bound, Subtotal};
use dicec_games::dh2e::Purpose;
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tables::Method;

/// What errors and notes call the other expression.
const COMPARED: &str = "--compare";

const EXAMPLES: &str = "\
Examples:
  dicec odds 3d6 --ge 15                    the chance of 15 or more
  dicec odds 2d6 --le 4 --between 7..9      and of other totals
  dicec odds 8d6 --quantile 0.1 --quantile 90%
  dicec odds '1d20 + [Attack] >= [Target Defense]' \\
      --self fighter.json --target goblin.json
  dicec odds 2d6+3 --compare 1d12+3         which is greater, how often
  dicec odds 3d6 --compare 4d6kh3 --compare 2d6+6 --plot scores.svg
  dicec odds 8d6 --summary                  the figures, without a chart
  dicec odds 8d6 --all -o odds.csv          all results as a table
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
    /// Compare with another expression, or a check with another check: the odds of each, and how
    /// often one is greater than another. May be repeated
    #[arg(long, value_name = "EXPR2")]
    compare: Vec<String>,
    /// Give every probability as a fraction, too; an error for dice that can explode without end,
    /// whose odds are not fractions
    #[arg(long, conflicts_with = "compare")]
    rational: bool,
    /// Give only the figures: the mean, the deviation, the ends and quantiles of a number; of a
    /// check, a degree or a label its chances
    #[arg(long)]
    summary: bool,
    /// Draw the odds, too, or with --sweep a curve for each rule: a .svg or .png file; only a
    /// complete picture replaces what was there. Of a script, --stat says which statistics
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
    #[command(flatten)]
    checks: CheckArgs,
}

pub(crate) fn run(args: &OddsArgs) -> Result<(), CliError> {
    if args.sweep.is_given() {
        return sweep(args);
    }
    if args.rule.script().is_some() {
        not_for_scripts(&[
            ("--compare", !args.compare.is_empty()),
            ("--rational", args.rational),
        ])?;
    }
    if args.compare.is_empty() {
        let only = Loaded::new(
            &args.rule,
            &args.script,
            args.options.given(),
            Purpose::Odds,
            &args.shared,
        )?;
        return match only.program.is_rule() {
            true => show(args, &only),
            false => show_script(args, &only),
        };
    }
    // A flag that is not for expressions says nothing about any of them.
    no_script(args.script.given().or(args.options.given()))?;
    let count = args.compare.len() + 1;
    if args.plot.is_some() && count > MAX_CURVES {
        let message = format!("a picture has at most {MAX_CURVES} rules, and these are {count}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        return Err(finding.help("leave some of them out").into());
    }
    let rules = rules(args)?;
    let kinds = rules.iter().map(Loaded::kind);
    let kinds = kinds.collect::<Result<Vec<Kind>, CliError>>()?;
    for (rule, &kind) in rules.iter().zip(&kinds) {
        if kind == Kind::Label {
            return Err(without_order(rule).into());
        }
        let same_labels = rule.program.labels() == rules[0].program.labels();
        if !are_comparable(kinds[0], kind, same_labels) {
            return Err(not_alike([kinds[0], kind].map(kind_word), rule).into());
        }
    }
    compare(args, &rules)
}

/// All rules, in the order in which they are given, or what is wrong with any of them.
fn rules(args: &OddsArgs) -> Result<Vec<Loaded>, CliError> {
    let first = Loaded::new(
        &args.rule,
        &args.script,
        args.options.given(),
        Purpose::Odds,
        &args.shared,
    );
    let others = args.compare.iter();
    let others = others.map(|text| Loaded::expression(COMPARED, unguard(text), &args.shared));
    all_of(std::iter::once(first).chain(others))
}

/// The odds for each value of a sweep.
fn sweep(args: &OddsArgs) -> Result<(), CliError> {
    let (script, shared) = (&args.script, &args.shared);
    let rational = args.rational.then_some("--rational");
    let all = args.questions.all.then_some("--all");
    args.sweep.only(rational.or(all))?;
    let swept = Swept {
        args: &args.sweep,
        shared,
        method: Method::Exact(args.budget.limits(), None),
        threads: None,
        is_seed_open: false,
        numbers: args.questions.columns(args.summary, args.options.stats()),
        plot: args.plot.as_ref(),
        script,
        decisions: args.options.decisions(),
        checks: args.checks,
    };
    if args.rule.script().is_some() {
        not_for_scripts(&[("--compare", !args.compare.is_empty())])?;
        let loaded = Loaded::new(
            &args.rule,
            script,
            args.options.given(),
            Purpose::Odds,
            shared,
        )?;
        args.options.known(&loaded.program)?;
        return swept.script(&loaded);
    }
    let rules = rules(args)?;
    for rule in &rules {
        args.questions.check(rule, rule.kind()?)?;
    }
    swept.rules(&rules)
}

/// The odds of a roll of a script.
fn show_script(args: &OddsArgs, loaded: &Loaded) -> Result<(), CliError> {
    let asked = args.questions.questions(loaded, args.summary)?;
    let bound = args
        .options
        .decided(args.checks.on(loaded.bind(&args.script, &args.shared)?))?;
    let whole = args.options.whole(&bound)?;
    let limits = args.budget.limits();
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    let answer = answer.map_err(|failure| loaded.failed(&failure))?;
    let names = (bound.definition().name(), bound.definition().label());
    args.presenter(&asked).show(
        || of_script(names.1, &answer, whole),
        || ScriptOddsDocument::new(names, &answer, &asked),
        |width| script_odds_report(&answer, &asked, whole, width),
    )
}

impl OddsArgs {
    fn presenter<'a>(&'a self, asked: &'a Questions) -> Presenter<'a> {
        Presenter {
            output: &self.sweep,
            plot: self.plot.as_ref(),
            json: self.shared.json,
            asked,
            aside: self.questions.given(),
        }
    }

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
    let asked = args.questions.questions(rule, args.summary)?;
    let solved = solve(args, rule)?;
    let parts = subtotals(args, rule)?;
    let documents = || {
        let parts = parts.iter().cloned();
        let parts = parts.map(|part| (part.label, part.value));
        OddsDocument::new(&solved.odds, &asked).with_subtotals(parts)
    };
    args.presenter(&asked).show(
        || Ok(vec![solved.clone()]),
        documents,
        |width| odds_report(&solved.odds, &asked, width) + &subtotals_report(&parts),
    )
}

/// The odds of what the terms with each label contribute to a rule's total.
fn subtotals(args: &OddsArgs, rule: &Loaded) -> Result<Vec<Subtotal<Distribution>>, CliError> {
    let bound = args.checks.on(rule.bind(&args.script, &args.shared)?);
    let exactness = exactness(args.weights());
    let odds = bound.subtotal_odds(&args.budget.limits(), exactness, &Control::default());
    odds.map_err(|failure| rule.failed(&failure))
}

/// The odds of rules of one kind, or of numbers.
fn compare(args: &OddsArgs, rules: &[Loaded]) -> Result<(), CliError> {
    let mut all = all_of(rules.iter().map(|rule| solve(args, rule)))?;
    align(&mut all);
    let asked = args.questions.questions(&rules[0], args.summary)?;
    let sides: Vec<Side<'_>> = all.iter().map(Solved::side).collect();
    args.presenter(&asked).show(
        || Ok(all.clone()),
        || ComparisonDocument::new(&sides, &asked),
        |width| comparison_report(&sides, &asked, width),
    )
}

fn solve(args: &OddsArgs, rule: &Loaded) -> Result<Solved, CliError> {
    let bound = args.checks.on(rule.bind(&args.script, &args.shared)?);
    let odds = exact(rule, &bound, args.budget.limits(), args.weights())?;
    if args.rational && odds.left_out() > 0.0 {
        return Err(without_fractions(rule).into());
    }
    Ok(Solved {
        expression: rule.program.normal_form(),
        odds,
    })
}

/// All of them, or what is wrong with any.
fn all_of<T>(results: impl Iterator<Item = Result<T, CliError>>) -> Result<Vec<T>, CliError> {
    let (good, bad): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
    let bad = bad.into_iter().filter_map(Result::err);
    CliError::of(bad.flat_map(|error| error.findings))?;
    Ok(good.into_iter().flatten().collect())
}

/// A rule that gives a label, of those that are to be compared, as an error about it.
fn without_order(rule: &Loaded) -> Finding {
    let mut finding = rule.finding(Code::CheckAsNumber);
    finding.message = "a label is neither greater nor less than anything".to_owned();
    finding.help("leave --compare out, and ask for the odds of each rule by itself")
}

/// Rules of two kinds, as an error about the one that differs from the first.
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
