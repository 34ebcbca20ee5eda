//! Checks with known dice: each is a Bernoulli draw with its exact probability, and counting the
//! draws of a word gives the same as drawing one by one. How words become draws is proved in
//! `runtime/src/rng/lanes/coins.rs`.

use dicec_compiler::engine::vector_sink;
use dicec_compiler::pass::VectorForm;
use dicec_compiler::{Backend, Compiler, Program, Simulation};
use dicec_runtime::driver::Control;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::Stream;
use dicec_tests::engines::{vector, vector_jit};
use dicec_tests::stages;

fn compiled(text: &str) -> Program {
    Compiler::new().rule(text).expect("a rule")
}

fn form(text: &str) -> Option<VectorForm> {
    stages::form(&stages::any(&compiled(text)), false)
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
fn coins_have_the_exact_chance() {
    for text in CHECKS {
        let program = compiled(text);
        let odds = program
            .bind_values(&[])
            .expect("its resources")
            .fractions(&Limits::default());
        let odds = odds.expect("a small rule");
        let form = form(text).expect("a vector form");
        let (heads, of) = form.bernoulli().expect("coins").chance();
        let (value, weight) = odds.iter().last().expect("an outcome");
        assert_eq!(value, 1, "{text}");
        assert_eq!(weight * of, heads * odds.total(), "{text}");
    }
}

/// These are not Bernoulli draws: numbers, degrees, certain checks, and checks that read resources
/// or have dice that may never stop.
#[test]
fn other_rules_are_no_coins() {
    for text in [
        "1d20+7",
        "1d20 vs 15",
        "1d20+[S] >= 15",
        "1d20 >= 1",
        "3d6! >= 10",
    ] {
        let coins = form(text).is_some_and(|form| form.bernoulli().is_some());
        assert!(!coins, "{text}");
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
        let program = compiled(text);
        let bound = program.bind_values(&[]).expect("its resources");
        let engines = vector(&bound);
        let form = form(text).expect("a vector form");
        assert_eq!(vector_sink(&form), Sink::Count, "{text}");
        let counting = vector_jit("count", form.clone(), Sink::Count);
        for start in &starts {
            for trials in [0, 1, 31, 32, 33, 95, 4_097] {
                let thrown = engines[0].run_from(&[], start, trials);
                for engine in &engines[1..] {
                    assert!(
                        engine.run_from(&[], start, trials) == thrown,
                        "{text}, {trials}"
                    );
                }
                let counted = counting.run_from(&[], start, trials);
                assert_eq!(
                    counted.results,
                    [thrown.results.iter().sum::<i64>()],
                    "{text}, {trials}"
                );
                assert_eq!(counted.state, thrown.state, "{text}, {trials}");
            }
        }
    }
}

/// More trials than one call of the code runs.
#[test]
fn many_heads_are_counted() {
    let program = compiled("1d20+7>=15");
    let form = form("1d20+7>=15").expect("a vector form");
    let trials = (1 << 16) + 77;
    let thrown = vector(&program.bind_values(&[]).expect("its resources"))[0].run(&[], 5, trials);
    let counted = vector_jit("count", form.clone(), Sink::Count).run(&[], 5, trials);
    assert_eq!(counted.results, [thrown.results.iter().sum::<i64>()]);
    assert_eq!(counted.state, thrown.state);
}

/// An open word needs another word; a draw with probability 1/2 has no open words.
#[test]
fn open_words_take_more_words() {
    for (text, words) in [("1d20 >= 8", 2), ("1d20 >= 11", 1)] {
        let program = compiled(text);
        let bound = program.bind_values(&[]).expect("its resources");
        let thrown = vector(&bound)[0].run_from(&[], &stream_of(1 << 31), 32);
        assert_eq!(thrown.words, words, "{text}");
    }
}

#[test]
fn samplers_agree() {
    for text in CHECKS {
        let program = compiled(text);
        let tallies = [Backend::Jit, Backend::Interp].map(|backend| {
            let bound = stages::any(&program);
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
