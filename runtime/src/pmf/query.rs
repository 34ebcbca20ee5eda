//! Questions to a table: moments, tails, quantiles, and how two tables compare.

use super::table::{Pmf, error_bound};
use super::weight::Weight;
use crate::bug;
use std::cmp::Ordering;

impl<W: Weight> Pmf<W> {
    /// The mean.
    pub fn mean(&self) -> f64 {
        W::mean(self.iter(), &self.total)
    }

    /// The variance, never negative.
    pub fn variance(&self) -> f64 {
        W::variance(self.iter(), &self.total)
    }

    /// The standard deviation.
    pub fn sd(&self) -> f64 {
        self.variance().sqrt()
    }

    /// P(value >= x), in 0..=1.
    pub fn at_least(&self, x: i64) -> f64 {
        let from = self.lower_bound(x);
        if from == 0 {
            return 1.0;
        }
        // From the far end, where `f64` weights are smallest.
        self.share(self.weights[from..].iter().rev())
    }

    /// P(value <= x), in 0..=1.
    pub fn at_most(&self, x: i64) -> f64 {
        let to = x
            .checked_add(1)
            .map_or(self.len(), |above| self.lower_bound(above));
        if to == self.len() {
            return 1.0;
        }
        self.share(self.weights[..to].iter())
    }

    /// The smallest value v with P(value <= v) >= p. `p` is clamped to 0..=1 (NaN counts as 0), so
    /// the answer is always a value of the table.
    ///
    /// The cumulative probability counts as having reached `p` if it falls short by at most its
    /// rounding error, so the 0.8-quantile of a d10 is 8 in `f64`, too.
    pub fn quantile(&self, p: f64) -> i64 {
        let p = if p.is_nan() { 0.0 } else { p.clamp(0.0, 1.0) };
        let roundings = self.roundings.saturating_add(self.len() as u64);
        let enough = p * (1.0 - error_bound::<W>(roundings).min(1.0));
        let mut cumulative = W::zero();
        for (value, weight) in self.iter() {
            cumulative.add(weight);
            if cumulative.ratio(&self.total) >= enough {
                return value;
            }
        }
        self.max()
    }

    /// How an independent draw from `self` compares with one from `other`, in one pass over both
    /// tables for each answer.
    pub fn relation(&self, other: &Self) -> Relation<W> {
        let terms = (self.len() as u64).saturating_add(other.len() as u64);
        Relation {
            less: greater(other, self),
            equal: equal(self, other),
            greater: greater(self, other),
            total: W::product_total(&self.total, &other.total),
            roundings: (self.roundings)
                .saturating_add(other.roundings)
                .saturating_add(terms),
        }
    }

    /// The sum of some weights as a probability.
    fn share<'a>(&self, weights: impl Iterator<Item = &'a W>) -> f64 {
        let mut sum = W::zero();
        weights.for_each(|w| sum.add(w));
        sum.ratio(&self.total).min(1.0)
    }
}

/// The weights of the three possible orders of two independent variables x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation<W> {
    /// x < y.
    pub less: W,
    /// x = y.
    pub equal: W,
    /// x > y.
    pub greater: W,
    /// The total that they are relative to: their sum for exact weights, 1 for `f64`.
    pub total: W,
    roundings: u64,
}

impl<W: Weight> Relation<W> {
    /// The distribution over 0 (false) and 1 (true) of a comparison of x with y; `holds` says for
    /// which orders it is true.
    pub fn check(&self, holds: impl Fn(Ordering) -> bool) -> Pmf<W> {
        let (mut no, mut yes) = (W::zero(), W::zero());
        for (ordering, weight) in [
            (Ordering::Less, &self.less),
            (Ordering::Equal, &self.equal),
            (Ordering::Greater, &self.greater),
        ] {
            if holds(ordering) {
                yes.add(weight);
            } else {
                no.add(weight);
            }
        }
        // Dividing by their sum makes what is certain exactly 1. One of the three orders can
        // happen, so the weights are not both zero and there is a table.
        let check = Pmf::from_weights([(0, no), (1, yes)]);
        let mut check = check.unwrap_or_else(|| bug!("neither of two orders can happen").raise());
        check.roundings = check.roundings.saturating_add(self.roundings);
        check
    }

    /// A bound on the relative error of each weight, as [`Pmf::error_bound`].
    pub fn error_bound(&self) -> f64 {
        error_bound::<W>(self.roundings)
    }
}

/// The weight of x > y. Sums upward only, so that no `f64` digits cancel.
fn greater<W: Weight>(x: &Pmf<W>, y: &Pmf<W>) -> W {
    let mut below = W::zero();
    let mut rest = y.iter().peekable();
    let mut sum = W::zero();
    for (value, weight) in x.iter() {
        while let Some((_, w)) = rest.next_if(|(v, _)| *v < value) {
            below.add(w);
        }
        sum.add(&weight.mul(&below));
    }
    sum
}

/// The weight of x = y.
fn equal<W: Weight>(x: &Pmf<W>, y: &Pmf<W>) -> W {
    let mut rest = y.iter().peekable();
    let mut sum = W::zero();
    for (value, weight) in x.iter() {
        while rest.next_if(|(v, _)| *v < value).is_some() {}
        if let Some((_, w)) = rest.next_if(|(v, _)| *v == value) {
            sum.add(&weight.mul(w));
        }
    }
    sum
}
