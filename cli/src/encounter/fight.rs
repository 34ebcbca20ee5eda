//! The fights of an encounter, and what they come to.

use super::EncounterArgs;
use super::scene::Scene;
use crate::commands::sim::simulate;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use dicec_compiler::Backend;
use dicec_compiler::answer::{Answer, Distribution, Exactness, Run, Share, Side, Statistic};
use dicec_compiler::front::encounter::{Figures, Purpose, ROUNDS, Taken, Told};
use dicec_runtime::bug;
use dicec_runtime::driver::{Control, Extent};

/// Fights run until each chance is known to this, in a simulation without other wishes.
const HALF_WIDTH: f64 = 0.003;

/// The same where many encounters are tried for one answer, and where that is not even near.
const CHANCE_HALF_WIDTH: f64 = 0.005;
const ROUGH_HALF_WIDTH: f64 = 0.03;

/// What the fights of an encounter came to.
pub(super) struct Fought {
    pub(super) title: String,
    /// The names of the sides.
    pub(super) sides: [String; 2],
    /// The chances of the sides.
    pub(super) wins: [Share; 2],
    pub(super) draw: Share,
    pub(super) figures: Vec<Figures>,
    /// Whether distances count.
    pub(super) has_positions: bool,
    /// The simulation; none if the odds are exact.
    pub(super) run: Option<Run>,
    result: Distribution,
    answer: Answer,
}

/// Fights an encounter.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn fought(scene: &Scene, args: &EncounterArgs) -> Result<Fought, CliError> {
    let (answer, run) = answer(scene, args, Told::Figures, HALF_WIDTH)?;
    Fought::new(scene, answer, run)
}

/// The chance that the first side wins, as far as it takes to compare it with `win`: in less time
/// than [`fought`], because nothing else is asked for.
///
/// # Errors
/// Everything that keeps the odds from being known.
pub(super) fn first_wins(scene: &Scene, args: &EncounterArgs, win: f64) -> Result<f64, CliError> {
    let chance = |half_width| -> Result<f64, CliError> {
        let (answer, run) = answer(scene, args, Told::Sides, half_width)?;
        Ok(Fought::new(scene, answer, run)?.wins[0].p)
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
        asked.extent = Extent::Precision {
            half_width,
            most: 10_000_000,
        };
    }
    let (answer, run) = simulate(&loaded, &bound, asked)?;
    Ok((answer, Some(run)))
}

impl Fought {
    fn new(scene: &Scene, answer: Answer, run: Option<Run>) -> Result<Self, CliError> {
        let result = answer.result.clone();
        let result = result.ok_or_else(|| bug!("a fight without results"))?;
        let share = |name: &str| {
            let mut outcomes = result.outcomes().into_iter();
            let found = outcomes.find(|outcome| result.name(outcome.value) == Some(name));
            match found {
                Some(outcome) => result.share(&outcome),
                None => result.within(i64::MAX, i64::MAX),
            }
        };
        Ok(Self {
            title: scene.title.clone(),
            sides: scene.plan.sides().clone(),
            wins: [share("first"), share("second")],
            draw: share("draw"),
            figures: scene.plan.figures(),
            has_positions: scene.plan.has_positions(),
            run,
            result,
            answer,
        })
    }

    /// The numbers that every fight has.
    pub(super) fn rounds(&self) -> Option<&Distribution> {
        self.statistic(ROUNDS)?.odds.as_ref()
    }

    fn statistic(&self, name: &str) -> Option<&Statistic> {
        self.answer.stats.iter().find(|stat| stat.name == name)
    }

    /// What the numbers of a statistic add up to in a fight, on average; 0 if no fight noted it.
    pub(super) fn mean(&self, name: &str) -> f64 {
        let statistic = self.statistic(name);
        let odds = statistic.and_then(|stat| Some((stat.per_trial, stat.odds.as_ref()?)));
        odds.map_or(0.0, |(times, odds)| times * odds.mean())
    }

    /// The damage that creatures of a kind took in a fight, on average, if that is known.
    pub(super) fn taken(&self, figures: &Figures) -> Option<f64> {
        match &figures.taken {
            Taken::Of(before) => Some(*before as f64 - self.mean(&figures.hit_points)),
            Taken::Noted(name) => Some(self.mean(name)),
            Taken::Unknown => None,
        }
    }

    /// Who falls first on a side: names and chances, the likeliest first.
    pub(super) fn first_to_fall(&self, side: usize) -> Vec<(&str, f64)> {
        let is_of_side = |name: &str| {
            let mut all = self.figures.iter().filter(|figures| figures.side == side);
            all.any(|figures| {
                let rest = name.strip_prefix(&figures.title);
                rest.is_some_and(|rest| match rest.strip_prefix(' ') {
                    Some(number) => number.parse::<u32>().is_ok(),
                    None => rest.is_empty(),
                })
            })
        };
        let lines = self.answer.lines.iter();
        let mut all: Vec<(&str, f64)> = lines
            .filter_map(|(line, times)| Some((line.strip_suffix(FALLS)?, *times)))
            .filter(|(name, _)| is_of_side(name))
            .collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all
    }

    /// Who wins, as a picture draws it.
    pub(super) fn side(&self) -> Side<'_> {
        Side {
            expression: &self.title,
            odds: &self.result,
        }
    }
}

/// The end of the line of somebody who is the first of a side to fall.
const FALLS: &str = " falls first";
