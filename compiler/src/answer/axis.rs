//! The rows of results: a row for each, or for steps of a round width with the results beyond them
//! in the first and the last row; and the row of each result.

use super::Distribution;
use super::lattice::Lattice;
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use num_integer::gcd;

/// The maximum number of rows of a table, unless all results are wanted.
pub const MAX_ROWS: usize = 20;

/// The results beyond the steps on either side have at most this probability, if steps are narrow.
const TAIL: f64 = 0.001;

/// The results of a row are listed as at most this many runs of neighbours.
const MAX_RUNS: usize = 3;

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

/// Rows, and the results of each.
pub(super) struct Axis {
    /// The results of each row as text, from the least on.
    pub(super) labels: Vec<String>,
    /// How many different results there are.
    pub(super) results: usize,
    /// How results were grouped, if they were.
    pub(super) steps: Option<Steps>,
    places: Places,
}

/// The row of each result.
enum Places {
    /// These results with names, in the order of their rows.
    Named(Vec<i64>),
    /// Each of these ascending results has its own.
    Single(Vec<i64>),
    /// Steps have rows if anything in them is possible.
    Steps {
        lattice: Lattice,
        first: i128,
        width: i128,
        /// Whether the first row is that of the results before all steps.
        has_below: bool,
        /// The rows of the steps.
        rows: Vec<Option<usize>>,
    },
}

impl Axis {
    /// The rows of results of any kind; of those with names also of those that cannot occur.
    pub(super) fn of(odds: &Distribution, all: bool) -> Self {
        if odds.kind().is_number() {
            return Self::of_numbers(&[odds], all);
        }
        let mut values: Vec<i64> = odds.outcomes().into_iter().map(|one| one.value).collect();
        if odds.kind() != Kind::Label {
            // As in charts: the best, or true, is first.
            values.reverse();
        }
        let name = |value: &i64| match odds.name(*value) {
            Some(name) => name.to_owned(),
            None => bug!("a result without a name").raise(),
        };
        Self {
            labels: values.iter().map(name).collect(),
            results: values.len(),
            steps: None,
            places: Places::Named(values),
        }
    }

    /// The rows of results of these odds of numbers, of each by itself if `all` are wanted.
    pub(super) fn of_numbers(odds: &[&Distribution], all: bool) -> Self {
        let values = odds.iter().flat_map(|odds| odds.probabilities());
        let mut values: Vec<i64> = values.map(|(value, _)| value).collect();
        values.sort_unstable();
        values.dedup();
        match all || values.len() <= MAX_ROWS {
            true => Self::single(odds, values),
            false => Self::stepped(odds, &values),
        }
    }

    /// A row for each value.
    fn single(odds: &[&Distribution], values: Vec<i64>) -> Self {
        let scale = odds.first().map(|odds| odds.scale()).unwrap_or_default();
        Self {
            labels: values.iter().map(|v| scale.show(*v).to_string()).collect(),
            results: values.len(),
            steps: None,
            places: Places::Single(values),
        }
    }

    /// Rows for steps of more than [`MAX_ROWS`] ascending values.
    fn stepped(odds: &[&Distribution], values: &[i64]) -> Self {
        let lattice = Lattice::new(odds);
        let positions: Vec<i128> = values
            .iter()
            .map(|value| lattice.position(*value))
            .collect();
        let grid = Grid::new(odds, lattice, &positions);
        let (least, most) = grid.ends;
        let end = grid.first + grid.width * grid.count as i128;
        let (has_below, has_above) = (least < grid.first, most >= end);
        let mut labels = Vec::new();
        if has_below {
            labels.push(format!("< {}", lattice.label(grid.first)));
        }
        let mut has_holes = false;
        let mut rows = Vec::with_capacity(grid.count);
        for step in 0..grid.count {
            let label = grid.label(step);
            rows.push(label.is_some().then_some(labels.len()));
            if let Some((label, is_holed)) = label {
                has_holes |= is_holed;
                labels.push(label);
            }
        }
        if has_above {
            labels.push(format!("≥ {}", lattice.label(end)));
        }
        Self {
            results: values.len(),
            steps: Some(Steps {
                width: lattice.width(grid.width),
                has_tails: has_below || has_above,
                has_holes,
            }),
            places: Places::Steps {
                lattice,
                first: grid.first,
                width: grid.width,
                has_below,
                rows,
            },
            labels,
        }
    }

    /// The row of a result of these odds.
    pub(super) fn index(&self, value: i64) -> usize {
        let index = match &self.places {
            Places::Named(values) => values.iter().position(|named| *named == value),
            Places::Single(values) => values.binary_search(&value).ok(),
            Places::Steps {
                lattice,
                first,
                width,
                has_below,
                rows,
            } => {
                let position = lattice.position(value);
                let step = position.saturating_sub(*first).div_euclid(*width);
                match usize::try_from(step) {
                    Err(_) => has_below.then_some(0),
                    // Everything after the steps is in the last row.
                    Ok(step) => match rows.get(step) {
                        Some(row) => *row,
                        None => self.labels.len().checked_sub(1),
                    },
                }
            }
        };
        index.unwrap_or_else(|| bug!("a result without a row").raise())
    }
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

impl<'g> Grid<'g> {
    /// Steps for results at these ascending positions.
    fn new(odds: &[&Distribution], lattice: Lattice, positions: &'g [i128]) -> Self {
        let ends = positions.first().zip(positions.last());
        let (&least, &most) = ends.unwrap_or_else(|| bug!("steps of no results").raise());
        let low = odds.iter().map(|odds| odds.quantile(TAIL)).min();
        let high = odds.iter().map(|odds| odds.quantile(1.0 - TAIL)).max();
        let low = low.map_or(least, |low| lattice.position(low));
        let high = high.map_or(most, |high| lattice.position(high));
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
        // What a simulation did not meet may be possible all the same.
        let is_known = odds.iter().all(|odds| odds.is_exact()) && !lattice.is_continuous();
        let gaps = positions.iter().map(|position| position - least);
        Self {
            lattice,
            first,
            width,
            count: count.unsigned_abs() as usize,
            ends: (least, most),
            gap: gaps.fold(0, gcd).max(1),
            possible: is_known.then_some(positions),
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
