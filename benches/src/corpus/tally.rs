//! How often each result came.

/// Results from -64 on.
#[derive(Default)]
pub struct Tally {
    counts: Vec<u64>,
    trials: u64,
}

const BELOW: i64 = 64;

impl Tally {
    #[inline]
    pub(super) fn add(&mut self, result: i64) {
        let cell = (result + BELOW) as usize;
        if cell >= self.counts.len() {
            self.counts.resize(cell + 64, 0);
        }
        self.counts[cell] += 1;
        self.trials += 1;
    }

    fn power_mean(&self, power: i32) -> f64 {
        let cells = self.counts.iter().zip(-BELOW..);
        let sum: f64 = cells
            .map(|(&count, result)| count as f64 * (result as f64).powi(power))
            .sum();
        sum / self.trials as f64
    }

    /// The mean of the results.
    pub fn mean(&self) -> f64 {
        self.power_mean(1)
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        let variance = self.power_mean(2) - self.mean().powi(2);
        (variance.max(0.0) / self.trials as f64).sqrt()
    }
}
