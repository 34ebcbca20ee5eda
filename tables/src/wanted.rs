//! What the columns of numbers are.

use crate::field::Field;
use dicec_compiler::answer::{Range, quantile_column};
use std::sync::Arc;

/// What the columns of numbers tell in addition to the moments. A simulation need not count single
/// outcomes for the ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// The quantiles.
    Quantiles,
    /// The lowest and the highest result.
    Ends,
    /// What is asked.
    Asked(Arc<Wanted>),
    /// Each result and its probability, in a row of its own: there are no columns of figures.
    Results,
}

impl Numbers {
    /// The columns of a number, in order.
    pub fn fields(&self) -> Vec<Field> {
        let further = match self {
            Numbers::Quantiles => vec![Field::P5, Field::P50, Field::P95],
            Numbers::Ends => vec![Field::Min, Field::Max],
            Numbers::Asked(wanted) => wanted.fields().collect(),
            Numbers::Results => return Vec::new(),
        };
        [vec![Field::Mean, Field::Sd], further].concat()
    }

    /// What is asked in addition to the moments, if it is.
    pub(crate) fn wanted(&self) -> Option<&Arc<Wanted>> {
        match self {
            Numbers::Asked(wanted) => Some(wanted),
            Numbers::Quantiles | Numbers::Ends | Numbers::Results => None,
        }
    }
}

/// The quantiles of a number that are told if none are asked for.
pub(crate) const QUANTILES: [f64; 3] = [0.05, 0.5, 0.95];

/// What is asked of numbers, a column each.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    quantiles: Vec<f64>,
    ranges: Vec<Range>,
    /// The statistics of a script that have columns; all if none are named.
    stats: Vec<String>,
    /// Whether the statistics that have columns have these, too.
    is_of_stats: bool,
    /// The names of the columns: of the quantiles, then of the ranges.
    names: Vec<String>,
}

impl Wanted {
    /// Asks for the columns of these quantiles, or the usual ones, and of these ranges. If
    /// statistics are named, they have these columns, too, and the others none.
    pub fn new(quantiles: &[f64], ranges: &[Range], stats: &[String]) -> Self {
        let quantiles = match quantiles {
            [] => &QUANTILES,
            quantiles => quantiles,
        };
        let names = quantiles.iter().map(|p| quantile_column(*p));
        let names = names.chain(ranges.iter().map(|range| range.column()));
        Self {
            names: names.collect(),
            quantiles: quantiles.to_vec(),
            ranges: ranges.to_vec(),
            stats: stats.to_vec(),
            is_of_stats: !stats.is_empty(),
        }
    }

    /// Asks for the columns of these quantiles, of results and of all statistics.
    pub fn everywhere(quantiles: &[f64]) -> Self {
        Self {
            is_of_stats: true,
            ..Self::new(quantiles, &[], &[])
        }
    }

    /// Whether the statistics that have columns have these, too.
    pub(crate) fn is_of_stats(&self) -> bool {
        self.is_of_stats
    }

    /// The names of the columns, in order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The quantiles, whose columns come first.
    pub(crate) fn quantiles(&self) -> &[f64] {
        &self.quantiles
    }

    /// The ranges.
    pub(crate) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The statistics that are named.
    pub(crate) fn stats(&self) -> &[String] {
        &self.stats
    }

    /// The columns, in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        let quantiles = (0..).take(self.quantiles.len()).map(Field::Quantile);
        quantiles.chain((0..).take(self.ranges.len()).map(Field::Range))
    }
}
