//! Dice that are rolled again at their maximum, which is added (section 10).

use super::Engine;
use crate::failure::Unplaced;
use crate::value::Value;
use dicec_runtime::pmf::{Pmf, Weight};

/// Explosions that are less probable than this are left out: AnyDice shows none of them.
const LEAST: f64 = 1e-300;

impl<W: Weight> Engine<'_, W> {
    /// The sum of a roll and of at most `depth` further ones, each after a roll of the maximum.
    pub(crate) fn exploded(&mut self, die: &Pmf<W>, depth: u64) -> Result<Value<W>, Unplaced> {
        let most = die.max();
        if die.len() == 1 {
            let rolls = i64::try_from(depth)
                .ok()
                .and_then(|depth| depth.checked_add(1));
            let sum = rolls.and_then(|rolls| most.checked_mul(rolls));
            return Ok(Value::die(Pmf::point(sum.ok_or(Unplaced::Overflow)?)));
        }
        // More levels than this have too many outcomes.
        let max_levels = self.budget.limits().outcomes / die.len() as u64 + 1;
        let depth = depth.min(levels(die.probability(most), max_levels));
        // A weight of all rolls has as many words as those of one, times their number.
        let each = W::mul_cost(die.total(), die.total()).saturating_mul(1 + depth / 16);
        let outcomes = (depth + 1).saturating_mul(die.len() as u64);
        self.budget
            .spend(outcomes.saturating_mul(each).saturating_mul(3), outcomes)?;
        // The totals of the rolls that are left, so that all weights are over the same one.
        let mut totals = vec![W::from_u64(1)];
        for level in 0..depth as usize {
            totals.push(totals[level].mul(die.total()));
        }
        let mut weights: Vec<(i64, W)> = Vec::with_capacity(outcomes as usize);
        let mut before = 0_i64;
        let mut reached = W::from_u64(1);
        for (level, left) in totals.iter().rev().enumerate() {
            let is_last = level as u64 == depth;
            for (value, weight) in die.iter() {
                if value < most || is_last {
                    let sum = before.checked_add(value).ok_or(Unplaced::Overflow)?;
                    weights.push((sum, reached.mul(weight).mul(left)));
                } else {
                    before = before.checked_add(most).ok_or(Unplaced::Overflow)?;
                    reached = reached.mul(weight);
                }
            }
        }
        let exploded = Pmf::from_weights(weights).ok_or(Unplaced::Overflow)?;
        let roundings = die.roundings().saturating_add(1).saturating_mul(depth + 1);
        Ok(Value::die(exploded.with_roundings(roundings)))
    }
}

/// The number of explosions in a row up to which their probability is not negligible, or `most`.
fn levels(probability: f64, most: u64) -> u64 {
    let mut levels = 0;
    let mut left = 1.0;
    while levels < most && left > LEAST {
        left *= probability;
        levels += 1;
    }
    levels
}
