//! Accumulators of results: a [`Tally`] or a [`Summary`]. Each worker has one; they are merged at
//! the end.

use crate::kernel::Sink;
use crate::scale::Scale;
use crate::stats::{Summary, Tally, Z95, standard_error, wilson_half_width};

/// Something that takes the contents of sinks.
pub(super) trait Gather: Send {
    /// An empty one that fits the sink.
    fn new(sink: Sink, scale: Scale) -> Self;

    /// Takes the results of a slice of trials from the cells, and resets the cells if the next
    /// slice needs that.
    fn slice(&mut self, sink: Sink, cells: &mut [i64], trials: usize);

    /// Takes ready counts from the value `lo` on.
    fn counts(&mut self, lo: i64, counts: &[u64]);

    /// Adds everything that another has.
    fn merge(&mut self, other: &Self);

    /// The number of outcomes.
    fn trials(&self) -> u64;

    /// Half the width of the 95 % interval of the mean; infinite while it is not known.
    fn of_mean(&self) -> f64;

    /// The same of the least certain outcome's probability.
    fn of_probabilities(&self) -> f64;

    /// From the least to the greatest outcome; 0 for none.
    fn range(&self) -> f64;
}

impl Gather for Tally {
    fn new(sink: Sink, scale: Scale) -> Self {
        let range = match sink {
            // `simulate` runs no kernels of moments.
            Sink::Values | Sink::Moments(_) => None,
            Sink::Histogram { low, cells } => Some((low, cells as usize)),
            Sink::Count => Some((0, 2)),
        };
        Tally::new(scale, range)
    }

    fn slice(&mut self, sink: Sink, cells: &mut [i64], trials: usize) {
        if sink == Sink::Values {
            self.record_all(&cells[..trials]);
        }
    }

    fn counts(&mut self, lo: i64, counts: &[u64]) {
        self.add_counts(lo, counts);
    }

    fn merge(&mut self, other: &Self) {
        Tally::merge(self, other);
    }

    fn trials(&self) -> u64 {
        self.count()
    }

    fn of_mean(&self) -> f64 {
        // One trial has no spread yet.
        let sd = self.sd().unwrap_or(f64::INFINITY);
        Z95 * standard_error(sd, self.count())
    }

    fn of_probabilities(&self) -> f64 {
        let widths = self.outcomes();
        let widths = widths.map(|(_, count)| wilson_half_width(count, self.count(), Z95));
        // A run without trials knows nothing.
        widths.reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    fn range(&self) -> f64 {
        width(self.scale(), self.min(), self.max())
    }
}

impl Gather for Summary {
    fn new(_: Sink, scale: Scale) -> Self {
        Summary::new(scale)
    }

    fn slice(&mut self, sink: Sink, cells: &mut [i64], trials: usize) {
        match sink {
            Sink::Values => self.record_all(&cells[..trials]),
            // After each slice, so that no sum in the cells overflows.
            Sink::Moments(moments) => {
                self.add_moments(moments, cells, trials as u64);
                cells.fill(0);
            }
            Sink::Histogram { .. } | Sink::Count => {}
        }
    }

    fn counts(&mut self, lo: i64, counts: &[u64]) {
        self.add_counts(lo, counts);
    }

    fn merge(&mut self, other: &Self) {
        Summary::merge(self, other);
    }

    fn trials(&self) -> u64 {
        self.count()
    }

    fn of_mean(&self) -> f64 {
        self.half_width().unwrap_or(f64::INFINITY)
    }

    /// A summary has no probabilities.
    fn of_probabilities(&self) -> f64 {
        self.of_mean()
    }

    fn range(&self) -> f64 {
        width(self.scale(), self.min(), self.max())
    }
}

fn width(scale: Scale, min: Option<i64>, max: Option<i64>) -> f64 {
    let ends = min.zip(max);
    ends.map_or(0.0, |(min, max)| scale.number(max) - scale.number(min))
}
