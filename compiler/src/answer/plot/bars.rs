//! The bars of a picture: one for each result if they fit, otherwise one for several neighbouring
//! results.

use crate::answer::{Distribution, Lattice, named_rows, round_up};
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use num_integer::{div_mod_floor, gcd};

/// The maximum number of bars: each is a few pixels wide.
const MAX_BARS: u128 = 150;

/// At or below this many bars, all results are shown, however improbable.
const FEW_BARS: u128 = 60;

/// The results that are left out on either side have at most this probability.
const TAIL: f64 = 0.0002;

/// The shares of one or several rules, bar by bar from left to right.
pub(super) struct Bars {
    pub(super) shares: Vec<Vec<f64>>,
    /// The share to the left of the first bar.
    pub(super) below: Vec<f64>,
    pub(super) axis: Axis,
}

/// The axis.
pub(super) enum Axis {
    /// A name for each bar.
    Names(Vec<String>),
    Numbers(Grid),
}

/// Bars of numbers: each covers `step` positions of a lattice, of which every `gap`-th is possible.
/// Coordinates count bars: `first` is at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    lattice: Lattice,
    first: i128,
    gap: i128,
    step: i128,
    count: usize,
    /// Whether results beyond it are left out.
    pub(super) is_cut: bool,
}

impl Bars {
    /// The bars of odds of one kind.
    pub(super) fn new(odds: &[&Distribution]) -> Self {
        if let Some(mut rows) = named_rows(odds) {
            // The best on the right, like high numbers; labels have no best.
            if odds.iter().all(|odds| odds.kind() != Kind::Label) {
                rows.reverse();
            }
            return Self {
                shares: rows.iter().map(|row| row.p.clone()).collect(),
                below: vec![0.0; odds.len()],
                axis: Axis::Names(rows.into_iter().map(|row| row.label).collect()),
            };
        }
        let grid = Grid::new(odds);
        let mut shares = vec![vec![0.0; odds.len()]; grid.count];
        let mut below = vec![0.0; odds.len()];
        for (series, odds) in odds.iter().enumerate() {
            for (value, p) in odds.probabilities() {
                let place = grid.lattice.position(value).saturating_sub(grid.first);
                let place = place.div_euclid(grid.step);
                match usize::try_from(place) {
                    Err(_) => below[series] += p,
                    Ok(place) => {
                        if let Some(shares) = shares.get_mut(place) {
                            shares[series] += p;
                        }
                    }
                }
            }
        }
        Self {
            shares,
            below,
            axis: Axis::Numbers(grid),
        }
    }

    /// The greatest share.
    pub(super) fn most(&self) -> f64 {
        self.shares.iter().flatten().copied().fold(0.0, f64::max)
    }

    /// The coordinate at which a bar begins.
    pub(super) fn left(&self, place: usize) -> f64 {
        match &self.axis {
            Axis::Names(_) => place as f64 - 0.5,
            Axis::Numbers(grid) => place as f64 - grid.gap as f64 / (2 * grid.step) as f64,
        }
    }

    /// The cumulative probability by coordinate; empty if the results are not numbers.
    pub(super) fn cumulative(&self, series: usize) -> Vec<(f64, f64)> {
        let Axis::Numbers(grid) = &self.axis else {
            return Vec::new();
        };
        let mut sum = self.below[series];
        let start = (self.left(0), sum);
        let points = self.shares.iter().enumerate().map(|(place, shares)| {
            sum += shares[series];
            // The greatest result of the bar.
            let last = (grid.step - grid.gap) as f64 / grid.step as f64;
            (place as f64 + last, sum.min(1.0))
        });
        std::iter::once(start).chain(points).collect()
    }
}

impl Grid {
    fn new(odds: &[&Distribution]) -> Self {
        let ends = odds.iter().map(|odds| odds.range());
        let ends = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let (min, max) = ends.unwrap_or_else(|| bug!("a picture of no odds").raise());
        let lattice = Lattice::new(odds);
        let (min, max) = (lattice.position(min), lattice.position(max));
        let values = odds.iter().flat_map(|odds| odds.probabilities());
        let gap = values.fold(0, |gap, (value, _)| {
            gcd(gap, lattice.position(value).saturating_sub(min))
        });
        // A single result has no neighbour.
        let gap = gap.max(1);
        let bars = |low: i128, high: i128| ((high - low) / gap + 1).unsigned_abs();
        let (mut low, mut high) = (min, max);
        if bars(min, max) > FEW_BARS {
            let lows = odds.iter().map(|odds| odds.quantile(TAIL));
            let highs = odds.iter().map(|odds| odds.quantile(1.0 - TAIL));
            low = lows.min().map_or(min, |low| lattice.position(low));
            high = highs.max().map_or(max, |high| lattice.position(high));
        }
        let step = match bars(low, high) {
            0..=MAX_BARS => gap,
            // Rounding the first position down may add one bar.
            many => gap * round_up(many.div_ceil(MAX_BARS - 1)),
        };
        let first = match step == gap || low == min && !lattice.is_continuous() {
            true => low,
            false => low.div_euclid(step) * step,
        };
        let count = (high - first) / step + 1;
        Self {
            lattice,
            first,
            gap,
            step,
            // At most a few more than MAX_BARS.
            count: count as usize,
            is_cut: low > min || high < max,
        }
    }

    /// The coordinate of a number.
    pub(super) fn coordinate(&self, value: i128) -> f64 {
        // Whole positions first: a number far from zero has no digits left for fractions.
        let (places, rest) = div_mod_floor(value - self.first, self.step);
        places as f64 + rest as f64 / self.step as f64
    }

    /// The width of the range of a bar, if several results can share one.
    pub(super) fn shared_step(&self) -> Option<String> {
        let is_shared = self.step > self.gap;
        let width = is_shared.then(|| self.lattice.width(self.step));
        width.flatten()
    }

    /// The label of a number.
    pub(super) fn label(&self, value: i128) -> String {
        self.lattice.label(value)
    }

    /// At most `most` numbers to label on the axis: that of every bar if they fit, otherwise round
    /// ones.
    pub(super) fn ticks(&self, most: usize) -> Vec<i128> {
        let last = self.first + self.step * (self.count as i128 - 1);
        if self.count <= most && self.step == self.gap {
            return (0..self.count as i128)
                .map(|place| self.first + place * self.step)
                .collect();
        }
        let end = last + self.step - self.gap;
        let room = most.saturating_sub(1).max(1) as u128;
        let step = round_up((end - self.first).unsigned_abs().div_ceil(room));
        let start = self.first + (-self.first).rem_euclid(step);
        let ticks = (0..most as i128).map(|tick| start + tick * step);
        ticks.take_while(|&tick| tick <= end).collect()
    }

    /// The numbers at the ends, whose labels are the longest.
    pub(super) fn ends(&self) -> [i128; 2] {
        [self.first, self.first + self.step * self.count as i128]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_runtime::float::key;
    use dicec_runtime::pmf::Pmf;

    fn odds(entries: impl IntoIterator<Item = (i64, f64)>) -> Distribution {
        let table = Pmf::from_weights(entries).expect("weights");
        Distribution::floats(Kind::Number, table)
    }

    fn grid(bars: &Bars) -> Grid {
        match bars.axis {
            Axis::Numbers(grid) => grid,
            Axis::Names(_) => panic!("these are odds of numbers"),
        }
    }

    #[test]
    fn few_results_have_a_bar_each() {
        let bars = Bars::new(&[&odds((1..=6).map(|value| (value * 5, 1.0)))]);
        let grid = grid(&bars);
        assert_eq!((bars.shares.len(), grid.shared_step()), (6, None));
        assert_eq!(grid.ticks(10), [5, 10, 15, 20, 25, 30]);
        assert_eq!(grid.ticks(4), [10, 20, 30]);
        assert_eq!(bars.left(0), -0.5);
        let line = bars.cumulative(0);
        assert_eq!(line[0], (-0.5, 0.0));
        assert_eq!(line[1].0, 0.0);
        assert!((line[6].1 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_results_share_bars() {
        let bars = Bars::new(&[&odds((1..=1000).map(|value| (value, 1.0)))]);
        let grid = grid(&bars);
        assert_eq!(
            (bars.shares.len(), grid.shared_step()),
            (100, Some("10".to_owned()))
        );
        assert_eq!(grid.ticks(6), [200, 400, 600, 800, 1000]);
        assert!((bars.shares.iter().flatten().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn two_rules_share_a_grid() {
        let bars = Bars::new(&[&odds([(0, 1.0), (4, 1.0)]), &odds([(2, 1.0)])]);
        assert_eq!(bars.shares, [[0.5, 0.0], [0.0, 1.0], [0.5, 0.0]]);
    }

    fn decimals(numbers: impl IntoIterator<Item = f64>) -> Distribution {
        let entries = numbers.into_iter().map(|number| (key(number), 1.0));
        Distribution::floats(Kind::Float, Pmf::from_weights(entries).expect("weights"))
    }

    #[test]
    fn floats_have_bars_too() {
        let bars = Bars::new(&[&decimals((1..=6).map(|face| f64::from(face) / 4.0))]);
        let halves = grid(&bars);
        assert_eq!((bars.shares.len(), halves.shared_step()), (6, None));
        let labels = |most| {
            let ticks = halves.ticks(most).into_iter();
            ticks.map(|tick| halves.label(tick)).collect::<Vec<_>>()
        };
        assert_eq!(labels(6), ["0.25", "0.5", "0.75", "1", "1.25", "1.5"]);
        assert_eq!(labels(4), ["0.5", "1", "1.5"]);
        let roots = Bars::new(&[&decimals((1..=100).map(|face| f64::from(face).sqrt()))]);
        assert_eq!(grid(&roots).shared_step().as_deref(), Some("0.1"));
    }

    #[test]
    fn the_ends_of_floats_fit() {
        let ends = [f64::MIN, -1.0, 0.0, f64::from_bits(1), 1.0, f64::MAX];
        let wide = (0..60).map(|power| 10_f64.powi(power * 10 - 300));
        let outlier = (0..5000).map(|n| f64::from(n % 100) / 7.3 + f64::from(n).sqrt());
        for numbers in [
            ends.to_vec(),
            wide.collect(),
            outlier.chain([f64::MAX, f64::MIN]).collect(),
        ] {
            let bars = Bars::new(&[&decimals(numbers)]);
            assert!(bars.shares.len() as u128 <= MAX_BARS);
            assert!(grid(&bars).ticks(4).len() <= 4);
            let line = bars.cumulative(0);
            assert!(line.iter().all(|point| point.0.is_finite()));
        }
    }

    #[test]
    fn the_ends_of_i64_fit() {
        let bars = Bars::new(&[&odds([(i64::MIN, 1.0), (0, 1.0), (i64::MAX, 1.0)])]);
        assert!(bars.shares.len() as u128 <= MAX_BARS);
        assert!(grid(&bars).ticks(4).len() <= 4);
        let alone = Bars::new(&[&odds([(i64::MIN, 1.0)])]);
        assert_eq!(alone.shares, [[1.0]]);
        assert_eq!(grid(&alone).ticks(4), [i128::from(i64::MIN)]);
    }
}
