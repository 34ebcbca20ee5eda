//! Pools, mixtures and custom faces against enumeration and known tables.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::{Exact, Float, assert_agree, big, entries, enumerate_pool, pool, sides};
use crate::pmf::{Budget, CombineError, MixtureError, Overflow, Pmf, Weight, bits};

#[test]
fn pools_equal_enumeration() {
    for s in 1..=9 {
        for count in 0..=7 {
            let exact: Exact = pool(count, s);
            assert_eq!(
                entries(&exact),
                enumerate_pool(count, s as i64),
                "{count}d{s}"
            );
            assert_eq!(*exact.total(), big(s.pow(count as u32)), "{count}d{s}");
            assert_agree(&pool(count, s), &exact).expect("f64 agrees");
        }
    }
}

/// Pools whose combinations do not fit in 128 bits go through the recurrence.
#[test]
fn large_exact_pools_equal_enumeration() {
    for (count, s) in [(50, 6), (131, 2), (90, 3), (45, 8), (20, 100), (60, 5)] {
        let exact: Exact = pool(count, s);
        assert!(bits(exact.total()) > 128);
        assert_eq!(
            entries(&exact),
            enumerate_pool(count, s as i64),
            "{count}d{s}"
        );
    }
}

#[test]
fn three_d6() {
    let exact: Exact = pool(3, 6);
    let weights: Vec<UBig> = exact.iter().map(|(_, w)| w.clone()).collect();
    let expected = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1];
    assert_eq!(weights, expected.map(big));
    assert_eq!((exact.min(), exact.max(), exact.len()), (3, 18, 16));
    assert_eq!(*exact.total(), big(216));
    assert_eq!((exact.mean(), exact.variance()), (10.5, 8.75));
    assert_eq!(exact.error_bound(), 0.0);

    let float: Float = pool(3, 6);
    assert_eq!((float.mean(), float.probability(3)), (10.5, 1.0 / 216.0));
    assert!((float.variance() - 8.75).abs() < 1e-14);
    assert!((float.sd() - 8.75_f64.sqrt()).abs() < 1e-14);
    assert_eq!((float.weight(2), float.weight(19)), (None, None));
    assert_eq!((float.probability(0), *float.total()), (0.0, 1.0));
}

#[test]
fn masses_of_large_pools() {
    for (count, s) in [
        (100, 6),
        (1000, 6),
        (10_000, 6),
        (10, 1000),
        (4000, 20),
        (5000, 2),
    ] {
        let float: Float = pool(count, s);
        let mass: f64 = float.iter().map(|(_, w)| w).sum();
        assert!((mass - 1.0).abs() < 1e-12, "{count}d{s}: {mass}");
        assert_eq!(
            (float.min(), float.max()),
            (count as i64, (count * s) as i64)
        );
        assert_eq!(float.len() as u64, count * (s - 1) + 1);
        assert_eq!(float.mean(), (count * (s + 1)) as f64 / 2.0);
        let variance = (count * (s * s - 1)) as f64 / 12.0;
        assert!(
            (float.variance() / variance - 1.0).abs() < 1e-11,
            "{count}d{s}"
        );
    }
}

/// The tails of a pool cover the whole range of f64 and underflow.
#[test]
fn thin_tails_agree_with_exact_ones() {
    let exact: Exact = pool(900, 6);
    let float: Float = pool(900, 6);
    assert_eq!(exact.probability(900), 0.0);
    assert!(float.probability(900) > 0.0);
    assert_agree(&float, &exact).expect("f64 agrees");
    let twice = float.sum(&float, &mut Budget::default()).expect("fits");
    assert_agree(&twice, &pool(1800, 6)).expect("the trimmed convolution agrees");
}

/// In a table with gaps, an underflow must not become a gap.
#[test]
fn thin_tails_with_gaps_keep_their_support() {
    let mut budget = Budget::default();
    let even = |v: i64| Ok::<_, Overflow>(2 * v);
    let thin: Float = pool(500, 6).map(&mut budget, even).expect("fits");
    let sum = thin.sum(&thin, &mut budget).expect("fits");
    let exact: Exact = pool(1000, 6).map(&mut budget, even).expect("fits");
    assert_agree(&sum, &exact).expect("f64 agrees");
}

/// `nd6`.
fn d6s<W: Weight>(n: i64, budget: &mut Budget) -> Result<Pmf<W>, CombineError<Overflow>> {
    Ok(Pmf::pool(n as u64, sides(6), budget)?)
}

#[test]
fn mixture_of_pools_has_the_least_common_denominator() {
    let mut budget = Budget::default();
    let parts = (1..=4).map(|count| (big(1), pool(count, 6))).collect();
    let mixed = Exact::mixture(parts, &mut budget).expect("fits");
    assert_eq!(mixed.mean(), 8.75);
    assert_eq!(*mixed.total(), big(4 * 1296));
    assert_eq!(mixed.weight(1), Some(&big(216)));
    let sum: UBig = mixed.iter().map(|(_, w)| w).sum();
    assert_eq!(sum, *mixed.total());

    let exact = pool::<UBig>(1, 4).bind(&mut budget, d6s);
    assert_eq!(exact, Ok(mixed.clone()));
    let float: Float = pool(1, 4).bind(&mut budget, d6s).expect("fits");
    assert_agree(&float, &mixed).expect("f64 agrees");
}

#[test]
fn mixtures_of_coprime_totals_and_bad_weights() {
    let mut budget = Budget::default();
    let parts = vec![
        (big(2), pool(1, 4)),
        (big(0), pool(1, 7)),
        (big(1), pool(1, 6)),
    ];
    let mixed = Exact::mixture(parts, &mut budget).expect("fits");
    assert_eq!(*mixed.total(), big(36));
    assert_eq!(mixed.weight(1), Some(&big(2 * 3 + 2)));
    assert_eq!(mixed.weight(6), Some(&big(2)));
    assert_eq!(
        Exact::mixture(vec![], &mut budget),
        Err(MixtureError::Weights)
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let parts = vec![(bad, Float::point(1))];
        assert_eq!(
            Float::mixture(parts, &mut budget),
            Err(MixtureError::Weights)
        );
    }
}

#[test]
fn raw_weights_are_sorted_merged_and_normalised() {
    let faces = [
        (3, big(1)),
        (1, big(1)),
        (9, big(0)),
        (1, big(1)),
        (2, big(1)),
    ];
    let exact = Exact::from_weights(faces).expect("weights");
    assert_eq!(
        entries(&exact),
        BTreeMap::from([(1, big(2)), (2, big(1)), (3, big(1))])
    );
    let float = Float::from_weights([(7, 3.0), (-7, 1.0)]).expect("weights");
    assert_eq!(
        float.probabilities().collect::<Vec<_>>(),
        [(-7, 0.25), (7, 0.75)]
    );
    assert_eq!(Float::from_weights([(1, -1.0), (2, 2.0)]), None);
    assert_eq!(Float::from_weights([]), None);
}
