//! The exact engine: against brute force on small programs, and native samples against it on larger
//! ones.

use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Bound, Failure, Simulation};
use dicec_runtime::pmf::Limits;
use dicec_tests::enumerate::Enumeration;
use dicec_tests::fit;
use dicec_tests::programs::{rule, table};
use dicec_tests::properties::{self, MAX_ROLLS};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn bound(text: &str) -> Bound {
    let resources = [("S", 4), ("Target D", 3), ("Zero", 0), ("Minus", -3)];
    let bound = rule(text).bind(&table(&resources));
    bound.expect("the table has every name")
}

#[test]
fn named_programs_equal_brute_force() {
    for text in [
        "3d6",
        "2d6 - 2d6",
        "1d6 * 1d6",
        "1d6 * 2",
        "1d20 / 1d4",
        "(1d6 - 4) / (1d4 - 2)",
        "-1d4 + 3",
        "(1d4)d6",
        "(1d3 - 1)d(1d3 + 1)",
        "2d(1d4)",
        "(1d2)d(1d2)",
        "[S]d[Target D] + [S] * 1d4 - [S]",
        "[Minus]d6 + [Zero]d8 + 1",
        "1d6 / [Zero]",
        "1d6 + 1d4 >= 1d8",
        "1d6 - 4 = 1d4 - 3",
        "1d6 != 1d6",
        "0d6",
        "5 - 8",
        "3d4 * 1d2 + 1d3 < 12",
    ] {
        let bound = bound(text);
        let all = Enumeration::of(&bound, 10_000).expect("few rolls");
        properties::expect_exact(&bound, &all);
    }
}

#[test]
fn generated_programs_equal_brute_force() {
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(any::<u8>(), 0..300);
    let mut compared = 0;
    for _ in 0..3_000 {
        let tree = bytes
            .new_tree(&mut runner)
            .expect("bytes are always possible");
        compared += u32::from(properties::exactness(&tree.current()));
    }
    assert!(
        compared > 700,
        "{compared} of the cases have at most {MAX_ROLLS} rolls"
    );
}

/// Seed 002, 3.2.5: minimum, maximum and average of XdY.
#[test]
fn known_moments() {
    for (text, min, max, mean) in [
        ("1d6", 1, 6, 3.5),
        ("2d6", 2, 12, 7.0),
        ("3d6", 3, 18, 10.5),
        ("1d20", 1, 20, 10.5),
        ("1d100", 1, 100, 50.5),
        ("100d6", 100, 600, 350.0),
        ("(1d4)d6", 1, 24, 8.75),
    ] {
        let bound = bound(text);
        let pmf = bound.distribution(&Limits::default()).expect("small");
        assert_eq!((pmf.min(), pmf.max()), (min, max), "{text}");
        assert!((pmf.mean() - mean).abs() < 1e-9, "{text}: {}", pmf.mean());
    }
}

/// Each side of a check is clamped on its own (seed 002, 3.7.2 with 3.5.3): 0 = 0 is certain here.
#[test]
fn sides_of_a_check_are_clamped() {
    let bound = bound("1d4 - 9 = 2 - 5");
    let pmf = bound.distribution(&Limits::default()).expect("small");
    assert_eq!(pmf.probability(1), 1.0);
}

#[test]
fn exact_and_decimal_weights_agree() {
    for text in [
        "20d6 + 3d20",
        "(2d4)d6 - 1d8 * 3",
        "10d10 / 1d6",
        "30d6 >= 100",
    ] {
        let bound = bound(text);
        let limits = Limits::default();
        let exact = bound.fractions(&limits).expect("small");
        let decimal = bound.distribution(&limits).expect("small");
        let bound_on_error = decimal.error_bound() + 1e-15;
        assert_eq!(exact.len(), decimal.len(), "{text}");
        for ((v, p), (w, q)) in exact.probabilities().zip(decimal.probabilities()) {
            assert_eq!(v, w, "{text}");
            assert!(
                (p - q).abs() <= bound_on_error * p,
                "{text} at {v}: {p} and {q}"
            );
        }
    }
}

#[test]
fn a_budget_refuses_at_once() {
    let allocated = allocation_counter::measure(|| {
        let result = bound("10000d1000000000").distribution(&Limits::default());
        assert!(matches!(result, Err(Failure::Exhausted(_))));
        let result = bound("1d1000000 * 1d1000000").fractions(&Limits::default());
        assert!(matches!(result, Err(Failure::Exhausted(_))));
    });
    // The tables of the second rule's two dice, and no others.
    assert!(allocated.bytes_total < 1 << 27, "{allocated:?}");
}

#[test]
fn traps_that_can_happen_are_the_answer() {
    for text in [
        "2d(1d4 - 1)",
        "(9223372036854775807 - 1 + 1d3) * 1",
        "(1d2 * 9999)d6",
    ] {
        let result = bound(text).distribution(&Limits::default());
        assert!(
            matches!(result, Err(Failure::Trap(_))),
            "{text}: {result:?}"
        );
    }
}

/// Native samples of both kinds of sampling fit the exact distribution. Seeds are fixed, so a
/// failure is a fact and not bad luck: under the hypothesis of a fair die one in ten million seeds
/// would fail.
#[test]
fn samples_fit_the_exact_distribution() {
    for text in [
        "1d2",
        "1d3",
        "1d6",
        "1d20",
        "1d100",
        "3d6",
        "2d8 + 1d12",
        "100d6",
        "13d6",
        "30d10",
        "65d2",
        "7d1000",
        "1d20 + 7 >= 15",
        "(1d8 + [S]) * 2 - [Target D]",
        "(1d4)d6",
        "[S]d(2 * [Target D])",
        "3d(1d6)",
        "10 / (1d3 - 1)",
        "1d6 * 1d6",
        "2d6 - 1d10",
        "1d20 + 5 > 1d20 + 4",
    ] {
        let bound = bound(text);
        for sampling in [Sampling::Faithful, Sampling::Fused] {
            for seed in [1, 2, 3] {
                let simulation = Simulation::trials(400_000)
                    .seed(seed)
                    .sampling(sampling)
                    .backend(Backend::Jit);
                fit::check(&bound, &simulation, 1.0);
            }
        }
    }
}
