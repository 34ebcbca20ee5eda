//! Keep and drop: sums over some dice of a pool, chosen by their position in ascending order.
//!
//! This file prepares the computation: the kept dice, the kinds of dice, and the order in which
//! their faces are visited. `select` computes the answer.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::cost::Cost;
use super::fold::times;
use super::rank;
use super::select::{self, Positions, Space, Step};
use super::table::Pmf;
use super::weight::Weight;
use crate::bug;

/// Whether the die at a position among a number of dice in ascending order is kept. The order of
/// dice with the same value does not matter.
pub type Keep<'a> = &'a dyn Fn(u64, u64) -> bool;

impl<W: Weight> Pmf<W> {
    /// The distribution of the sum of `value` over the kept faces of `n` independent dice. The
    /// faces are in ascending order, and `keep` holds for the positions in 0..n that are kept. 0 if
    /// there are none.
    ///
    /// `value` is the identity for keep and drop, and 1, 0 or -1 to count successes among the kept
    /// dice; it need not be monotonic. The exact total is that of this table to the power of `n`.
    ///
    /// # Errors
    /// [`Overflow`] when a possible sum is out of range, or [`Exhausted`], at once.
    pub fn select_sum(
        &self,
        n: u64,
        budget: &mut Budget,
        keep: impl Fn(u64) -> bool,
        value: impl Fn(i64) -> i64,
    ) -> Result<Self, CombineError<Overflow>> {
        Self::select_mixed(&[(self, n)], budget, &|position, _| keep(position), value)
    }

    /// [`select_sum`](Self::select_sum) over a pool with several kinds of dice, each with its
    /// number of dice.
    ///
    /// # Errors
    /// [`Overflow`] when a possible sum is out of range, or [`Exhausted`], at once.
    pub fn select_mixed(
        kinds: &[(&Self, u64)],
        budget: &mut Budget,
        keep: Keep<'_>,
        value: impl Fn(i64) -> i64,
    ) -> Result<Self, CombineError<Overflow>> {
        let kinds = distinct(kinds, budget)?;
        let dice = kinds
            .iter()
            .fold(0_u64, |sum, (_, n)| sum.saturating_add(*n));
        let additions = kinds.iter().fold(0_u64, |sum, (die, _)| {
            sum.saturating_add((die.len() as u64).saturating_mul(W::add_cost(&die.total)))
        });
        // The positions, and the faces to be counted.
        budget.spend(dice.saturating_add(additions), dice)?;
        let kept: Vec<bool> = (0..dice).map(|position| keep(position, dice)).collect();
        if kept.iter().all(|kept| *kept) {
            return Self::sum_of_all(&kinds, budget, value);
        }
        if !kept.contains(&true) {
            return Ok(Self::point(0));
        }
        let positions = Positions::in_order(kept);
        let mut steps = steps(&kinds, &value);
        let counted = || steps.iter().map(|step| step.counted);
        let (Some(least), Some(most)) = (counted().min(), counted().max()) else {
            bug!("dice without faces").raise()
        };
        let ends = times(most, positions.count()).and(times(least, positions.count()));
        if ends.is_err() {
            // The faces of one kind may be far from those of the others.
            let end = |end: fn(&Self) -> i64| kinds.iter().map(move |(die, n)| (end(die), *n));
            let low = positions.check_sums(end(Self::min).collect(), &value);
            let high = positions.check_sums(end(Self::max).collect(), &value);
            low.and(high).map_err(CombineError::Value)?;
        }
        if least == most {
            return Ok(Self::point(times(least, positions.count())?));
        }
        if positions.descending() {
            steps.reverse();
        }
        let space = Space::new(&kinds, &steps, &positions);
        let cost = Cost::of(&kinds, budget)?;
        space.pay(&positions, most.abs_diff(least), &steps, &cost, budget)?;
        let roundings = roundings(&kinds, &steps, dice, positions.reach() as u64);
        let spread = most.abs_diff(least);
        if let ([_], Ok(first)) = (kinds.as_slice(), ends)
            && select::is_compact(&positions, spread, steps.len() as u64)
            && let length = spread.saturating_mul(positions.count()).saturating_add(1)
            && budget
                .check_outcomes(length.saturating_mul(cost.storage))
                .is_ok()
        {
            let weights = rank::sums(&positions, &steps, (least, most), &cost.total);
            return Ok(Self::from_dense(first, weights, cost.total, roundings));
        }
        let sums = space.sums(&positions, &kinds, steps, &cost.total, budget)?;
        Ok(sums.finish(cost.total, roundings)?)
    }

    /// Everything is kept.
    fn sum_of_all(
        kinds: &[(&Self, u64)],
        budget: &mut Budget,
        value: impl Fn(i64) -> i64,
    ) -> Result<Self, CombineError<Overflow>> {
        let mut all: Option<Self> = None;
        for (die, n) in kinds {
            let counted = die.map(budget, |v| Ok::<_, Overflow>(value(v)))?;
            let sum = counted.n_fold(*n, budget)?;
            all = Some(match all {
                Some(others) => others.sum(&sum, budget)?,
                None => sum,
            });
        }
        Ok(all.unwrap_or_else(|| Self::point(0)))
    }
}

/// The kinds with at least one die; equal kinds are merged.
fn distinct<'a, W: Weight>(
    kinds: &[(&'a Pmf<W>, u64)],
    budget: &mut Budget,
) -> Result<Vec<(&'a Pmf<W>, u64)>, Exhausted> {
    let mut distinct: Vec<(&'a Pmf<W>, u64)> = Vec::with_capacity(kinds.len());
    for (die, n) in kinds.iter().filter(|(_, n)| *n > 0) {
        // Different tables usually differ early.
        budget.spend(distinct.len() as u64, 1)?;
        match distinct.iter_mut().find(|(known, _)| known == die) {
            Some((_, number)) => *number = number.saturating_add(*n),
            None => distinct.push((die, *n)),
        }
    }
    Ok(distinct)
}

/// The faces of all kinds in ascending order. Faces of one kind with the same value are merged if
/// no other value comes between them.
fn steps<W: Weight>(kinds: &[(&Pmf<W>, u64)], value: impl Fn(i64) -> i64) -> Vec<Step<W>> {
    let mut faces: Vec<(i64, usize, &W)> = Vec::new();
    for (kind, (die, _)) in kinds.iter().enumerate() {
        faces.extend(die.iter().map(|(face, weight)| (face, kind, weight)));
    }
    if kinds.len() > 1 {
        // Stable, so that kinds stay in their order where faces are equal.
        faces.sort_by_key(|(face, ..)| *face);
    }
    let mut steps: Vec<Step<W>> = Vec::new();
    // The index at which the last steps that count the same begin.
    let mut run = 0;
    for (face, kind, weight) in faces {
        let counted = value(face);
        if steps.last().is_none_or(|last| last.counted != counted) {
            run = steps.len();
        }
        let same = steps[run..].iter_mut().find(|step| step.kind == kind);
        match same {
            Some(step) => step.weight.add(weight),
            None => steps.push(Step {
                kind,
                counted,
                weight: weight.clone(),
            }),
        }
    }
    steps
}

/// For each die, the weight of its face and the total: the sums of the weights of later faces
/// cancel, because each divides by the factor of the one before. Then, for each face, four
/// roundings per die in the rows (division, their sum, product, addition), and a product and
/// additions of sums.
fn roundings<W: Weight>(kinds: &[(&Pmf<W>, u64)], steps: &[Step<W>], dice: u64, reach: u64) -> u64 {
    let count = steps.len() as u64;
    let weights = kinds.iter().fold(0_u64, |sum, (die, n)| {
        let each = (die.roundings.saturating_add(die.len() as u64 + count)).saturating_mul(2);
        sum.saturating_add(n.saturating_mul(each))
    });
    let rows = dice.saturating_mul(4).saturating_add(reach + 2);
    weights.saturating_add(count.saturating_mul(rows))
}
