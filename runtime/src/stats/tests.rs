//! Tallies against plain arithmetic, in any order; intervals and tests against known values.

use proptest::prelude::*;

use super::*;
use crate::float::{from_key, key};
use crate::scale::Scale;

/// Everything that a tally can answer.
fn answers(tally: &Tally) -> impl PartialEq + std::fmt::Debug + use<> {
    let quantiles = [0.0, 0.3, 1.0].map(|p| tally.quantile(p));
    (
        (tally.count(), tally.min(), tally.max(), tally.resolution()),
        (
            tally.mean().map(f64::to_bits),
            tally.variance().map(f64::to_bits),
        ),
        (quantiles, tally.outcomes().collect::<Vec<_>>()),
        (tally.at_least(3), tally.share_at_least(3).to_bits()),
    )
}

fn sparse(values: &[i64]) -> Tally {
    let mut tally = Tally::sparse();
    tally.record_all(values);
    tally
}

#[test]
fn moments_and_quantiles() {
    let mut tally = Tally::dense(1, 9);
    tally.record_all(&[2, 4, 4, 4, 5, 5, 7]);
    tally.record(9);
    assert_eq!(
        (tally.count(), tally.min(), tally.max()),
        (8, Some(2), Some(9))
    );
    assert_eq!(
        (tally.mean(), tally.variance()),
        (Some(5.0), Some(32.0 / 7.0))
    );
    assert_eq!(tally.sd(), Some((32.0_f64 / 7.0).sqrt()));
    assert_eq!(
        (
            tally.quantile(0.0),
            tally.quantile(0.5),
            tally.quantile(1.0)
        ),
        (Some(2), Some(4), Some(9))
    );
    assert_eq!((tally.at_least(5), tally.share_at_least(5)), (4, 0.5));
    assert_eq!(
        tally.outcomes().collect::<Vec<_>>(),
        [(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)]
    );
    let hundred: Vec<i64> = (1..=100).collect();
    assert_eq!(sparse(&hundred).quantile(0.07), Some(7));
}

/// An array grows to either side, up to a bound and to the ends of `i64`.
#[test]
fn values_far_apart_are_counted() {
    let ends = [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX];
    let steps = [1, 63, 64, 1000, (1 << 12) - 1, 1 << 12, (1 << 12) + 1];
    for first in ends.into_iter().chain([-5, 0, 70]) {
        for step in steps {
            let values = [
                first,
                first.saturating_add(step),
                first.saturating_sub(step),
                first.saturating_add(2 * step),
                first,
            ];
            let mut counts = std::collections::BTreeMap::new();
            values
                .iter()
                .for_each(|value| *counts.entry(*value).or_insert(0) += 1);
            let tally = sparse(&values);
            assert_eq!(tally.outcomes().collect::<Vec<_>>(), Vec::from_iter(counts));
            let mut reversed = values;
            reversed.reverse();
            let mut merged = sparse(&reversed[..2]);
            merged.merge(&sparse(&reversed[2..]));
            assert_eq!(answers(&merged), answers(&tally), "{first} {step}");
        }
    }
}

#[test]
fn an_empty_tally_answers() {
    for tally in [
        Tally::dense(5, 10),
        Tally::dense(0, 0),
        Tally::sparse(),
        Tally::default(),
    ] {
        assert_eq!(
            (
                tally.count(),
                tally.min(),
                tally.mean(),
                tally.quantile(0.5)
            ),
            (0, None, None, None)
        );
        assert_eq!(
            (
                tally.variance(),
                tally.share_at_least(0),
                tally.resolution()
            ),
            (None, 0.0, 1)
        );
    }
}

#[test]
fn the_ends_of_i64() {
    let mut tally = Tally::dense(i64::MAX - 3, 10);
    tally.record_all(&[i64::MIN, i64::MAX, i64::MAX, i64::MIN]);
    tally.add_counts(i64::MAX, &[0, 7]);
    assert_eq!(
        (tally.min(), tally.max(), tally.count()),
        (Some(i64::MIN), Some(i64::MAX), 4)
    );
    assert_eq!(tally.mean(), Some(-0.5));
    let sd = tally.sd().expect("four values");
    assert!((sd / (2.0_f64.powi(63) * (4.0_f64 / 3.0).sqrt()) - 1.0).abs() < 1e-15);
    tally.add_counts(i64::MIN, &[u64::MAX, u64::MAX]);
    assert_eq!(tally.count(), u64::MAX);
    let copy = tally.clone();
    tally.merge(&copy);
    assert_eq!(answers(&tally), answers(&tally.clone()));
}

#[test]
fn values_outside_an_array_are_counted() {
    let mut tally = Tally::dense(0, 4);
    tally.record_all(&[0, 3, 3, 4, -1]);
    assert_eq!(answers(&tally), answers(&sparse(&[0, 3, 3, 4, -1])));
    assert_eq!(
        answers(&Tally::dense(0, MAX_DENSE + 1)),
        answers(&Tally::sparse())
    );
    let mut left = Tally::dense(0, 10);
    left.record(9);
    let mut right = Tally::dense(40_000, 25_536);
    right.record(65_535);
    left.merge(&right);
    assert_eq!(answers(&left), answers(&sparse(&[65_535, 9])));
    right.merge(&Tally::dense(-100_000, 0));
    assert_eq!(answers(&right), answers(&sparse(&[65_535])));
}

/// More values than are kept apart, in two orders and merged from parts.
#[test]
fn coarsening_does_not_depend_on_order() {
    const GROUPS: usize = 1000;
    let sparse = |values: &[i64]| {
        let mut tally = Tally::with_groups(GROUPS);
        tally.record_all(values);
        tally
    };
    let values: Vec<i64> = (0..30_000_i64)
        .map(|i| (i * 7919) % 30_011 * 3 - 40_000)
        .collect();
    let backward: Vec<i64> = values.iter().rev().copied().collect();
    let forward = sparse(&values);
    assert!(forward.resolution() > 1 && forward.outcomes().len() <= GROUPS);
    // The least power of two that makes the groups few enough.
    let finer = forward.resolution() / 2;
    let groups: std::collections::HashSet<i64> =
        values.iter().map(|v| v.div_euclid(finer as i64)).collect();
    assert!(groups.len() > GROUPS);
    let expected = answers(&forward);
    assert_eq!(expected, answers(&sparse(&backward)));

    let (head, tail) = values.split_at(13_000);
    let mut merged = sparse(tail);
    merged.merge(&sparse(head));
    assert_eq!(expected, answers(&merged));
    let mut small = sparse(&values[..10]);
    small.merge(&sparse(&values[10..]));
    assert_eq!(expected, answers(&small));
    // Exact despite the groups.
    let sum: i128 = values.iter().map(|v| i128::from(*v)).sum();
    assert_eq!(forward.mean(), Some(sum as f64 / 3e4));
    assert_eq!(forward.min(), values.iter().min().copied());
}

/// With the real limit: values all over i64.
#[test]
fn a_tally_of_everything_stays_small() {
    let mut tally = Tally::sparse();
    for i in 0..=MAX_GROUPS as u64 {
        tally.record(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64);
    }
    assert!(tally.outcomes().len() <= MAX_GROUPS && tally.resolution() > 1);
    assert_eq!(tally.count(), MAX_GROUPS as u64 + 1);
}

/// At 95%, Wilson's interval for 8 of 10 is (0.4902, 0.9433), for 0 of 10 (0, 0.2775) (Brown, Cai,
/// DasGupta 2001).
#[test]
fn wilson_intervals() {
    let (low, high) = wilson(8, 10, Z95);
    assert!(
        (low - 0.490_162).abs() < 1e-6 && (high - 0.943_318).abs() < 1e-6,
        "{low} {high}"
    );
    assert!((wilson_half_width(8, 10, Z95) - (high - low) / 2.0).abs() < 1e-15);
    let (low, high) = wilson(0, 10, Z95);
    assert!(low == 0.0 && (high - 0.277_533).abs() < 1e-6, "{high}");
    let (low, high) = wilson(10, 10, Z95);
    assert!(high == 1.0 && (low - 0.722_467).abs() < 1e-6, "{low}");
    assert_eq!(
        (wilson(0, 0, Z95), wilson_half_width(0, 0, Z95)),
        ((0.0, 1.0), 0.5)
    );
    assert_eq!(wilson(11, 10, Z95), wilson(10, 10, Z95));
    assert_eq!(
        (standard_error(3.0, 9), standard_error(1.0, 0)),
        (1.0, f64::INFINITY)
    );
}

proptest! {
    #[test]
    fn order_and_pieces_do_not_show(
        values in prop::collection::vec(prop_oneof![-30_i64..30, any::<i64>()], 0..60),
        cut in 0_usize..60,
        lo in -40_i64..40,
        len in 0_usize..80,
    ) {
        let whole = sparse(&values);
        let (head, tail) = values.split_at(cut.min(values.len()));
        let mut pieces = Tally::dense(lo, len);
        pieces.record_all(tail);
        let mut other = Tally::dense(-30, 60);
        other.record_all(head);
        pieces.merge(&other);
        prop_assert_eq!(answers(&pieces), answers(&whole));
        other.merge(&sparse(tail));
        prop_assert_eq!(answers(&other), answers(&whole));
    }
}

fn floats(numbers: &[f64]) -> Tally {
    let mut tally = Tally::new(Scale::Float, None);
    numbers.iter().for_each(|number| tally.record(key(*number)));
    tally
}

#[test]
fn moments_of_floats() {
    let tally = floats(&[0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
    assert_eq!(tally.mean(), Some(1.75));
    assert_eq!(tally.variance(), Some(0.875));
    assert_eq!(tally.quantile(0.5).map(from_key), Some(1.5));
    assert_eq!(tally.share_at_least(key(2.25)), 2.0 / 6.0);
    // The sums keep every digit, whatever the sizes.
    assert_eq!(floats(&[1e300, 1.0, -1e300]).mean(), Some(1.0 / 3.0));
    assert_eq!(floats(&[1e300, -1e300]).variance(), Some(f64::INFINITY));
    let least = f64::from_bits(1);
    assert_eq!(floats(&[least, -least, least, least]).mean(), Some(0.0));
    assert_eq!(floats(&[least; 7]).mean(), Some(least));
    assert_eq!(floats(&[-0.1]).mean(), Some(-0.1));
    assert_eq!(floats(&[0.1; 3]).variance(), Some(0.0));
    let mut constant = Tally::new(Scale::Float, Some((key(3.5), 1)));
    constant.add_counts(key(3.5), &[4]);
    assert_eq!((constant.mean(), constant.sd()), (Some(3.5), Some(0.0)));
}

proptest! {
    #[test]
    fn floats_in_any_order_and_pieces(
        numbers in prop::collection::vec(prop_oneof![-30.0_f64..30.0, any::<f64>()], 0..40),
        cut in 0_usize..40,
    ) {
        let numbers: Vec<f64> = numbers.into_iter().filter(|number: &f64| number.is_finite()).collect();
        let whole = floats(&numbers);
        let (head, tail) = numbers.split_at(cut.min(numbers.len()));
        let mut pieces = Tally::new(Scale::Float, Some((key(1.0), 50)));
        pieces.merge(&floats(tail));
        pieces.merge(&floats(head));
        prop_assert_eq!(answers(&pieces), answers(&whole));
    }
}
