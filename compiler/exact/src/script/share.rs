//! The probability of one state or outcome, with its error and fuel.

use dicec_runtime::pmf::Weight;

/// The probability of a state, with its error and fuel. Every state has one, so it is kept small.
#[derive(Clone, Debug)]
pub(super) struct Share<W> {
    /// The weight, relative to the total of its distribution.
    pub(super) weight: W,
    roundings: u32,
    fuel: u32,
}

impl<W: Weight> Share<W> {
    /// A weight after `roundings` roundings, of a state whose path burnt `fuel`, which is at most
    /// the limit and fits.
    pub(super) fn new(weight: W, roundings: u64, fuel: u64) -> Self {
        Self {
            weight,
            roundings: u32::try_from(roundings).unwrap_or(u32::MAX),
            fuel: u32::try_from(fuel).unwrap_or(u32::MAX),
        }
    }

    /// The share of a state of probability 1.
    pub(super) fn certain(fuel: u64) -> Self {
        Self::new(W::from_u64(1), 0, fuel)
    }

    /// An upper bound on the roundings of the weight; practically infinite if the count overflowed.
    pub(super) fn roundings(&self) -> u64 {
        match self.roundings {
            u32::MAX => u64::MAX,
            counted => counted.into(),
        }
    }

    /// The maximum fuel of any path to this state.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel.into()
    }

    /// The same share with other fuel.
    pub(super) fn with_fuel(self, fuel: u64) -> Self {
        let fuel = u32::try_from(fuel).unwrap_or(u32::MAX);
        Self { fuel, ..self }
    }

    /// The share of one outcome of this state: this share times that one.
    #[inline]
    pub(super) fn of(&self, outcome: &Self) -> Self {
        let roundings = self.roundings.saturating_add(outcome.roundings);
        Self {
            weight: self.weight.mul(&outcome.weight),
            roundings: roundings.saturating_add(1),
            fuel: self.fuel.saturating_add(outcome.fuel),
        }
    }

    /// The same share relative to another total, a multiple of the previous one.
    #[inline]
    pub(super) fn scaled(mut self, factor: Option<&W>) -> Self {
        if let Some(factor) = factor {
            self.weight = self.weight.mul(factor);
        }
        self
    }

    #[inline]
    pub(super) fn join(&mut self, other: Self) {
        self.weight.add(&other.weight);
        self.roundings = self.roundings.max(other.roundings).saturating_add(1);
        self.fuel = self.fuel.max(other.fuel);
    }
}
