//! Questions about odds: ranges of totals, quantiles, and the amount of detail.

use super::digits::significant;
use super::distribution::{Distribution, kind_word};
use super::share::Share;
use dicec_lang::hir::Kind;
use dicec_runtime::float::from_int;
use dicec_runtime::scale::{Scale, Shortest};
use std::fmt;

/// The default quantiles.
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Questions about odds, in addition to the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    /// Totals to give the probability of.
    pub ranges: Vec<Range>,
    /// Quantiles to give; [`QUANTILES`] if empty.
    pub quantiles: Vec<f64>,
    /// Whether only the figures are wanted, without outcomes.
    pub summary: bool,
    /// Whether each outcome has a row of its own, however many there are.
    pub all: bool,
}

impl Questions {
    /// The reason why a question about totals does not apply to results of this kind, with a
    /// suggestion; none if it applies. `asked` is the question as written.
    pub fn refused(asked: &str, kind: Kind) -> Option<(String, &'static str)> {
        let help = match kind {
            kind if kind.is_number() => return None,
            Kind::Label => "leave it out: labels have no order",
            Kind::Level(_) => "leave it out, or compare with a level: `EXPR >= LEVEL`",
            _ => "leave it out, or give a rule without a comparison",
        };
        let word = kind_word(kind);
        Some((format!("a {word} has no totals to ask {asked} about"), help))
    }

    /// The quantiles to give.
    pub fn quantiles(&self) -> &[f64] {
        if self.quantiles.is_empty() {
            &QUANTILES
        } else {
            &self.quantiles
        }
    }
}

/// A name for the column of a quantile: `p95`.
pub fn quantile_column(p: f64) -> String {
    format!("p{}", significant(p * 100.0, 6))
}

/// A total as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Total {
    /// A whole number.
    Whole(i64),
    /// A finite float.
    Float(f64),
}

impl Total {
    /// The number.
    pub fn number(self) -> f64 {
        match self {
            Total::Whole(value) => from_int(value),
            Total::Float(value) => value,
        }
    }

    /// The least outcome that is at least this total.
    fn at_least(self, scale: Scale) -> i64 {
        match (self, scale) {
            (Total::Whole(value), Scale::Whole) => value,
            _ => scale.at_least(self.number()),
        }
    }

    /// The greatest outcome that is at most this total.
    fn at_most(self, scale: Scale) -> i64 {
        match (self, scale) {
            (Total::Whole(value), Scale::Whole) => value,
            _ => scale.at_most(self.number()),
        }
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Total::Whole(value) => value.fmt(f),
            Total::Float(value) => Shortest(*value).fmt(f),
        }
    }
}

/// A range of totals in a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// This one and all above.
    AtLeast(Total),
    /// This one and all below.
    AtMost(Total),
    /// This one.
    Equal(Total),
    /// The first one, the second one, and all between them.
    Between(Total, Total),
}

impl Range {
    /// The ranges of all such questions, in this order.
    pub fn all(
        at_least: &[Total],
        at_most: &[Total],
        equal: &[Total],
        between: &[(Total, Total)],
    ) -> Vec<Self> {
        let at_least = at_least.iter().copied().map(Range::AtLeast);
        let at_most = at_most.iter().copied().map(Range::AtMost);
        let equal = equal.iter().copied().map(Range::Equal);
        let between = between.iter();
        let between = between.map(|&(low, high)| Range::Between(low, high));
        at_least
            .chain(at_most)
            .chain(equal)
            .chain(between)
            .collect()
    }

    /// Its first and its last outcome; the last one is less if it holds none.
    fn outcomes(self, scale: Scale) -> (i64, i64) {
        let ends = |low: Total, high: Total| (low.at_least(scale), high.at_most(scale));
        match self {
            Range::AtLeast(low) => (low.at_least(scale), i64::MAX),
            Range::AtMost(high) => (i64::MIN, high.at_most(scale)),
            Range::Equal(total) => ends(total, total),
            Range::Between(low, high) => ends(low, high),
        }
    }

    /// A name for a column: `ge_15`, `le_5`, `eq_7`, `between_5_9`.
    pub fn column(self) -> String {
        match self {
            Range::AtLeast(low) => format!("ge_{low}"),
            Range::AtMost(high) => format!("le_{high}"),
            Range::Equal(total) => format!("eq_{total}"),
            Range::Between(low, high) => format!("between_{low}_{high}"),
        }
    }
}

/// `>= 15`, `<= 5`, `= 7`, `5 to 9`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::AtLeast(low) => write!(f, ">= {low}"),
            Range::AtMost(high) => write!(f, "<= {high}"),
            Range::Equal(total) => write!(f, "= {total}"),
            Range::Between(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

impl Distribution {
    /// The probability of a result in a range.
    pub fn range_share(&self, range: Range) -> Share {
        let (low, high) = range.outcomes(self.scale());
        self.within(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_runtime::float::key;

    #[test]
    fn ranges_on_both_scales() {
        let half = Total::Float(2.5);
        let three = Total::Whole(3);
        assert_eq!(Range::AtLeast(half).outcomes(Scale::Whole), (3, i64::MAX));
        assert_eq!(Range::AtMost(half).outcomes(Scale::Whole), (i64::MIN, 2));
        assert_eq!(Range::Equal(half).outcomes(Scale::Whole), (3, 2));
        assert_eq!(Range::Between(half, three).outcomes(Scale::Whole), (3, 3));
        let floats = Range::Between(half, three).outcomes(Scale::Float);
        assert_eq!(floats, (key(2.5), key(3.0)));
        let texts = [Range::Equal(half), Range::Between(half, three)];
        assert_eq!(texts.map(|range| range.to_string()), ["= 2.5", "2.5 to 3"]);
        assert_eq!(Range::Between(half, three).column(), "between_2.5_3");
    }
}
