//! Simulations: results are the same for any number of threads; cancellation and progress work as
//! documented.

use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Failure, Report, Session, Simulation};
use dicec_runtime::driver::{CHUNK, Control, Ended, Extent, RunError};
use dicec_runtime::kernel::{Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::stats::{Tally, Z95};
use dicec_tests::engines::{self, after_passes, run};
use dicec_tests::programs::{self, bare, first, rule};
use dicec_tests::stages;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

fn sampled(text: &str, simulation: Simulation) -> Tally {
    let report = bare(&rule(text)).simulate(&simulation).expect("no trap");
    report.into_tally().expect("kept")
}

/// More than the driver keeps on one thread, and not a whole number of chunks.
const TRIALS: u64 = 10 * CHUNK + 1234;

#[test]
fn threads_do_not_change_the_result() {
    for text in [
        "3d6",
        "1d20 >= 11",
        "1d1000000 * 1d1000",
        "(1d4)d6",
        "100d6",
    ] {
        let run = |threads| sampled(text, Simulation::trials(TRIALS).seed(77).threads(threads));
        let one: Vec<_> = run(1).outcomes().collect();
        assert_eq!(one.iter().map(|(_, count)| count).sum::<u64>(), TRIALS);
        for threads in [2, 3] {
            assert_eq!(run(threads).outcomes().collect::<Vec<_>>(), one, "{text}");
        }
    }
}

#[test]
fn back_ends_give_the_same_tally() {
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let run = |backend| {
            let simulation = Simulation::trials(CHUNK + 99)
                .seed(5)
                .backend(backend)
                .sampling(sampling);
            sampled("4d6 + 2d10 - 20d8", simulation)
                .outcomes()
                .collect::<Vec<_>>()
        };
        assert_eq!(run(Backend::Jit), run(Backend::Interp));
    }
}

#[test]
fn the_choice_of_a_back_end_does_not_show_in_the_tally() {
    let bound = bare(&rule("4d6kh3 + 2d10 - 3"));
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let even = bound.native_from(sampling);
        for (trials, choice) in [(even - 1, Backend::Interp), (even, Backend::Jit)] {
            let simulation = Simulation::trials(trials).sampling(sampling);
            assert_eq!(bound.resolved(&simulation).backend, choice);
            let run = |backend| {
                let simulation = simulation.clone().backend(backend);
                let got = bound.simulate(&simulation).expect("no traps");
                got.tally().expect("kept").outcomes().collect::<Vec<_>>()
            };
            let auto = run(Backend::Auto);
            assert_eq!(run(Backend::Jit), auto);
            assert_eq!(run(Backend::Interp), auto);
        }
    }
}

#[test]
fn a_longer_rule_is_compiled_for_fewer_trials() {
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let even = |text| bare(&rule(text)).native_from(sampling);
        assert!(even("3d6") > even("4d6kh3"));
        assert!(even("4d6kh3") > even("10d10kh5"));
    }
}

/// A short run is the beginning of a longer one.
#[test]
fn trials_are_counted_from_the_seed() {
    let bound = bare(&rule("1d1000000"));
    let mut session = Session::of_trial(3, CHUNK + 2);
    let rolls: Vec<_> = (0..3)
        .map(|_| {
            bound
                .roll(&mut session)
                .expect("no trap")
                .total
                .expect("a number")
        })
        .collect();
    let tally = |trials| {
        let simulation = Simulation::trials(trials)
            .seed(3)
            .sampling(Sampling::Faithful);
        sampled("1d1000000", simulation)
    };
    let (before, after) = (tally(CHUNK), tally(CHUNK + 3));
    for roll in rolls {
        let count = |tally: &Tally| {
            tally
                .outcomes()
                .find(|(v, _)| *v == roll)
                .map_or(0, |(_, n)| n)
        };
        assert!(count(&after) > count(&before), "{roll}");
    }
}

#[test]
fn precision_is_reached_and_no_more() {
    let run = |half_width, text| {
        sampled(
            text,
            Simulation::of(Extent::Precision {
                half_width,
                most: 1 << 30,
            }),
        )
    };
    let check = run(0.001, "1d20 >= 11");
    let n = check.count() as f64;
    assert!(Z95 * 0.5 / n.sqrt() <= 0.001, "{n}");
    // Trials double, so at most twice what is needed.
    assert!(Z95 * 0.5 / (n / 2.0).sqrt() > 0.001, "{n}");
    let number = run(0.01, "100d6");
    let reached = Z95 * number.sd().expect("spread") / (number.count() as f64).sqrt();
    assert!(reached <= 0.01);
    assert_eq!(run(0.5, "7").count(), CHUNK);
}

#[test]
fn the_first_trap_is_reported_for_any_number_of_threads() {
    // One trial in 2^20 traps, so the trap lies in a late chunk.
    let bound = bare(&rule("1d(1d1048576 - 1)"));
    let run = |threads, backend| {
        let simulation = Simulation::trials(100 * CHUNK)
            .threads(threads)
            .backend(backend)
            .sampling(Sampling::Faithful)
            .seed(4);
        bound
            .simulate(&simulation)
            .expect_err("a die without sides comes up")
    };
    let one = run(1, Backend::Jit);
    let Failure::Run(RunError::Trapped { trial, seed: 4, .. }) = one else {
        panic!("{one:?}");
    };
    for threads in [2, 3] {
        assert_eq!(run(threads, Backend::Jit), one);
    }
    assert_eq!(run(1, Backend::Interp), one);
    // The trial reproduces the trap at the table.
    let mut session = Session::of_trial(4, trial);
    for _ in 0..trial % CHUNK {
        bound.roll(&mut session).expect("earlier trials end well");
    }
    assert!(matches!(bound.roll(&mut session), Err(Failure::Trap(_))));
}

#[test]
fn a_run_can_be_watched_and_cancelled() {
    let bound = bare(&rule("3d6"));
    let last = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&last);
    let control = Control::with_progress(move |done, most| {
        assert!(done <= most);
        seen.fetch_max(done, Ordering::Relaxed);
    });
    let simulation = Simulation::trials(TRIALS);
    bound.simulate_with(&simulation, &control).expect("no trap");
    assert_eq!(last.load(Ordering::Relaxed), TRIALS);
    control.cancel();
    let cancelled = bound.simulate_with(&simulation, &control);
    assert!(matches!(cancelled, Err(Failure::Cancelled { done: 0, .. })));
}

/// Whatever the threads, a run ends with the chunk after which it is precise.
#[test]
fn a_share_of_the_range_takes_as_many_trials_on_any_threads() {
    let script = |text: &str| first(&programs::script(text), &json!({}));
    let stats = "defroll \"S\" s() { stat(\"n\", roll(1d20)); stat(\"x\", 0.5 * roll(1d20)); stat(\"one\", 1); }";
    let lines = "defroll \"L\" l() { if (roll(1d20) >= 11) { output(\"hit\"); } output(\"end\"); }";
    let silent = "defroll \"S\" s() { x = roll(1d6); }";
    for (bound, least, most) in [
        // The mean of 1d20: 1.96 * 5.77 / sqrt(n) <= 0.019 from n = 354,000.
        (bare(&rule("1d20")), 4, 8),
        (bare(&rule("1d20 >= 11")), 8, 16),
        (bare(&rule("7")), 0, 1),
        (script(stats), 4, 8),
        (script(lines), 8, 16),
        (script(silent), 0, 1),
    ] {
        let run = |threads| {
            let simulation = Simulation::share_of_range(0.001, 1 << 24).threads(threads);
            bound.simulate(&simulation.seed(9)).expect("no trap")
        };
        let one = run(1);
        assert_eq!(one.ended, Ended::Precise);
        let chunks = one.trials() / CHUNK;
        assert!(least < chunks && chunks <= most, "{chunks}");
        for threads in [2, 3] {
            let several = run(threads);
            assert_eq!(several.trials(), one.trials());
            assert_eq!(several.summary(), one.summary());
            let lines = |report: &Report| -> Vec<(String, u64)> {
                let lines = report.events.lines.iter();
                lines
                    .map(|(line, times)| (line.to_owned(), times))
                    .collect()
            };
            assert_eq!(lines(&several), lines(&one));
        }
    }
}

#[test]
fn a_share_out_of_reach_ends_at_the_most_trials() {
    let simulation = Simulation::share_of_range(1e-9, 100_000);
    let report = bare(&rule("1d20")).simulate(&simulation).expect("no trap");
    assert_eq!((report.trials(), report.ended), (100_000, Ended::Most));
}

#[test]
fn a_finished_run_has_the_trials_done_so_far() {
    let bound = bare(&rule("3d6"));
    let simulation = Simulation::trials(1 << 40).threads(2);
    let shared: Arc<OnceLock<Control>> = Arc::default();
    let own = Arc::clone(&shared);
    let control = Control::with_progress(move |done, _| {
        if done > 0
            && let Some(control) = own.get()
        {
            control.finish();
        }
    });
    assert!(shared.set(control.clone()).is_ok());
    let report = bound
        .simulate_with(&simulation, &control)
        .expect("some trials");
    assert_eq!(report.ended, Ended::Finished);
    assert!(0 < report.trials() && report.trials() < 1 << 40);
    // Nothing is done after that.
    let none = bound.simulate_with(&simulation, &control);
    assert!(matches!(none, Err(Failure::Cancelled { done: 0, .. })));
}

#[test]
fn no_trials_are_no_trials() {
    assert_eq!(sampled("3d6", Simulation::trials(0)).count(), 0);
}

/// A kernel that is specialised on resources never runs with others.
#[test]
fn every_kernel_refuses_a_call_without_its_resources() {
    let program = rule("1d20 + [Attack]");
    let bound = program.bind_values(&[5]).expect("its resources");
    let mut kernels = vec![bound.interpreter_kernel(Sink::Values)];
    // A kernel that is specialised on resources reads none.
    let [faithful, fused] = [Sampling::Faithful, Sampling::Fused].map(|sampling| {
        let [any, _] = engines::optimised(&bound, sampling);
        any
    });
    for stage in after_passes(bound.lowered(), &[])
        .iter()
        .chain([&faithful, &fused])
    {
        kernels.extend(stage.kernels(Sink::Values));
    }
    let form = stages::form(&bound, false).expect("a vector form");
    kernels.extend(engines::lane_kernels(&form, Sink::Values));
    for kernel in kernels {
        let outcome = run(&*kernel, &[], 1, 10);
        assert_eq!(outcome.stopped, Some(Stopped::bad_call()), "{kernel:?}");
        assert_eq!(outcome.state, Stream::from_seed(1).state(), "{kernel:?}");
    }
}
