//! The exact law of fused code: every way in which its draws can come out, through the IR evaluator, in whole weights.

use dicec_compiler::engine::eval::EvalKernel;
use dicec_compiler::ir::Module;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::rng::{AliasTable, Dice};
use dicec_runtime::trap::{Trap, TrapCode};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::rc::Rc;

/// The most outcomes of a pool.
const MOST_OUTCOMES: u64 = 1 << 14;

type Law = Rc<Pmf<BigUint>>;

/// What a rule comes to.
#[derive(Debug, Default)]
pub struct FusedLaw {
    /// For each result its weights, by what they are parts of.
    weights: BTreeMap<i64, BTreeMap<BigUint, BigUint>>,
    /// All traps that were met.
    pub traps: Vec<Trap>,
}

impl FusedLaw {
    /// The exact distribution of a rule; `None` if its draws have more than `most` joint outcomes.
    pub fn of(rule: &Module, resources: &[i64], most: usize) -> Option<Self> {
        let kernel = EvalKernel::new(rule.clone(), Sink::Values);
        let mut draws = Draws::default();
        let mut law = Self::default();
        for _ in 0..most {
            match kernel.trial(&mut draws, resources) {
                Ok(result) => {
                    let (weight, total) = draws.weight();
                    let weights = law.weights.entry(result.to_cell()).or_default();
                    *weights.entry(total).or_default() += weight;
                }
                Err(_) if draws.is_lost => return None,
                Err(trap) => law.traps.push(trap),
            }
            if !draws.advance() {
                return Some(law);
            }
        }
        None
    }

    /// Compares it with a distribution, weight for weight.
    ///
    /// # Panics
    /// Where they differ.
    pub fn expect(&self, exact: &Pmf<BigUint>, what: &str) {
        let totals = self.weights.values().flat_map(BTreeMap::keys);
        let common = totals.fold(BigUint::from(1_u32), |common, total| common.lcm(total));
        let found = self.weights.iter().map(|(&result, parts)| {
            let parts = parts.iter();
            let weight: BigUint = parts
                .map(|(total, weight)| weight * (&common / total))
                .sum();
            (result, weight * exact.total())
        });
        let expected = exact
            .iter()
            .map(|(value, weight)| (value, weight * &common));
        assert!(found.eq(expected), "the law of {what}");
    }
}

/// Draws by counting: after a trial, [`Draws::advance`] goes to the next joint outcome in order.
#[derive(Default)]
struct Draws {
    /// The draws of the current trial: what each is drawn from, and which of its outcomes it is.
    drawn: Vec<(Law, usize)>,
    used: usize,
    /// Whether something was drawn that has too many outcomes.
    is_lost: bool,
    tables: BTreeMap<*const AliasTable, Law>,
    pools: BTreeMap<(u64, u64), Law>,
}

impl Draws {
    /// The outcome of the next draw, from this law if it has none yet.
    fn next(&mut self, law: impl FnOnce(&mut Self) -> Option<Law>) -> Result<i64, TrapCode> {
        if self.used == self.drawn.len() {
            let Some(law) = law(self) else {
                self.is_lost = true;
                return Err(TrapCode::FacesRanOut);
            };
            self.drawn.push((law, 0));
        }
        let (law, place) = &self.drawn[self.used];
        self.used += 1;
        Ok(law.iter().nth(*place).expect("an outcome").0)
    }

    fn pool(&mut self, count: u64, sides: u64) -> Result<u64, TrapCode> {
        let sum = self.next(|draws| {
            if let Some(law) = draws.pools.get(&(count, sides)) {
                return Some(law.clone());
            }
            let mut budget = Budget::new(Limits {
                outcomes: MOST_OUTCOMES,
                ..Limits::default()
            });
            let law = Pmf::pool(count, NonZeroU64::new(sides)?, &mut budget);
            let law: Law = law.ok()?.into();
            draws.pools.insert((count, sides), law.clone());
            Some(law)
        });
        sum.map(i64::unsigned_abs)
    }

    /// How much the current joint outcome weighs, of what in all.
    fn weight(&self) -> (BigUint, BigUint) {
        let one = || BigUint::from(1_u32);
        let draws = self.drawn.iter();
        draws.fold((one(), one()), |(weight, total), (law, place)| {
            let share = law.iter().nth(*place).expect("an outcome").1;
            (weight * share, total * law.total())
        })
    }

    fn advance(&mut self) -> bool {
        self.used = 0;
        while let Some((law, place)) = self.drawn.pop() {
            if place + 1 < law.len() {
                self.drawn.push((law, place + 1));
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
            let law = draws.tables.entry(table);
            Some(law.or_insert_with(|| table.law().into()).clone())
        })
    }
}
