//! The effect of the rule book's clamps at 0: the distance of odds from those of the same rule
//! without clamps.

use super::distribution::{Distribution, Table};
use super::figures::share_text;
use super::share::{Share, lowest};
use dashu_int::UBig;
use dicec_runtime::pmf::Weight;
use dicec_runtime::stats::{Z95, wilson};

/// Odds in floats with at most this distance are equal.
const SAME: f64 = 1e-12;

impl Distribution {
    /// The probability that these odds have where `other` have it elsewhere; none if both are the
    /// same.
    pub(crate) fn moved_from(&self, other: &Self) -> Option<Share> {
        if let (Table::Fractions(here), Table::Fractions(there)) = (&self.table, &other.table) {
            let (mut moved, total) = (UBig::ZERO, here.total() * there.total());
            for (value, weight) in here.iter() {
                let weight = weight * there.total();
                let other = there.weight(value).map(|other| other * here.total());
                let other = other.unwrap_or(UBig::ZERO);
                if weight > other {
                    moved += weight - other;
                }
            }
            return (moved > UBig::ZERO).then(|| Share {
                fraction: Some(lowest(&moved, &total)),
                in_full: self.is_in_full(),
                ..Share::of(moved.ratio(&total))
            });
        }
        let mut others = other.probabilities().peekable();
        let moved = self.probabilities().map(|(value, p)| {
            while others.next_if(|(other, _)| *other < value).is_some() {}
            let other = others.next_if(|(other, _)| *other == value);
            (p - other.map_or(0.0, |(_, p)| p)).max(0.0)
        });
        let moved: f64 = moved.sum();
        (moved > SAME).then(|| Share::of(moved))
    }
}

impl Share {
    /// The share that was counted in some trials; none if it never came up.
    pub(crate) fn counted(hits: u64, trials: u64) -> Option<Self> {
        (hits > 0).then(|| Self {
            interval: Some(wilson(hits, trials, Z95)),
            ..Self::of(hits as f64 / trials as f64)
        })
    }
}

/// The effect of clamping at 0, as one line; none if it has no effect.
pub fn clamp_text(odds: &Distribution) -> Option<String> {
    let share = share_text(odds.clamped()?);
    Some(format!("raised to 0: {share} of all rolls"))
}
