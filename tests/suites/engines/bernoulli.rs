//! Checks with known dice: each is a Bernoulli draw with its exact probability, and counting the
//! draws of a word gives the same as drawing one by one. How words become draws is proved in
//! `runtime/src/rng/lanes/bernoulli.rs`.

use dicec_compiler::Simulation;
use dicec_compiler::unstable::Backend;
use dicec_native::pass::VectorForm;
use dicec_native::vector_sink;
use dicec_runtime::driver::Control;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::Stream;
use dicec_tests::engines::{lane_kernels, run_from};
use dicec_tests::programs::{bare, rule};
use dicec_tests::stages;

fn form(text: &str) -> Option<VectorForm> {
    stages::form_of(&rule(text))
}

const CHECKS: [&str; 9] = [
    "1d20+7>=15",
    "1d2 = 1",
    "3d6 > 10",
    "4d6kh3 <= 7",
    "1d20 + 5 > 1d20 + 4",
    "10d10 count>=8 >= 3",
    "100d6 >= 400",
    "2d20kl1 = 20",
    "15 >= max(1d20, 3) + 1d4 - 1d6",
];

/// The exact engine's probability, as a fraction in lowest terms. The exact engine does not use the
/// table of the Bernoulli draws.
#[test]
fn draws_have_the_exact_chance() {
    for text in CHECKS {
        let odds = bare(&rule(text)).fractions(&Limits::default());
        let odds = odds.expect("a small rule");
        let form = form(text).expect("a vector form");
        let (heads, of) = form.bernoulli().expect("a Bernoulli draw").chance();
        let (value, weight) = odds.iter().last().expect("an outcome");
        assert_eq!(value, 1, "{text}");
        assert_eq!(weight * of, heads * odds.total(), "{text}");
    }
}

/// These are not Bernoulli draws: numbers, degrees, certain checks, and checks that read resources,
/// have dice that may never stop, or a part that may overflow.
#[test]
fn other_rules_are_not_bernoulli_draws() {
    for text in [
        "1d20+7",
        "1d20 vs 15",
        "1d20+[S] >= 15",
        "1d20 >= 1",
        "3d6! >= 10",
        "let n = [S] + 9223372036854775807; 100d6 >= 350",
    ] {
        let is_draw = form(text).is_some_and(|form| form.bernoulli().is_some());
        assert!(!is_draw, "{text}");
    }
}

/// The stream whose first word is this one.
fn stream_of(word: u64) -> Stream {
    Stream::from_state([0, 1, 2, word.rotate_right(23)])
}

/// Native code counts the successes that the evaluator draws, and both leave the generator in the
/// same state; also if the word of a lane is open, which native code leaves to the evaluator.
#[test]
fn heads_are_counted() {
    // The lowest lane, read as signed, is open wherever there are open words.
    let starts = [Stream::from_seed(5), stream_of(1 << 31), stream_of(1 << 63)];
    assert_eq!(starts[1].clone().word(), 1 << 31);
    for text in CHECKS {
        let form = form(text).expect("a vector form");
        assert_eq!(vector_sink(&form), Sink::Count, "{text}");
        let [evaluator, native] = lane_kernels(&form, Sink::Values);
        let [_, counting] = lane_kernels(&form, Sink::Count);
        for start in &starts {
            // The last is more than one call of the code runs.
            for trials in [0, 1, 31, 32, 33, 95, 4_097, (1 << 16) + 77] {
                let [thrown, same, counted] = [&evaluator, &native, &counting]
                    .map(|kernel| run_from(&**kernel, &[], start.clone(), trials));
                assert!(same == thrown, "{text}, {trials}");
                let heads: i64 = thrown.results.iter().sum();
                assert_eq!(counted.results, [heads], "{text}, {trials}");
                assert_eq!(counted.state, thrown.state, "{text}, {trials}");
            }
        }
    }
}

/// An open word needs another word; a draw with probability 1/2 has no open words.
#[test]
fn open_words_take_more_words() {
    for (text, words) in [("1d20 >= 8", 2), ("1d20 >= 11", 1)] {
        let form = form(text).expect("a vector form");
        let [evaluator, _] = lane_kernels(&form, Sink::Values);
        let start = stream_of(1 << 31);
        let end = Stream::from_state(run_from(&*evaluator, &[], start.clone(), 32).state);
        assert_eq!(start.words_until(&end, 10), Some(words), "{text}");
    }
}

#[test]
fn samplers_agree() {
    for text in CHECKS {
        let bound = bare(&rule(text));
        let tallies = [Backend::Jit, Backend::Interp].map(|backend| {
            let simulation = Simulation::trials(200_000).backend(backend);
            let sampler = bound.sampler_for_any(&simulation).expect("native code");
            let run = sampler.run(&bound, &Control::default());
            run.expect("no trap")
                .into_tally()
                .expect("kept")
                .outcomes()
                .collect::<Vec<_>>()
        });
        assert_eq!(tallies[0], tallies[1], "{text}");
    }
}
