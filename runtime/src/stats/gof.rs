//! Goodness of fit: whether sampled outcomes could have come from an exact table. The independent
//! check of the sampling back ends against the exact one.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::tally::Tally;
use crate::pmf::Pmf;

/// The least expected count of a cell: below about 5 the statistic does not follow its distribution
/// (W. G. Cochran, 1952).
const LEAST_EXPECTED: f64 = 5.0;

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoodnessOfFit {
    /// Pearson's statistic, the sum of (observed - expected)^2 / expected; infinite when something
    /// impossible was observed.
    pub statistic: f64,
    /// The number of cells after merging, minus one.
    pub degrees_of_freedom: u64,
    /// The probability of a statistic at least as large if the outcomes do come from the table: 1
    /// with no degrees of freedom, 0 when something impossible was observed.
    pub p_value: f64,
}

/// Pearson's chi-square test of the outcomes in `tally` against `pmf`.
///
/// Adjacent values are merged until each cell expects at least 5 outcomes. If the tally has grouped
/// its values, the table is grouped in the same way. A tally without outcomes fits any table.
pub fn chi_square(tally: &Tally, pmf: &Pmf<f64>) -> GoodnessOfFit {
    let Some(pairs) = observed_and_probability(tally, pmf) else {
        return GoodnessOfFit {
            statistic: f64::INFINITY,
            degrees_of_freedom: (pmf.len() as u64 - 1).max(1),
            p_value: 0.0,
        };
    };
    let cells = merge_cells(&pairs, tally.count() as f64);
    let terms = cells
        .iter()
        .map(|(observed, expected)| (observed - expected).powi(2) / expected);
    let statistic = terms.sum();
    let degrees_of_freedom = (cells.len() as u64).saturating_sub(1);
    // The distribution exists for a positive number of degrees of freedom.
    let p_value = ChiSquared::new(degrees_of_freedom as f64).map_or(1.0, |chi| chi.sf(statistic));
    GoodnessOfFit {
        statistic,
        degrees_of_freedom,
        p_value,
    }
}

/// The count and probability of each value (or group) of the table; `None` when the tally has
/// others.
fn observed_and_probability(tally: &Tally, pmf: &Pmf<f64>) -> Option<Vec<(f64, f64)>> {
    // A power of two; a group is known by its first value.
    let mask = !(tally.resolution() - 1) as i64;
    let mut observed = tally.outcomes().peekable();
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    let mut group = None;
    for (value, probability) in pmf.probabilities() {
        let first = value & mask;
        if group == Some(first)
            && let Some((_, sum)) = pairs.last_mut()
        {
            *sum += probability;
            continue;
        }
        group = Some(first);
        let count = observed
            .next_if(|(v, _)| *v == first)
            .map_or(0, |(_, times)| times);
        pairs.push((count as f64, probability));
    }
    // Both ascend, so a value that the table lacks stops the tally's iterator for good.
    observed.next().is_none().then_some(pairs)
}

/// Cells of (observed, expected) for `n` outcomes; what is left over at the end joins the last
/// cell.
fn merge_cells(pairs: &[(f64, f64)], n: f64) -> Vec<(f64, f64)> {
    let mut cells = Vec::new();
    let (mut observed, mut expected) = (0.0, 0.0);
    for (count, probability) in pairs {
        observed += count;
        expected += probability * n;
        if expected >= LEAST_EXPECTED {
            cells.push((observed, expected));
            (observed, expected) = (0.0, 0.0);
        }
    }
    match cells.last_mut() {
        Some((last_observed, last_expected)) => {
            *last_observed += observed;
            *last_expected += expected;
        }
        // A single cell has no degree of freedom, and might divide by zero.
        None => return Vec::new(),
    }
    cells
}
