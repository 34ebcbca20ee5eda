//! The result of the fights of an encounter: the chances of the sides, and the state of the
//! creatures.

use dicec_compiler::answer::{Answer, Checked, Distribution, Run, Share, Side, Statistic};
use dicec_games::encounter::{Budget, Caveat, Figures, Plan, ROUNDS, SideFigures, Taken};
use dicec_runtime::bug;
use dicec_runtime::bug::Bug;

/// The result of the fights of an encounter.
#[derive(Clone, Debug)]
pub struct Fought {
    /// Its title: its sides.
    pub title: String,
    /// The names of the sides.
    pub sides: [String; 2],
    /// The probability that each side wins.
    pub wins: [Share; 2],
    /// The probability of a draw.
    pub draw: Share,
    /// The kinds of creatures, with the places of their numbers.
    pub figures: Vec<Figures>,
    /// The places of the numbers of the sides.
    pub(super) side_figures: [SideFigures; 2],
    /// The difficulty by experience points, where levels and ratings are known.
    pub budget: Option<Budget>,
    /// Abilities that the odds leave out.
    pub caveats: Vec<Caveat>,
    /// Whether distances count in the fights.
    pub has_positions: bool,
    /// The simulation; none if the odds are exact.
    pub run: Option<Run>,
    result: Distribution,
    answer: Answer,
}

impl Fought {
    /// The result from the answer to an encounter's script, which `run` sampled.
    ///
    /// # Errors
    /// An answer to another script.
    pub fn new(plan: &Plan, answer: Answer, run: Option<Run>) -> Result<Self, Bug> {
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
            title: plan.title(),
            sides: plan.sides().clone(),
            wins: [share("first"), share("second")],
            draw: share("draw"),
            figures: plan.figures(),
            side_figures: plan.side_figures(),
            budget: plan.budget(),
            caveats: plan.caveats(),
            has_positions: plan.has_positions(),
            run,
            result,
            answer,
        })
    }

    /// The distribution of the number of rounds.
    pub fn rounds(&self) -> Option<&Distribution> {
        self.odds_of(ROUNDS)
    }

    /// The check that the odds passed, if there was one.
    pub fn checked(&self) -> Option<Checked> {
        match &self.run {
            Some(run) => run.checked,
            None => self.answer.checked,
        }
    }

    /// The distribution of a statistic; `None` if no fight noted it.
    pub(super) fn odds_of(&self, name: &str) -> Option<&Distribution> {
        self.statistic(name)?.odds.as_ref()
    }

    fn statistic(&self, name: &str) -> Option<&Statistic> {
        self.answer.stats.iter().find(|stat| stat.name == name)
    }

    /// The mean sum of a statistic in a fight; 0 if no fight noted it.
    pub fn mean(&self, name: &str) -> f64 {
        let statistic = self.statistic(name);
        let odds = statistic.and_then(|stat| Some((stat.per_trial, stat.odds.as_ref()?)));
        odds.map_or(0.0, |(times, odds)| times * odds.mean())
    }

    /// The mean damage that creatures of a kind take in a fight, if it is known.
    pub fn taken(&self, figures: &Figures) -> Option<f64> {
        match &figures.taken {
            Taken::Of(before) => Some(*before as f64 - self.mean(&figures.hit_points)),
            Taken::Noted(name) => Some(self.mean(name)),
            Taken::Unknown => None,
        }
    }

    /// The creatures of a side that fall first: names and chances, the likeliest first.
    pub fn first_to_fall(&self, side: usize) -> Vec<(&str, f64)> {
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

    /// The chances of the sides, for a picture.
    pub fn side(&self) -> Side<'_> {
        Side {
            expression: &self.title,
            odds: &self.result,
        }
    }
}

/// The end of the line for the first creature of a side to fall.
const FALLS: &str = " falls first";
