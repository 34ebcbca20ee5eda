//! The result of a scenario's fights.

use crate::dh2e::happenings::by_frequency;
use dicec_compiler::answer::{Answer, Distribution, Run, Share};
use dicec_games::dh2e::{FightPlan, FighterFigures, Happening, ROUNDS};
use dicec_runtime::bug;
use std::collections::BTreeMap;

/// What the fights of a scenario came to.
pub(super) struct Fought<'a> {
    pub(super) plan: &'a FightPlan,
    pub(super) answer: &'a Answer,
    /// The simulation; none if the odds are exact.
    pub(super) run: Option<&'a Run>,
    result: &'a Distribution,
}

/// What became of a kind of fighters in a fight, on average.
pub(super) struct Fate<'a> {
    pub(super) figures: &'a FighterFigures,
    /// How many stand at the end.
    pub(super) standing: f64,
    /// The wounds that are left to all of them.
    pub(super) wounds_left: f64,
    /// How often one of them is hit.
    pub(super) hits: f64,
    /// Critical injuries and how often each happens, the most frequent first.
    pub(super) injuries: Vec<(&'a str, f64)>,
    /// The same of conditions.
    pub(super) conditions: Vec<(&'a str, f64)>,
}

impl<'a> Fought<'a> {
    pub(super) fn new(plan: &'a FightPlan, answer: &'a Answer, run: Option<&'a Run>) -> Self {
        let result = answer.result.as_ref();
        Self {
            plan,
            answer,
            run,
            result: result.unwrap_or_else(|| bug!("a fight without results").raise()),
        }
    }

    /// The chance of a result of the script.
    pub(super) fn share(&self, result: &str) -> Share {
        let mut outcomes = self.result.outcomes().into_iter();
        let found = outcomes.find(|outcome| self.result.name(outcome.value) == Some(result));
        match found {
            Some(outcome) => self.result.share(&outcome),
            // It never happened.
            None => self.result.within(i64::MAX, i64::MAX),
        }
    }

    /// How many rounds a fight has.
    pub(super) fn rounds(&self) -> Option<&'a Distribution> {
        let mut stats = self.answer.stats.iter();
        stats.find(|stat| stat.name == ROUNDS)?.odds.as_ref()
    }

    /// What the numbers of a statistic add up to in a fight, on average.
    fn mean(&self, name: &str) -> f64 {
        let mut stats = self.answer.stats.iter();
        let stat = stats.find(|stat| stat.name == name);
        let noted = stat.and_then(|stat| Some((stat.per_trial, stat.odds.as_ref()?)));
        noted.map_or(0.0, |(times, odds)| times * odds.mean())
    }

    /// What became of each kind of fighters; kinds of which there are none are left out.
    pub(super) fn fates(&self) -> Vec<Fate<'a>> {
        let kinds = self.plan.kinds.iter();
        let kinds = kinds.filter(|figures| !figures.names.is_empty());
        kinds.map(|figures| self.fate(figures)).collect()
    }

    fn fate(&self, figures: &'a FighterFigures) -> Fate<'a> {
        let mut hits = 0.0;
        let (mut injuries, mut conditions) = (BTreeMap::new(), BTreeMap::new());
        for (line, times) in &self.answer.lines {
            match figures.happening(line) {
                Some(Happening::Hit) => hits += times,
                Some(Happening::Injury(text)) => *injuries.entry(text).or_default() += times,
                Some(Happening::Condition(text)) => *conditions.entry(text).or_default() += times,
                None => {}
            }
        }
        Fate {
            figures,
            standing: self.mean(&figures.standing),
            wounds_left: figures.wounds_left().map(|name| self.mean(&name)).sum(),
            hits,
            injuries: by_frequency(injuries),
            conditions: by_frequency(conditions),
        }
    }
}
