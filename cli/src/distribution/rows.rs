//! Which rows a table of odds has: one a result while they are few, otherwise steps of a round width, with what is
//! beyond them in the first and the last row. A table may have the odds of several rules, a column each.

use super::Distribution;
use super::lattice::Lattice;

/// Most rows of a table.
pub(crate) const MOST_ROWS: usize = 20;

/// What lies beyond the steps on either side has at most this probability, rows of its own aside.
const TAIL: f64 = 0.001;

/// One row.
#[derive(Debug, PartialEq)]
pub(crate) struct Row<const N: usize> {
    /// Its result or results.
    pub(crate) label: String,
    /// Their probability in each column.
    pub(crate) p: [f64; N],
}

/// The rows of a table, and the width of its steps if they hold several results each.
#[derive(Debug, PartialEq)]
pub(crate) struct Rows<const N: usize> {
    pub(crate) rows: Vec<Row<N>>,
    /// How many different results there are.
    pub(crate) results: usize,
    pub(crate) steps: Option<Steps>,
}

/// How results were put together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Steps {
    /// How wide the range is that a row covers; `None` if it is a single result.
    pub(crate) width: Option<String>,
    /// Whether rows for what is beyond were needed.
    pub(crate) has_tails: bool,
}

/// The rows of the odds of numbers.
pub(crate) fn rows<const N: usize>(odds: [&Distribution; N]) -> Rows<N> {
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
    if values.len() <= MOST_ROWS {
        return Rows {
            rows: single(odds, &values),
            results: values.len(),
            steps: None,
        };
    }
    let low = odds.iter().map(|odds| odds.quantile(TAIL)).min();
    let high = odds.iter().map(|odds| odds.quantile(1.0 - TAIL)).max();
    let lattice = Lattice::new(&odds);
    let low = lattice.place(low.unwrap_or(min));
    let high = lattice.place(high.unwrap_or(max));
    let ends = (lattice.place(min), lattice.place(max));
    // Rounding the first step down may take one more, and what is beyond two.
    let width = round_up(
        (high - low + 1)
            .unsigned_abs()
            .div_ceil(MOST_ROWS as u128 - 3),
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

/// A row a value.
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
pub(crate) fn round_up(width: u128) -> i128 {
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

/// Steps: `count` of them, `width` places of the lattice each, from `first` on.
struct Grid {
    lattice: Lattice,
    first: i128,
    width: i128,
    count: usize,
}

impl Grid {
    /// A row a step, and whether rows for what is beyond were needed. `ends` are the places of the least and the greatest
    /// result.
    fn rows<const N: usize>(
        &self,
        odds: [&Distribution; N],
        ends: (i128, i128),
    ) -> (Vec<Row<N>>, bool) {
        let mut shares = vec![[0.0; N]; self.count];
        let (mut below, mut above) = ([0.0; N], [0.0; N]);
        for (column, odds) in odds.iter().enumerate() {
            for (value, p) in odds.probabilities() {
                let place = self.lattice.place(value);
                let step = place.saturating_sub(self.first).div_euclid(self.width);
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
        // A step never names a number that cannot come.
        self.lattice.range(start.max(min), last.min(max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::hir::Kind;
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
        assert!(rows.rows.len() <= MOST_ROWS && rows.rows[0].label.starts_with("< "));
        assert!(last.label.starts_with("≥ ") && last.p[0] < TAIL);
        assert!(rows.steps.is_some_and(|steps| steps.has_tails));
    }

    #[test]
    fn the_ends_of_i64_fit() {
        let step = i64::MAX / 25;
        let rows = rows([&odds(
            (0..50).map(|n| (i64::MIN.wrapping_add(step.wrapping_mul(n)), 1.0)),
        )]);
        assert!(rows.rows.len() <= MOST_ROWS, "{}", rows.rows.len());
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
