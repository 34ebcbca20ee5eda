//! The exact distributions of a script's rolls and options, each computed once.

use super::plan::RollSite;
use crate::engine::exact::{Exact, ExactError, Inputs, roll};
use crate::hir::{CHANCE_SIDES, OptionId, Policy};
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(super) struct RollDistributions<'s, W> {
    sites: &'s [RollSite<'s>],
    resources: &'s [i64],
    limits: RollLimits,
    /// By the holes of each site.
    rolls: Vec<FxHashMap<Vec<i64>, Rc<Exact<W>>>>,
    options: Vec<Rc<Exact<W>>>,
    never: Rc<Exact<W>>,
    /// The number of outcomes of all of them.
    outcomes: u64,
}

impl<'s, W: Weight> RollDistributions<'s, W> {
    pub(super) fn new(
        sites: &'s [RollSite<'s>],
        resources: &'s [i64],
        limits: RollLimits,
        policies: &[Policy],
    ) -> Self {
        Self {
            sites,
            resources,
            limits,
            rolls: sites.iter().map(|_| FxHashMap::default()).collect(),
            options: policies
                .iter()
                .map(|policy| Rc::new(option(*policy)))
                .collect(),
            never: Rc::new(option(Policy::Never)),
            outcomes: 0,
        }
    }

    /// Whether an option is taken; one without a policy never is.
    pub(super) fn option(&self, option: OptionId) -> Rc<Exact<W>> {
        self.options
            .get(option.index())
            .unwrap_or(&self.never)
            .clone()
    }

    /// The distribution of a roll, its holes filled with these numbers.
    pub(super) fn roll(
        &mut self,
        site: usize,
        holes: &[i64],
        budget: &mut Budget,
    ) -> Result<Rc<Exact<W>>, ExactError> {
        if let Some(distribution) = self.rolls[site].get(holes) {
            return Ok(distribution.clone());
        }
        let RollSite { roll: of, labels } = &self.sites[site];
        let inputs = Inputs {
            resources: self.resources,
            roll: of,
            holes,
        };
        let mut distribution = roll::<W>(inputs, self.limits, budget)?;
        if !labels.is_empty() {
            distribution.pmf = words(&distribution.pmf, labels);
        }
        self.outcomes += distribution.pmf.len() as u64;
        budget.check_outcomes(self.outcomes)?;
        let distribution = Rc::new(distribution);
        self.rolls[site].insert(holes.to_vec(), distribution.clone());
        Ok(distribution)
    }
}

/// The texts of a die with labels, for the indices of the labels.
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
            // One of the two has a weight.
            chance.unwrap_or_else(|| bug!("a chance of {times} without a weight").raise())
        }
    };
    Exact { pmf, residual: 0.0 }
}
