//! `dicec odds --compare`: how independent rolls of rules and scripts compare.

use super::{OddsArgs, all_of};
use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use crate::loaded::Loaded;
use crate::rule::RuleArgs;
use crate::script::no_script;
use crate::text::comparison_report;
use dicec_compiler::Bound;
use dicec_compiler::answer::document::ComparisonDocument;
use dicec_compiler::answer::plot::MAX_CURVES;
use dicec_compiler::answer::{NamedAnswer, NamedAnswers, are_comparable, kind_word};
use dicec_games::dh2e::Purpose;
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;

/// What errors and notes call the other expression.
const COMPARED: &str = "--compare";

/// The odds of rules of one kind, or of numbers.
pub(super) fn run(args: &OddsArgs) -> Result<(), CliError> {
    let count = args.compare.len() + 1;
    if args.plot.is_some() && count > MAX_CURVES {
        let message = format!("a picture has at most {MAX_CURVES} rules, and these are {count}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        return Err(finding.help("leave some of them out").into());
    }
    let sides = all_of(rules(args)?.into_iter().map(|loaded| {
        let bound = args.bound(&loaded)?;
        Ok((loaded, bound))
    }))?;
    comparable(args, &sides)?;
    let answers = all_of(sides.iter().map(|(loaded, bound)| {
        let name = match loaded.program.is_rule() {
            true => loaded.program.normal_form(),
            false => bound.definition().label().to_owned(),
        };
        Ok(NamedAnswer {
            label: name.clone(),
            name,
            answer: args.answer(loaded, bound)?,
        })
    }))?;
    let answers = NamedAnswers::new(answers).aligned();
    let asked = args.questions.plain(args.summary);
    let sides = answers.sides();
    args.presenter(&asked).show(
        || Ok(answers.clone()),
        || ComparisonDocument::new(&sides, &asked),
        |width| comparison_report(&sides, &asked, width),
    )
}

/// Refuses questions that have no answer for one of them, and results without a common order.
fn comparable(args: &OddsArgs, sides: &[(Loaded, Bound)]) -> Result<(), CliError> {
    let mut first = None;
    for (loaded, bound) in sides {
        let labels = bound.definition().labels();
        let kind = bound.kind().ok_or_else(|| without_result(loaded))?;
        if kind == Kind::Label {
            return Err(without_order(loaded).into());
        }
        let (first_kind, first_labels) = first.get_or_insert((kind, labels.clone()));
        if !are_comparable(*first_kind, kind, labels == *first_labels) {
            return Err(not_alike([*first_kind, kind].map(kind_word), loaded).into());
        }
        args.questions.check(loaded, kind)?;
    }
    Ok(())
}

/// All rules and scripts, in the order in which they are given, or what is wrong with any of them.
pub(super) fn rules(args: &OddsArgs) -> Result<Vec<Loaded>, CliError> {
    let others: Vec<RuleArgs> = args
        .compare
        .iter()
        .map(|text| RuleArgs::word(text))
        .collect();
    if args.rule.script().is_none() && others.iter().all(|other| other.script().is_none()) {
        // A flag that is not for expressions says nothing about any of them.
        no_script(args.script.given().or(args.options.given()))?;
    }
    let first = match args.rule.script() {
        Some(_) => args.loaded(&args.rule),
        None => args.expression(&args.rule),
    };
    let others = others.iter().zip(&args.compare);
    let others = others.map(|(words, text)| match words.script() {
        Some(path) => Loaded::script(path, &args.script, Purpose::Odds, &args.shared),
        None => Loaded::expression(COMPARED, unguard(text), &args.shared),
    });
    all_of(std::iter::once(first).chain(others))
}

/// A roll that returns nothing or several parts, of those that are to be compared, as an error.
fn without_result(script: &Loaded) -> Finding {
    let mut finding = script.finding(Code::CheckAsNumber);
    finding.message = "this roll has no single result to compare".to_owned();
    finding.help("let the script return a number: `return total;`")
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
