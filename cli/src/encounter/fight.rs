//! The fights of an encounter, and what they come to.

use super::EncounterArgs;
use super::scene::Scene;
use crate::commands::sim::simulate;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use dicec_compiler::answer::{Answer, Exactness, Run};
use dicec_compiler::front::encounter::{Purpose, Told};
use dicec_compiler::{Backend, FIGHTS_HALF_WIDTH, Fought, Simulation};
use dicec_runtime::driver::Control;

/// How precise the chance is where many encounters are tried for one answer, and where that is not
/// even near.
const CHANCE_HALF_WIDTH: f64 = 0.005;
const ROUGH_HALF_WIDTH: f64 = 0.03;

/// Fights an encounter.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn fought(scene: &Scene, args: &EncounterArgs) -> Result<Fought, CliError> {
    let (answer, run) = answer(scene, args, Told::Figures, FIGHTS_HALF_WIDTH)?;
    Ok(Fought::new(&scene.plan, answer, run)?)
}

/// The chance that the first side wins, as far as it takes to compare it with `win`: in less time
/// than [`fought`], because nothing else is asked for.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn first_wins(scene: &Scene, args: &EncounterArgs, win: f64) -> Result<f64, CliError> {
    let chance = |half_width| -> Result<f64, CliError> {
        let (answer, run) = answer(scene, args, Told::Sides, half_width)?;
        Ok(Fought::new(&scene.plan, answer, run)?.wins[0].p)
    };
    let sample = &args.sample;
    let is_fixed = args.exact || sample.trials.is_some() || sample.precision.is_some();
    let rough = chance(ROUGH_HALF_WIDTH)?;
    match is_fixed || (rough - win).abs() > 2.0 * ROUGH_HALF_WIDTH {
        true => Ok(rough),
        false => chance(CHANCE_HALF_WIDTH),
    }
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
    scene: &Scene,
    args: &EncounterArgs,
    told: Told,
    half_width: f64,
) -> Result<(Answer, Option<Run>), CliError> {
    let text = scene.script(told, purpose(args))?;
    let none = ScriptArgs::default();
    let loaded = Loaded::text(&scene.title, &text, &none, &args.shared())?;
    let bound = loaded.bind(&none, &args.shared())?;
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
