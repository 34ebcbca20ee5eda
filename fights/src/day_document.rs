//! The result of many days as a document ([`dicec_compiler::answer::document`]).

use super::lived::{FightOdds, Lived};
use super::outlook::LEVELS;
use dicec_compiler::answer::{Checked, Distribution};
use dicec_games::encounter::{Caveat, HeroFigures};
use serde::Serialize;

/// The output of `dicec day --json`.
#[derive(Clone, Debug, Serialize)]
pub struct DayDocument<'l> {
    /// The day on one line.
    day: &'l str,
    party: &'l str,
    /// The probability that the party wins all fights.
    survives: f64,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
    /// Abilities of creatures that the odds leave out, in words.
    caveats: Vec<String>,
    fights: Vec<FightEntry<'l>>,
    trials: u64,
    seed: u64,
    trials_per_second: f64,
    /// The check that the odds passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

#[derive(Clone, Debug, Serialize)]
struct FightEntry<'l> {
    name: &'l str,
    /// The probability that the party comes to this fight.
    reached: f64,
    /// The probability that it wins this fight and all before it.
    won: f64,
    /// The probability that this fight defeats the party.
    defeated: f64,
    fled: f64,
    undecided: f64,
    /// The probability that it wins and nobody is dead.
    all_alive: f64,
    /// On days that come to the fight; null if none does.
    mean_rounds: Option<f64>,
    /// On days that win the fight; null if none does.
    hit_points: Option<Left>,
    /// The same; null without spell slots.
    slots: Option<Left>,
    heroes: Vec<HeroEntry<'l>>,
}

#[derive(Clone, Debug, Serialize)]
struct Left {
    mean: f64,
    quantiles: Vec<QuantileEntry>,
    /// The number at the beginning of the day.
    before: i64,
}

#[derive(Clone, Debug, Serialize)]
struct QuantileEntry {
    level: f64,
    value: i64,
}

#[derive(Clone, Debug, Serialize)]
struct HeroEntry<'l> {
    name: &'l str,
    count: u32,
    /// Means on days that win the fight; null if none does.
    hit_points: Option<f64>,
    dead: Option<f64>,
    hit_points_before: i64,
}

impl<'l> DayDocument<'l> {
    /// The document of a result.
    pub fn new(lived: &'l Lived) -> Self {
        let survives = lived.survives();
        let figures = &lived.figures;
        let fights = lived.fights().into_iter();
        Self {
            day: &lived.title,
            party: &lived.party,
            survives: survives.p,
            interval: survives.interval.map(|(low, high)| [low, high]),
            caveats: lived.caveats.iter().map(Caveat::text).collect(),
            fights: fights
                .map(|fight| FightEntry::new(fight, &figures.heroes, figures.most, figures.slots))
                .collect(),
            trials: lived.run.trials,
            seed: lived.run.seed,
            trials_per_second: lived.run.trials_per_second(),
            check: lived.checked(),
        }
    }
}

impl<'l> FightEntry<'l> {
    fn new(fight: FightOdds<'l>, heroes: &'l [HeroFigures], most: i64, slots: i64) -> Self {
        let entries = heroes.iter().zip(&fight.heroes);
        Self {
            name: &fight.figures.name,
            reached: fight.reached,
            won: fight.won.p,
            defeated: fight.defeated,
            fled: fight.fled,
            undecided: fight.undecided,
            all_alive: fight.all_alive,
            mean_rounds: fight.rounds.map(Distribution::mean),
            hit_points: fight.hit_points.map(|left| Left::new(left, most)),
            slots: fight.slots.map(|left| Left::new(left, slots)),
            heroes: entries
                .map(|(hero, left)| HeroEntry {
                    name: &hero.name,
                    count: hero.count,
                    hit_points: left.map(|left| left.0),
                    dead: left.map(|left| left.1),
                    hit_points_before: hero.most,
                })
                .collect(),
        }
    }
}

impl Left {
    fn new(left: &Distribution, before: i64) -> Self {
        let quantiles = LEVELS.map(|level| QuantileEntry {
            level,
            value: left.quantile(level),
        });
        Self {
            mean: left.mean(),
            quantiles: quantiles.into(),
            before,
        }
    }
}
