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
        self.add_many(result, 1);
    }

    /// Adds a result that came several times.
    #[inline]
    pub(super) fn add_many(&mut self, result: i64, times: u64) {
        let cell = (result + BELOW) as usize;
        if cell >= self.counts.len() {
            self.counts.resize(cell + 64, 0);
        }
        self.counts[cell] += times;
        self.trials += times;
    }

    /// How often each number from 0 on came.
    pub(super) fn of(counts: impl IntoIterator<Item = u64>) -> Self {
        let mut tally = Self::default();
        for (result, times) in (0..).zip(counts) {
            tally.add_many(result, times);
        }
        tally
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

    /// The greatest difference of how often a result came in as many trials each, in standard
    /// deviations.
    #[cfg(test)]
    pub(super) fn deviations(&self, other: &Self) -> f64 {
        let cells = self.counts.len().max(other.counts.len());
        let count = |tally: &Self, cell| tally.counts.get(cell).copied().unwrap_or(0) as f64;
        let deviations = (0..cells).map(|cell| {
            let [one, another] = [self, other].map(|tally| count(tally, cell));
            (one - another).abs() / (one + another).max(1.0).sqrt()
        });
        deviations.fold(0.0, f64::max)
    }
}
