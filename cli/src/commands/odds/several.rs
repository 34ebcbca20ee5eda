//! Several named answers: the rolls of a script, or rules under `--name`.

use super::{OddsArgs, all_of};
use crate::commands::present::of_script;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::Loaded;
use crate::script::no_script;
use crate::text::answers_report;
use dicec_compiler::Bound;
use dicec_compiler::answer::document::AnswersDocument;
use dicec_compiler::answer::{NamedAnswer, NamedAnswers};

/// The odds of all rolls of a script.
pub(super) fn rolls(args: &OddsArgs, loaded: &Loaded) -> Result<(), CliError> {
    let bound = loaded.bind_each(&args.script, &args.shared)?;
    let answers = all_of(bound.into_iter().map(|bound| {
        let bound = args.options.decided(args.checks.on(bound))?;
        let bound = args.conditional(bound)?;
        let name = bound.definition().name().to_owned();
        answered(args, loaded, &bound, name)
    }))?;
    show(args, &NamedAnswers::new(answers))
}

/// The odds of each word as a rule or a script of its own.
pub(super) fn named(args: &OddsArgs) -> Result<(), CliError> {
    let words = args.rule.each();
    if words.len() != args.names.len() {
        let (rules, names) = (words.len(), args.names.len());
        let message = format!("there are {rules} rules, and --name is given {names} times");
        let help = "give each rule one name, and put a rule with spaces into quotes: \
                    dicec odds 3d6 '2d6 + 6' --name old --name new";
        return Err(wrong(message).help(help).into());
    }
    let repeated = (1..).zip(&args.names);
    let repeated = repeated.filter(|(index, name)| args.names[*index..].contains(name));
    if let Some((_, name)) = repeated.into_iter().next() {
        let message = format!("two rules have the name {name:?}");
        return Err(wrong(message).help("give each rule another name").into());
    }
    if words.iter().all(|words| words.script().is_none()) {
        no_script(args.script.given().or(args.options.given()))?;
    }
    let answers = words.iter().zip(&args.names).map(|(words, name)| {
        let loaded = match words.script() {
            Some(_) => args.loaded(words)?,
            None => args.expression(words)?,
        };
        let bound = args.bound(&loaded)?;
        answered(args, &loaded, &bound, name.clone())
    });
    show(args, &NamedAnswers::new(all_of(answers)?))
}

fn answered(
    args: &OddsArgs,
    loaded: &Loaded,
    bound: &Bound,
    name: String,
) -> Result<NamedAnswer, CliError> {
    if let Some(kind) = bound.kind().filter(|_| loaded.program.is_rule()) {
        args.questions.check(loaded, kind)?;
    }
    let label = match loaded.program.is_rule() {
        true => loaded.program.normal_form(),
        false => bound.definition().label().to_owned(),
    };
    if loaded.program.is_script() {
        args.options.whole(bound)?;
    }
    let answer = args.answer(loaded, bound)?;
    Ok(NamedAnswer {
        name,
        label,
        answer,
    })
}

fn show(args: &OddsArgs, answers: &NamedAnswers) -> Result<(), CliError> {
    let asked = args.questions.plain(args.summary);
    let whole = args.options.stats();
    let mut presenter = args.presenter(&asked);
    presenter.are_rows = true;
    presenter.show(
        || {
            let mut parts = NamedAnswers::default();
            for named in answers.iter() {
                let shown = of_script(&named.name, &named.answer, whole)?;
                let mut stats = named.answer.stats.iter();
                let is_wanted = stats.any(|stat| stat.odds.is_some() && whole.contains(&stat.name));
                let are_results = named.answer.result.is_some() && !is_wanted;
                parts.append(match are_results {
                    true => shown,
                    false => shown.within(&named.name),
                });
            }
            Ok(parts)
        },
        || AnswersDocument::new(answers, &asked),
        |width| answers_report(answers, &asked, (whole, "returns nothing"), width),
    )
}

fn wrong(message: String) -> Finding {
    Finding::general(FileCode::BadSweep.as_str(), message)
}
