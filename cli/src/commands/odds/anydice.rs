//! AnyDice programs: the odds of their outputs.

use super::OddsArgs;
use crate::anydice::values;
use crate::error::{CliError, FileCode, Finding};
use crate::text::answers_report;
use dicec_compiler::AnyDice;
use dicec_compiler::answer::NamedAnswers;
use dicec_compiler::answer::document::OutputsDocument;
use dicec_runtime::control::Control;

/// The maximum number of outputs whose charts are shown without `--all`.
const FEW: usize = 4;

/// Shows the odds of all outputs.
///
/// # Errors
/// A flag that does not apply, a mistake that shows when the program runs, or a budget that is too
/// small.
pub(super) fn run(args: &OddsArgs, program: &AnyDice) -> Result<(), CliError> {
    refuse_others(args)?;
    let sources = program.sources();
    let values = values(args.script.set())?;
    if args.sweep.is_given() {
        return args.swept()?.anydice(program, values);
    }
    let values: Vec<(&str, i64)> = values
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let limits = args.budget.limits();
    let outputs = program.outputs(&values, &limits, &Control::default());
    let outputs = outputs.map_err(|failure| CliError::failure(&failure, sources))?;
    args.shared.reporter().notes(&outputs.notes, sources);
    show(args, &outputs.answers)
}

fn show(args: &OddsArgs, answers: &NamedAnswers) -> Result<(), CliError> {
    let mut asked = args.questions.plain(args.summary);
    // The page of AnyDice begins with the bars.
    asked.all |= !args.summary && answers.iter().count() <= FEW;
    let mut presenter = args.presenter(&asked);
    presenter.are_rows = true;
    presenter.show(
        || Ok(answers.clone()),
        || OutputsDocument::new(answers, &asked),
        |width| answers_report(answers, &asked, (&[], "no outcomes"), width),
    )
}

/// Refuses flags that say nothing about an AnyDice program.
fn refuse_others(args: &OddsArgs) -> Result<(), CliError> {
    let others = [
        ("--compare", !args.compare.is_empty()),
        ("--seed", args.seed.is_some()),
        ("--name", !args.names.is_empty()),
        ("--joint", !args.joint.is_empty()),
        ("--given", args.given.is_some()),
        ("--rational", args.rational),
    ];
    let other = others
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag));
    let script = args.script.given().filter(|flag| *flag != "--set");
    let Some(flag) = other.or(script).or(args.options.given()) else {
        return Ok(());
    };
    let message = format!("{flag} says nothing about an AnyDice program");
    let finding = Finding::general(FileCode::BadArguments.as_str(), message);
    let help = "leave the flag out; --set X=5 changes a global variable of the program";
    Err(finding.help(help).into())
}
