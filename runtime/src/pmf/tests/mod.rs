//! Tables against enumeration, `f64` against exact weights, and refusals. This file has the shared
//! helpers.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use dashu_int::UBig;
use num_traits::One;
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq};

use super::{Budget, Pmf, TINY, Weight};

mod bounds;
mod dice;
mod mixed;
mod modifiers;
mod products;
mod properties;
mod queries;
mod selection;

type Exact = Pmf<UBig>;
type Float = Pmf<f64>;

fn sides(n: u64) -> NonZeroU64 {
    NonZeroU64::new(n).expect("at least one side")
}

/// All rolls of dice of several kinds, each with its faces and its number of dice.
fn rolls(kinds: &[(&[i64], u32)]) -> Vec<Vec<i64>> {
    let mut rolls = vec![vec![]];
    for (faces, n) in kinds {
        for _ in 0..*n {
            let more = |roll: &Vec<i64>| {
                let roll = roll.clone();
                faces
                    .iter()
                    .map(move |face| [roll.clone(), vec![*face]].concat())
            };
            rolls = rolls.iter().flat_map(more).collect();
        }
    }
    rolls
}

fn pool<W: Weight>(count: u64, s: u64) -> Pmf<W> {
    Pmf::pool(count, sides(s), &mut Budget::default()).expect("a small pool")
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
}

fn big(n: u64) -> UBig {
    UBig::from(n)
}

/// The sum of all pairs, without any of the code under test.
fn enumerate_pool(count: u64, s: i64) -> BTreeMap<i64, UBig> {
    let mut table = BTreeMap::from([(0, UBig::one())]);
    for _ in 0..count {
        let mut next = BTreeMap::new();
        for (value, weight) in &table {
            for face in 1..=s {
                *next.entry(value + face).or_insert(UBig::ZERO) += weight;
            }
        }
        table = next;
    }
    table
}

fn entries(pmf: &Exact) -> BTreeMap<i64, UBig> {
    pmf.iter().map(|(v, w)| (v, w.clone())).collect()
}

/// A die with these faces, equally likely; faces may repeat.
fn custom<W: Weight>(faces: &[i64]) -> Pmf<W> {
    Pmf::from_weights(faces.iter().map(|v| (*v, W::from_u64(1)))).expect("faces")
}

/// The tables agree, each `f64` probability within the stated bound.
fn assert_agree(float: &Float, exact: &Exact) -> Result<(), TestCaseError> {
    prop_assert_eq!(float.len(), exact.len());
    // The conversion of the exact weight rounds once.
    let bound = float.error_bound() + f64::EPSILON;
    for ((v, p), (w, q)) in float.probabilities().zip(exact.probabilities()) {
        prop_assert_eq!(v, w);
        let near = if q < TINY {
            (p - q).abs() <= TINY
        } else {
            (p - q).abs() <= bound * q
        };
        prop_assert!(
            near,
            "P({}) = {:e}, exactly {:e}, bound {:e}",
            v,
            p,
            q,
            bound
        );
    }
    Ok(())
}
