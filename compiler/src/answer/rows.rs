//! The rows of a table of odds: one for each result if there are few or all are wanted, otherwise
//! steps of a round width, with the results beyond them in the first and the last row. A table may
//! have the odds of several rules, a column each.

use super::Distribution;
use super::axis::{Axis, Steps};
use dicec_lang::hir::Kind;

/// One row.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// Its result or results.
    pub label: String,
    /// Their probability in each column.
    pub p: Vec<f64>,
}

/// The rows of a table, and the width of its steps if they hold several results each.
#[derive(Debug, PartialEq)]
pub struct Rows {
    /// From the least result on.
    pub rows: Vec<Row>,
    /// How many different results there are.
    pub results: usize,
    /// How results were grouped, if they were.
    pub steps: Option<Steps>,
}

impl Rows {
    /// For each row, the probability of its results and all greater ones, and that of its results
    /// and all lesser ones, in a column.
    pub fn cumulative(&self, column: usize) -> Vec<[f64; 2]> {
        let p = || self.rows.iter().map(|row| row.p[column]);
        let at_least: Vec<f64> = running(p().rev()).collect();
        let both = at_least.into_iter().rev().zip(running(p()));
        both.map(|(at_least, at_most)| [at_least, at_most])
            .collect()
    }
}

/// The sum up to each probability; 1 from the last one above 0 on, whatever the rounding errors.
fn running(
    p: impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + Clone,
) -> impl Iterator<Item = f64> {
    let last = p.clone().rposition(|p| p > 0.0).unwrap_or(0);
    p.enumerate().scan(0.0, move |sum: &mut f64, (place, p)| {
        *sum += p;
        Some(if place >= last { 1.0 } else { sum.min(1.0) })
    })
}

/// The rows of the odds of numbers, of each result by itself if `all` are wanted.
pub fn rows(odds: &[&Distribution], all: bool) -> Rows {
    let axis = Axis::of_numbers(odds, all);
    let labels = axis.labels.iter();
    let mut rows: Vec<Row> = labels
        .map(|label| Row {
            label: label.clone(),
            p: vec![0.0; odds.len()],
        })
        .collect();
    for (column, odds) in odds.iter().enumerate() {
        for (value, p) in odds.probabilities() {
            rows[axis.index(value)].p[column] += p;
        }
    }
    Rows {
        rows,
        results: axis.results,
        steps: axis.steps,
    }
}

/// The rows of results that have names, all of one kind: a row for each name, even of results that
/// cannot occur. None for numbers.
pub fn named_rows(odds: &[&Distribution]) -> Option<Vec<Row>> {
    let first = odds.first()?;
    if first.kind().is_number() {
        return None;
    }
    let outcomes: Vec<_> = odds.iter().map(|odds| odds.outcomes()).collect();
    let rungs = outcomes.iter().map(Vec::len).min().unwrap_or(0);
    let row = |rung: usize| {
        let value = outcomes.first()?[rung].value;
        Some(Row {
            label: first.name(value)?.to_owned(),
            p: outcomes.iter().map(|outcomes| outcomes[rung].p).collect(),
        })
    };
    match first.kind() {
        Kind::Label => (0..rungs).map(row).collect(),
        // Outcomes begin with the worst; people ask for the best, or for true.
        _ => (0..rungs).rev().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::MAX_ROWS;
    use dicec_runtime::pmf::Pmf;

    fn odds(entries: impl IntoIterator<Item = (i64, f64)>) -> Distribution {
        let table = Pmf::from_weights(entries).expect("weights");
        Distribution::floats(Kind::Number, table)
    }

    #[test]
    fn few_results_have_a_row_each() {
        let rows = rows(&[&odds([(1, 1.0), (1_000_000, 3.0)])], false);
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!((labels, rows.steps), (vec!["1", "1000000"], None));
        assert_eq!(rows.rows[1].p, [0.75]);
    }

    #[test]
    fn many_results_are_put_together() {
        let rows = rows(&[&odds((1..=100).map(|value| (value, 1.0)))], false);
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels.len(), 10);
        assert_eq!((labels[0], labels[9]), ("1–10", "91–100"));
        assert!((rows.rows.iter().map(|row| row.p[0]).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn thin_tails_have_a_row_of_their_own() {
        let bell =
            (0..=1000).map(|value| (value, libm::exp(-((value - 500) as f64 / 30.0).powi(2))));
        let rows = rows(&[&odds(bell)], false);
        let last = rows.rows.last().expect("rows");
        assert!(rows.rows.len() <= MAX_ROWS && rows.rows[0].label.starts_with("< "));
        assert!(last.label.starts_with("≥ ") && last.p[0] < 0.001);
        assert!(rows.steps.is_some_and(|steps| steps.has_tails));
    }

    #[test]
    fn the_ends_of_i64_fit() {
        let step = i64::MAX / 25;
        let many = (0..50).map(|n| (i64::MIN.wrapping_add(step.wrapping_mul(n)), 1.0));
        let rows = rows(&[&odds(many)], false);
        assert!(rows.rows.len() <= MAX_ROWS, "{}", rows.rows.len());
    }

    #[test]
    fn two_columns_share_their_rows() {
        let rows = rows(
            &[&odds([(1, 1.0), (3, 1.0)]), &odds([(2, 1.0), (3, 3.0)])],
            false,
        );
        let all = rows.rows.iter();
        let all: Vec<(&str, [f64; 2])> = all
            .map(|row| (row.label.as_str(), [row.p[0], row.p[1]]))
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
        let rows = rows(&[&many, &odds([(-5, 1.0)])], false);
        let sums = rows.rows.iter().fold([0.0; 2], |sums, row| {
            [sums[0] + row.p[0], sums[1] + row.p[1]]
        });
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
        assert_eq!(rows.rows[0].label, "-5, 1–4");
    }

    #[test]
    fn a_step_names_no_impossible_result() {
        let labels = |odds: &Distribution| -> Vec<String> {
            let rows = rows(&[odds], false).rows;
            rows.into_iter().map(|row| row.label).collect()
        };
        // Dice that explode on a 6 never total a multiple of 6.
        let explode = (1..60).filter(|value| value % 6 != 0);
        let exploding = labels(&odds(explode.map(|value| (value, 1.0))));
        assert_eq!(exploding[..3], ["1–5", "7–10", "11, 13–15"]);
        let even = labels(&odds((1..=100).map(|value| (value * 2, 1.0))));
        assert_eq!(even[..2], ["2–20", "22–40"]);
        let squares = labels(&odds((0..40).map(|value| (value * value, 1.0))));
        assert_eq!(squares[0], "0…81");
    }

    #[test]
    fn all_results_on_request() {
        let many = odds((1..=100).map(|value| (value, 1.0)));
        let rows = rows(&[&many], true);
        assert_eq!((rows.rows.len(), rows.steps.as_ref()), (100, None));
        let cumulative = rows.cumulative(0);
        assert_eq!((cumulative[0][0], cumulative[99][1]), (1.0, 1.0));
        assert!((cumulative[89][0] - 0.11).abs() < 1e-12);
        assert!((cumulative[89][1] - 0.9).abs() < 1e-12);
    }
}
