//! `dicec sim` of AnyDice programs: as the scripts that they become; of those without one, trials
//! of the program itself.

use super::{SimArgs, exit_code, run_loaded};
use crate::anydice::{borrowed, translated, values};
use crate::commands::trials;
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::Loaded;
use dicec_compiler::answer::NamedAnswers;
use dicec_compiler::unstable::Backend;
use dicec_compiler::{AnyDice, Failure};
use dicec_lang::syntax::{Code, nearest};
use dicec_runtime::pmf::Limits;

/// Simulates a program.
///
/// # Errors
/// A flag that does not apply, a mistake that shows when the program runs, or a program that has no
/// script and of which a trial says nothing.
pub(super) fn run(args: &SimArgs, program: &AnyDice) -> Result<ExitCode, CliError> {
    if args.sweep.is_given() {
        let message = "a simulation has no sweep of an AnyDice program";
        let finding = Finding::general(FileCode::BadArguments.as_str(), message);
        let help = "dicec odds --sweep has the exact odds for each value";
        return Err(finding.help(help).into());
    }
    match translated(program, args.set(), &args.shared)? {
        Ok(written) => {
            let loaded = Loaded::of_program(program, written, &args.script, &args.shared)?;
            run_loaded(args, loaded)
        }
        Err(failure) => of_trials(args, program, &failure),
    }
}

/// Simulates the program itself; `failure` says why it has no script.
///
/// # Errors
/// That failure if trials do not help or if something is asked about a script, a mistake that shows
/// when the program runs, or a program of which a trial says nothing.
fn of_trials(args: &SimArgs, program: &AnyDice, failure: &Failure) -> Result<ExitCode, CliError> {
    let reason = CliError::failure(failure, program.sources());
    let is_about_scripts = match failure {
        Failure::Exhausted(_) => false,
        Failure::AnyDice(found) => found.code != Code::AnyDiceUntranslated,
        _ => true,
    };
    let other = args
        .script
        .given()
        .filter(|flag| !["--set", "--roll"].contains(flag));
    let asks_for_code = args.simulation(true).backend != Backend::Auto;
    let asked_of_script = other.or(args.options.given());
    if is_about_scripts || asks_for_code || asked_of_script.is_some() {
        return Err(reason);
    }
    let values = values(args.set())?;
    let simulation = args.sample.simulation(Backend::Interp, true);
    let sampled = trials::simulated(
        program,
        &borrowed(&values),
        &simulation,
        &Limits::default(),
        None,
    );
    let (answers, run) =
        sampled.map_err(|failure| CliError::failure(&failure, program.sources()))?;
    for finding in reason.findings {
        let message = format!("{}, so the program itself is simulated", finding.message);
        let note = Finding {
            message,
            help: None,
            ..finding
        };
        args.shared.reporter().note(&note.note());
    }
    let answers = match &args.script.name {
        Some(name) => only(answers, name)?,
        None => answers,
    };
    let asked = trials::questions(args.questions.plain(args.summary), &answers);
    trials::show(args.presenter(&asked), &answers, &run, &asked)?;
    Ok(exit_code(&run))
}

/// The output of this name.
///
/// # Errors
/// There is none.
fn only(answers: NamedAnswers, name: &str) -> Result<NamedAnswers, CliError> {
    let found = answers.iter().find(|answer| answer.name == name);
    if let Some(found) = found {
        return Ok(NamedAnswers::new(vec![found.clone()]));
    }
    let message = format!("the program has no output {name}");
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    let names: Vec<&str> = answers.iter().map(|answer| answer.name.as_str()).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("it has {}", names.join(", ")),
    };
    Err(finding.help(help).into())
}
