//! The result of many days: the chance to survive each fight, and what the party has left.

use dicec_compiler::answer::{Answer, Checked, Distribution, Run, Share, Statistic};
use dicec_games::encounter::{Caveat, DayFigures, DayPlan, FightFigures};
use dicec_runtime::bug;
use dicec_runtime::bug::Bug;

/// The result of many days.
#[derive(Clone, Debug)]
pub struct Lived {
    /// Its title: the party and the steps.
    pub title: String,
    /// The party's name.
    pub party: String,
    /// The steps, with the places of the numbers of each fight.
    pub figures: DayFigures,
    /// Abilities that the odds leave out.
    pub caveats: Vec<Caveat>,
    /// The simulation.
    pub run: Run,
    result: Distribution,
    answer: Answer,
}

/// The odds of one fight of a day.
#[derive(Clone, Debug)]
pub struct FightOdds<'l> {
    /// The names of its statistics.
    pub figures: &'l FightFigures,
    /// The probability that the party wins it and all fights before it.
    pub won: Share,
    /// The probability that the party comes to it.
    pub reached: f64,
    /// The probability that it ends the day: everybody of the party falls.
    pub defeated: f64,
    /// The probability that the party flees from it.
    pub fled: f64,
    /// The probability that it ends without a winner.
    pub undecided: f64,
    /// The probability that the party wins it, and nobody is dead.
    pub all_alive: f64,
    /// The distribution of the number of rounds, on days that come to it.
    pub rounds: Option<&'l Distribution>,
    /// The distribution of the hit points that the party has left, on days that win it.
    pub hit_points: Option<&'l Distribution>,
    /// The distribution of the spell slots that are left; `None` without any.
    pub slots: Option<&'l Distribution>,
    /// For each kind of the party the mean hit points left, and the mean number of dead, on days
    /// that win the fight; `None` if none does.
    pub heroes: Vec<Option<(f64, f64)>>,
}

/// The number of ways in which a fight ends a day, in the order of the script's results.
const ENDINGS: i64 = 3;

impl Lived {
    /// The result from the answer to a day's script, which `run` sampled.
    ///
    /// # Errors
    /// An answer to another script.
    pub fn new(plan: &DayPlan, answer: Answer, run: Run) -> Result<Self, Bug> {
        let result = answer.result.clone();
        Ok(Self {
            title: plan.title(),
            party: plan.party().to_owned(),
            figures: plan.figures(),
            caveats: plan.caveats(),
            run,
            result: result.ok_or_else(|| bug!("a day without results"))?,
            answer,
        })
    }

    /// The probability that the party wins all fights.
    pub fn survives(&self) -> Share {
        let fights = self.figures.fights.len() as i64;
        self.result.within(fights * ENDINGS, i64::MAX)
    }

    /// The odds of each fight, in order.
    pub fn fights(&self) -> Vec<FightOdds<'_>> {
        let fights = (0..).zip(&self.figures.fights);
        fights
            .map(|(index, figures)| self.fight(index, figures))
            .collect()
    }

    fn fight<'l>(&'l self, index: i64, figures: &'l FightFigures) -> FightOdds<'l> {
        let first = index * ENDINGS;
        let ends = |way: i64| self.result.within(first + way, first + way).p;
        let heroes = 0..self.figures.heroes.len();
        let heroes = heroes.map(|hero| {
            let left = self.odds_of(&figures.hit_points_of(hero))?;
            let dead = self.odds_of(&figures.dead_of(hero))?;
            Some((left.mean(), dead.mean()))
        });
        let nobody_dead = self.statistic(&figures.dead).and_then(|dead| {
            let odds = dead.odds.as_ref()?;
            Some(dead.per_trial * odds.within(0, 0).p)
        });
        FightOdds {
            figures,
            won: self.result.within(first + ENDINGS, i64::MAX),
            reached: self.result.within(first, i64::MAX).p,
            defeated: ends(0),
            fled: ends(1),
            undecided: ends(2),
            all_alive: nobody_dead.unwrap_or(0.0),
            rounds: self.odds_of(&figures.rounds),
            hit_points: self.odds_of(&figures.hit_points),
            slots: self.odds_of(&figures.slots),
            heroes: heroes.collect(),
        }
    }

    /// The check that the odds passed, if there was one.
    pub fn checked(&self) -> Option<Checked> {
        self.run.checked
    }

    fn odds_of(&self, name: &str) -> Option<&Distribution> {
        self.statistic(name)?.odds.as_ref()
    }

    fn statistic(&self, name: &str) -> Option<&Statistic> {
        self.answer.stats.iter().find(|stat| stat.name == name)
    }
}
