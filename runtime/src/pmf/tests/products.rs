//! Products of two tables that are added to a third, with the lowest sums left out.

use super::super::number::Number;
use proptest::prelude::*;

/// Weights with gaps, some of them so small that their products underflow.
fn weights() -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![
        6 => 0.001..1.0,
        2 => Just(0.0),
        1 => Just(1e-160),
    ];
    prop::collection::vec(weight, 1..40)
}

proptest! {
    #[test]
    fn each_pair_is_added_to_its_sum(
        weights in weights(),
        factors in weights(),
        skipped in 0.0..1.0,
        before in 0.1..1.0,
    ) {
        let length = weights.len() + factors.len() - 1;
        let skip = (skipped * length as f64) as usize;
        let mut sums = vec![before; length - skip];
        f64::add_products(&mut sums, &weights, &factors, skip);
        let mut expected = vec![before; length];
        for (row, factor) in factors.iter().enumerate() {
            for (sum, weight) in expected[row..].iter_mut().zip(&weights) {
                *sum += weight * factor;
            }
        }
        for (sum, expected) in sums.iter().zip(&expected[skip..]) {
            prop_assert!((sum - expected).abs() <= 1e-13 * expected, "{sum} {expected}");
        }
    }

    #[test]
    fn what_is_possible_stays_possible(weights in weights(), factors in weights()) {
        let mut sums = vec![0.0; weights.len() + factors.len() - 1];
        f64::add_products(&mut sums, &weights, &factors, 0);
        let is_possible = |at: usize| {
            let factor = |row: usize| at.checked_sub(row).and_then(|at| weights.get(at));
            let mut pairs = factors.iter().enumerate();
            pairs.any(|(row, weight)| *weight > 0.0 && factor(row).is_some_and(|w| *w > 0.0))
        };
        for (at, sum) in sums.iter().enumerate() {
            prop_assert_eq!(*sum > 0.0, is_possible(at));
        }
    }
}
