//! Positions of results: the whole numbers by which rows and bars are laid out.
//!
//! A whole number is its own position. If all floats are multiples of one number (such as 0.5), the
//! multiples are their positions; other floats fall into narrow steps.

use super::Distribution;
use super::digits::grouped;
use dicec_runtime::bug;
use dicec_runtime::scale::{Scale, Shortest};

/// The maximum distance of a float from a multiple of the unit, in units: rounding errors are far
/// smaller, and other numbers are hardly ever all so near.
const NEAR: f64 = 1e-6;

/// The maximum number of multiples.
const MAX_MULTIPLES: f64 = 1e6;

/// Results that are not multiples of one number fall into at least this many steps.
const MIN_STEPS: f64 = 1000.0;

/// The results beyond the range of narrow steps have at most this probability on either side.
const TAIL: f64 = 0.0002;

/// The exponents of ten that steps may have.
const POWERS: (f64, f64) = (-300.0, 300.0);

/// The maximum distance of positions from 0, so that sums and differences of them fit.
const FARTHEST: i128 = 1 << 100;

/// Numbers at most this many units from 0 are exact enough: beyond it, their own rounding errors
/// are too large.
const FAR: f64 = 1e9;

/// Digits that tell multiples apart and are short enough to read.
const DIGITS: usize = 10;

/// Digits that tell steps apart and show no rounding errors.
const STEP_DIGITS: usize = 15;

/// How results become positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lattice {
    /// Each is its own position.
    Whole,
    /// The position `p` is the number `origin + p * unit`; every result is such a number.
    Multiples {
        /// The number at position 0.
        origin: f64,
        /// The distance between neighbours.
        unit: f64,
    },
    /// The position `p` holds the numbers from `p * 10^power` to those of the next one.
    Steps {
        /// The exponent of ten.
        power: i32,
    },
}

impl Lattice {
    /// The positions of the results of these odds.
    pub fn new(odds: &[&Distribution]) -> Self {
        if odds.iter().all(|odds| odds.scale() == Scale::Whole) {
            return Lattice::Whole;
        }
        let outcomes = odds.iter().flat_map(|odds| odds.probabilities());
        let mut keys: Vec<i64> = outcomes.map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        let numbers: Vec<f64> = keys.iter().map(|&key| Scale::Float.number(key)).collect();
        multiples(&numbers).unwrap_or_else(|| steps(odds))
    }

    /// Whether numbers between positions are possible, too.
    pub fn is_continuous(self) -> bool {
        matches!(self, Lattice::Steps { .. })
    }

    /// The position of a result.
    pub fn position(self, outcome: i64) -> i128 {
        let number = Scale::Float.number(outcome);
        // Conversions saturate.
        let position = match self {
            Lattice::Whole => outcome.into(),
            Lattice::Multiples { origin, unit } => ((number - origin) / unit).round() as i128,
            Lattice::Steps { power } => scaled(number, -power).floor() as i128,
        };
        position.clamp(-FARTHEST, FARTHEST)
    }

    /// The number at a position; if a position holds several, the least.
    pub fn label(self, position: i128) -> String {
        match self {
            Lattice::Whole => position.to_string(),
            Lattice::Multiples { origin, unit } => rounded(origin + position as f64 * unit, DIGITS),
            Lattice::Steps { power } => rounded(scaled(position as f64, power), STEP_DIGITS),
        }
    }

    /// Neighbouring positions, `first` to `last`.
    pub fn range(self, first: i128, last: i128) -> String {
        match self {
            Lattice::Steps { .. } => format!("{}–<{}", self.label(first), self.label(last + 1)),
            _ if first == last => self.label(first),
            _ => format!("{}–{}", self.label(first), self.label(last)),
        }
    }

    /// How wide this many positions are; `None` if each result is shown by itself.
    pub fn width(self, positions: i128) -> Option<String> {
        match self {
            Lattice::Whole | Lattice::Multiples { .. } if positions == 1 => None,
            Lattice::Whole => Some(grouped(u64::try_from(positions).unwrap_or(u64::MAX))),
            Lattice::Multiples { unit, .. } => Some(rounded(positions as f64 * unit, DIGITS)),
            Lattice::Steps { .. } => Some(self.label(positions)),
        }
    }
}

/// The lattice of ascending numbers that are all multiples of one number, apart from a common
/// offset.
fn multiples(numbers: &[f64]) -> Option<Lattice> {
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    // A single number is a multiple of itself.
    let gap = gaps.reduce(f64::min).unwrap_or(first.abs().max(1.0));
    let count = ((last - first) / gap).round();
    if !(count <= MAX_MULTIPLES && gap.is_finite()) {
        return None;
    }
    // Over the whole range, the rounding errors of the ends matter least.
    let unit = if count > 0.0 {
        (last - first) / count
    } else {
        gap
    };
    let is_near = |multiple: f64| (multiple - multiple.round()).abs() < NEAR;
    let fits = numbers
        .iter()
        .all(|number| is_near((number - first) / unit));
    let is_round = (first / unit).abs() < FAR && is_near(first / unit);
    let origin = if is_round { 0.0 } else { first };
    fits.then_some(Lattice::Multiples { origin, unit })
}

/// Steps that are narrow in the range in which nearly all results lie.
fn steps(odds: &[&Distribution]) -> Lattice {
    let quantiles = |p: f64| {
        odds.iter()
            .map(move |odds| Scale::Float.number(odds.quantile(p)))
    };
    let low = quantiles(TAIL).fold(f64::INFINITY, f64::min);
    let high = quantiles(1.0 - TAIL).fold(f64::NEG_INFINITY, f64::max);
    let span = high / MIN_STEPS - low / MIN_STEPS;
    // Results at one position have no span; any step will do.
    let span = if span > 0.0 { span } else { 1.0 };
    Lattice::Steps {
        power: libm::log10(span).floor().clamp(POWERS.0, POWERS.1) as i32,
    }
}

/// `number * 10^power`, rounded once if that power of ten is exact.
fn scaled(number: f64, power: i32) -> f64 {
    let ten = format!("1e{}", power.abs());
    let ten: f64 = ten
        .parse()
        .unwrap_or_else(|_| bug!("{ten} is not a number").raise());
    if power < 0 {
        number / ten
    } else {
        number * ten
    }
}

/// A number to this many digits.
fn rounded(number: f64, digits: usize) -> String {
    let text = format!("{number:.*e}", digits - 1);
    let rounded = text.parse();
    Shortest(rounded.unwrap_or_else(|_| bug!("{text} is not a number").raise())).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::rows::{Rows, rows};
    use super::*;
    use dicec_lang::hir::Kind;
    use dicec_runtime::float::key;
    use dicec_runtime::pmf::Pmf;

    fn odds(numbers: impl IntoIterator<Item = f64>) -> Distribution {
        let entries = numbers.into_iter().map(|number| (key(number), 1.0));
        Distribution::floats(Kind::Float, Pmf::from_weights(entries).expect("weights"))
    }

    fn labels(rows: &Rows) -> Vec<&str> {
        rows.rows.iter().map(|row| row.label.as_str()).collect()
    }

    fn width(rows: &Rows) -> Option<&str> {
        rows.steps.as_ref()?.width.as_deref()
    }

    #[test]
    fn few_floats_have_a_row_each() {
        let rows = rows(&[&odds((1..=3).map(|face| f64::from(face) / 2.0))], false);
        assert_eq!(labels(&rows), ["0.5", "1", "1.5"]);
        assert_eq!(rows.steps, None);
    }

    #[test]
    fn multiples_are_put_together_like_whole_numbers() {
        let halves = odds((1..=100).map(|face| f64::from(face) / 2.0));
        let unit = 0.5;
        assert_eq!(
            Lattice::new(&[&halves]),
            Lattice::Multiples { origin: 0.0, unit }
        );
        let halves = rows(&[&halves], false);
        assert_eq!(labels(&halves)[..2], ["0.5–5", "5.5–10"]);
        assert_eq!((labels(&halves).len(), width(&halves)), (10, Some("5")));
        let sevenths = rows(&[&odds((1..=70).map(|face| f64::from(face) / 7.0))], false);
        assert_eq!(labels(&sevenths)[0], "0.1428571429–0.7142857143");
        assert_eq!(labels(&sevenths)[13], "9.428571429–10");
        let shifted = odds((0..50).map(|face| 0.3 + f64::from(face)));
        let origin = 0.3;
        assert_eq!(
            Lattice::new(&[&shifted]),
            Lattice::Multiples { origin, unit: 1.0 }
        );
    }

    #[test]
    fn other_floats_fall_into_steps() {
        let roots = odds((1..=100).map(|face| f64::from(face).sqrt()));
        assert_eq!(Lattice::new(&[&roots]), Lattice::Steps { power: -3 });
        let roots = rows(&[&roots], false);
        assert_eq!(labels(&roots)[..2], ["1–<2", "2–<3"]);
        assert_eq!(width(&roots), Some("1"));
        let sum: f64 = roots.rows.iter().map(|row| row.p[0]).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_ends_of_floats_fit() {
        let ends = [-f64::MAX, -1.0, 0.0, f64::from_bits(1), 1.0, f64::MAX];
        for numbers in [
            ends.to_vec(),
            (0..60).map(|power| 10_f64.powi(power * 10 - 300)).collect(),
            (0..60)
                .map(|power| -(10_f64.powi(power * 10 - 300)))
                .collect(),
            (0..60_u64).map(f64::from_bits).collect(),
            vec![0.1; 1],
            (0..40).map(|n| 1e300 + f64::from(n) * 1e290).collect(),
        ] {
            let rows = rows(&[&odds(numbers)], false);
            assert!(rows.rows.len() <= 20, "{:?}", labels(&rows));
            let sum: f64 = rows.rows.iter().map(|row| row.p[0]).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{:?}", labels(&rows));
        }
    }
}
