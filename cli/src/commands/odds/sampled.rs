//! Odds that are too large for an exact answer: they are sampled, and a note says so.

use super::OddsArgs;
use crate::commands::present::of_script;
use crate::commands::show::as_note;
use crate::commands::sim::{result, simulate_for};
use crate::error::CliError;
use crate::loaded::Loaded;
use crate::text::{script_simulation_report, sim_report};
use dicec_compiler::answer::document::{ScriptSimulationDocument, SimulationDocument};
use dicec_compiler::answer::{Answer, NamedAnswer, NamedAnswers, Run};
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Bound, Simulation, random_seed};
use std::time::Duration;

/// Samples are given after this time, however few they are.
pub(super) const LONGEST: Duration = Duration::from_secs(10);

/// Samples the odds of a rule that was refused.
///
/// # Errors
/// A trial that fails, or an answer that cannot be shown.
pub(super) fn rule(args: &OddsArgs, rule: &Loaded, refused: CliError) -> Result<(), CliError> {
    let asked = args.questions.questions(rule, args.summary)?;
    let (answer, run) = sampled(args, rule, &args.bound(rule)?, refused)?;
    let (name, odds) = (rule.program.normal_form(), result(answer)?);
    args.presenter(&asked).show(
        || {
            Ok(NamedAnswers::new(vec![NamedAnswer::of_odds(
                &name,
                odds.clone(),
            )]))
        },
        || SimulationDocument::new(&odds, &run, &asked),
        |width| sim_report(&odds, &run, &asked, width),
    )
}

/// Samples the odds of a roll of a script that was refused.
///
/// # Errors
/// A trial that fails, or an answer that cannot be shown.
pub(super) fn script(args: &OddsArgs, loaded: &Loaded, refused: CliError) -> Result<(), CliError> {
    let asked = args.questions.questions(loaded, args.summary)?;
    let bound = args.bound(loaded)?;
    let whole = args.options.whole(&bound)?;
    let (answer, run) = sampled(args, loaded, &bound, refused)?;
    let names = (bound.definition().name(), bound.definition().label());
    args.presenter(&asked).show(
        || of_script(names.1, &answer, whole),
        || ScriptSimulationDocument::new(names, &answer, &run, &asked),
        |width| script_simulation_report(&answer, &run, &asked, whole, width),
    )
}

/// Notes the refusal, and simulates: what is too large to compute is likely slow to roll, too.
fn sampled(
    args: &OddsArgs,
    loaded: &Loaded,
    bound: &Bound,
    refused: CliError,
) -> Result<(Answer, Run), CliError> {
    let is_script = loaded.program.is_script();
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut simulation = Simulation::usual(Backend::Auto, is_script).seed(seed);
    simulation.extent = Simulation::usual(Backend::Interp, is_script).extent;
    let extent = simulation.extent;
    let sampled = simulate_for(loaded, bound, simulation, Some(LONGEST));
    // One trial takes longer: nothing is known but the refusal.
    if matches!(&sampled, Err(error) if error.is_interrupt()) {
        return Err(refused);
    }
    for finding in refused.findings {
        let note = as_note(finding, extent);
        args.shared.reporter().note(&note);
    }
    sampled
}
