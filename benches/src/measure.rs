//! Timing: all variants of a workload in turn, several rounds, the median of each.

use std::time::Instant;

/// Rounds; the median of so many is not moved by a few disturbed ones.
const ROUNDS: usize = 9;

/// Something to time: runs so many trials.
pub struct Variant<'v> {
    /// Its name in the table.
    pub name: &'static str,
    /// How much slower than the others it is expected to be: it runs so many times fewer trials.
    pub slowness: u64,
    /// Runs it.
    pub run: Box<dyn Fn(u64) + 'v>,
}

/// The median time of a trial of each variant, in nanoseconds. The rounds of the variants interleave, so that a
/// disturbance of the machine meets all of them.
pub fn medians(variants: &[Variant<'_>], trials: u64) -> Vec<f64> {
    let mut times = vec![Vec::new(); variants.len()];
    for round in 0..=ROUNDS {
        for (variant, times) in variants.iter().zip(&mut times) {
            let trials = (trials / variant.slowness).max(1);
            let start = Instant::now();
            (variant.run)(trials);
            // The first round warms caches and branch predictors.
            if round > 0 {
                times.push(start.elapsed().as_nanos() as f64 / trials as f64);
            }
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
