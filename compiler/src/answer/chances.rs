//! Probabilities of results of odds.

use super::distribution::{Distribution, Outcome, Table};
use super::share::{Share, lowest};
use dashu_int::UBig;
use dicec_runtime::pmf::Weight;
use dicec_runtime::stats::{Tally, Z95, wilson};

impl Distribution {
    /// The probability of a result of at least `value`; of true, for 1 and a check.
    pub fn at_least(&self, value: i64) -> Share {
        self.within(value, i64::MAX)
    }

    /// The probability of a result from `low` to `high`, both included.
    pub fn within(&self, low: i64, high: i64) -> Share {
        match &self.table {
            Table::Fractions(table) => {
                let held = table.iter().skip_while(|(value, _)| *value < low);
                let held = held.take_while(|(value, _)| *value <= high);
                let weight: UBig = held.map(|(_, weight)| weight).sum();
                Share {
                    fraction: Some(lowest(&weight, table.total())),
                    in_full: self.is_in_full(),
                    ..Share::of(weight.ratio(table.total()))
                }
            }
            Table::Floats(table) => Share::of(match (low, high) {
                (low, i64::MAX) => table.at_least(low),
                (i64::MIN, high) => table.at_most(high),
                _ => {
                    let held = table.probabilities();
                    let held = held.filter(|(value, _)| (low..=high).contains(value));
                    // The sum of no floats is a negative zero.
                    held.fold(0.0, |sum, (_, p)| sum + p).min(1.0)
                }
            }),
            Table::Sampled(tally) => {
                let above = high.checked_add(1).map_or(0, |above| tally.at_least(above));
                let hits = tally.at_least(low).saturating_sub(above);
                Share {
                    interval: Some(wilson(hits, tally.count(), Z95)),
                    ..Share::of(hits as f64 / tally.count() as f64)
                }
            }
            Table::Summed(_) => Share::of(0.0),
        }
    }

    /// The probability of an outcome of [`Distribution::outcomes`].
    pub fn share(&self, outcome: &Outcome) -> Share {
        let fraction = outcome.weight.as_ref().zip(self.denominator());
        let interval = |tally: &Tally, hits| wilson(hits, tally.count(), Z95);
        Share {
            p: outcome.p,
            fraction: fraction.map(|(weight, total)| lowest(weight, total)),
            in_full: self.is_in_full(),
            interval: match &self.table {
                Table::Sampled(tally) => outcome.count.map(|hits| interval(tally, hits)),
                Table::Fractions(_) | Table::Floats(_) | Table::Summed(_) => None,
            },
        }
    }
}
