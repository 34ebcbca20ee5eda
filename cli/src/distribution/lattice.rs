//! Where results lie: the whole numbers, called places, that stand for them when rows and bars are laid out.
//!
//! A whole number is its own place. Decimals that are all multiples of one number, as halves are, have those multiples as
//! places; others fall into narrow steps.

use super::Distribution;
use crate::number::grouped;
use dicec_runtime::scale::{Scale, Shortest};

/// How far a decimal may be from a multiple of the unit, in units: rounding errors are far smaller, and other numbers are
/// hardly ever all so near.
const NEAR: f64 = 1e-6;

/// More multiples than this are not looked for.
const MOST_MULTIPLES: f64 = 1e6;

/// Results that are no multiples fall into at least so many steps.
const FEWEST_STEPS: f64 = 1000.0;

/// What is beyond the narrow steps' idea of a range on either side has at most this probability.
const TAIL: f64 = 0.0002;

/// The exponents of ten that steps may have.
const POWERS: (f64, f64) = (-300.0, 300.0);

/// Digits that tell multiples apart and show no rounding errors.
const DIGITS: usize = 10;

/// How results become places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lattice {
    /// Each is its own.
    Whole,
    /// The place `p` is the number `origin + p * unit`; every result is one.
    Multiples { origin: f64, unit: f64 },
    /// The place `p` holds the numbers from `p * 10^power` to the next one's.
    Steps { power: i32 },
}

impl Lattice {
    /// The places of these odds' results.
    pub(crate) fn new(odds: &[&Distribution]) -> Self {
        if odds.iter().all(|odds| odds.scale() == Scale::Whole) {
            return Lattice::Whole;
        }
        let outcomes = odds.iter().flat_map(|odds| odds.probabilities());
        let mut keys: Vec<i64> = outcomes.map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        let numbers: Vec<f64> = keys.iter().map(|&key| Scale::Real.number(key)).collect();
        multiples(&numbers).unwrap_or_else(|| steps(odds))
    }

    /// The place of a result.
    pub(crate) fn place(self, outcome: i64) -> i128 {
        let number = Scale::Real.number(outcome);
        // Conversions saturate.
        match self {
            Lattice::Whole => outcome.into(),
            Lattice::Multiples { origin, unit } => ((number - origin) / unit).round() as i128,
            Lattice::Steps { power } => scaled(number, -power).floor() as i128,
        }
    }

    /// The number at a place; where a place holds several, the least.
    pub(crate) fn label(self, place: i128) -> String {
        match self {
            Lattice::Whole => place.to_string(),
            Lattice::Multiples { origin, unit } => rounded(origin + place as f64 * unit),
            Lattice::Steps { power } => Shortest(scaled(place as f64, power)).to_string(),
        }
    }

    /// Some neighbouring places, `first` to `last`.
    pub(crate) fn range(self, first: i128, last: i128) -> String {
        match self {
            Lattice::Steps { .. } => format!("{}–<{}", self.label(first), self.label(last + 1)),
            _ if first == last => self.label(first),
            _ => format!("{}–{}", self.label(first), self.label(last)),
        }
    }

    /// How wide so many places are; `None` where each result is shown by itself.
    pub(crate) fn width(self, places: i128) -> Option<String> {
        match self {
            Lattice::Whole | Lattice::Multiples { .. } if places == 1 => None,
            Lattice::Whole => Some(grouped(u64::try_from(places).unwrap_or(u64::MAX))),
            Lattice::Multiples { unit, .. } => Some(rounded(places as f64 * unit)),
            Lattice::Steps { .. } => Some(self.label(places)),
        }
    }
}

/// The lattice of ascending numbers that are all multiples of one, but for a common offset.
fn multiples(numbers: &[f64]) -> Option<Lattice> {
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    // A single number is a multiple of itself.
    let gap = gaps.reduce(f64::min).unwrap_or(first.abs().max(1.0));
    let count = ((last - first) / gap).round();
    if !(count <= MOST_MULTIPLES && gap.is_finite()) {
        return None;
    }
    // Over the whole range, the rounding errors of the ends weigh least.
    let unit = if count > 0.0 {
        (last - first) / count
    } else {
        gap
    };
    let is_near = |multiple: f64| (multiple - multiple.round()).abs() < NEAR;
    let fits = numbers
        .iter()
        .all(|number| is_near((number - first) / unit));
    let origin = if is_near(first / unit) { 0.0 } else { first };
    fits.then_some(Lattice::Multiples { origin, unit })
}

/// Steps that are narrow in the range in which nearly all results lie.
fn steps(odds: &[&Distribution]) -> Lattice {
    let quantile = |p: f64| move |odds: &&Distribution| Scale::Real.number(odds.quantile(p));
    let low = odds.iter().map(quantile(TAIL)).reduce(f64::min);
    let high = odds.iter().map(quantile(1.0 - TAIL)).reduce(f64::max);
    let span = high.unwrap_or_default() / FEWEST_STEPS - low.unwrap_or_default() / FEWEST_STEPS;
    // All in one place have no span; any step will do.
    let span = if span > 0.0 { span } else { 1.0 };
    Lattice::Steps {
        power: span.log10().floor().clamp(POWERS.0, POWERS.1) as i32,
    }
}

/// `number * 10^power`, rounded once where that power of ten is exact.
fn scaled(number: f64, power: i32) -> f64 {
    let ten = format!("1e{}", power.abs());
    let ten: f64 = ten.parse().unwrap_or(f64::INFINITY);
    if power < 0 {
        number / ten
    } else {
        number * ten
    }
}

/// A number without its rounding errors.
fn rounded(number: f64) -> String {
    let text = format!("{number:.*e}", DIGITS - 1);
    Shortest(text.parse().unwrap_or(number)).to_string()
}
