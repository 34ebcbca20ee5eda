//! Every joint outcome of the draws of a program, one after the other.

use dashu_int::UBig;
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::rng::{AliasTable, Dice};
use dicec_runtime::trap::TrapCode;
use rustc_hash::FxHashMap;
use std::num::NonZeroU64;
use std::rc::Rc;

/// The maximum number of outcomes of one draw.
const MAX_OUTCOMES: u64 = 1 << 14;

/// The outcomes of a draw with their weights.
#[derive(Debug)]
struct Outcomes {
    weighted: Vec<(i64, UBig)>,
    total: UBig,
}

impl From<&Pmf<UBig>> for Outcomes {
    fn from(pmf: &Pmf<UBig>) -> Self {
        let weighted = pmf.iter().map(|(value, weight)| (value, weight.clone()));
        Self {
            weighted: weighted.collect(),
            total: pmf.total().clone(),
        }
    }
}

/// A draw of the current trial.
struct Drawn {
    outcomes: Rc<Outcomes>,
    /// Which of them it is.
    index: usize,
    /// The weight of all draws up to this one, and the total.
    weight: UBig,
    total: UBig,
}

/// Draws by counting: after a trial, [`Draws::advance`] goes to the next joint outcome in order.
#[derive(Default)]
pub(super) struct Draws {
    drawn: Vec<Drawn>,
    used: usize,
    /// Whether a draw had too many outcomes.
    pub(super) is_lost: bool,
    tables: FxHashMap<*const AliasTable, Rc<Outcomes>>,
    pools: FxHashMap<(u64, u64), Rc<Outcomes>>,
}

impl Draws {
    /// The outcome of the next draw, from these outcomes if it is a new draw.
    fn next(
        &mut self,
        outcomes: impl FnOnce(&mut Self) -> Option<Rc<Outcomes>>,
    ) -> Result<i64, TrapCode> {
        if self.used == self.drawn.len() {
            let Some(outcomes) = outcomes(self) else {
                self.is_lost = true;
                return Err(TrapCode::FacesRanOut);
            };
            self.push(outcomes, 0);
        }
        let drawn = &self.drawn[self.used];
        self.used += 1;
        Ok(drawn.outcomes.weighted[drawn.index].0)
    }

    fn push(&mut self, outcomes: Rc<Outcomes>, index: usize) {
        let (weight, total) = self.weight();
        self.drawn.push(Drawn {
            weight: weight * &outcomes.weighted[index].1,
            total: total * &outcomes.total,
            outcomes,
            index,
        });
    }

    /// The weight of the current joint outcome, and the total.
    pub(super) fn weight(&self) -> (UBig, UBig) {
        let one = || UBig::from(1_u32);
        let last = self.drawn.last();
        last.map_or_else(
            || (one(), one()),
            |last| (last.weight.clone(), last.total.clone()),
        )
    }

    /// Goes to the next joint outcome, if there is one.
    pub(super) fn advance(&mut self) -> bool {
        self.used = 0;
        while let Some(last) = self.drawn.pop() {
            if last.index + 1 < last.outcomes.weighted.len() {
                self.push(last.outcomes, last.index + 1);
                return true;
            }
        }
        false
    }

    fn sum(&mut self, count: u64, sides: u64) -> Result<u64, TrapCode> {
        let sum = self.next(|draws| {
            if let Some(outcomes) = draws.pools.get(&(count, sides)) {
                return Some(outcomes.clone());
            }
            let mut budget = Budget::new(Limits {
                outcomes: MAX_OUTCOMES,
                ..Limits::default()
            });
            let pmf = Pmf::pool(count, NonZeroU64::new(sides)?, &mut budget);
            let outcomes = Rc::new(Outcomes::from(&pmf.ok()?));
            draws.pools.insert((count, sides), outcomes.clone());
            Some(outcomes)
        });
        sum.map(i64::unsigned_abs)
    }
}

impl Dice for Draws {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.sum(1, sides)
    }

    fn packed(&mut self, count: u32, sides: u32) -> Result<u64, TrapCode> {
        self.sum(count.into(), sides.into())
    }

    fn drawn(&mut self, table: &AliasTable) -> Result<i64, TrapCode> {
        self.next(|draws| {
            let outcomes = draws.tables.entry(table);
            let new = || Rc::new(Outcomes::from(&table.distribution()));
            Some(outcomes.or_insert_with(new).clone())
        })
    }
}
