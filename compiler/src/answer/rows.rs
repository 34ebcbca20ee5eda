//! The rows of a table of odds: one for each result if there are few or all are wanted, otherwise
//! steps of a round width, with the results beyond them in the first and the last row. A table may
//! have the odds of several rules, a column each.

use super::Distribution;
use super::lattice::Lattice;
use dicec_lang::hir::Kind;
use num_integer::gcd;

/// The maximum number of rows of a table, unless all results are wanted.
pub const MAX_ROWS: usize = 20;

/// The results beyond the steps on either side have at most this probability, if steps are narrow.
const TAIL: f64 = 0.001;

/// The results of a row are listed as at most this many runs of neighbours.
const MAX_RUNS: usize = 3;

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

/// How results were grouped.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The width of the range of a row; `None` if it is a single result.
    pub width: Option<String>,
    /// Whether rows for the results beyond the steps were needed.
    pub has_tails: bool,
    /// Whether a row `a…b` has impossible numbers between its ends.
    pub has_holes: bool,
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
    if all || values.len() <= MAX_ROWS {
        return Rows {
            rows: single(odds, &values),
            results: values.len(),
            steps: None,
        };
    }
    let low = odds.iter().map(|odds| odds.quantile(TAIL)).min();
    let high = odds.iter().map(|odds| odds.quantile(1.0 - TAIL)).max();
    let lattice = Lattice::new(odds);
    let low = lattice.position(low.unwrap_or(min));
    let high = lattice.position(high.unwrap_or(max));
    let least = lattice.position(min);
    // Rounding the first step down may take one more, and the results beyond the steps two.
    let width = round_up(
        (high - low + 1)
            .unsigned_abs()
            .div_ceil(MAX_ROWS as u128 - 3),
    );
    // Steps begin at round numbers, unless nothing is below them: 1–10 and so on for a d100.
    let first = if low == least && !lattice.is_continuous() {
        low
    } else {
        low.div_euclid(width) * width
    };
    let count = (high - first) / width + 1;
    let positions: Vec<i128> = values
        .iter()
        .map(|value| lattice.position(*value))
        .collect();
    // What a simulation did not meet may be possible all the same.
    let is_known = odds.iter().all(|odds| odds.is_exact()) && !lattice.is_continuous();
    let grid = Grid {
        lattice,
        first,
        width,
        count: count.unsigned_abs() as usize,
        ends: (least, lattice.position(max)),
        gap: positions
            .iter()
            .fold(0, |gap, position| gcd(gap, position - least))
            .max(1),
        possible: is_known.then_some(&positions),
    };
    let mut rows = grid.rows(odds);
    rows.results = values.len();
    rows
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

/// A row for each value.
fn single(odds: &[&Distribution], values: &[i64]) -> Vec<Row> {
    let scale = odds.first().map(|odds| odds.scale()).unwrap_or_default();
    let row = |&value: &i64| Row {
        label: scale.show(value).to_string(),
        p: vec![0.0; odds.len()],
    };
    let mut rows: Vec<Row> = values.iter().map(row).collect();
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
struct Grid<'g> {
    lattice: Lattice,
    first: i128,
    width: i128,
    count: usize,
    /// The positions of the least and the greatest result.
    ends: (i128, i128),
    /// All results are multiples of this many positions apart.
    gap: i128,
    /// The positions of all possible results, ascending, if they are known.
    possible: Option<&'g [i128]>,
}

impl Grid<'_> {
    /// A row for each step with results, and rows for the results beyond if they are needed.
    fn rows(&self, odds: &[&Distribution]) -> Rows {
        let none = || vec![0.0; odds.len()];
        let mut shares = vec![none(); self.count];
        let (mut below, mut above) = (none(), none());
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
        let is_there = |p: &[f64]| p.iter().any(|&p| p > 0.0);
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
        let mut has_holes = false;
        let steps = shares.into_iter().enumerate().filter_map(|(step, p)| {
            let (label, is_holed) = self.label(step)?;
            has_holes |= is_holed;
            Some(Row { label, p })
        });
        let steps: Vec<Row> = steps.collect();
        Rows {
            rows: before.into_iter().chain(steps).chain(after).collect(),
            results: 0,
            steps: Some(Steps {
                width: self.lattice.width(self.width),
                has_tails,
                has_holes,
            }),
        }
    }

    /// The results of a step, and whether numbers between them are impossible that the label does
    /// not leave out. None if nothing in it is possible.
    fn label(&self, step: usize) -> Option<(String, bool)> {
        let start = self.first + self.width * step as i128;
        let last = start + self.width - 1;
        let Some(possible) = self.possible else {
            let (min, max) = match self.lattice.is_continuous() {
                true => (start, last),
                // A step never names a number that cannot occur.
                false => (start.max(self.ends.0), last.min(self.ends.1)),
            };
            return Some((self.lattice.range(min, max), false));
        };
        let begin = possible.partition_point(|position| *position < start);
        let end = possible.partition_point(|position| *position <= last);
        let held = &possible[begin..end];
        let (first, last) = (held.first()?, held.last()?);
        let runs = held.chunk_by(|one, next| next - one <= self.gap);
        let runs: Vec<&[i128]> = runs.take(MAX_RUNS + 1).collect();
        if runs.len() > MAX_RUNS {
            let ends = [first, last].map(|position| self.lattice.label(*position));
            return Some((ends.join("…"), true));
        }
        let run = |run: &[i128]| Some(self.lattice.range(*run.first()?, *run.last()?));
        let listed: Option<Vec<String>> = runs.into_iter().map(run).collect();
        Some((listed?.join(", "), false))
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
        assert!(last.label.starts_with("≥ ") && last.p[0] < TAIL);
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
