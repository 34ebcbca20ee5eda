//! The exact distribution of fused code: every joint outcome of its draws, through the IR
//! evaluator, with whole-number weights.

use dashu_int::UBig;
use dicec_compiler::engine::eval::EvalKernel;
use dicec_compiler::ir::Module;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::rng::{AliasTable, Dice};
use dicec_runtime::trap::{Trap, TrapCode};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::rc::Rc;

/// The maximum number of outcomes of a pool.
const MAX_OUTCOMES: u64 = 1 << 14;

type Distribution = Rc<Pmf<UBig>>;

/// The exact distribution of a rule.
#[derive(Debug, Default)]
pub struct FusedDistribution {
    /// For each result its weights, by their totals.
    weights: BTreeMap<i64, BTreeMap<UBig, UBig>>,
    /// All traps that occurred.
    pub traps: Vec<Trap>,
}

impl FusedDistribution {
    /// The exact distribution of a rule; `None` if its draws have more than `most` joint outcomes.
    pub fn of(rule: &Module, resources: &[i64], most: usize) -> Option<Self> {
        let kernel = EvalKernel::new(rule.clone(), Sink::Values);
        let mut draws = Draws::default();
        let mut distribution = Self::default();
        for _ in 0..most {
            match kernel.trial(&mut draws, resources) {
                Ok(result) => {
                    let (weight, total) = draws.weight();
                    let weights = distribution.weights.entry(result.to_cell()).or_default();
                    *weights.entry(total).or_default() += weight;
                }
                Err(_) if draws.is_lost => return None,
                Err(trap) => distribution.traps.push(trap),
            }
            if !draws.advance() {
                return Some(distribution);
            }
        }
        None
    }

    /// Compares it with a distribution, weight for weight.
    ///
    /// # Panics
    /// If they differ.
    pub fn expect(&self, exact: &Pmf<UBig>, what: &str) {
        let totals = self.weights.values().flat_map(BTreeMap::keys);
        let common = totals.fold(UBig::from(1_u32), |common, total| common.lcm(total));
        let found = self.weights.iter().map(|(&result, parts)| {
            let parts = parts.iter();
            let weight: UBig = parts
                .map(|(total, weight)| weight * (&common / total))
                .sum();
            (result, weight * exact.total())
        });
        let expected = exact
            .iter()
            .map(|(value, weight)| (value, weight * &common));
        assert!(found.eq(expected), "the distribution of {what}");
    }
}

/// Draws by counting: after a trial, [`Draws::advance`] goes to the next joint outcome in order.
#[derive(Default)]
struct Draws {
    /// The draws of the current trial: each with its distribution and the index of its outcome.
    drawn: Vec<(Distribution, usize)>,
    used: usize,
    /// Whether a draw had too many outcomes.
    is_lost: bool,
    tables: BTreeMap<*const AliasTable, Distribution>,
    pools: BTreeMap<(u64, u64), Distribution>,
}

impl Draws {
    /// The outcome of the next draw, from this distribution if it is a new draw.
    fn next(
        &mut self,
        distribution: impl FnOnce(&mut Self) -> Option<Distribution>,
    ) -> Result<i64, TrapCode> {
        if self.used == self.drawn.len() {
            let Some(distribution) = distribution(self) else {
                self.is_lost = true;
                return Err(TrapCode::FacesRanOut);
            };
            self.drawn.push((distribution, 0));
        }
        let (distribution, index) = &self.drawn[self.used];
        self.used += 1;
        Ok(distribution.iter().nth(*index).expect("an outcome").0)
    }

    fn pool(&mut self, count: u64, sides: u64) -> Result<u64, TrapCode> {
        let sum = self.next(|draws| {
            if let Some(distribution) = draws.pools.get(&(count, sides)) {
                return Some(distribution.clone());
            }
            let mut budget = Budget::new(Limits {
                outcomes: MAX_OUTCOMES,
                ..Limits::default()
            });
            let distribution = Pmf::pool(count, NonZeroU64::new(sides)?, &mut budget);
            let distribution: Distribution = distribution.ok()?.into();
            draws.pools.insert((count, sides), distribution.clone());
            Some(distribution)
        });
        sum.map(i64::unsigned_abs)
    }

    /// The weight of the current joint outcome, and the total.
    fn weight(&self) -> (UBig, UBig) {
        let one = || UBig::from(1_u32);
        let draws = self.drawn.iter();
        draws.fold((one(), one()), |(weight, total), (distribution, index)| {
            let share = distribution.iter().nth(*index).expect("an outcome").1;
            (weight * share, total * distribution.total())
        })
    }

    fn advance(&mut self) -> bool {
        self.used = 0;
        while let Some((distribution, index)) = self.drawn.pop() {
            if index + 1 < distribution.len() {
                self.drawn.push((distribution, index + 1));
                return true;
            }
        }
        false
    }
}

impl Dice for Draws {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.pool(1, sides)
    }

    fn packed(&mut self, count: u32, sides: u32) -> Result<u64, TrapCode> {
        self.pool(count.into(), sides.into())
    }

    fn drawn(&mut self, table: &AliasTable) -> Result<i64, TrapCode> {
        self.next(|draws| {
            let distribution = draws.tables.entry(table);
            Some(
                distribution
                    .or_insert_with(|| table.distribution().into())
                    .clone(),
            )
        })
    }
}
