//! Simulated AnyDice programs: those without exact odds, or without a script.

use super::present::Presenter;
use crate::error::CliError;
use crate::progress::watched_for;
use crate::text::simulated_answers_report;
use dicec_compiler::answer::document::OutputsDocument;
use dicec_compiler::answer::{NamedAnswers, Questions, Run};
use dicec_compiler::{AnyDice, Simulation};
use dicec_runtime::pmf::Limits;
use std::time::Duration;

/// The maximum number of outputs that have charts without `--all`.
pub(super) const FEW: usize = 4;

/// Simulates the outputs of a program, for this long at most. `values` are those of `--set`,
/// `limits` the budget of a trial.
///
/// # Errors
/// A mistake that shows when the program runs, or a program of which a trial says nothing.
pub(super) fn simulated(
    program: &AnyDice,
    values: &[(&str, i64)],
    simulation: &Simulation,
    limits: &Limits,
    longest: Option<Duration>,
) -> Result<(NamedAnswers, Run), dicec_compiler::Failure> {
    watched_for(simulation, longest, |control| {
        program.simulate(values, simulation, limits, control)
    })
    .map(|(outputs, run)| (outputs.answers, run))
}

/// The questions about simulated outputs: many have no charts.
pub(super) fn questions(mut asked: Questions, answers: &NamedAnswers) -> Questions {
    asked.summary |= !asked.all && answers.iter().count() > FEW;
    asked
}

/// Shows simulated outputs.
///
/// # Errors
/// A file that cannot be written, or nothing to draw.
pub(super) fn show(
    mut presenter: Presenter<'_>,
    answers: &NamedAnswers,
    run: &Run,
    asked: &Questions,
) -> Result<(), CliError> {
    presenter.are_rows = true;
    presenter.show(
        || Ok(answers.clone()),
        || OutputsDocument::sampled(answers, run, asked),
        |width| simulated_answers_report(answers, run, asked, width),
    )
}
