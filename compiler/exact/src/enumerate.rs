//! Enumerates every roll of some dice with the code that defines the meaning of rolls. This is the
//! slow path for dice without a closed form.
//!
//! The rolls are the leaves of a tree whose branches are faces. Branches that are too unlikely to
//! matter are cut, because exploding dice have no last leaf.

use dicec_runtime::ops::OpResult;
use dicec_runtime::pmf::{Budget, CombineError, Exhausted, Pmf, SERIES_CUT, Truncated, Weight};
use dicec_runtime::rng::Dice;
use dicec_runtime::trap::TrapCode;
use rustc_hash::FxHashMap;

/// Branches less likely than the budget's cut divided by this are cut.
const FINER: f64 = 100.0;

/// The maximum total probability that may be cut, in multiples of the budget's cut.
const MAX_CUT: f64 = 1e6;

/// The cost of a roll, and of each of its dice, in elementary operations.
const ROLL_COST: u64 = 40;

/// Dice that replay every combination of faces: [`Script::advance`] moves to the next combination.
#[derive(Default)]
pub(super) struct Script {
    /// Sides and face of each die of the current roll, and the probability of the faces up to this
    /// die.
    dice: Vec<(u64, u64, f64)>,
    used: usize,
    /// Branches less likely than this are cut.
    least: f64,
    /// Whether the current roll was cut.
    cut: bool,
}

impl Dice for Script {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        if self.used == self.dice.len() {
            let before = self.mass();
            let mass = before / sides as f64;
            if mass < self.least {
                self.cut = true;
                // Any error ends the current roll.
                return Err(TrapCode::FacesRanOut);
            }
            self.dice.push((sides, 1, mass));
        }
        let (_, face, _) = self.dice[self.used];
        self.used += 1;
        Ok(face)
    }
}

impl Script {
    /// The probability of the faces so far.
    fn mass(&self) -> f64 {
        self.dice.last().map_or(1.0, |(.., mass)| *mass)
    }

    fn advance(&mut self) -> bool {
        self.used = 0;
        self.cut = false;
        while let Some((sides, face, mass)) = self.dice.pop() {
            if face < sides {
                self.dice.push((sides, face + 1, mass));
                return true;
            }
        }
        false
    }

    /// The number of dice of each size.
    fn sides(&self) -> Vec<(u64, u64)> {
        let mut numbers: Vec<(u64, u64)> = Vec::new();
        for (sides, ..) in &self.dice {
            match numbers.iter_mut().find(|(known, _)| known == sides) {
                Some((_, number)) => *number += 1,
                None => numbers.push((*sides, 1)),
            }
        }
        numbers.sort_unstable();
        numbers
    }
}

/// The results so far.
#[derive(Default)]
struct Found {
    /// The number of rolls with each result, by the dice that were rolled.
    rolls: FxHashMap<Vec<(u64, u64)>, FxHashMap<i64, u64>>,
    /// The total probability of the cut rolls.
    cut: f64,
    /// The probability of rolls with an error that only endless dice cause.
    endless: f64,
}

/// The distribution of the results of `roll`, given that it does not go on for too long.
pub(super) fn enumerate<W: Weight>(
    budget: &mut Budget,
    roll: &mut dyn FnMut(&mut Script) -> OpResult,
) -> Result<Truncated<W>, CombineError<TrapCode>> {
    let mut script = Script {
        least: budget.cut() / FINER,
        ..Script::default()
    };
    let mut found = Found::default();
    loop {
        let result = roll(&mut script);
        budget.spend(ROLL_COST * (script.used as u64 + 1), 1)?;
        match result {
            Ok(value) => {
                let rolls = found.rolls.entry(script.sides()).or_default();
                *rolls.entry(value).or_default() += 1;
                budget.check_outcomes(rolls.len() as u64)?;
            }
            Err(_) if script.cut => found.cut += script.mass(),
            Err(
                code @ (TrapCode::TooManyDice
                | TrapCode::TooManyExplosions
                | TrapCode::TooManyRerolls),
            ) => {
                found.endless += script.mass();
                if found.endless > SERIES_CUT {
                    return Err(CombineError::Value(code));
                }
            }
            Err(code) => return Err(CombineError::Value(code)),
        }
        if found.cut > MAX_CUT * budget.cut() {
            budget.spend(u64::MAX, 1)?;
        }
        if !script.advance() {
            return Ok(found.table(budget)?);
        }
    }
}

impl Found {
    fn table<W: Weight>(self, budget: &mut Budget) -> Result<Truncated<W>, Exhausted> {
        // The common denominator has each kind of die as often as any roll has it.
        let mut most: FxHashMap<u64, u64> = FxHashMap::default();
        for (sides, number) in self.rolls.keys().flatten() {
            let known = most.entry(*sides).or_default();
            *known = (*number).max(*known);
        }
        let mut sums: FxHashMap<i64, W> = FxHashMap::default();
        for (dice, rolls) in &self.rolls {
            let numbers: FxHashMap<u64, u64> = dice.iter().copied().collect();
            let mut factor = W::from_u64(1);
            for (sides, most) in &most {
                let missing = most - numbers.get(sides).copied().unwrap_or(0);
                for _ in 0..missing {
                    factor = factor.mul(&W::from_u64(*sides));
                }
            }
            budget.spend(rolls.len() as u64 * W::mul_cost(&factor, &factor), 1)?;
            for (value, number) in rolls {
                let weight = W::from_u64(*number).mul(&factor);
                sums.entry(*value).or_insert_with(W::zero).add(&weight);
            }
        }
        let Some(pmf) = Pmf::from_weights(sums) else {
            // Every roll was cut, or the denominator is out of range.
            budget.spend(u64::MAX, 1)?;
            return Ok(Truncated {
                pmf: Pmf::point(0),
                residual: 1.0,
            });
        };
        Ok(Truncated {
            pmf,
            residual: self.cut + self.endless,
        })
    }
}
