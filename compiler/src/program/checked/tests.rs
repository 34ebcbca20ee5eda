//! Planted faults: right answers that are altered in one way each, and how large the fault has to
//! be for its check to find it.

use super::*;
use crate::Compiler;
use crate::answer::Exactness;
use compare::FALSE_ALARM;
use expected::Chances;
use std::sync::Arc;

fn rule(text: &str) -> Bound {
    let program = Compiler::new().rule(text).expect("a rule");
    program.bind_values(&[]).expect("no resources")
}

fn script(text: &str) -> Bound {
    let program = Compiler::new().script(text).expect("a script");
    program.bind_values(&[]).expect("no resources")
}

/// What the exact engine says, unchecked.
fn exact(bound: &Bound) -> Expected {
    let bound = bound.clone().checked_by(Check::Off.limits());
    let limits = bound.program().limits().exact;
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    Expected {
        most: bound.most(),
        ..Expected::answer(&answer.expect("exact odds"), bound.program().hir())
    }
}

/// This many trials of the interpreter.
fn trials(bound: &Bound, seed: u64, trials: u32) -> Sample {
    let check = CheckLimits {
        trials,
        steps: u64::MAX,
        ..CheckLimits::default()
    };
    let bound = bound.clone().checked_by(check);
    bound.check_sample(seed, |_| 0)
}

/// The part of an answer that trials refute.
fn refuted(expected: &Expected, sample: &Sample) -> Option<String> {
    compare(expected, sample, &|value| value.to_string()).map(|found| found.part)
}

/// The numbers of trials, from 8 up, at which an altered answer is refuted.
fn found_at(bound: &Bound, alter: impl Fn(&mut Expected)) -> Option<u32> {
    let mut expected = exact(bound);
    alter(&mut expected);
    (3..=17)
        .map(|log| 1 << log)
        .find(|&number| refuted(&expected, &trials(bound, SEED, number)).is_some())
}

fn results(expected: &mut Expected) -> &mut Chances {
    expected.results.as_mut().expect("results")
}

/// The same odds with other chances.
fn with_results(expected: &mut Expected, chances: Vec<(i64, f64)>) {
    let (values, chances) = chances.into_iter().unzip();
    let results = results(expected);
    (results.values, results.chances) = (values, chances);
    let numbers = results.values.iter().map(|value| *value as f64);
    expected.numbers = Some(tail::Numbers::of(
        numbers.zip(results.chances.iter().copied()),
    ));
}

/// The first fault of the kind that this check is for: keep lowest in place of keep highest.
#[test]
fn keep_lowest_for_keep_highest_is_found_in_64_trials() {
    let (highest, lowest) = (rule("4d6kh3"), rule("4d6kl3"));
    let wrong = exact(&lowest);
    let mean = wrong.numbers.as_ref().map(|numbers| numbers.mean);
    assert!((mean.expect("a mean") - 8.7554).abs() < 1e-4);
    for seed in 0..100 {
        assert!(
            refuted(&wrong, &trials(&highest, seed, 64)).is_some(),
            "{seed}"
        );
        assert_eq!(refuted(&exact(&highest), &trials(&highest, seed, 64)), None);
    }
}

/// A mean that is wrong by a multiple of the standard deviation.
#[test]
fn shifted_means_are_found() {
    let bound = rule("20d100");
    let sd = exact(&bound).numbers.expect("numbers").variance.sqrt();
    let shift = |share: f64| {
        let seeds = 0..200;
        let found = seeds.filter(|&seed| {
            let mut expected = exact(&bound);
            let numbers = expected.numbers.as_mut().expect("numbers");
            numbers.mean += share * sd;
            for (x, _) in &mut numbers.points {
                *x += share * sd;
            }
            numbers.min += share * sd;
            numbers.max += share * sd;
            refuted(&expected, &trials(&bound, seed, 256)).is_some()
        });
        found.count()
    };
    assert_eq!(shift(0.0), 0);
    assert!((140..=195).contains(&shift(0.5)), "{}", shift(0.5));
    assert_eq!(shift(0.75), 200);
}

#[test]
fn results_that_the_answer_lacks_are_found() {
    let bound = rule("2d6");
    let lacking = |missing: i64| {
        found_at(&bound, |expected| {
            let results = results(expected);
            let kept = results.values.iter().zip(&results.chances);
            let kept: Vec<(i64, f64)> = kept
                .map(|(value, p)| (*value, *p))
                .filter(|(value, _)| *value != missing)
                .collect();
            with_results(expected, kept);
        })
    };
    // As soon as one comes up: the chance of 7 is 1/6, that of 12 is 1/36.
    assert!(lacking(7).is_some_and(|at| at <= 32), "{:?}", lacking(7));
    assert!(lacking(12).is_some_and(|at| at <= 256), "{:?}", lacking(12));
}

#[test]
fn a_maximum_that_is_too_low_is_found() {
    let bound = script(GROWING);
    let at = found_at(&bound, |expected| {
        let results = results(expected);
        let kept = results.values.iter().zip(&results.chances);
        let kept = kept
            .map(|(value, p)| (*value, *p))
            .filter(|(value, _)| *value <= 6);
        let kept = kept.collect();
        with_results(expected, kept);
    });
    assert!(at.is_some_and(|at| at <= 64), "{at:?}");
}

/// A list that grows under a condition: the second fault of the kind that this check is for.
const GROWING: &str = "defroll \"M\" m() { xs = []; t = 0; repeat (2) { x = roll(d3);
    for (k : [1, 2]) { if (x > k) { append(xs, x); } } } for (v : xs) { t += v; } return t; }";

/// One chance grows at the cost of another.
#[test]
fn a_moved_chance_is_found() {
    let bound = rule("1d4");
    let moved = |by: f64| {
        found_at(&bound, |expected| {
            let results = results(expected);
            results.chances[1] -= by;
            results.chances[2] += by;
        })
    };
    assert_eq!(moved(0.0), None);
    assert!(moved(0.2).is_some_and(|at| at <= 256), "{:?}", moved(0.2));
    assert!(
        moved(0.05).is_some_and(|at| at <= 8192),
        "{:?}",
        moved(0.05)
    );
    assert!(
        moved(0.01).is_some_and(|at| at <= 1 << 17),
        "{:?}",
        moved(0.01)
    );
}

const EVENTS: &str = "defroll \"E\" e() { n = roll(d6); output(\"rolled\");
    if (n > 4) { output(\"high \" + n); } stat(\"n\", n); repeat (2) { stat(\"m\", roll(d4)); }
    return n; }";

#[test]
fn lines_that_the_answer_lacks_are_found() {
    let bound = script(EVENTS);
    for (line, most) in [("rolled", 8), ("high {}", 16)] {
        let at = found_at(&bound, |expected| {
            expected.lines.remove(line);
        });
        assert!(at.is_some_and(|at| at <= most), "{line}: {at:?}");
    }
    let rarer = found_at(&bound, |expected| {
        *expected.lines.get_mut("high {}").expect("a line") /= 4.0;
    });
    assert!(rarer.is_some_and(|at| at <= 256), "{rarer:?}");
    assert_eq!(found_at(&bound, |_| {}), None);
    // One that it invents, because a trial has two lines at most.
    let invented = found_at(&bound, |expected| {
        expected.lines.insert("ghost".to_owned(), 1.0);
    });
    assert!(invented.is_some_and(|at| at <= 64), "{invented:?}");
}

#[test]
fn shifted_statistics_are_found() {
    let bound = script(EVENTS);
    for shift in [-1, 1] {
        for stat in [0, 1] {
            let at = found_at(&bound, |expected| {
                for value in &mut expected.stats[stat].values {
                    *value += shift;
                }
            });
            assert!(at.is_some_and(|at| at <= 64), "{stat}, {shift}: {at:?}");
        }
    }
    let rarer = found_at(&bound, |expected| {
        for times in &mut expected.stats[0].chances {
            *times /= 2.0;
        }
    });
    assert!(rarer.is_some_and(|at| at <= 256), "{rarer:?}");
    let twice = found_at(&bound, |expected| {
        for times in &mut expected.stats[0].chances {
            *times *= 2.0;
        }
    });
    assert_eq!(twice, Some(8));
    let missing = found_at(&bound, |expected| expected.stats[1] = Chances::default());
    assert_eq!(missing, Some(8));
}

/// Loops and recursion have no bound, other paths do.
#[test]
fn bounds_on_lines_and_notes() {
    let most = |body: &str| {
        let functions = "deffun f() { stat(\"s\", 1); } deffun g(n: int) { output(\"g\");
            if (n > 0) { g(n - 1); } }";
        let bound = script(&format!(
            "{functions} defroll \"B\" b() {{ {body} return 1; }}"
        ));
        let most = bound.most();
        (
            most.lines,
            most.stats.first().copied().flatten(),
            most.named,
        )
    };
    let none = Some(0);
    assert_eq!(most("f(); f();"), (none, Some(2), none));
    let either = "if (roll(d2) > 1) { f(); output(\"x\"); } else { f(); f(); f(); }";
    assert_eq!(most(either), (Some(1), Some(3), none));
    assert_eq!(most("repeat (3) { f(); }"), (none, None, none));
    assert_eq!(most("while (roll(d6) < 3) { output(\"x\"); }").0, None);
    assert_eq!(most("g(roll(d6));").0, None);
    let named = "stat(\"s\" + roll(d2), 1); f();";
    assert_eq!(most(named), (none, Some(2), Some(1)));
}

/// An error that the answer says cannot happen.
#[test]
fn a_trap_is_found() {
    let bound = script("defroll \"T\" t() { xs = [1, 2]; return xs[roll(d8) - 1]; }");
    let sample = trials(&bound, SEED, 8);
    assert!(sample.traps > 0);
    let one = rule("1");
    let found = refuted(&exact(&one), &sample);
    assert!(found.is_some_and(|part| part.contains("error")));
}

/// A simulation of one game and the trials of another.
fn sampled(simulated: &Bound, played: &Bound, keep: crate::Keep, number: u32) -> Option<String> {
    let simulated = simulated.clone().checked_by(Check::Off.limits());
    let simulation = Simulation::trials(10_000).seed(3).keep(keep);
    let report = simulated.simulate(&simulation).expect("a report");
    let sample = trials(played, SEED, number);
    let of = (simulated.kind(), &**simulated.program().hir());
    let expected = Expected::sampled((&report.results, &report.events), of, &sample);
    refuted(&expected, &sample)
}

#[test]
fn simulations_are_refuted_like_odds() {
    use crate::Keep::{Moments, Outcomes};
    let [highest, lowest] = ["4d6kh3", "4d6kl3"].map(rule);
    // Without outcomes less is known of how trials spread.
    for (keep, number) in [(Outcomes, 64), (Moments, 128)] {
        assert_eq!(sampled(&highest, &highest, keep, 256), None);
        let found = sampled(&lowest, &highest, keep, number);
        assert!(found.is_some(), "{keep:?}");
    }
    // Rare results are not held against a simulation that has not met them.
    let [rare, never] = ["1d100000", "1d99999"].map(rule);
    assert_eq!(sampled(&never, &rare, Outcomes, 256), None);
    let [d6, d8] = ["1d6", "1d8"].map(rule);
    let found = sampled(&d6, &d8, Outcomes, 256);
    assert!(found.is_some_and(|part| part.contains('7') || part.contains('6')));
    let found = sampled(&rule("1d6+1"), &script(EVENTS), Outcomes, 256);
    assert!(
        found.is_some(),
        "lines and statistics that a simulation lacks"
    );
    let [all, few] = ["n > 3", "n > 5"].map(|part| script(&EVENTS.replace("n > 4", part)));
    assert_eq!(sampled(&all, &all, Outcomes, 256), None);
    assert!(sampled(&few, &all, Outcomes, 256).is_some());
}

/// A kernel whose cells are wrong in one place.
#[derive(Debug)]
struct Broken(Arc<dyn dicec_runtime::kernel::Kernel>);

impl dicec_runtime::kernel::Kernel for Broken {
    fn sink(&self) -> Sink {
        self.0.sink()
    }

    fn events(&self) -> Events {
        self.0.events()
    }

    fn run(
        &self,
        stream: &mut dicec_runtime::rng::Stream,
        inputs: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), dicec_runtime::kernel::Stopped> {
        self.0.run(stream, inputs, trials, cells, events)?;
        cells[0] += 1;
        Ok(())
    }
}

#[cfg(feature = "jit")]
#[test]
fn a_replay_finds_one_wrong_cell() {
    let bound = rule("3d6");
    let (form, inputs) = bound
        .specialised_vector_form()
        .expect("a form")
        .expect("lanes");
    let form = Arc::new(form);
    let wanted = super::super::simulation::Wanted::Outcomes;
    let compiled = super::super::kernels::in_lanes(&form, Backend::Jit, wanted).expect("code");
    let most = 4 * compiled.group() as u64;
    let play = |compiled, most| replay::replay(compiled, &inputs, 1, (most, 100_000));
    assert_eq!(play(&compiled, most), Ok(most));
    assert_eq!(play(&compiled, 1), Ok(0));
    let broken = compiled.with_kernel(|kernel| Arc::new(Broken(kernel)));
    let found = play(&broken, most).expect_err("it is wrong");
    assert!(found.part.starts_with("the number of 3"), "{found:?}");
}

#[test]
fn a_lost_weight_is_found_without_trials() {
    let bound = rule("3d6");
    let mut expected = exact(&bound);
    let none = trials(&bound, SEED, 0);
    assert_eq!(refuted(&expected, &none), None);
    results(&mut expected).chances[4] *= 0.9999;
    let found = refuted(&expected, &none).expect("it is wrong");
    assert_eq!(found, "the chances of all results together");
}

/// Right answers are never refuted, of any kind of result, whatever the seed.
#[test]
fn right_answers_pass() {
    let rules = [
        "1",
        "1d6",
        "2d6+3",
        "4d6kh3",
        "1d20+5 >= 15",
        "10d10!",
        "1d100!>=50",
        "3d6r=1",
        "2d6*1d8",
        "1d20 vs 15",
        "8d6",
        "1d1000000",
        "1d20*1d20*1d20",
        "(1d6+1d8)/2",
        "100d6",
        "1d4-3",
    ];
    let scripts = [
        EVENTS,
        GROWING,
        "defroll \"W\" w() { n = 0; while (roll(d6) < 6) { n += 1;
        output(\"again\"); stat(\"n\", n); } return n; }",
    ];
    let bounds = rules.map(rule).into_iter().chain(scripts.map(script));
    for bound in bounds {
        let expected = exact(&bound);
        for seed in 0..60 {
            for number in [1, 8, 64, 256] {
                let found = compare(&expected, &trials(&bound, seed, number), &|v| v.to_string());
                assert_eq!(found, None, "{bound:?}, seed {seed}, {number} trials");
            }
        }
    }
}

/// The levels of all comparisons add up to the probability of a false alarm.
#[test]
fn fewer_trials_than_usual_share_half_of_the_false_alarms() {
    let bound = rule("1d6");
    let sizes = (0..=8).map(|log| 1_u32 << log);
    let shares = sizes.map(|number| {
        let check = CheckLimits {
            steps: u64::from(number) * 3 / 2,
            ..CheckLimits::default()
        };
        let sample = bound.clone().checked_by(check).check_sample(SEED, |_| 0);
        (sample.trials, sample.share)
    });
    let shares: Vec<(u64, f64)> = shares.collect();
    let mut distinct = shares.clone();
    distinct.dedup_by_key(|(trials, _)| *trials);
    assert!(distinct.len() > 4, "{shares:?}");
    let total: f64 = distinct.iter().map(|(_, share)| share).sum();
    assert!(total <= 1.0 + 1e-9 && FALSE_ALARM < 1e-9, "{shares:?}");
}

/// A check may be off, and a trial that is too much work is none.
#[test]
fn bounds_on_checks() {
    let endless =
        script("defroll \"L\" l() { n = 0; repeat (300000) { n += roll(d2); } return n; }");
    let sample = endless.check_sample(SEED, |_| 0);
    assert_eq!(sample.trials, 0);
    let bound = rule("1d6").checked_by(Check::Off.limits());
    assert!(bound.check().is_off());
    let limits = bound.program().limits().exact;
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    assert_eq!(answer.expect("odds").checked, None);
}

/// The fronts call these with the answer that they are about to give.
#[test]
fn a_planted_wrong_answer_is_a_failure() {
    let [highest, lowest] = ["4d6kh3", "4d6kl3"].map(rule);
    let limits = highest.program().limits().exact;
    let control = Control::default();
    let exactness = Exactness::default();
    let mut answer = lowest.answer(&limits, exactness, &control).expect("odds");
    assert_eq!(answer.checked.map(|checked| checked.trials), Some(256));
    let Err(Failure::WrongAnswer(wrong)) =
        highest.check_answer(&mut answer, exactness, &limits, &control)
    else {
        panic!("a wrong answer passes");
    };
    assert_eq!((wrong.program.as_str(), wrong.seed), ("4d6kh3", None));
    assert_eq!(wrong.command, "dicec emit --verify '4d6kh3'");
    let told = wrong.to_string();
    assert!(
        told.contains("by exact odds") && told.contains("reference interpreter"),
        "{told}"
    );
    let odds: Odds = lowest.solve(&limits).expect("odds");
    assert!(lowest.check_odds(&odds, &limits, &control).is_ok());
    let checked = highest.check_odds(&odds, &limits, &control);
    assert!(matches!(checked, Err(Failure::WrongAnswer(_))));

    let simulation = Simulation::trials(10_000).seed(9);
    let report = lowest.simulate(&simulation).expect("a report");
    assert_eq!(report.checked.map(|checked| checked.trials), Some(256));
    let walked =
        super::super::kernels::Compiled::interpreter(highest.interpreter_kernel(Sink::Values));
    let check = SimulationCheck::new(&highest, &simulation, (&walked, &[]), false);
    let Err(Failure::WrongAnswer(wrong)) = check.expect("a check").report(&report) else {
        panic!("a wrong simulation passes");
    };
    assert_eq!(wrong.seed, Some(9));
}

/// An interpreter that simulates is what everything is compared with.
#[test]
fn the_interpreter_is_not_checked() {
    let simulation = Simulation::trials(100).backend(Backend::Interp);
    let simulation = simulation.sampling(crate::unstable::Sampling::Faithful);
    let report = rule("2d6").simulate(&simulation).expect("a report");
    assert_eq!(report.checked, None);
}
