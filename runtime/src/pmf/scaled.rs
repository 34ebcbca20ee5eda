//! Moments of tables on a scale: tables of floats hold keys.

use super::table::Pmf;
use super::weight::Weight;
use crate::scale::Scale;

impl<W: Weight> Pmf<W> {
    /// The mean of the numbers that the values represent.
    ///
    /// That of floats is a compensated sum of `f64`, for any kind of weight: right to about
    /// as many digits as the probabilities are.
    pub fn mean_on(&self, scale: Scale) -> f64 {
        match scale {
            Scale::Whole => self.mean(),
            Scale::Float => {
                let centre = self.centre();
                centre + self.mean_offset(centre)
            }
        }
    }

    /// The variance of the numbers that the values represent, never negative; as
    /// [`mean_on`](Self::mean_on).
    pub fn variance_on(&self, scale: Scale) -> f64 {
        match scale {
            Scale::Whole => self.variance(),
            Scale::Float => {
                let centre = self.centre();
                let mean = self.mean_offset(centre);
                let squares = self.numbers();
                compensated(squares.map(|(number, p)| (number - centre - mean).powi(2) * p))
            }
        }
    }

    /// The standard deviation of the numbers that the values represent; as
    /// [`mean_on`](Self::mean_on).
    pub fn sd_on(&self, scale: Scale) -> f64 {
        self.variance_on(scale).sqrt()
    }

    /// The floats and their probabilities.
    fn numbers(&self) -> impl Iterator<Item = (f64, f64)> {
        let entries = self.probabilities();
        entries.map(|(key, p)| (Scale::Float.number(key), p))
    }

    /// The middle of the range. Moments are measured from there, so that numbers far from zero lose
    /// no digits.
    fn centre(&self) -> f64 {
        let ends = [self.min(), self.max()].map(|key| Scale::Float.number(key) / 2.0);
        ends[0] + ends[1]
    }

    /// The distance of the mean from the middle.
    fn mean_offset(&self, centre: f64) -> f64 {
        compensated(self.numbers().map(|(number, p)| (number - centre) * p))
    }
}

/// The sum, with the rounding errors of the additions added at the end (A. Neumaier, 1974).
fn compensated(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut errors) = (0.0_f64, 0.0);
    for term in terms {
        let next = sum + term;
        errors += if sum.abs() >= term.abs() {
            (sum - next) + term
        } else {
            (term - next) + sum
        };
        sum = next;
    }
    // Where the sum is infinite, the errors are not numbers.
    if sum.is_finite() { sum + errors } else { sum }
}
