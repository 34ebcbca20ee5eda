//! The rows of a table of odds: one for each result if there are few, otherwise steps of a round
//! width, with the results beyond them in the first and the last row. A table may have the odds of
//! several rules, a column each.

use super::Distribution;
use super::lattice::Lattice;
use crate::hir::Kind;

/// The maximum number of rows of a table.
pub const MAX_ROWS: usize = 20;

/// The results beyond the steps on either side have at most this probability, if steps are narrow.
const TAIL: f64 = 0.001;

/// One row.
#[derive(Debug, PartialEq)]
pub struct Row<const N: usize> {
    /// Its result or results.
    pub label: String,
    /// Their probability in each column.
    pub p: [f64; N],
}

/// The rows of a table, and the width of its steps if they hold several results each.
#[derive(Debug, PartialEq)]
pub struct Rows<const N: usize> {
    /// From the least result on.
    pub rows: Vec<Row<N>>,
    /// How many different results there are.
    pub results: usize,
    /// How results were grouped, if they were.
    pub steps: Option<Steps>,
}

/// How results were grouped.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The width of the range of a row; `None` if it is a single result.
    pub width: Option<String>,
    /// Whether rows for the results beyond the steps were needed.
    pub has_tails: bool,
}

/// The rows of the odds of numbers.
pub fn rows<const N: usize>(odds: [&Distribution; N]) -> Rows<N> {
    let values = odds.iter().flat_map(|odds| odds.probabilities());
    let mut values: Vec<i64> = values.map(|(value, _)| value).collect();
    values.sort_unstable();
    values.dedup();
    let (Some(&min), Some(&max)) = (values.first(), values.last()) else {
        // No odds, no rows.
        return Rows {
            rows: Vec::new(),
            results: 0,
            steps: None,
        };
    };
    if values.len() <= MAX_ROWS {
        return Rows {
            rows: single(odds, &values),
            results: values.len(),
            steps: None,
        };
    }
    let low = odds.iter().map(|odds| odds.quantile(TAIL)).min();
    let high = odds.iter().map(|odds| odds.quantile(1.0 - TAIL)).max();
    let lattice = Lattice::new(&odds);
    let low = lattice.position(low.unwrap_or(min));
    let high = lattice.position(high.unwrap_or(max));
    let ends = (lattice.position(min), lattice.position(max));
    // Rounding the first step down may take one more, and the results beyond the steps two.
    let width = round_up(
        (high - low + 1)
            .unsigned_abs()
            .div_ceil(MAX_ROWS as u128 - 3),
    );
    // Steps begin at round numbers, unless nothing is below them: 1–10 and so on for a d100.
    let first = if low == ends.0 && !lattice.is_continuous() {
        low
    } else {
        low.div_euclid(width) * width
    };
    let count = (high - first) / width + 1;
    let grid = Grid {
        lattice,
        first,
        width,
        count: count.unsigned_abs() as usize,
    };
    let (rows, has_tails) = grid.rows(odds, ends);
    Rows {
        rows,
        results: values.len(),
        steps: Some(Steps {
            width: lattice.width(width),
            has_tails,
        }),
    }
}

/// The rows of results that have names, all of one kind: a row for each name, even of results that
/// cannot occur. None for numbers.
pub fn named_rows<const N: usize>(odds: [&Distribution; N]) -> Option<Vec<Row<N>>> {
    let kind = odds.first()?.kind();
    if kind.is_number() {
        return None;
    }
    let outcomes = odds.map(Distribution::outcomes);
    let rungs = outcomes.iter().map(Vec::len).min().unwrap_or(0);
    let row = |rung: usize| {
        let value = outcomes.first()?[rung].value;
        Some(Row {
            label: odds.first()?.name(value)?.to_owned(),
            p: outcomes.each_ref().map(|outcomes| outcomes[rung].p),
        })
    };
    match kind {
        Kind::Label => (0..rungs).map(row).collect(),
        // Outcomes begin with the worst; people ask for the best, or for true.
        _ => (0..rungs).rev().map(row).collect(),
    }
}

/// A row for each value.
fn single<const N: usize>(odds: [&Distribution; N], values: &[i64]) -> Vec<Row<N>> {
    let scale = odds.first().map(|odds| odds.scale()).unwrap_or_default();
    let row = |&value: &i64| Row {
        label: scale.show(value).to_string(),
        p: [0.0; N],
    };
    let mut rows: Vec<Row<N>> = values.iter().map(row).collect();
    for (column, odds) in odds.iter().enumerate() {
        for (value, p) in odds.probabilities() {
            let at = values.partition_point(|&other| other < value);
            if let Some(row) = rows.get_mut(at) {
                row.p[column] = p;
            }
        }
    }
    rows
}

/// The least of 1, 2, 5, 10, 20, 50, ... that is at least `width`.
pub fn round_up(width: u128) -> i128 {
    let mut round = 1;
    loop {
        for factor in [1, 2, 5] {
            if (factor * round) as u128 >= width {
                return factor * round;
            }
        }
        round *= 10;
    }
}

/// Steps: `count` of them, `width` positions of the lattice each, from `first` on.
struct Grid {
    lattice: Lattice,
    first: i128,
    width: i128,
    count: usize,
}

impl Grid {
    /// A row for each step, and whether rows for the results beyond were needed. `ends` are the
    /// positions of the least and the greatest result.
    fn rows<const N: usize>(
        &self,
        odds: [&Distribution; N],
        ends: (i128, i128),
    ) -> (Vec<Row<N>>, bool) {
        let mut shares = vec![[0.0; N]; self.count];
        let (mut below, mut above) = ([0.0; N], [0.0; N]);
        for (column, odds) in odds.iter().enumerate() {
            for (value, p) in odds.probabilities() {
                let position = self.lattice.position(value);
                let step = position.saturating_sub(self.first).div_euclid(self.width);
                match usize::try_from(step) {
                    Err(_) => below[column] += p,
                    Ok(step) => shares.get_mut(step).unwrap_or(&mut above)[column] += p,
                }
            }
        }
        let is_there = |p: &[f64; N]| p.iter().any(|&p| p > 0.0);
        let end = self.first + self.width * self.count as i128;
        let before = is_there(&below).then(|| Row {
            label: format!("< {}", self.lattice.label(self.first)),
            p: below,
        });
        let after = is_there(&above).then(|| Row {
            label: format!("≥ {}", self.lattice.label(end)),
            p: above,
        });
        let has_tails = before.is_some() || after.is_some();
        let steps = shares.into_iter().enumerate().map(|(step, p)| Row {
            label: self.label(step, ends),
            p,
        });
        let rows = before.into_iter().chain(steps).chain(after);
        (rows.collect(), has_tails)
    }

    fn label(&self, step: usize, (min, max): (i128, i128)) -> String {
        let start = self.first + self.width * step as i128;
        let last = start + self.width - 1;
        if self.lattice.is_continuous() {
            return self.lattice.range(start, last);
        }
        // A step never names a number that cannot occur.
        self.lattice.range(start.max(min), last.min(max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_runtime::pmf::Pmf;

    fn odds(entries: impl IntoIterator<Item = (i64, f64)>) -> Distribution {
        let table = Pmf::from_weights(entries).expect("weights");
        Distribution::floats(Kind::Number, table)
    }

    #[test]
    fn few_results_have_a_row_each() {
        let rows = rows([&odds([(1, 1.0), (1_000_000, 3.0)])]);
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!((labels, rows.steps), (vec!["1", "1000000"], None));
        assert_eq!(rows.rows[1].p, [0.75]);
    }

    #[test]
    fn many_results_are_put_together() {
        let rows = rows([&odds((1..=100).map(|value| (value, 1.0)))]);
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels.len(), 10);
        assert_eq!((labels[0], labels[9]), ("1–10", "91–100"));
        assert!((rows.rows.iter().map(|row| row.p[0]).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn thin_tails_have_a_row_of_their_own() {
        let bell =
            (0..=1000).map(|value| (value, libm::exp(-((value - 500) as f64 / 30.0).powi(2))));
        let rows = rows([&odds(bell)]);
        let last = rows.rows.last().expect("rows");
        assert!(rows.rows.len() <= MAX_ROWS && rows.rows[0].label.starts_with("< "));
        assert!(last.label.starts_with("≥ ") && last.p[0] < TAIL);
        assert!(rows.steps.is_some_and(|steps| steps.has_tails));
    }

    #[test]
    fn the_ends_of_i64_fit() {
        let step = i64::MAX / 25;
        let rows = rows([&odds(
            (0..50).map(|n| (i64::MIN.wrapping_add(step.wrapping_mul(n)), 1.0)),
        )]);
        assert!(rows.rows.len() <= MAX_ROWS, "{}", rows.rows.len());
    }

    #[test]
    fn two_columns_share_their_rows() {
        let rows = rows([&odds([(1, 1.0), (3, 1.0)]), &odds([(2, 1.0), (3, 3.0)])]);
        let all: Vec<(&str, [f64; 2])> = rows
            .rows
            .iter()
            .map(|row| (row.label.as_str(), row.p))
            .collect();
        assert_eq!(
            all,
            [("1", [0.5, 0.0]), ("2", [0.0, 0.25]), ("3", [0.5, 0.75])]
        );
        assert_eq!((rows.results, rows.steps), (3, None));
    }

    #[test]
    fn a_step_covers_both_columns() {
        let many = odds((1..=100).map(|value| (value, 1.0)));
        let rows = rows([&many, &odds([(-5, 1.0)])]);
        let sums = rows.rows.iter().fold([0.0; 2], |sums, row| {
            [sums[0] + row.p[0], sums[1] + row.p[1]]
        });
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
        assert_eq!(rows.rows[0].label, "-5–4");
    }
}
