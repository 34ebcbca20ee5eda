//! AnyDice programs: the odds of their outputs.

use super::OddsArgs;
use super::sampled::LONGEST;
use crate::anydice::{borrowed, values};
use crate::commands::show::as_note;
use crate::commands::trials::{self, FEW};
use crate::error::{CliError, FileCode, Finding};
use crate::text::answers_report;
use dicec_compiler::answer::NamedAnswers;
use dicec_compiler::answer::document::OutputsDocument;
use dicec_compiler::unstable::Backend;
use dicec_compiler::{AnyDice, Failure, Simulation, random_seed};
use dicec_runtime::control::Control;

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
    let values = borrowed(&values);
    let limits = args.budget.limits();
    let outputs = match program.outputs(&values, &limits, &Control::default()) {
        Ok(outputs) => outputs,
        Err(failure @ Failure::Exhausted(_)) if !args.exact => {
            return sampled(args, program, &values, &failure);
        }
        Err(failure) => return Err(CliError::failure(&failure, sources)),
    };
    args.shared.reporter().notes(&outputs.notes, sources);
    show(args, &outputs.answers)
}

/// Samples outputs whose exact odds were refused, and notes the refusal, which is the error of a
/// program that cannot be simulated.
///
/// # Errors
/// The refusal, a mistake that shows when the program runs, or an answer that cannot be shown.
fn sampled(
    args: &OddsArgs,
    program: &AnyDice,
    values: &[(&str, i64)],
    refused: &Failure,
) -> Result<(), CliError> {
    let refused = CliError::failure(refused, program.sources());
    let seed = args.seed.unwrap_or_else(random_seed);
    let simulation = Simulation::usual(Backend::Interp, true).seed(seed);
    let limits = args.budget.limits();
    let longest = Some(LONGEST);
    let Ok((answers, run)) = trials::simulated(program, values, &simulation, &limits, longest)
    else {
        return Err(refused);
    };
    for finding in refused.findings {
        let note = as_note(finding, simulation.extent);
        args.shared.reporter().note(&note);
    }
    let asked = trials::questions(args.questions.plain(args.summary), &answers);
    trials::show(args.presenter(&asked), &answers, &run, &asked)
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
