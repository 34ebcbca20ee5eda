//! Timing: all variants of a workload in turn, several rounds, the median of each.

use std::time::{Duration, Instant};

/// The number of rounds: enough that a few disturbed ones do not move the median.
const ROUNDS: usize = 9;

/// How long a variant runs in a round: long compared with its start-up.
const ROUND: Duration = Duration::from_millis(25);

/// Something to time: runs the given number of trials.
pub struct Variant<'v> {
    /// Its name in the table.
    pub name: &'static str,
    /// Runs it.
    pub run: Box<dyn Fn(u64) + 'v>,
    /// It runs a multiple of this many trials.
    unit: u64,
}

impl<'v> Variant<'v> {
    /// A variant.
    pub fn new(name: &'static str, run: impl Fn(u64) + 'v) -> Self {
        let run = Box::new(run);
        Self { name, run, unit: 1 }
    }

    /// The same for a multiple of this many trials: what is left of it takes longer.
    pub fn in_units_of(self, unit: u64) -> Self {
        Self { unit, ..self }
    }

    fn time(&self, trials: u64) -> Duration {
        let start = Instant::now();
        (self.run)(trials);
        start.elapsed()
    }

    /// How many trials take a round. Finding out warms caches and branch predictors as well.
    fn trials_of_a_round(&self) -> u64 {
        let mut trials = self.unit;
        loop {
            // The shorter of two, as a disturbed one would look like a round.
            let time = self.time(trials).min(self.time(trials));
            if time * 4 >= ROUND {
                let rounds = ROUND.as_secs_f64() / time.as_secs_f64();
                let trials = ((trials as f64 * rounds) as u64).max(1);
                return trials.next_multiple_of(self.unit);
            }
            trials *= 4;
        }
    }
}

/// The median time of a trial of each variant, in nanoseconds. The rounds of the variants
/// interleave, so that a disturbance of the machine meets all of them.
pub fn medians(variants: &[Variant<'_>]) -> Vec<f64> {
    let trials: Vec<_> = variants.iter().map(Variant::trials_of_a_round).collect();
    let mut times = vec![Vec::new(); variants.len()];
    for _ in 0..ROUNDS {
        for ((variant, trials), times) in variants.iter().zip(&trials).zip(&mut times) {
            times.push(variant.time(*trials).as_nanos() as f64 / *trials as f64);
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
