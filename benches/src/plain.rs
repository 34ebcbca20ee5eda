//! The workloads as a user would write them: `rand`'s unbiased `random_range`, over the generator
//! that the product uses.

use crate::workload::{Counts, STRENGTH, TARGET_DEFENSE};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Counts the results of `roll`, which lie below `N`.
fn count<const N: usize>(
    trials: u64,
    mut roll: impl FnMut(&mut Xoshiro256PlusPlus) -> usize,
) -> Counts {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(42);
    let mut counts = [0; N];
    for _ in 0..trials {
        counts[roll(&mut generator)] += 1;
    }
    counts.to_vec()
}

/// `3d6`.
pub fn three_d6(trials: u64) -> Counts {
    count::<19>(trials, |rng| {
        (0..3).map(|_| rng.random_range(1..=6_usize)).sum()
    })
}

/// `2d6+3`.
pub fn two_d6_plus_3(trials: u64) -> Counts {
    count::<16>(trials, |rng| {
        let dice: usize = (0..2).map(|_| rng.random_range(1..=6_usize)).sum();
        dice + 3
    })
}

/// `1d20+7>=15`.
pub fn attack(trials: u64) -> Counts {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(42);
    let hits = (0..trials).filter(|_| generator.random_range(1..=20_i64) + 7 >= 15);
    vec![hits.count() as u64]
}

/// `4d6kh3`.
pub fn ability(trials: u64) -> Counts {
    count::<19>(trials, |rng| {
        let mut dice: [usize; 4] = std::array::from_fn(|_| rng.random_range(1..=6));
        dice.sort_unstable();
        dice[1..].iter().sum()
    })
}

/// `10d10kh5`.
pub fn best_half(trials: u64) -> Counts {
    count::<51>(trials, |rng| {
        let mut dice: [usize; 10] = std::array::from_fn(|_| rng.random_range(1..=10));
        dice.sort_unstable();
        dice[5..].iter().sum()
    })
}

/// `3d6!`; what is above the array's end counts there.
pub fn exploding(trials: u64) -> Counts {
    count::<256>(trials, |rng| {
        let mut sum = 0;
        for _ in 0..3 {
            loop {
                let face = rng.random_range(1..=6_usize);
                sum += face;
                if face < 6 {
                    break;
                }
            }
        }
        sum.min(255)
    })
}

/// `100d6`.
pub fn hundred_d6(trials: u64) -> Counts {
    count::<601>(trials, |rng| {
        (0..100).map(|_| rng.random_range(1..=6_usize)).sum()
    })
}

/// `(1d8+[S])*2-[Target D]`.
pub fn damage(trials: u64) -> Counts {
    count::<32>(trials, |rng| {
        let damage = (rng.random_range(1..=8_i64) + STRENGTH) * 2 - TARGET_DEFENSE;
        damage.max(0) as usize
    })
}

/// The script `strike.dice`.
pub fn strike(trials: u64) -> Counts {
    count::<29>(trials, |rng| {
        let die = rng.random_range(1..=20);
        let (dice, bonus) = match die {
            20 => (4, 4),
            8.. => (2, 4),
            _ => return 0,
        };
        let dice: usize = (0..dice).map(|_| rng.random_range(1..=6_usize)).sum();
        dice + bonus
    })
}
