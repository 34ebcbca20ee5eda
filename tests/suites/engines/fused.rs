//! Fused draws: the odds are exactly those of the rule, and native code draws like the evaluator,
//! even for the rarest words.

use dicec_compiler::unstable::Sampling;
use dicec_compiler::verify::{Distribution, Effort};
use dicec_compiler::{Bound, Failure};
use dicec_native::ir::{Module, Type};
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::Stream;
use dicec_tests::engines::{Stage, run_from};
use dicec_tests::programs::{self, bare, notation};
use dicec_tests::properties;
use dicec_tests::stages;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

/// The maximum number of joint outcomes of the draws of a fused rule.
const EFFORT: Effort = Effort {
    draws: 800,
    ..Effort::THOROUGH
};

fn fused(bound: &Bound) -> Module {
    stages::module(bound, false, Sampling::Fused)
}

/// Compares the distribution of a rule's fused code with the exact engine's; returns whether both
/// have one and there is a fused draw.
fn odds_stay(bound: &Bound) -> bool {
    let function = Arc::new(fused(bound));
    let text = bound.program().text();
    if function.trial().draws.is_empty() || function.trial().result == Type::F64 {
        return false;
    }
    let Some(distribution) = Distribution::of(&function, bound.resources(), &EFFORT) else {
        return false;
    };
    let limits = Limits {
        work: 20_000_000,
        ..Limits::default()
    };
    match bound.fractions(&limits) {
        Ok(exact) => {
            assert_eq!(distribution.traps().next(), None, "`{text}`");
            let (results, common) = distribution.results();
            assert_eq!(results.len(), exact.len(), "`{text}`");
            for (result, weight) in exact.iter() {
                let drawn = results.get(&result).expect("every result is drawn");
                assert_eq!(
                    drawn * exact.total(),
                    weight * &common,
                    "`{text}`, {result}"
                );
            }
            true
        }
        Err(Failure::Trap(trap)) => {
            assert!(
                distribution.traps().any(|met| *met == trap),
                "`{text}`: {trap:?}"
            );
            true
        }
        Err(_) => false,
    }
}

#[test]
fn the_odds_of_generated_rules_stay() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..512);
    let mut runner = TestRunner::deterministic();
    let mut compared = 0;
    for _ in 0..1500 {
        let tree = bytes.new_tree(&mut runner).expect("there are always bytes");
        let Some(case) = properties::case(&tree.current()) else {
            continue;
        };
        let Ok(program) = properties::compiler(&case).rule(&case.text) else {
            continue;
        };
        if let Ok(bound) = program.bind(&case.resources) {
            compared += usize::from(odds_stay(&bound));
        }
    }
    assert!(compared > 30, "{compared}");
}

/// A pool with modifiers, in the notation dialect; braces turn a count into a number for
/// arithmetic.
fn pool() -> impl Strategy<Value = String> {
    let changes = prop_oneof![
        Just(String::new()),
        (select(vec!["kh", "kl", "dh", "dl"]), 0..20).prop_map(|(keep, n)| format!("{keep}{n}")),
        (1..10).prop_map(|n| format!("min{n}")),
        (1..10).prop_map(|n| format!("kh7dl{n}")),
        (select(vec![">=", "<", "="]), 1..10).prop_map(|(op, n)| format!("{op}{n}")),
        (1..5, 1..10).prop_map(|(kept, n)| format!("kl{kept}>={n}")),
    ];
    let sides = prop_oneof![
        (2..13).prop_map(|sides| format!("d{sides}")),
        Just("d{-3,0,0,7}".to_owned()),
    ];
    (1..40, sides, changes).prop_map(|(count, sides, changes)| {
        let counts = changes.contains(['>', '<', '=']);
        let pool = format!("{count}{sides}{changes}");
        if counts { format!("{{{pool}}}") } else { pool }
    })
}

fn sum() -> impl Strategy<Value = String> {
    let rest = proptest::collection::vec((select(vec!["+", "-"]), pool()), 0..3);
    (pool(), rest).prop_map(|(first, rest)| {
        let rest = rest
            .into_iter()
            .map(|(sign, pool)| format!(" {sign} {pool}"));
        first + &rest.collect::<String>()
    })
}

/// Sums, extremes, products and choices of such pools.
fn rule() -> impl Strategy<Value = String> {
    prop_oneof![
        sum(),
        (sum(), sum()).prop_map(|(a, b)| format!("max({a}, {b})")),
        sum().prop_map(|sum| format!("({sum}) * @A + 3")),
        (pool(), sum()).prop_map(|(a, b)| format!("({a} + 2) * 3 - abs({b})")),
    ]
}

/// Pools that are computed step by step, and sums of them, which generated rules contain too
/// rarely.
#[test]
fn the_odds_of_large_pools_stay() {
    let mut runner = TestRunner::deterministic();
    let mut compared = 0;
    for _ in 0..250 {
        let text = rule().new_tree(&mut runner).expect("a rule").current();
        let program = notation(&text);
        let bound = program.bind_values(&vec![3; program.resources().len()]);
        compared += usize::from(odds_stay(&bound.expect("its resources")));
    }
    assert!(compared > 150, "{compared}");
}

/// Pools that are sorted by sorting networks and too large to enumerate.
#[test]
fn the_odds_of_networks_stay() {
    for text in [
        "10d10kh5",
        "16d20kl9 + 3",
        "12d8kh7dl3 - 9d6dh2",
        "max(15d6kh7, 9d10dl4)",
    ] {
        assert!(odds_stay(&bare(&notation(text))), "{text}");
    }
}

/// How many fused draws rules have, and how many dice remain besides them.
#[test]
fn what_belongs_together_is_drawn_at_once() {
    for (text, draws) in [
        ("100d6", 1),
        ("40d6 + 3d8 - 20d4 + 7", 1),
        ("20d10kh5", 1),
        ("20d10kh5 + {30d6>=5}", 1),
        ("max(40d6, 30d8)", 1),
        ("(30d6 + 2) * @S + 40d8", 2),
        ("30d6!", 0),
        ("3d6", 0),
        ("4d6kh3", 0),
        ("10d10kh5", 1),
        ("(16d20kl9 + 3) * 2", 1),
        ("12d8kh7dl2 - 9d6dh2", 1),
        ("20d1000000", 0),
    ] {
        let function = stages::module_of(&notation(text), Sampling::Fused);
        assert_eq!(function.trial().draws.len(), draws, "{text}\n{function}");
    }
}

/// The stream whose next word is this one, and that goes on by `salt`.
fn stream_of(word: u64, salt: u64) -> Stream {
    // The first word of xoshiro256++ is computed from the outer words of its state.
    let last = word.wrapping_sub(salt).rotate_right(23).wrapping_sub(salt);
    let stream = Stream::from_state([salt, 0x9e37_79b9_7f4a_7c15, !salt, last]);
    assert_eq!(stream.clone().word(), word);
    stream
}

/// Words that do not decide between the outcomes of their column, which no test would meet by
/// chance. Native code then calls the runtime and must keep everything that it had in registers.
#[test]
fn native_code_settles_what_a_word_leaves_open() {
    for text in [
        "100d6",
        "30d2 + 12d6 * [S]",
        "(40d20kh3 - 30) * 3",
        "80d20 * [S] >= 400 + 16d6",
    ] {
        let function = stages::module_of(&programs::rule(text), Sampling::Fused);
        let mut draws = function.trial().draws.values();
        let draw = draws.next().expect(text);
        let table = draw.table();
        let kernels = Stage::new("fused", function.clone(), &[]).kernels(Sink::Values);
        for (column, &entry) in table.words()[..1 << table.bits()].iter().enumerate() {
            let word = (column as u64) << (64 - table.bits()) | entry >> table.bits();
            for salt in [1, 1 << 63, word] {
                let start = stream_of(word, salt);
                let run = |kernel: &Arc<_>| run_from(&**kernel, &[7], start.clone(), 3);
                let [evaluated, native] = kernels.each_ref().map(run);
                assert_eq!(native, evaluated, "{text}, column {column}");
                assert_eq!(native.stopped, None, "{text}, column {column}");
            }
        }
    }
}
