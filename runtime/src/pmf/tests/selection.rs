//! Keep and drop against enumeration of all rolls, known means, and refusals.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::{Exact, Float, assert_agree, custom, entries, pool, rolls};
use crate::pmf::{Budget, Chain, DieError, Extra, Limits, Pmf, Truncated, Weight};

/// The result of a roll: the sum of `value` over the kept positions of the sorted faces.
fn kept_sum(mut roll: Vec<i64>, keep: impl Fn(u64) -> bool, value: fn(i64) -> i64) -> i64 {
    roll.sort_unstable();
    let kept = (0..).zip(roll).filter(|(position, _)| keep(*position));
    kept.map(|(_, face)| value(face)).sum()
}

#[test]
fn selections_equal_enumeration() {
    let mut budget = Budget::default();
    let values: [fn(i64) -> i64; 3] = [
        |v| v,
        |v| i64::from(v >= 2) - i64::from(v == 1),
        |v| v * v % 3,
    ];
    for faces in [
        &[1, 2, 3, 4, 5, 6][..],
        &[1, 1, 2, 3],
        &[-1, 0, 1],
        &[-5, 2, 1_000_000],
        &[4],
    ] {
        let (float, exact): (Float, Exact) = (custom(faces), custom(faces));
        for n in 0..=4 {
            let rolls = rolls(&[(faces, n)]);
            for set in 0_u64..1 << n {
                for value in values {
                    let keep = |position: u64| set >> position & 1 == 1;
                    let sum = exact
                        .select_sum(n.into(), &mut budget, keep, value)
                        .expect("fits");
                    let mut expected = BTreeMap::new();
                    for roll in &rolls {
                        *expected
                            .entry(kept_sum(roll.clone(), keep, value))
                            .or_insert(0) += 1;
                    }
                    let expected: Vec<(i64, f64)> = (expected.into_iter())
                        .map(|(v, w)| (v, f64::from(w) / rolls.len() as f64))
                        .collect();
                    let got: Vec<(i64, f64)> = sum.probabilities().collect();
                    assert_eq!(got, expected, "{faces:?} {n} {set:b}");
                    let float = float.select_sum(n.into(), &mut budget, keep, value);
                    assert_agree(&float.expect("fits"), &sum).expect("agrees");
                }
            }
        }
    }
}

fn mean<W: Weight>(
    n: u64,
    sides: u64,
    keep: impl Fn(u64) -> bool,
    value: impl Fn(i64) -> i64,
) -> f64 {
    let sum = pool::<W>(1, sides).select_sum(n, &mut Budget::default(), keep, value);
    sum.expect("fits").mean()
}

#[test]
fn known_means() {
    fn check<W: Weight>() {
        for (got, known) in [
            (mean::<W>(2, 20, |position| position < 1, |v| v), 7.175),
            (mean::<W>(2, 20, |position| position > 0, |v| v), 13.825),
            (mean::<W>(4, 6, |position| position < 3, |v| v), 8.7554),
            (mean::<W>(4, 6, |position| position > 0, |v| v), 12.2446),
            (mean::<W>(10, 10, |_| true, |v| i64::from(v >= 8)), 3.0),
            (
                mean::<W>(10, 10, |_| true, |v| i64::from(v >= 8) - i64::from(v == 1)),
                2.0,
            ),
            (mean::<W>(3, 6, |_| false, |v| v), 0.0),
            // E max = sum of 1 - F^n; the lowest of many.
            (mean::<W>(100, 6, |position| position == 99, |v| v), 6.0),
            (mean::<W>(1000, 20, |position| position == 0, |v| v), 1.0),
        ] {
            assert!((got - known).abs() < 5e-5, "{got} is not {known}");
        }
    }
    check::<f64>();
    check::<UBig>();
}

#[test]
fn larger_selections_agree() {
    let mut budget = Budget::default();
    for (n, sides, from, to) in [
        (10, 10, 5, 10),
        (100, 6, 50, 100),
        (40, 12, 3, 37),
        (400, 4, 0, 2),
    ] {
        let keep = |position: u64| (from..to).contains(&position);
        let exact = pool::<UBig>(1, sides)
            .select_sum(n, &mut budget, keep, |v| v)
            .expect("fits");
        let total: UBig = exact.iter().map(|(_, w)| w).sum();
        assert_eq!(&total, exact.total());
        let float = pool::<f64>(1, sides)
            .select_sum(n, &mut budget, keep, |v| v)
            .expect("fits");
        assert_agree(&float, &exact).expect("agrees");
        assert!((float.iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    // Weights far below the smallest number.
    let keep = |position: u64| position.is_multiple_of(2);
    let exact = pool::<UBig>(1, 3).select_sum(
        700,
        &mut Budget::new(Limits {
            work: u64::MAX,
            ..Limits::default()
        }),
        |p| p < 30,
        |v| v,
    );
    let float = pool::<f64>(1, 3).select_sum(700, &mut budget, |p| p < 30, |v| v);
    assert_agree(&float.expect("fits"), &exact.expect("fits")).expect("agrees");
    // Every second place from the lowest on, and the others: all dice together.
    let d6: Float = pool(1, 6);
    let even = d6.select_sum(50, &mut budget, keep, |v| v).expect("fits");
    let odd = d6
        .select_sum(50, &mut budget, |position| !keep(position), |v| v)
        .expect("fits");
    assert!((even.mean() + odd.mean() - 175.0).abs() < 1e-10);
}

/// All pools of `n` dice with chains of at most `limit` explosions each: the faces of all dice, the
/// weights over `faces^(n (limit + 1))`.
fn exploded_pools(
    faces: &[i64],
    n: u32,
    limit: u32,
    explodes: fn(i64) -> bool,
) -> Vec<(Vec<i64>, u64)> {
    let mut chains: Vec<(Vec<i64>, u64)> = Vec::new();
    for explosions in 0..=limit {
        for roll in rolls(&[(faces, explosions + 1)]) {
            if (0..)
                .zip(&roll)
                .all(|(at, face)| explodes(*face) == (at < explosions))
            {
                chains.push((roll, (faces.len() as u64).pow(limit - explosions)));
            }
        }
    }
    let mut pools = vec![(vec![], 1)];
    for _ in 0..n {
        let longer = pools.iter().flat_map(|(pool, ways): &(Vec<i64>, u64)| {
            let more = |(chain, w): &(Vec<i64>, u64)| ([&pool[..], &chain[..]].concat(), ways * w);
            chains.iter().map(more).collect::<Vec<_>>()
        });
        pools = longer.collect();
    }
    pools
}

fn select_exploding<W: Weight>(
    die: &Pmf<W>,
    n: u64,
    budget: &mut Budget,
    limit: u64,
    explodes: impl Fn(i64) -> bool,
    keep: impl Fn(u64, u64) -> bool,
) -> Result<Truncated<W>, DieError> {
    let chain = Chain::new(die, budget, Extra::AsShown, explodes)?;
    Chain::select(&[(&chain, n)], budget, limit, &keep, |v| v)
}

#[test]
fn selections_of_exploding_pools_equal_enumeration() {
    let mut budget = Budget::default();
    let conditions: [fn(i64) -> bool; 5] =
        [|v| v == 3, |v| v <= 1, |v| v == 2, |v| v != 2, |v| v > 9];
    let keeps: [fn(u64, u64) -> bool; 5] = [
        |position, dice| position + 1 >= dice,
        |position, _| position < 2,
        |position, _| position > 0,
        |position, dice| position == 0 || position + 1 == dice,
        |_, _| true,
    ];
    for faces in [&[1, 2, 3][..], &[0, 1, 1, 2, 3]] {
        for (n, limit) in [(0, 2), (1, 3), (2, 2), (3, 1)] {
            for when in conditions {
                let pools = exploded_pools(faces, n, limit, when);
                for keep in keeps {
                    let mut expected = BTreeMap::new();
                    let mut total = 0;
                    for (pool, ways) in &pools {
                        let dice = pool.len() as u64;
                        let sum = kept_sum(pool.clone(), |position| keep(position, dice), |v| v);
                        *expected.entry(sum).or_insert(0) += ways;
                        total += ways;
                    }
                    let select = |budget: &mut Budget| {
                        let die = custom::<UBig>(faces);
                        select_exploding(&die, n.into(), budget, limit.into(), when, keep)
                    };
                    let exact = select(&mut budget).expect("fits");
                    let label = format!("{n} of {faces:?}, limit {limit}");
                    assert_eq!(exact.pmf.len(), expected.len(), "{label}");
                    for (v, w) in entries(&exact.pmf) {
                        let ways = w * total;
                        assert_eq!(ways, exact.pmf.total() * expected[&v], "{label}");
                    }
                    let all = (faces.len() as f64).powi((n * (limit + 1)) as i32);
                    assert!(
                        (exact.residual - (1.0 - total as f64 / all)).abs() < 1e-13,
                        "{label}"
                    );
                    let float = custom::<f64>(faces);
                    let float =
                        select_exploding(&float, n.into(), &mut budget, limit.into(), when, keep);
                    assert_agree(&float.expect("fits").pmf, &exact.pmf).expect("agrees");
                }
            }
        }
    }
}

#[test]
fn exploding_pools_with_everything_kept_are_sums() {
    let mut budget = Budget::default();
    let d6: Float = pool(1, 6);
    let all = select_exploding(&d6, 4, &mut budget, 1000, |v| v == 6, |_, _| true);
    let all = all.expect("fits");
    assert!((all.pmf.mean() - 16.8).abs() < 1e-12 && all.residual < 1e-14);
    let exact: Exact = pool(1, 6);
    let keep = |position: u64, dice: u64| position + 3 >= dice;
    let exact = select_exploding(&exact, 4, &mut budget, 1000, |v| v == 6, keep);
    let float = select_exploding(&d6, 4, &mut budget, 1000, |v| v == 6, keep);
    assert_agree(&float.expect("fits").pmf, &exact.expect("fits").pmf).expect("agrees");
    let never = select_exploding(&d6, 4, &mut budget, 1000, |_| true, keep);
    assert_eq!(never, Err(DieError::Endless));
}

#[test]
fn hopeless_selections_are_refused_at_once() {
    fn check<W: Weight>() {
        let d1000: Pmf<W> = pool(1, 1000);
        let mut budget = Budget::default();
        assert!(
            d1000
                .select_sum(10_000, &mut budget, |p| p >= 5000, |v| v)
                .is_err()
        );
        assert!(
            d1000
                .select_sum(u64::MAX, &mut budget, |p| p > 0, |v| v)
                .is_err()
        );
        assert!(d1000.n_fold(1_000_000_000, &mut budget).is_err());
        assert!(budget.spent() < 10_000_000, "{}", budget.spent());
        let mut no_limit = Budget::new(Limits {
            work: u64::MAX,
            ..Limits::default()
        });
        assert!(
            d1000
                .select_sum(10_000, &mut no_limit, |p| p >= 5000, |v| v)
                .is_err()
        );
        assert!(no_limit.spent() < 10_000_000, "{}", no_limit.spent());
        let odd = |v: i64| v % 2 == 0;
        let mut budget = Budget::new(Limits {
            work: 1_000_000,
            ..Limits::default()
        });
        assert!(select_exploding(&d1000, 9, &mut budget, 1000, odd, |p, _| p > 0).is_err());
    }
    check::<f64>();
    check::<UBig>();
}
