//! The workloads as an expert would write them for faithful sampling, with a separate word for
//! every die: Lemire's method with constant thresholds, and counts in arrays without bounds checks.

use super::generator::Generator;
use crate::workload::{Counts, STRENGTH, TARGET_DEFENSE};

/// Counts the results of `roll`; `N` is a power of two above them all.
#[inline(always)]
fn count<const N: usize>(trials: u64, mut roll: impl FnMut(&mut Generator) -> u64) -> Counts {
    let mut generator = Generator::new();
    let mut counts = [0; N];
    for _ in 0..trials {
        counts[roll(&mut generator) as usize & (N - 1)] += 1;
    }
    counts.to_vec()
}

/// `3d6`.
pub fn three_d6(trials: u64) -> Counts {
    count::<32>(trials, |g| g.die::<6>() + g.die::<6>() + g.die::<6>() + 3)
}

/// `2d6+3`.
pub fn two_d6_plus_3(trials: u64) -> Counts {
    count::<16>(trials, |g| g.die::<6>() + g.die::<6>() + 5)
}

/// `1d20+7>=15`.
pub fn attack(trials: u64) -> Counts {
    let mut generator = Generator::new();
    let mut hits = 0;
    for _ in 0..trials {
        hits += u64::from(generator.die::<20>() + 8 >= 15);
    }
    vec![hits]
}

/// `4d6kh3`: the sum minus the lowest.
pub fn ability(trials: u64) -> Counts {
    count::<32>(trials, |g| {
        let dice = [g.die::<6>(), g.die::<6>(), g.die::<6>(), g.die::<6>()];
        let lowest = dice[0].min(dice[1]).min(dice[2].min(dice[3]));
        dice[0] + dice[1] + dice[2] + dice[3] - lowest + 3
    })
}

/// `10d10kh5`: counts the faces, then visits them from the highest.
pub fn best_half(trials: u64) -> Counts {
    count::<64>(trials, |g| {
        let mut faces = [0_u64; 10];
        for _ in 0..10 {
            faces[g.die::<10>() as usize] += 1;
        }
        let (mut sum, mut free) = (0, 5);
        for (less, number) in faces.into_iter().enumerate().rev() {
            let kept = number.min(free);
            sum += kept * (less as u64 + 1);
            free -= kept;
        }
        sum
    })
}

/// `3d6!`: all three dice, then the explosion chain of each; results above the end of the array
/// count in its last cell.
pub fn exploding(trials: u64) -> Counts {
    count::<256>(trials, |g| {
        let dice = [g.die::<6>(), g.die::<6>(), g.die::<6>()];
        let mut sum = 0;
        for mut face in dice {
            sum += face + 1;
            while face == 5 {
                face = g.die::<6>();
                sum += face + 1;
            }
        }
        sum.min(255)
    })
}

/// `100d6`.
pub fn hundred_d6(trials: u64) -> Counts {
    count::<1024>(trials, |g| {
        let mut sum = 100;
        for _ in 0..100 {
            sum += g.die::<6>();
        }
        sum
    })
}

/// `(1d8+[S])*2-[Target D]`.
pub fn damage(trials: u64) -> Counts {
    count::<32>(trials, |g| {
        let damage = (g.die::<8>() as i64 + 1 + STRENGTH) * 2 - TARGET_DEFENSE;
        damage.max(0) as u64
    })
}

/// The script `strike.dice`.
pub fn strike(trials: u64) -> Counts {
    count::<32>(trials, |g| {
        let die = g.die::<20>() + 1;
        if die == 20 {
            g.die::<6>() + g.die::<6>() + g.die::<6>() + g.die::<6>() + 8
        } else if die + 7 >= 15 {
            g.die::<6>() + g.die::<6>() + 6
        } else {
            0
        }
    })
}
