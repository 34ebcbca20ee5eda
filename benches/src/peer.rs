//! The workloads and questions in the crate `xdy`, the peer: a compiler of dice expressions that
//! samples and has exact distributions.

use crate::workload::{Counts, STRENGTH, TARGET_DEFENSE};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use xdy::{Budget, Distribution, Evaluator, Unobserved};

/// A rule, compiled and fully optimised.
pub fn evaluator(text: &str) -> Evaluator {
    Evaluator::new(xdy::compile(text).expect("a rule of the peer"))
}

/// The exact distribution: it plans and builds.
pub fn distribution(evaluator: &Evaluator) -> Distribution {
    let plan = evaluator.plan_distribution([]).expect("no parameters");
    let built = plan.build(Budget::UNLIMITED, &Unobserved);
    built.expect("no limit and no one to cancel it")
}

/// Counts the results of a rule, turned into indices below `N` by `outcome`. An array, as its own
/// `sample` counts in a tree and is slower for it.
fn count<const N: usize>(
    mut evaluator: Evaluator,
    trials: u64,
    outcome: impl Fn(i32) -> usize,
) -> Counts {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(42);
    let mut counts = [0; N];
    for _ in 0..trials {
        let roll = evaluator.evaluate([], &mut generator);
        counts[outcome(roll.expect("no parameters").result)] += 1;
    }
    counts.to_vec()
}

/// `3d6`.
pub fn three_d6(trials: u64) -> Counts {
    count::<19>(evaluator("3D6"), trials, |sum| sum as usize)
}

/// `2d6+3`.
pub fn two_d6_plus_3(trials: u64) -> Counts {
    count::<16>(evaluator("2D6 + 3"), trials, |sum| sum as usize)
}

/// `1d20+7>=15`; it has no comparisons.
pub fn attack(trials: u64) -> Counts {
    let hits = count::<2>(evaluator("1D20 + 7"), trials, |roll| {
        usize::from(roll >= 15)
    });
    vec![hits[1]]
}

/// `4d6kh3`.
pub fn ability(trials: u64) -> Counts {
    count::<19>(evaluator("4D6 drop lowest"), trials, |sum| sum as usize)
}

/// `10d10kh5`.
pub fn best_half(trials: u64) -> Counts {
    count::<51>(evaluator("10D10 drop lowest 5"), trials, |sum| sum as usize)
}

/// `100d6`.
pub fn hundred_d6(trials: u64) -> Counts {
    count::<601>(evaluator("100D6"), trials, |sum| sum as usize)
}

/// `(1d8+[S])*2-[Target D]`.
pub fn damage(trials: u64) -> Counts {
    let mut rule = evaluator("(1D8 + {S}) * 2 - {Target D}");
    for (name, value) in [("S", STRENGTH), ("Target D", TARGET_DEFENSE)] {
        rule.bind(name, value as i32).expect("it reads both");
    }
    count::<32>(rule, trials, |damage| damage.max(0) as usize)
}
