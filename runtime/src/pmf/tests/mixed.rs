//! Selections from pools with several kinds of dice against enumeration of all rolls.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::{Exact, Float, assert_agree, custom, entries, near, pool, rolls};
use crate::pmf::{Budget, Chain, Extra, Keep, Limits, Overflow, Pmf, Split, Truncated, Weight};

type Dice = (&'static [i64], u32);

fn tally(rolls: &[Vec<i64>], result: impl Fn(&[i64]) -> i64) -> BTreeMap<i64, UBig> {
    let mut tally = BTreeMap::new();
    for roll in rolls {
        *tally.entry(result(roll)).or_insert(UBig::ZERO) += 1_u32;
    }
    tally
}

fn select<W: Weight>(kinds: &[Dice], keep: Keep<'_>, value: fn(i64) -> i64) -> Pmf<W> {
    let dice: Vec<(Pmf<W>, u64)> = kinds
        .iter()
        .map(|(faces, n)| (custom(faces), u64::from(*n)))
        .collect();
    let dice: Vec<(&Pmf<W>, u64)> = dice.iter().map(|(die, n)| (die, *n)).collect();
    Pmf::select_mixed(&dice, &mut Budget::default(), keep, value).expect("fits")
}

fn expect_equal(exact: &Exact, expected: &BTreeMap<i64, UBig>, float: &Float, label: &str) {
    let total: UBig = expected.values().sum();
    let got: Vec<_> = exact.iter().map(|(v, w)| (v, w * &total)).collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(v, w)| (*v, w * exact.total()))
        .collect();
    assert_eq!(got, expected, "{label}");
    assert_agree(float, exact).expect("agrees");
}

const MIXES: [&[Dice]; 7] = [
    &[(&[1, 2, 3], 2), (&[1, 2, 3, 4], 2)],
    &[(&[1, 1, 2], 3), (&[2], 2), (&[0, 3], 1)],
    &[(&[1, 2], 1), (&[2, 3], 1), (&[1, 3], 1), (&[2, 4], 1)],
    &[(&[5], 3), (&[5, 6], 1)],
    &[(&[-1, 0, 1], 2), (&[7], 0), (&[-100, 100], 2)],
    &[(&[1, 2, 3, 4, 5], 3)],
    &[],
];

#[test]
fn several_kinds_equal_enumeration() {
    let values: [fn(i64) -> i64; 3] = [|v| v, |v| i64::from(v >= 2), |v| v * v % 3];
    for kinds in MIXES {
        let rolls = rolls(kinds);
        let dice: u32 = kinds.iter().map(|(_, n)| n).sum();
        for set in 0_u64..1 << dice {
            for value in values {
                let keep = |position: u64, _: u64| set >> position & 1 == 1;
                let expected = tally(&rolls, |roll| {
                    let mut roll = roll.to_vec();
                    roll.sort_unstable();
                    let kept = (0..).zip(roll).filter(|(position, _)| keep(*position, 0));
                    kept.map(|(_, face)| value(face)).sum()
                });
                let keep: Keep = &keep;
                let exact = select(kinds, keep, value);
                let float = select(kinds, keep, value);
                expect_equal(&exact, &expected, &float, &format!("{kinds:?} {set:b}"));
            }
        }
    }
}

/// All chains of at most `limit` explosions of a die, whose added dice count one less; the weight
/// is over `faces^(limit + 1)`.
fn penetrating(faces: i64, limit: u32, explodes: fn(i64) -> bool) -> Vec<(Vec<i64>, u64)> {
    let mut chains = Vec::new();
    let mut open = vec![vec![]];
    for explosions in 0..=limit {
        let mut next = Vec::new();
        for chain in &open {
            for face in 1..=faces {
                let value = face - i64::from(explosions > 0);
                let chain = [&chain[..], &[value]].concat();
                if explodes(face) {
                    next.push(chain);
                } else {
                    chains.push((chain, (faces as u64).pow(limit - explosions)));
                }
            }
        }
        open = next;
    }
    chains
}

#[test]
fn penetrating_pools_equal_enumeration() {
    let mut budget = Budget::default();
    let conditions: [fn(i64) -> bool; 3] = [|v| v == 3, |v| v >= 2, |v| v == 1];
    let keeps: [fn(u64, u64) -> bool; 4] = [
        |position, dice| position + 1 >= dice,
        |position, _| position < 2,
        |position, dice| position > 0 && position + 1 < dice,
        |_, _| true,
    ];
    for explodes in conditions {
        let chains = penetrating(3, 2, explodes);
        for keep in keeps {
            let mut expected = BTreeMap::new();
            for (a, w) in &chains {
                for (b, x) in &chains {
                    let mut pool = [&a[..], &b[..]].concat();
                    pool.sort_unstable();
                    let dice = pool.len() as u64;
                    let kept = (0..)
                        .zip(pool)
                        .filter(|(position, _)| keep(*position, dice));
                    let sum = kept.map(|(_, face)| face).sum::<i64>();
                    *expected.entry(sum).or_insert(UBig::ZERO) += w * x;
                }
            }
            fn exact<W: Weight>(
                budget: &mut Budget,
                explodes: fn(i64) -> bool,
                keep: fn(u64, u64) -> bool,
            ) -> Truncated<W> {
                let chain = Chain::new(&pool(1, 3), budget, Extra::OneLess, explodes);
                let chain = chain.expect("ends");
                let all = Chain::select(&[(&chain, 2)], budget, 2, &keep, |v| v);
                all.expect("fits")
            }
            let whole = exact::<UBig>(&mut budget, explodes, keep);
            let float = exact::<f64>(&mut budget, explodes, keep);
            expect_equal(&whole.pmf, &expected, &float.pmf, "penetrating");
            let all: UBig = expected.values().sum();
            near(whole.residual, 1.0 - all.ratio(&UBig::from(729_u32)));
        }
    }
}

#[test]
fn outcomes_give_way_to_others() {
    let mut budget = Budget::default();
    let d6: Exact = pool(1, 6);
    let clamped = Split::whole(d6.clone()).map(&mut budget, |v| Ok::<_, Overflow>(v.max(3)));
    let split = clamped
        .expect("fits")
        .replaced(&mut budget, |v| v == 3, &d6);
    let die = split.expect("fits").die().cloned().expect("whole");
    // Half of the rolls are rolled again.
    let expected = (1..=6).map(|v| (v, UBig::from(if v > 3 { 9_u32 } else { 3 })));
    assert_eq!(entries(&die), expected.collect());
    let split = Split::new(&d6, &mut budget, |v| v > 4).expect("fits");
    let split = split.replaced(&mut budget, |v| v == 6 || v == 1, &custom(&[10]));
    let all = split.expect("fits").outcomes(&mut budget).expect("fits");
    let one = UBig::from(1_u32);
    assert_eq!(
        entries(&all),
        [
            (2, one.clone()),
            (3, one.clone()),
            (4, one.clone()),
            (5, one),
            (10, 2_u32.into())
        ]
        .into()
    );
}

#[test]
fn large_pools_of_exploding_dice() {
    let mut budget = Budget::default();
    let d6: Float = pool(1, 6);
    let chain = Chain::new(&d6, &mut budget, Extra::AsShown, |v| v == 6).expect("ends");
    let sum = chain
        .sum(100, &mut budget, 1000, |v| v, |v| v)
        .expect("fits");
    near(sum.pmf.mean(), 420.0);
    assert!(sum.residual < 1e-12 && sum.pmf.max() < 2000 && sum.pmf.min() == 100);
    let number = chain.number(100, &mut budget, 1000).expect("fits");
    near(number.pmf.mean(), 20.0);
    let exact = Chain::new(&pool::<UBig>(1, 6), &mut budget, Extra::AsShown, |v| v == 6);
    let mut large = Budget::new(Limits {
        work: u64::MAX,
        ..Limits::default()
    });
    let exact = exact.expect("ends").sum(20, &mut large, 1000, |v| v, |v| v);
    let float = chain
        .sum(20, &mut budget, 1000, |v| v, |v| v)
        .expect("fits");
    assert_agree(&float.pmf, &exact.expect("fits").pmf).expect("agrees");
    // Also downward: a Fate die that explodes on its lowest face.
    let fate = Chain::new(
        &custom::<f64>(&[-1, 0, 1]),
        &mut budget,
        Extra::AsShown,
        |v| v == -1,
    );
    let sum = fate
        .expect("ends")
        .sum(50, &mut budget, 1000, |v| v, |v| v)
        .expect("fits");
    assert!(sum.pmf.mean().abs() < 1e-10 && sum.pmf.min() > -200 && sum.pmf.max() == 50);
}
