//! Sums of copies, rerolls and explosions against enumeration and known means.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::{Exact, Float, assert_agree, big, custom, entries, near, pool};
use crate::pmf::{Budget, CombineError, DieError, Extra, Overflow, Pmf, Weight};

#[test]
fn copies_equal_repeated_sums() {
    let mut budget = Budget::default();
    for faces in [
        &[-1, 0, 1][..],
        &[1, 1, 2, 3],
        &[5],
        &[-7, 0, 1_000_000],
        &[2, 4, 6],
    ] {
        let (float, exact): (Float, Exact) = (custom(faces), custom(faces));
        let mut sum = Exact::point(0);
        for n in 0..12 {
            let copies = exact.n_fold(n, &mut budget).expect("fits");
            let ratios = |pmf: &Exact| pmf.probabilities().collect::<Vec<_>>();
            assert_eq!(ratios(&copies), ratios(&sum), "{n} of {faces:?}");
            assert_agree(&float.n_fold(n, &mut budget).expect("fits"), &copies).expect("agrees");
            sum = sum.sum(&exact, &mut budget).expect("fits");
        }
    }
    let d6: Float = pool(1, 6);
    assert_eq!(d6.n_fold(100, &mut budget), Ok(pool(100, 6)));
    let clamped = d6
        .map(&mut budget, |v| Ok::<_, Overflow>(v.max(2)))
        .expect("fits");
    near(
        clamped.n_fold(4, &mut budget).expect("fits").mean(),
        44.0 / 3.0,
    );
    let clamped = d6
        .map(&mut budget, |v| Ok::<_, Overflow>(v.min(5)))
        .expect("fits");
    near(
        clamped.n_fold(4, &mut budget).expect("fits").mean(),
        40.0 / 3.0,
    );
    let huge = custom::<f64>(&[1, i64::MAX]).n_fold(2, &mut budget);
    assert_eq!(huge, Err(CombineError::Value(Overflow)));
    assert_eq!(
        Float::point(i64::MAX).n_fold(u64::MAX, &mut budget),
        Err(CombineError::Value(Overflow))
    );
}

#[test]
fn rerolls() {
    let mut budget = Budget::default();
    let exact: Exact = pool(1, 6);
    let again = exact.rerolled(&mut budget, 1000, |v| v <= 2).expect("ends");
    assert_eq!(again.pmf, custom(&[3, 4, 5, 6]));
    assert!(again.residual < 1e-300);
    let few = exact.rerolled(&mut budget, 2, |v| v <= 2).expect("ends");
    near(few.residual, 1.0 / 27.0);
    near(few.residual_of(2), 1.0 - (26.0_f64 / 27.0).powi(2));
    assert_eq!(
        exact.rerolled(&mut budget, 9, |_| true),
        Err(DieError::Endless)
    );
    assert_eq!(
        exact
            .rerolled(&mut budget, 9, |_| false)
            .map(|t| t.residual),
        Ok(0.0)
    );

    for faces in [&[1, 2, 3, 4, 5, 6][..], &[-1, 0, 1], &[1, 1, 2, 3]] {
        let mut expected = BTreeMap::new();
        for &first in faces {
            for &second in faces {
                let stands = if first <= 1 { second } else { first };
                *expected.entry(stands).or_insert(UBig::ZERO) += 1_u32;
            }
        }
        let die: Exact = custom(faces);
        let once = die.rerolled_once(&mut budget, |v| v <= 1).expect("fits");
        assert_eq!(entries(&once), expected);
        assert_eq!(*once.total(), expected.values().sum::<UBig>());
        let float = custom::<f64>(faces).rerolled_once(&mut budget, |v| v <= 1);
        assert_agree(&float.expect("fits"), &once).expect("agrees");
    }
    assert_eq!(exact.rerolled_once(&mut budget, |_| false), Ok(exact));
}

/// The sums of one die's chains of at most `limit` explosions, by their weight over `faces^(limit +
/// 1)`.
fn chains(
    faces: &[i64],
    extra: Extra,
    limit: u32,
    explodes: fn(i64) -> bool,
) -> BTreeMap<i64, UBig> {
    let mut done = BTreeMap::new();
    let mut open = vec![0];
    for explosions in 0..=limit {
        let mut next = Vec::new();
        for &before in &open {
            for &face in faces {
                let less = i64::from(explosions > 0 && extra == Extra::OneLess);
                let sum = before + face - less;
                if explodes(face) {
                    next.push(sum);
                } else {
                    let ways = (faces.len() as u64).pow(limit - explosions);
                    *done.entry(sum).or_insert(UBig::ZERO) += ways;
                }
            }
        }
        open = next;
    }
    done
}

#[test]
fn explosions_equal_enumeration() {
    let mut budget = Budget::default();
    let conditions: [fn(i64) -> bool; 4] = [|v| v == 3, |v| v >= 2, |v| v <= 1, |v| v == 2];
    for faces in [&[1, 2, 3][..], &[1, 1, 2, 3], &[-1, 0, 1, 2, 3]] {
        for (extra, limit) in [
            (Extra::AsShown, 0),
            (Extra::AsShown, 1),
            (Extra::AsShown, 4),
            (Extra::OneLess, 1),
            (Extra::OneLess, 4),
        ] {
            for when in conditions {
                let explode = |budget: &mut Budget| {
                    custom::<UBig>(faces).exploded(budget, extra, limit.into(), when, |v| v)
                };
                let exact = explode(&mut budget).expect("ends");
                let expected = chains(faces, extra, limit, when);
                assert_eq!(entries(&exact.pmf), expected, "{faces:?} {extra:?} {limit}");
                assert_eq!(*exact.pmf.total(), expected.values().sum::<UBig>());
                let all = (faces.len() as f64).powi(limit as i32 + 1);
                near(exact.residual, 1.0 - exact.pmf.total().ratio(&big(1)) / all);
                let float = custom::<f64>(faces);
                let float = float.exploded(&mut budget, extra, limit.into(), when, |v| v);
                assert_agree(&float.expect("ends").pmf, &exact.pmf).expect("agrees");
            }
        }
    }
}

#[test]
fn means_of_explosions() {
    fn check<W: Weight>() {
        let mut budget = Budget::default();
        let d6: Pmf<W> = pool(1, 6);
        let add = d6.exploded(&mut budget, Extra::AsShown, 1000, |v| v == 6, |v| v);
        let add = add.expect("ends");
        assert!(add.residual > 0.0 && add.residual <= 1e-15);
        near(add.pmf.n_fold(3, &mut budget).expect("fits").mean(), 12.6);
        near(add.pmf.n_fold(5, &mut budget).expect("fits").mean(), 21.0);
        near(add.pmf.probability(8), 1.0 / 36.0);
        assert_eq!(add.pmf.weight(6), None);
        // 3.5 + 2.5 p + 2.5 p^2 + ...
        let less = d6.exploded(&mut budget, Extra::OneLess, 1000, |v| v == 6, |v| v);
        near(less.expect("ends").pmf.mean(), 4.0);
        // Each die is a success with probability 0.3, and there are 10/9 of them.
        let d10: Pmf<W> = pool(1, 10);
        let count = d10.exploded(
            &mut budget,
            Extra::AsShown,
            1000,
            |v| v == 10,
            |v| i64::from(v >= 8),
        );
        let count = count
            .expect("ends")
            .pmf
            .n_fold(5, &mut budget)
            .expect("fits");
        near(count.mean(), 5.0 / 3.0);
        // Long series: fair coins, and nine faces of ten.
        let coin = pool::<W>(1, 2).exploded(&mut budget, Extra::AsShown, 1000, |v| v == 2, |v| v);
        near(coin.expect("ends").pmf.mean(), 3.0);
        let long = d10.exploded(&mut budget, Extra::AsShown, 1000, |v| v > 1, |v| v);
        near(long.expect("ends").pmf.mean(), 55.0);
        assert_eq!(
            d6.exploded(&mut budget, Extra::AsShown, 1000, |_| true, |v| v),
            Err(DieError::Endless)
        );
        let never = d6.exploded(&mut budget, Extra::AsShown, 1000, |v| v > 6, |v| v);
        assert_eq!(never.map(|t| (t.pmf, t.residual)), Ok((d6, 0.0)));
    }
    check::<f64>();
    check::<UBig>();
}
