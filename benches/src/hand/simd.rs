//! The workloads as an expert would write them for vectors without a line of assembler: loops over
//! blocks of words that rustc turns into vector instructions, 16 lanes of 16 bits where the machine
//! has AVX2 (`pulp` then runs a copy that is compiled for it).
//!
//! Only whole blocks are run, so a measurement has up to 1 in 10,000 more trials than requested.

use super::words::{BLOCK, Generators, die};
use crate::workload::{Counts, STRENGTH, TARGET_DEFENSE};
use pulp::{Arch, NullaryFnOnce};

/// Blocks of `WORDS` words a step that go into a state. All are locals while it runs, so that they
/// can stay in registers.
struct Blocks<const WORDS: usize, S, F> {
    blocks: u64,
    /// The products of the sides of the dice that are drawn from each word.
    products: [u32; WORDS],
    state: S,
    block: F,
}

impl<const WORDS: usize, S, F> NullaryFnOnce for Blocks<WORDS, S, F>
where
    F: Fn(&mut S, &[[u16; BLOCK]; WORDS]),
{
    type Output = S;

    #[inline(always)]
    fn call(mut self) -> S {
        let mut generators = Generators::new();
        let mut words = [[0; BLOCK]; WORDS];
        for _ in 0..self.blocks {
            for (words, product) in words.iter_mut().zip(self.products) {
                generators.fill(words, product);
            }
            (self.block)(&mut self.state, &words);
        }
        self.state
    }
}

/// Runs them.
#[inline(always)]
fn run<const WORDS: usize, S>(
    blocks: u64,
    products: [u32; WORDS],
    state: S,
    block: impl Fn(&mut S, &[[u16; BLOCK]; WORDS]),
) -> S {
    Arch::new().dispatch(Blocks {
        blocks,
        products,
        state,
        block,
    })
}

/// The words of one step.
#[inline(always)]
fn step<const WORDS: usize>(words: &[[u16; BLOCK]; WORDS], step: usize) -> [u16; WORDS] {
    let mut one = [0; WORDS];
    for (one, words) in one.iter_mut().zip(words) {
        *one = words[step];
    }
    one
}

/// Counts the results of `two`, which rolls twice, all below `N`, a power of two. Both results are
/// the digits of one cell index, which halves the work outside of the lanes.
#[inline(always)]
fn count<const N: usize, const WORDS: usize>(
    trials: u64,
    products: [u32; WORDS],
    two: impl Fn([u16; WORDS]) -> [u16; 2],
) -> Counts {
    let cells = run(
        trials.div_ceil(2 * BLOCK as u64),
        products,
        [[0; N]; N],
        #[inline(always)]
        |cells, words| {
            let mut numbers = [0; BLOCK];
            for (place, number) in numbers.iter_mut().enumerate() {
                let [high, low] = two(step(words, place));
                *number = high * N as u16 + low;
            }
            for number in numbers {
                cells.as_flattened_mut()[usize::from(number) & (N * N - 1)] += 1;
            }
        },
    );
    let mut counts = vec![0; N];
    for (high, row) in cells.iter().enumerate() {
        for (low, times) in row.iter().enumerate() {
            counts[high] += times;
            counts[low] += times;
        }
    }
    counts
}

/// Counts the results of `rolls`, a roll a step, which are too many or take too long to be counted
/// by twos.
#[inline(always)]
fn count_each<const N: usize, const WORDS: usize>(
    trials: u64,
    products: [u32; WORDS],
    rolls: impl Fn(&[[u16; BLOCK]; WORDS]) -> [u16; BLOCK],
) -> Counts {
    let counts = run(
        trials.div_ceil(BLOCK as u64),
        products,
        [0; N],
        #[inline(always)]
        |counts, words| {
            for result in rolls(words) {
                counts[usize::from(result) & (N - 1)] += 1;
            }
        },
    );
    counts.to_vec()
}

/// `3d6`.
pub fn three_d6(trials: u64) -> Counts {
    count::<32, 2>(
        trials,
        [216; 2],
        #[inline(always)]
        |words| words.map(|mut w| die(&mut w, 6) + die(&mut w, 6) + die(&mut w, 6) + 3),
    )
}

/// `2d6+3`.
pub fn two_d6_plus_3(trials: u64) -> Counts {
    count::<16, 2>(
        trials,
        [36; 2],
        #[inline(always)]
        |words| words.map(|mut w| die(&mut w, 6) + die(&mut w, 6) + 5),
    )
}

/// `1d20+7>=15`, two rolls a word.
pub fn attack(trials: u64) -> Counts {
    let hits = run(
        trials.div_ceil(2 * BLOCK as u64),
        [400],
        0_u64,
        #[inline(always)]
        |hits, [words]| {
            let mut some = 0;
            for mut word in *words {
                some += u16::from(die(&mut word, 20) + 8 >= 15);
                some += u16::from(die(&mut word, 20) + 8 >= 15);
            }
            *hits += u64::from(some);
        },
    );
    vec![hits]
}

/// `4d6kh3`: the sum less the lowest.
pub fn ability(trials: u64) -> Counts {
    count::<32, 4>(
        trials,
        [36; 4],
        #[inline(always)]
        |[v, w, x, y]| {
            [[v, w], [x, y]].map(|[mut v, mut w]| {
                let (a, b) = (die(&mut v, 6), die(&mut v, 6));
                let (c, d) = (die(&mut w, 6), die(&mut w, 6));
                a + b + c + d - a.min(b).min(c.min(d)) + 3
            })
        },
    )
}

/// `10d10kh5`: moves the highest die to the end, then the highest of the others next to it, and so
/// on, five times.
pub fn best_half(trials: u64) -> Counts {
    count_each::<64, 5>(
        trials,
        [100; 5],
        #[inline(always)]
        |words| {
            let mut dice = [[0; BLOCK]; 10];
            for (words, pair) in words.iter().zip(dice.as_chunks_mut().0) {
                let [first, second] = pair;
                for place in 0..BLOCK {
                    let mut word = words[place];
                    (first[place], second[place]) = (die(&mut word, 10), die(&mut word, 10));
                }
            }
            let mut sums = [5; BLOCK];
            for last in (5..10).rev() {
                for next in 1..=last {
                    let (before, after) = dice.split_at_mut(next);
                    for (a, b) in before[next - 1].iter_mut().zip(&mut after[0]) {
                        (*a, *b) = ((*a).min(*b), (*a).max(*b));
                    }
                }
                for (sum, face) in sums.iter_mut().zip(&dice[last]) {
                    *sum += face;
                }
            }
            sums
        },
    )
}

/// `100d6`, two or three dice a word.
pub fn hundred_d6(trials: u64) -> Counts {
    let mut products = [216; 34];
    (products[32], products[33]) = (36, 36);
    count_each::<1024, 34>(
        trials,
        products,
        #[inline(always)]
        |words| {
            let mut sums = [100; BLOCK];
            for (words, product) in words.iter().zip(products) {
                for (sum, mut word) in sums.iter_mut().zip(*words) {
                    *sum += die(&mut word, 6) + die(&mut word, 6);
                    *sum += if product == 216 { die(&mut word, 6) } else { 0 };
                }
            }
            sums
        },
    )
}

/// `(1d8+[S])*2-[Target D]`, two rolls a word.
pub fn damage(trials: u64) -> Counts {
    let (strength, defense) = (STRENGTH as u16, TARGET_DEFENSE as u16);
    count::<32, 1>(
        trials,
        [64],
        #[inline(always)]
        |[mut word]| {
            [die(&mut word, 8), die(&mut word, 8)]
                .map(|face| ((face + 1 + strength) * 2).saturating_sub(defense))
        },
    )
}

/// The script `strike.dice`: all possible dice are drawn, so there are no branches.
pub fn strike(trials: u64) -> Counts {
    count::<32, 4>(
        trials,
        [720, 36, 720, 36],
        #[inline(always)]
        |[v, w, x, y]| {
            [[v, w], [x, y]].map(|[mut v, mut w]| {
                let face = die(&mut v, 20) + 1;
                let hit = die(&mut v, 6) + die(&mut v, 6) + 6;
                let critical = die(&mut w, 6) + die(&mut w, 6) + 2;
                let hit = if face + 7 >= 15 { hit } else { 0 };
                hit + if face == 20 { critical } else { 0 }
            })
        },
    )
}
