//! Brute force: every roll of a rule's dice, through the interpreter.

use dashu_int::UBig;
use dicec_compiler::Bound;
use dicec_lang::hir::Module;
use dicec_lang::interp::{Dice, Interpreter};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::Pmf;
use dicec_runtime::trap::{Trap, TrapCode};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The distribution of a rule's result, or the traps in which some rolls end.
#[derive(Debug, Default)]
pub struct Enumeration {
    /// Each result with, for each roll that gives it, the product of the sides of its dice: the
    /// roll's probability is one over this product.
    rolls: BTreeMap<i64, Vec<UBig>>,
    /// All traps that occurred.
    pub traps: Vec<Trap>,
}

/// Faces by counting: after a run, [`Odometer::advance`] goes to the next roll in order.
#[derive(Default)]
pub(crate) struct Odometer {
    /// Rolls that are less likely are given up.
    pub(crate) least: f64,
    /// The current roll was given up.
    pub(crate) cut: bool,
    /// Sides and face of each die of the current roll, and how likely the roll is up to it.
    pub(crate) dice: Vec<(u64, u64, f64)>,
    pub(crate) used: usize,
}

impl Dice for Odometer {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        if self.used == self.dice.len() {
            let probability = self.probability() / sides as f64;
            self.cut = probability < self.least;
            if self.cut {
                return Err(TrapCode::FacesRanOut);
            }
            self.dice.push((sides, 1, probability));
        }
        self.used += 1;
        Ok(self.dice[self.used - 1].1)
    }
}

impl Odometer {
    /// The probability of the current roll.
    pub(crate) fn probability(&self) -> f64 {
        self.dice
            .last()
            .map_or(1.0, |(.., probability)| *probability)
    }

    pub(crate) fn advance(&mut self) -> bool {
        (self.used, self.cut) = (0, false);
        while let Some((sides, face, probability)) = self.dice.pop() {
            if face < sides {
                self.dice.push((sides, face + 1, probability));
                return true;
            }
        }
        false
    }
}

impl Enumeration {
    /// Enumerates a rule; `None` if it has more than `most` rolls.
    pub fn of(bound: &Bound, most: usize) -> Option<Self> {
        let program = bound.program();
        Self::of_tree(
            program.hir(),
            program.limits().roll,
            bound.resources(),
            most,
        )
    }

    /// Enumerates a typed tree; `None` if it has more than `most` rolls.
    pub fn of_tree(
        program: &Module,
        limits: RollLimits,
        resources: &[i64],
        most: usize,
    ) -> Option<Self> {
        let interpreter = Interpreter::of_rule(program, limits);
        let mut odometer = Odometer::default();
        let mut all = Self::default();
        for _ in 0..most {
            match interpreter.roll(resources, &mut odometer, &mut ()) {
                Ok(outcome) => {
                    let ways: UBig = odometer.dice.iter().map(|&(sides, ..)| sides).product();
                    let result = outcome.value.to_cell();
                    all.rolls.entry(result).or_default().push(ways);
                }
                Err(trap) => all.traps.push(trap),
            }
            if !odometer.advance() {
                return Some(all);
            }
        }
        None
    }

    /// Compares it with the exact distribution, weight for weight.
    ///
    /// # Panics
    /// If they differ, or some rolls trap; the message names `what`.
    pub fn expect(&self, exact: &Pmf<UBig>, what: &dyn Debug) {
        assert!(self.traps.is_empty(), "{what:?}: {:?}", self.traps);
        let (weights, common) = self.weights();
        let brute = weights.iter().map(|(&v, w)| (v, w * exact.total()));
        let exact = exact.iter().map(|(v, w)| (v, w * &common));
        assert!(exact.eq(brute), "{what:?}: {weights:?} of {common}");
    }

    /// The results with their weights over a common denominator, and that denominator.
    pub fn weights(&self) -> (BTreeMap<i64, UBig>, UBig) {
        let ways = self.rolls.values().flatten();
        let common = ways.fold(UBig::from(1_u32), |common, ways| common.lcm(ways));
        let weights = self.rolls.iter().map(|(&result, ways)| {
            let weight = ways.iter().map(|ways| &common / ways).sum();
            (result, weight)
        });
        (weights.collect(), common)
    }
}
