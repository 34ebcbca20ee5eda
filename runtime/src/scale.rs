//! The scale of outcomes. Sinks, tallies and exact tables hold an `i64` for every outcome; only
//! their owner knows whether that is the number itself or the key of a float
//! ([`crate::float::key`]).
//!
//! Order, quantiles and frequencies are the same for both. Means, deviations and displayed values
//! need the numbers.

use crate::float;
use std::fmt;

/// The meaning of an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Itself: a whole number, 0 and 1 for a check, a rung.
    #[default]
    Whole,
    /// The float that it is the key of.
    Float,
}

impl Scale {
    /// The number that an outcome represents; a whole number beyond 2^53 is rounded.
    pub fn number(self, outcome: i64) -> f64 {
        match self {
            Scale::Whole => float::from_int(outcome),
            Scale::Float => float::from_key(outcome),
        }
    }

    /// The least outcome that is at least `number`, which is not NaN; the last outcome, where none
    /// is.
    pub fn at_least(self, number: f64) -> i64 {
        match self {
            // The conversion saturates.
            Scale::Whole => number.ceil() as i64,
            Scale::Float => float::key(number),
        }
    }

    /// The greatest outcome that is at most `number`, which is not NaN; the first outcome, where
    /// none is.
    pub fn at_most(self, number: f64) -> i64 {
        match self {
            // The conversion saturates.
            Scale::Whole => number.floor() as i64,
            Scale::Float => float::key(number),
        }
    }

    /// An outcome as text: a whole number, or the shortest float that is the same number.
    pub fn show(self, outcome: i64) -> Shown {
        Shown {
            scale: self,
            outcome,
        }
    }
}

/// An outcome as text; see [`Scale::show`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    scale: Scale,
    outcome: i64,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scale {
            Scale::Whole => self.outcome.fmt(f),
            Scale::Float => Shortest(float::from_key(self.outcome)).fmt(f),
        }
    }
}

/// At or above this, a number is shown with a power of ten: it would be all zeros.
const LARGE: f64 = 1e21;

/// Below this, too.
const SMALL: f64 = 1e-6;

/// A float as the shortest text that is the same number: `3.5`, `0.1`, `3`, `1e300`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortest(pub f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        let text = if magnitude == 0.0 || (SMALL..LARGE).contains(&magnitude) {
            self.0.to_string()
        } else {
            format!("{:e}", self.0)
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::key;

    #[test]
    fn outcomes_as_text() {
        assert_eq!(Scale::Whole.show(-7).to_string(), "-7");
        for (number, text) in [
            (3.5, "3.5"),
            (0.1, "0.1"),
            (-3.0, "-3"),
            (0.0, "0"),
            (1.0 / 3.0, "0.3333333333333333"),
            (1e300, "1e300"),
            (2.5e-7, "2.5e-7"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
        ] {
            assert_eq!(Scale::Float.show(key(number)).to_string(), text);
        }
        assert_eq!(format!("{:>5}", Scale::Float.show(key(3.5))), "  3.5");
        assert_eq!(format!("{:<4}|", Scale::Whole.show(3)), "3   |");
    }

    #[test]
    fn numbers_and_bounds() {
        assert_eq!(Scale::Whole.number(-3), -3.0);
        assert_eq!(Scale::Float.number(key(2.25)), 2.25);
        assert_eq!(Scale::Whole.at_least(3.5), 4);
        assert_eq!(Scale::Whole.at_least(-3.5), -3);
        assert_eq!(Scale::Whole.at_least(1e30), i64::MAX);
        assert_eq!(Scale::Float.at_least(3.5), key(3.5));
        assert_eq!(Scale::Whole.at_most(3.5), 3);
        assert_eq!(Scale::Whole.at_most(-3.5), -4);
        assert_eq!(Scale::Float.at_most(3.5), key(3.5));
    }
}
