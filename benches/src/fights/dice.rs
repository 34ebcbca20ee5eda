//! Two implementations of rolling: as a user and as an expert would write it.

use crate::hand::Generator;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Rolls dice.
pub(crate) trait Roller {
    fn new() -> Self;

    /// A die whose sides are known when this is compiled.
    fn die<const SIDES: u64>(&mut self) -> i64;

    /// The sum of dice whose number and sides are on the sheet.
    fn sum(&mut self, count: i64, sides: i64) -> i64;
}

/// `rand`'s unbiased `random_range`, over the generator that the product uses.
pub(crate) struct Plain(Xoshiro256PlusPlus);

impl Roller for Plain {
    fn new() -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(42))
    }

    fn die<const SIDES: u64>(&mut self) -> i64 {
        self.0.random_range(1..=SIDES as i64)
    }

    fn sum(&mut self, count: i64, sides: i64) -> i64 {
        (0..count).map(|_| self.0.random_range(1..=sides)).sum()
    }
}

/// The product's generator in locals; pools share words as fused sampling does.
pub(crate) struct Batched(pub(crate) Generator);

impl Roller for Batched {
    fn new() -> Self {
        Self(Generator::new())
    }

    #[inline(always)]
    fn die<const SIDES: u64>(&mut self) -> i64 {
        self.0.die::<SIDES>() as i64 + 1
    }

    #[inline(always)]
    fn sum(&mut self, count: i64, sides: i64) -> i64 {
        self.0.pool(count as u64, sides as u64) as i64
    }
}
