//! The workloads as an expert would write them for speed, without vectors: one word is shared by
//! the dice of a roll, or of several rolls if that is faster.

use super::generator::Generator;
use crate::workload::{Counts, STRENGTH, TARGET_DEFENSE};

/// Counts the results of `roll`, which makes several rolls at once (possibly one too many at the
/// end); `N` is a power of two above all results.
#[inline(always)]
fn count<const N: usize, const ROLLS: usize>(
    trials: u64,
    mut roll: impl FnMut(&mut Generator) -> [u64; ROLLS],
) -> Counts {
    let mut generator = Generator::new();
    let mut counts = [0; N];
    for _ in 0..trials.div_ceil(ROLLS as u64) {
        for result in roll(&mut generator) {
            counts[result as usize & (N - 1)] += 1;
        }
    }
    counts.to_vec()
}

/// `3d6`, two rolls a word.
pub fn three_d6(trials: u64) -> Counts {
    count::<32, 2>(trials, |g| {
        let [a, b, c, d, e, f] = g.dice([6; 6]);
        [a + b + c + 3, d + e + f + 3]
    })
}

/// `2d6+3`, two rolls a word.
pub fn two_d6_plus_3(trials: u64) -> Counts {
    count::<16, 2>(trials, |g| {
        let [a, b, c, d] = g.dice([6; 4]);
        [a + b + 5, c + d + 5]
    })
}

/// `1d20+7>=15`, two rolls a word.
pub fn attack(trials: u64) -> Counts {
    let mut generator = Generator::new();
    let mut hits = 0;
    for _ in 0..trials.div_ceil(2) {
        let [a, b] = generator.dice([20, 20]);
        hits += u64::from(a + 8 >= 15) + u64::from(b + 8 >= 15);
    }
    vec![hits]
}

/// `4d6kh3`, two rolls a word: the sum less the lowest.
pub fn ability(trials: u64) -> Counts {
    let best = |[a, b, c, d]: [u64; 4]| a + b + c + d - a.min(b).min(c.min(d)) + 3;
    count::<32, 2>(trials, |g| {
        let [a, b, c, d, e, f, g, h] = g.dice([6; 8]);
        [best([a, b, c, d]), best([e, f, g, h])]
    })
}

/// `10d10kh5`, a word a roll: the faces are counted, then gone through from the highest.
pub fn best_half(trials: u64) -> Counts {
    count::<64, 1>(trials, |g| {
        let mut faces = [0_u64; 10];
        for face in g.dice([10; 10]) {
            faces[face as usize] += 1;
        }
        let (mut sum, mut free) = (0, 5);
        for (less, number) in faces.into_iter().enumerate().rev() {
            let kept = number.min(free);
            sum += kept * (less as u64 + 1);
            free -= kept;
        }
        [sum]
    })
}

/// `3d6!`: all three dice from one word, then the explosion chain of each; results above the end of
/// the array count in its last cell.
pub fn exploding(trials: u64) -> Counts {
    count::<256, 1>(trials, |g| {
        let mut sum = 0;
        for mut face in g.dice([6; 3]) {
            sum += face + 1;
            while face == 5 {
                face = g.die::<6>();
                sum += face + 1;
            }
        }
        [sum.min(255)]
    })
}

/// `100d6`, twenty dice a word.
pub fn hundred_d6(trials: u64) -> Counts {
    count::<1024, 1>(trials, |g| {
        let mut sum = 100;
        for _ in 0..5 {
            sum += g.sum::<20, 6>();
        }
        [sum]
    })
}

/// `(1d8+[S])*2-[Target D]`, two rolls a word.
pub fn damage(trials: u64) -> Counts {
    let dealt = |face| ((face as i64 + 1 + STRENGTH) * 2 - TARGET_DEFENSE).max(0) as u64;
    count::<32, 2>(trials, |g| g.dice([8, 8]).map(dealt))
}

/// The script `strike.dice`, one word per roll: all possible dice are drawn, so there are no
/// branches.
pub fn strike(trials: u64) -> Counts {
    count::<32, 1>(trials, |g| {
        let [die, a, b, c, d] = g.dice([20, 6, 6, 6, 6]);
        let hit = u64::from(die + 1 + 7 >= 15).wrapping_neg();
        let critical = u64::from(die + 1 == 20).wrapping_neg();
        [((a + b + 6) & hit) + ((c + d + 2) & critical)]
    })
}
