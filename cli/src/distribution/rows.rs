//! Which rows a table of odds has: one a result while they are few, otherwise steps of a round width, with what is
//! beyond them in the first and the last row.

use super::Distribution;

/// Most rows of a table.
pub(crate) const MOST_ROWS: usize = 20;

/// What lies beyond the steps on either side has at most this probability, rows of its own aside.
const TAIL: f64 = 0.001;

/// One row.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    /// Its result or results.
    pub(crate) label: String,
    /// Their probability.
    pub(crate) p: f64,
}

/// The rows of a table, and the width of its steps if they hold several results each.
#[derive(Debug, PartialEq)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    pub(crate) steps: Option<Steps>,
}

/// How results were put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steps {
    /// How many neighbouring numbers a row covers.
    pub(crate) width: u64,
    /// Whether rows for what is beyond were needed.
    pub(crate) has_tails: bool,
}

/// The rows of the odds of a number.
pub(crate) fn rows(odds: &Distribution) -> Rows {
    if odds.len() <= MOST_ROWS {
        let rows = odds.probabilities().map(|(value, p)| Row {
            label: value.to_string(),
            p,
        });
        return Rows {
            rows: rows.collect(),
            steps: None,
        };
    }
    let low = i128::from(odds.quantile(TAIL));
    let high = i128::from(odds.quantile(1.0 - TAIL));
    // Rounding the first step down may take one more, and what is beyond two.
    let width = round_up(
        (high - low + 1)
            .unsigned_abs()
            .div_ceil(MOST_ROWS as u128 - 3),
    );
    // Steps begin at round numbers, unless nothing is below them: 1–10 and so on for a d100.
    let first = if low == i128::from(odds.min()) {
        low
    } else {
        low.div_euclid(width) * width
    };
    let count = (high - first) / width + 1;
    stepped(odds, first, width, count.unsigned_abs() as usize)
}

/// The least of 1, 2, 5, 10, 20, 50, ... that is at least `width`.
fn round_up(width: u128) -> i128 {
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

fn stepped(odds: &Distribution, first: i128, width: i128, count: usize) -> Rows {
    let mut shares = vec![0.0; count];
    let (mut below, mut above) = (0.0, 0.0);
    for (value, p) in odds.probabilities() {
        let step = (i128::from(value) - first).div_euclid(width);
        match usize::try_from(step) {
            Err(_) => below += p,
            Ok(step) => *shares.get_mut(step).unwrap_or(&mut above) += p,
        }
    }
    let end = first + width * count as i128;
    let mut rows = Vec::with_capacity(count + 2);
    if below > 0.0 {
        rows.push(Row {
            label: format!("< {first}"),
            p: below,
        });
    }
    rows.extend(shares.into_iter().enumerate().map(|(step, p)| {
        let start = first + width * step as i128;
        // A step never names a number that cannot come.
        let last = (start + width - 1).min(i128::from(odds.max()));
        let start = start.max(i128::from(odds.min()));
        Row {
            label: if start == last {
                start.to_string()
            } else {
                format!("{start}–{last}")
            },
            p,
        }
    }));
    if above > 0.0 {
        rows.push(Row {
            label: format!("≥ {end}"),
            p: above,
        });
    }
    let steps = Steps {
        width: u64::try_from(width).unwrap_or(u64::MAX),
        has_tails: below > 0.0 || above > 0.0,
    };
    Rows {
        rows,
        steps: Some(steps),
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
        let rows = rows(&odds([(1, 1.0), (1_000_000, 3.0)]));
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!((labels, rows.steps), (vec!["1", "1000000"], None));
        assert_eq!(rows.rows[1].p, 0.75);
    }

    #[test]
    fn many_results_are_put_together() {
        let rows = rows(&odds((1..=100).map(|value| (value, 1.0))));
        let labels: Vec<&str> = rows.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels.len(), 10);
        assert_eq!((labels[0], labels[9]), ("1–10", "91–100"));
        assert!((rows.rows.iter().map(|row| row.p).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn thin_tails_have_a_row_of_their_own() {
        let bell = (0..=1000).map(|value| (value, (-((value - 500) as f64 / 30.0).powi(2)).exp()));
        let rows = rows(&odds(bell));
        let last = rows.rows.last().expect("rows");
        assert!(rows.rows.len() <= MOST_ROWS && rows.rows[0].label.starts_with("< "));
        assert!(last.label.starts_with("≥ ") && last.p < TAIL);
        assert!(rows.steps.is_some_and(|steps| steps.has_tails));
    }

    #[test]
    fn the_ends_of_i64_fit() {
        let step = i64::MAX / 25;
        let rows = rows(&odds(
            (0..50).map(|n| (i64::MIN.wrapping_add(step.wrapping_mul(n)), 1.0)),
        ));
        assert!(rows.rows.len() <= MOST_ROWS, "{}", rows.rows.len());
    }
}
