//! Runs the fights of an encounter.

use super::EncounterArgs;
use crate::commands::sim::simulate;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use crate::scene::script_of;
use dicec_compiler::Simulation;
use dicec_compiler::answer::{Answer, Exactness, Run};
use dicec_compiler::unstable::{Backend, FIGHTS_HALF_WIDTH};
use dicec_games::GENERATED;
use dicec_games::encounter::{Plan, Purpose, Told};

use dicec_fights::Fought;
use dicec_runtime::driver::Control;

/// Fights an encounter.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn fought(plan: &Plan, args: &EncounterArgs) -> Result<Fought, CliError> {
    let (answer, run) = answer(plan, args, Told::Figures, FIGHTS_HALF_WIDTH)?;
    Ok(Fought::new(plan, answer, run)?)
}

/// The chance that the first side wins, known to `half_width` unless something else is asked for:
/// in less time than [`fought`], because nothing else is noted.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn first_wins(
    plan: &Plan,
    args: &EncounterArgs,
    half_width: f64,
) -> Result<f64, CliError> {
    let (answer, run) = answer(plan, args, Told::Sides, half_width)?;
    Ok(Fought::new(plan, answer, run)?.wins[0].p)
}

/// What the script of an encounter is for.
pub(super) fn purpose(args: &EncounterArgs) -> Purpose {
    match args.exact {
        true => Purpose::Odds,
        false => Purpose::Trials,
    }
}

/// The answer of the fights, and the simulation if there was one: until each chance is known to
/// `half_width`, without other wishes.
fn answer(
    plan: &Plan,
    args: &EncounterArgs,
    told: Told,
    half_width: f64,
) -> Result<(Answer, Option<Run>), CliError> {
    let text = script_of(plan, told, purpose(args))?;
    let none = ScriptArgs::default();
    let loaded = Loaded::text(&plan.title(), &text, GENERATED, &none, &args.shared())?;
    let bound = args.checks.on(loaded.bind(&none, &args.shared())?);
    if args.exact {
        let limits = args.budget.limits();
        let answer = bound.answer(&limits, Exactness::default(), &Control::default());
        return Ok((answer.map_err(|failure| loaded.failed(&failure))?, None));
    }
    let mut asked = args.sample.simulation(Backend::Auto, true);
    if args.sample.trials.is_none() && args.sample.precision.is_none() {
        asked.extent = Simulation::fights(half_width).extent;
    }
    let (answer, run) = simulate(&loaded, &bound, asked)?;
    Ok((answer, Some(run)))
}
