//! `dicec odds`: the exact odds.

mod anydice;
mod compare;
mod joint;
mod sampled;
mod several;

use super::present::{Presenter, of_script};
use super::questions::QuestionArgs;
use super::sim::result;
use crate::args::{BudgetArgs, Shared};
use crate::batch::swept::{SweepArgs, Swept};
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::plot::PictureFile;
use crate::rule::RuleArgs;
use crate::script::{OptionArgs, not_for_scripts};
use crate::text::{given_report, odds_report, script_odds_report, subtotals_report};
use clap::Args;
use dicec_compiler::answer::document::{OddsDocument, ScriptOddsDocument};
use dicec_compiler::answer::{
    Answer, Distribution, Exactness, NamedAnswer, NamedAnswers, Questions, Weights,
};
use dicec_compiler::{Bound, Subtotal};
use dicec_games::dh2e::Purpose;
use dicec_lang::syntax::Code;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tables::Method;

const EXAMPLES: &str = "\
Examples:
  dicec odds 3d6 --ge 15                    the chance of 15 or more
  dicec odds 2d6 --le 4 --between 7..9      and of other totals
  dicec odds 8d6 --quantile 0.1 --quantile 90%
  dicec odds '1d20 + [Attack] >= [Target Defense]' \\
      --self fighter.json --target goblin.json
  dicec odds 2d6+3 --compare 1d12+3         which is greater, how often
  dicec odds 3d6 --compare 4d6kh3 --compare 2d6+6 --plot scores.svg
  dicec odds 3d6 2d6+6 --name old --name new
  dicec odds 8d6 --summary                  the figures, without a chart
  dicec odds 8d6 --all -o odds.csv          all results as a table
  dicec odds 8d6 --plot fireball.svg
  dicec odds '1d20+7 >= [AC]' --sweep AC=10..25 --plot ac.svg
  dicec odds 2d6 --rational                 every probability as a fraction
  dicec odds duel.dice --args duel.json --stat rounds
  dicec odds -d anydice 'N: 4 output [highest 3 of Nd6]' --sweep N=3..6
  dicec odds attacks.dice --joint hits,crits --given 'crits >= 1'
  dicec odds 4d6kh3 --given 'total >= 10'   of the rolls with 10 or more
  dicec odds --json 2d6";

/// Compute the exact odds. A file FILE.dice is a script, and the odds are those of its rolls, or of
/// one of them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OddsArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    questions: QuestionArgs,
    /// Compare with another expression or script, or a check with another check: the odds of each,
    /// and how often one is greater than another. May be repeated
    #[arg(long, value_name = "EXPR2")]
    compare: Vec<String>,
    /// Take each word as a rule or script of its own, and give the odds of all under these names:
    /// one --name for each, in their order
    #[arg(long = "name", value_name = "NAME", conflicts_with_all = ["compare", "rational", "sweep"])]
    names: Vec<String>,
    /// Give the odds of these parts of a script's result together, by name or position: hits,crits
    #[arg(long, value_name = "PART,PART", value_delimiter = ',', conflicts_with_all = ["compare", "names", "rational", "sweep", "stats"])]
    joint: Vec<String>,
    /// Give the odds of the rolls for which a condition on the result holds, and its probability:
    /// 'total >= 10', or on the parts of a script's result, 'crits >= 1 and hits > 2'
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["compare", "stats"])]
    given: Option<String>,
    /// Give every probability as a fraction, too; an error for dice that can explode without end,
    /// whose odds are not fractions
    #[arg(long, conflicts_with = "compare")]
    rational: bool,
    /// Refuse odds that are too large for an exact answer instead of sampling them
    #[arg(long, conflicts_with = "seed")]
    exact: bool,
    /// Seed of the rolls of odds that are sampled [default: random]
    #[arg(long, value_name = "N", value_parser = number::count,
        conflicts_with_all = ["compare", "given", "joint", "names", "rational", "sweep"])]
    seed: Option<u64>,
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
    if let Some(program) = crate::anydice::given(&args.rule, &args.shared)? {
        return anydice::run(args, &args.checks.on_program(program));
    }
    if args.sweep.is_given() {
        return sweep(args);
    }
    if !args.names.is_empty() {
        return several::named(args);
    }
    if args.rule.script().is_some() {
        not_for_scripts(&[("--rational", args.rational)])?;
    }
    if !args.compare.is_empty() {
        return compare::run(args);
    }
    let only = args.first()?;
    if !args.joint.is_empty() {
        return joint::show(args, &only);
    }
    match only.program.is_rule() {
        true => show(args, &only),
        false if args.script.chooses(&only) => show_script(args, &only),
        false => several::rolls(args, &only),
    }
}

/// The odds for each value of a sweep.
fn sweep(args: &OddsArgs) -> Result<(), CliError> {
    let swept = args.swept()?;
    let given = args.given.as_deref();
    if args.rule.script().is_some() {
        not_for_scripts(&[("--compare", !args.compare.is_empty())])?;
        let loaded = args.first()?.conditional(given, &args.script)?;
        args.options.known(&loaded.program)?;
        return swept.script(&loaded);
    }
    let rules = compare::rules(args)?.into_iter();
    let rules = all_of(rules.map(|rule| rule.conditional(given, &args.script)))?;
    for rule in &rules {
        args.questions.check(rule, rule.kind()?)?;
    }
    swept.rules(&rules)
}

/// The odds of a roll of a script.
fn show_script(args: &OddsArgs, loaded: &Loaded) -> Result<(), CliError> {
    let asked = args.questions.questions(loaded, args.summary)?;
    let bound = args.bound(loaded)?;
    let whole = args.options.whole(&bound)?;
    let answer = match args.answer(loaded, &bound) {
        Err(error) if args.may_sample(&error) => return sampled::script(args, loaded, error),
        other => other?,
    };
    let names = (bound.definition().name(), bound.definition().label());
    args.presenter(&asked).show(
        || of_script(&titled(names.1, &answer), &answer, whole),
        || ScriptOddsDocument::new(names, &answer, &asked),
        |width| {
            let given = given_report(answer.given.as_ref());
            given + &script_odds_report(&answer, &asked, whole, width)
        },
    )
}

impl OddsArgs {
    /// The sweeps, for any rule, program or script.
    ///
    /// # Errors
    /// A flag whose answer has no place in a table of several values.
    fn swept(&self) -> Result<Swept<'_>, CliError> {
        let rational = self.rational.then_some("--rational");
        self.sweep.only(rational)?;
        self.questions.check_all(self.options.stats())?;
        Ok(Swept {
            args: &self.sweep,
            shared: &self.shared,
            method: Method::Exact(self.budget.limits(), None),
            threads: None,
            is_seed_open: false,
            numbers: self.questions.columns(self.summary, self.options.stats()),
            plot: self.plot.as_ref(),
            script: &self.script,
            decisions: self.options.decisions(),
            checks: self.checks,
        })
    }

    /// The rule or the script that the words name.
    fn first(&self) -> Result<Loaded, CliError> {
        self.loaded(&self.rule)
    }

    /// An expression next to others, or to scripts, which take the flags of scripts.
    fn expression(&self, words: &RuleArgs) -> Result<Loaded, CliError> {
        let none = ScriptArgs::default();
        Loaded::new(words, &none, None, Purpose::Odds, &self.shared)
    }

    /// A rule, or a script with its flags.
    fn loaded(&self, words: &RuleArgs) -> Result<Loaded, CliError> {
        let other = self.options.given();
        Loaded::new(words, &self.script, other, Purpose::Odds, &self.shared)
    }

    /// The rule, or the roll of a script that is asked for, with all that it is given.
    fn bound(&self, loaded: &Loaded) -> Result<Bound, CliError> {
        if loaded.program.is_rule() {
            let bound = loaded.bind(&ScriptArgs::default(), &self.shared)?;
            return self.conditional(self.checks.on(bound));
        }
        let bound = loaded.bind(&self.script, &self.shared)?;
        self.conditional(self.options.decided(self.checks.on(bound))?)
    }

    /// The same roll under the condition that is given.
    fn conditional(&self, bound: Bound) -> Result<Bound, CliError> {
        let Some(text) = &self.given else {
            return Ok(bound);
        };
        let condition = bound.definition().condition(text);
        let condition = condition.map_err(|wrong| CliError::found(&wrong.found, &wrong.sources))?;
        Ok(bound.given(condition))
    }

    /// Tells what the odds given a condition leave out.
    fn note_given(&self, answer: &Answer) {
        if answer.given.as_ref().is_some_and(|given| given.leaves_out) {
            let message = "the odds given a condition leave out lines and statistics";
            let note = Finding::general(FileCode::GivenNote.as_str(), message);
            let help =
                "return their numbers as parts of the result: `return { hits: h, crits: c };`";
            self.shared.reporter().note(&note.help(help).note());
        }
    }

    fn answer(&self, loaded: &Loaded, bound: &Bound) -> Result<Answer, CliError> {
        let exactness = exactness(self.weights());
        let answer = bound.answer(&self.budget.limits(), exactness, &Control::default());
        let answer = answer.map_err(|failure| loaded.failed(&failure))?;
        self.note_given(&answer);
        Ok(answer)
    }

    fn presenter<'a>(&'a self, asked: &'a Questions) -> Presenter<'a> {
        let aside = self.questions.given();
        let plot = self.plot.as_ref();
        Presenter::new(&self.sweep, plot, self.shared.json, asked, aside)
    }

    /// Whether odds that were refused are to be sampled: they are too large, and nothing is asked
    /// that samples do not give.
    fn may_sample(&self, refused: &CliError) -> bool {
        refused.is_budget() && !self.exact && !self.rational && self.given.is_none()
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
    let answer = match args.answer(rule, &args.bound(rule)?) {
        Err(error) if args.may_sample(&error) => return sampled::rule(args, rule, error),
        other => other?,
    };
    let name = titled(&rule.program.normal_form(), &answer);
    let given = answer.given.clone();
    let odds = solved(args, rule, answer)?;
    let parts = subtotals(args, rule)?;
    let documents = || {
        let parts = parts.iter().cloned();
        let parts = parts.map(|part| (part.label, part.value));
        let document = OddsDocument::new(&odds, &asked).with_subtotals(parts);
        document.with_given(given.as_ref())
    };
    let named = || NamedAnswers::new(vec![NamedAnswer::of_odds(&name, odds.clone())]);
    args.presenter(&asked).show(
        || Ok(named()),
        documents,
        |width| {
            let report = odds_report(&odds, &asked, width);
            given_report(given.as_ref()) + &report + &subtotals_report(&parts)
        },
    )
}

/// The title of a picture of an answer: its name, and the condition that it is given.
fn titled(name: &str, answer: &Answer) -> String {
    match &answer.given {
        Some(given) => format!("{name} given {}", given.condition),
        None => name.to_owned(),
    }
}

/// The odds of what the terms with each label contribute to a rule's total; none given a condition,
/// which is about the total.
fn subtotals(args: &OddsArgs, rule: &Loaded) -> Result<Vec<Subtotal<Distribution>>, CliError> {
    if args.given.is_some() {
        return Ok(Vec::new());
    }
    let bound = args.bound(rule)?;
    let exactness = exactness(args.weights());
    let odds = bound.subtotal_odds(&args.budget.limits(), exactness, &Control::default());
    odds.map_err(|failure| rule.failed(&failure))
}

fn solved(args: &OddsArgs, rule: &Loaded, answer: Answer) -> Result<Distribution, CliError> {
    let odds = result(answer)?;
    match args.rational && odds.left_out() > 0.0 {
        true => Err(without_fractions(rule).into()),
        false => Ok(odds),
    }
}

/// All of them, or what is wrong with any.
fn all_of<T>(results: impl Iterator<Item = Result<T, CliError>>) -> Result<Vec<T>, CliError> {
    let (good, bad): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
    let bad = bad.into_iter().filter_map(Result::err);
    CliError::of(bad.flat_map(|error| error.findings))?;
    Ok(good.into_iter().flatten().collect())
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
