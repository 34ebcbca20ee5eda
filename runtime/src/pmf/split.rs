//! A die, split by whether its face explodes: the state of a die while its modifiers are applied
//! one after the other.

use super::accumulate::Accumulator;
use super::budget::{Budget, Exhausted};
use super::combine::CombineError;
use super::table::Pmf;
use super::weight::Weight;
use crate::bug;

/// The outcomes of one die in two parts: those at which it stops, and those at which an explosion
/// adds another die. Later modifiers change outcomes, but not the part to which they belong.
///
/// Both parts are tables over the same total, so each has less mass than 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Split<W = f64> {
    pub(super) stop: Option<Pmf<W>>,
    pub(super) more: Option<Pmf<W>>,
}

impl<W: Weight> Split<W> {
    /// A die that never explodes.
    pub fn whole(die: Pmf<W>) -> Self {
        Self {
            stop: Some(die),
            more: None,
        }
    }

    /// A die that explodes when `explodes` holds for the outcome.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn new(
        die: &Pmf<W>,
        budget: &mut Budget,
        explodes: impl Fn(i64) -> bool,
    ) -> Result<Self, Exhausted> {
        Ok(Self {
            stop: die.part(budget, |v| !explodes(v))?,
            more: die.part(budget, explodes)?,
        })
    }

    /// The die, if it never explodes.
    pub fn die(&self) -> Option<&Pmf<W>> {
        self.stop.as_ref().filter(|_| self.more.is_none())
    }

    /// The parts: first the outcomes at which it stops, then those at which it explodes.
    fn parts(&self) -> impl Iterator<Item = &Pmf<W>> {
        self.stop.iter().chain(&self.more)
    }

    /// All its outcomes together.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn outcomes(&self, budget: &mut Budget) -> Result<Pmf<W>, Exhausted> {
        let (Some(stop), Some(more)) = (&self.stop, &self.more) else {
            let only = self.parts().next().cloned();
            return Ok(only.unwrap_or_else(|| bug!("a die without outcomes").raise()));
        };
        let additions = stop.len() as u64 + more.len() as u64;
        budget.spend(additions.saturating_mul(W::add_cost(&stop.total)), 1)?;
        let mut gathered = Accumulator::new();
        gathered.prepare(additions, W::storage(&stop.total, &W::from_u64(1)), budget);
        for (value, weight) in stop.iter().chain(more.iter()) {
            gathered.add(value, weight)?;
        }
        let roundings = stop.roundings.max(more.roundings).saturating_add(1);
        gathered.finish(stop.total.clone(), roundings)
    }

    /// Replaces each outcome `v` by `f(v)`.
    ///
    /// # Errors
    /// The first error of `f`, or [`Exhausted`].
    pub fn map<E>(
        &self,
        budget: &mut Budget,
        mut f: impl FnMut(i64) -> Result<i64, E>,
    ) -> Result<Self, CombineError<E>> {
        let mut mapped = |part: &Option<Pmf<W>>| {
            let part = part.as_ref();
            part.map(|part| part.map(budget, &mut f)).transpose()
        };
        Ok(Self {
            stop: mapped(&self.stop)?,
            more: mapped(&self.more)?,
        })
    }

    /// Replaces each outcome for which `when` holds by the outcomes of `other`.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn replaced(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
        other: &Pmf<W>,
    ) -> Result<Self, Exhausted> {
        if !self.parts().any(|part| part.iter().any(|(v, _)| when(v))) {
            return Ok(self.clone());
        }
        let mut replaced = |part: &Option<Pmf<W>>| {
            let part = part.as_ref();
            part.map(|part| part.replaced(budget, &when, other))
                .transpose()
        };
        Ok(Self {
            stop: replaced(&self.stop)?,
            more: replaced(&self.more)?,
        })
    }

    /// The probability that it explodes.
    pub(super) fn explodes(&self) -> f64 {
        let more = self.more.as_ref();
        more.map_or(0.0, |more| more.mass().min(1.0))
    }
}

impl<W: Weight> Pmf<W> {
    /// The part of this table whose values fulfil `when`, which keeps its weights and so has less
    /// mass than 1; `None` when it is empty.
    fn part(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
    ) -> Result<Option<Self>, Exhausted> {
        budget.spend(self.len() as u64, self.len() as u64)?;
        let entries = self.iter().filter(|(v, _)| when(*v));
        let (values, weights): (Vec<i64>, Vec<W>) = entries.map(|(v, w)| (v, w.clone())).unzip();
        let some = !values.is_empty();
        Ok(some.then(|| Self::from_sorted(values, weights, self.total.clone(), self.roundings)))
    }

    /// See [`Split::replaced`]. The mass does not change.
    fn replaced(
        &self,
        budget: &mut Budget,
        when: impl Fn(i64) -> bool,
        other: &Self,
    ) -> Result<Self, Exhausted> {
        let additions = (self.len() as u64).saturating_add(other.len() as u64);
        let cost = W::mul_cost(&self.total, &other.total);
        budget.spend(additions.saturating_mul(cost), additions)?;
        let mut gathered = Accumulator::new();
        gathered.prepare(additions, W::storage(&self.total, &other.total), budget);
        let mut again = W::zero();
        for (value, weight) in self.iter() {
            if when(value) {
                again.add(weight);
            } else {
                gathered.add(value, &weight.mul(&other.total))?;
            }
        }
        if !again.is_zero() {
            gathered.add_scaled(other, 0, &again)?;
        }
        let total = W::product_total(&self.total, &other.total);
        let roundings = (self.roundings)
            .saturating_add(other.roundings)
            .saturating_add(self.len() as u64 + 2);
        gathered.finish(total, roundings)
    }

    /// The share of the possibilities that a part holds.
    pub(super) fn mass(&self) -> f64 {
        let mut sum = W::zero();
        self.weights.iter().for_each(|w| sum.add(w));
        sum.ratio(&self.total)
    }

    /// A part as a distribution, on the condition that the outcome is in it.
    pub(super) fn alone(mut self, budget: &mut Budget) -> Result<Self, Exhausted> {
        let length = self.len() as u64;
        budget.spend(length.saturating_mul(2 * W::add_cost(&self.total)), 1)?;
        if let Some(mass) = W::checked_sum(self.weights.iter()) {
            self.total = W::normalise(&mut self.weights, mass);
            // A weight's own, those of the mass that divides it, and the division.
            self.roundings = (self.roundings.saturating_mul(2)).saturating_add(length + 1);
        }
        Ok(self)
    }
}
