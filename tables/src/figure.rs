//! Numbers in cells.

use dicec_compiler::answer::Distribution;
use dicec_runtime::scale::Scale;
use std::fmt;

/// A cell's number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A float.
    Float(f64),
    /// A whole number.
    Whole(i64),
}

impl Figure {
    /// As a float.
    pub fn number(self) -> f64 {
        match self {
            Figure::Float(number) => number,
            Figure::Whole(number) => number as f64,
        }
    }

    pub(crate) fn outcome(odds: &Distribution, outcome: i64) -> Self {
        match odds.scale() {
            Scale::Whole => Figure::Whole(outcome),
            Scale::Float => Figure::Float(odds.scale().number(outcome)),
        }
    }
}

/// In full: the shortest text that reads back as the same number.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Figure::Whole(value) => value.fmt(f),
            // Plain digits where they are short enough to read.
            Figure::Float(value) if value == 0.0 || (1e-5..1e16).contains(&value.abs()) => {
                value.fmt(f)
            }
            Figure::Float(value) => fmt::LowerExp::fmt(&value, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_back() {
        for (value, text) in [
            (0.6, "0.6"),
            (0.0, "0"),
            (1.0, "1"),
            (7.5, "7.5"),
            (1e-5, "0.00001"),
            (2.5e-300, "2.5e-300"),
            (1e16, "1e16"),
            (123_456_789_012.5, "123456789012.5"),
        ] {
            assert_eq!(Figure::Float(value).to_string(), text);
            assert_eq!(text.parse(), Ok(value));
        }
        assert_eq!(Figure::Whole(-3).to_string(), "-3");
    }
}
