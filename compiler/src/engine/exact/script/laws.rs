//! The distributions of what a script rolls and asks, each computed once.

use super::plan::RollSite;
use crate::engine::exact::{Exact, ExactError, Inputs, roll};
use crate::hir::{CHANCE_SIDES, OptionId, Policy};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(super) struct Laws<'s, W> {
    sites: &'s [RollSite<'s>],
    resources: &'s [i64],
    limits: RollLimits,
    /// By the holes of each site.
    rolls: Vec<FxHashMap<Vec<i64>, Rc<Exact<W>>>>,
    options: Vec<Rc<Exact<W>>>,
    never: Rc<Exact<W>>,
    /// The outcomes of all of them.
    outcomes: u64,
}

impl<'s, W: Weight> Laws<'s, W> {
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

    /// What a roll comes to, its holes filled with these numbers.
    pub(super) fn roll(
        &mut self,
        site: usize,
        holes: &[i64],
        budget: &mut Budget,
    ) -> Result<Rc<Exact<W>>, ExactError> {
        if let Some(law) = self.rolls[site].get(holes) {
            return Ok(law.clone());
        }
        let RollSite {
            roll: of,
            ty,
            labels,
        } = &self.sites[site];
        let inputs = Inputs {
            resources: self.resources,
            roll: of,
            holes,
        };
        let mut law = roll::<W>(inputs, ty, self.limits, budget)?;
        if !labels.is_empty() {
            law.pmf = words(&law.pmf, labels);
        }
        self.outcomes += law.pmf.len() as u64;
        budget.check_outcomes(self.outcomes)?;
        let law = Rc::new(law);
        self.rolls[site].insert(holes.to_vec(), law.clone());
        Ok(law)
    }
}

/// The texts that a die with words shows, for their places.
fn words<W: Weight>(places: &Pmf<W>, labels: &[i64]) -> Pmf<W> {
    let label = |place: i64| {
        let place = usize::try_from(place).ok();
        place
            .and_then(|place| labels.get(place))
            .copied()
            .unwrap_or(0)
    };
    let words = places
        .iter()
        .map(|(place, weight)| (label(place), weight.clone()));
    let words = Pmf::from_weights(words);
    // A table is never empty.
    words
        .unwrap_or_else(|| Pmf::point(0))
        .with_roundings(places.roundings())
}

fn option<W: Weight>(policy: Policy) -> Exact<W> {
    let pmf = match policy {
        Policy::Never => Pmf::point(0),
        Policy::Always => Pmf::point(1),
        Policy::Chance(times) => {
            let times = u64::from(times.min(CHANCE_SIDES));
            let rest = u64::from(CHANCE_SIDES) - times;
            let ways = [(0, rest), (1, times)];
            let chance = Pmf::from_weights(ways.map(|(way, times)| (way, W::from_u64(times))));
            // One of the two has a weight.
            chance.unwrap_or_else(|| Pmf::point(0))
        }
    };
    Exact { pmf, residual: 0.0 }
}
