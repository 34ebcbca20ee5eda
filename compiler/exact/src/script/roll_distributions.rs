//! The exact distributions of a script's rolls and options, each computed once per input.

use super::plan::{RollSite, RolledDice};
use crate::shortcuts::fire;
use crate::{Exact, ExactError, Inputs, Shortcuts, roll};
use dicec_lang::hir::{CHANCE_SIDES, OptionId, Policy};
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The cached distributions.
pub(super) struct RollDistributions<W> {
    /// By the site, and the numbers in its holes.
    rolls: Vec<FxHashMap<Vec<i64>, Arc<Rolled<W>>>>,
    options: Vec<Arc<Exact<W>>>,
    never: Arc<Exact<W>>,
    /// The number of outcomes of all cached rolls, and of those that this question uses.
    kept: u64,
    outcomes: u64,
    /// The work that this question was charged for rolls.
    spent: u64,
    /// The number of the question.
    question: u64,
}

/// The distribution of a roll.
pub(super) struct Rolled<W> {
    pub(super) exact: Exact<W>,
    /// Its recorded cost, and the last question that was charged for it.
    pub(super) cost: u64,
    paid: AtomicU64,
}

impl<W: Weight> RollDistributions<W> {
    pub(super) fn new(sites: usize, policies: &[Policy]) -> Self {
        let option = |policy| Arc::new(option(policy));
        Self {
            rolls: (0..sites).map(|_| FxHashMap::default()).collect(),
            options: policies.iter().copied().map(option).collect(),
            never: option(Policy::Never),
            kept: 0,
            outcomes: 0,
            spent: 0,
            question: 0,
        }
    }

    /// Begins another question.
    pub(super) fn renew(&mut self) {
        self.outcomes = 0;
        self.spent = 0;
        self.question += 1;
    }

    /// Drops the distributions of dice that read resources.
    pub(super) fn forget_readers(&mut self, sites: &[RollSite]) {
        for (site, known) in sites.iter().zip(&mut self.rolls) {
            if !site.reads.is_empty() {
                let outcomes = known.values().map(|rolled| rolled.exact.pmf.len() as u64);
                self.kept -= outcomes.sum::<u64>();
                known.clear();
            }
        }
    }

    /// The work that this question was charged for rolls.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// The number of outcomes in the cache.
    pub(super) fn size(&self) -> u64 {
        self.kept
    }

    /// The distribution of an option: whether it is taken. One without a policy never is.
    pub(super) fn option(&self, option: OptionId) -> Arc<Exact<W>> {
        self.options
            .get(option.index())
            .unwrap_or(&self.never)
            .clone()
    }

    /// The distribution of a roll with these numbers in its holes, or of the dice value that they
    /// describe.
    pub(super) fn roll(
        &mut self,
        (place, site): (usize, &RollSite),
        (resources, holes): (&[i64], &[i64]),
        (limits, shortcuts): (RollLimits, Shortcuts),
        budget: &mut Budget,
    ) -> Result<Arc<Rolled<W>>, ExactError> {
        if let Some(known) = self.rolls[place].get(holes) {
            let known = known.clone();
            self.pay(&known, budget)?;
            return Ok(known);
        }
        let before = budget.spent();
        let mut exact = match &site.dice {
            RolledDice::Written(dice) => {
                let inputs = Inputs {
                    resources,
                    roll: dice,
                    holes,
                    shortcuts,
                };
                roll::<W>(inputs, limits, budget)?
            }
            RolledDice::Value(layout) => {
                fire(Shortcuts::DICE_VALUES);
                layout.odds(holes, limits, budget)?
            }
        };
        if !site.labels.is_empty() {
            exact.pmf = words(&exact.pmf, &site.labels);
        }
        let rolled = Rolled {
            cost: budget.spent() - before,
            paid: AtomicU64::new(self.question),
            exact,
        };
        self.spent += rolled.cost;
        self.kept += rolled.exact.pmf.len() as u64;
        self.count(&rolled, budget)?;
        let rolled = Arc::new(rolled);
        self.rolls[place].insert(holes.to_vec(), rolled.clone());
        Ok(rolled)
    }

    /// Charges for a roll of an earlier question as if it was computed now.
    pub(super) fn pay(
        &mut self,
        rolled: &Rolled<W>,
        budget: &mut Budget,
    ) -> Result<(), ExactError> {
        if rolled.paid.swap(self.question, Relaxed) != self.question {
            budget.spend(rolled.cost, 0)?;
            self.spent += rolled.cost;
            self.count(rolled, budget)?;
        }
        Ok(())
    }

    fn count(&mut self, rolled: &Rolled<W>, budget: &Budget) -> Result<(), ExactError> {
        self.outcomes += rolled.exact.pmf.len() as u64;
        Ok(budget.check_outcomes(self.outcomes)?)
    }
}

/// The distribution over texts of a die with labels, from that over the labels' indices.
fn words<W: Weight>(places: &Pmf<W>, labels: &[i64]) -> Pmf<W> {
    let label = |place: i64| {
        let index = usize::try_from(place).ok();
        let label = index.and_then(|index| labels.get(index));
        *label.unwrap_or_else(|| bug!("a die has no label {place}").raise())
    };
    let words = places
        .iter()
        .map(|(place, weight)| (label(place), weight.clone()));
    let words = Pmf::from_weights(words);
    words
        .unwrap_or_else(|| bug!("an empty distribution").raise())
        .with_roundings(places.roundings())
}

fn option<W: Weight>(policy: Policy) -> Exact<W> {
    let pmf = match policy {
        Policy::Never | Policy::Answer(_) | Policy::Random => Pmf::point(0),
        Policy::Always => Pmf::point(1),
        Policy::Chance(times) => {
            let times = u64::from(times.min(CHANCE_SIDES));
            let rest = u64::from(CHANCE_SIDES) - times;
            let exits = [(0, rest), (1, times)];
            let chance = Pmf::from_weights(exits.map(|(way, times)| (way, W::from_u64(times))));
            // At least one of the two outcomes has a weight.
            chance.unwrap_or_else(|| bug!("a chance of {times} without a weight").raise())
        }
    };
    Exact { pmf, residual: 0.0 }
}
