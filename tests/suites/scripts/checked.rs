//! Checks of answers before they are given: right answers of many programs pass them, and the
//! fronts tell of those that do not.

use arbitrary::Unstructured;
use dicec_compiler::answer::Exactness;
use dicec_compiler::unstable::{Check, CheckLimits, Sampling};
use dicec_compiler::{Bound, Control, Dialect, Failure, Keep, Simulation};
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::Stream;
use dicec_tests::generate;
use dicec_tests::generate::script::script_case;
use dicec_tests::programs::{bare, rule, script};
use dicec_tests::script::{bind, compile};

/// Bytes for the generator of programs.
fn bytes(stream: &mut Stream) -> Vec<u8> {
    (0..256).flat_map(|_| stream.word().to_le_bytes()).collect()
}

/// The answers of a roll, each checked with this many trials: whether there were exact odds.
///
/// # Panics
/// If one of them is refuted.
fn pass(bound: &Bound, seed: u64, trials: u32) -> bool {
    let check = CheckLimits {
        trials,
        ..CheckLimits::default()
    };
    let bound = &bound.clone().checked_by(check);
    let refuted = |failure: &Failure| matches!(failure, Failure::WrongAnswer(_));
    let text = bound.program().text();
    let limits = Limits {
        work: 5_000_000,
        ..Limits::default()
    };
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    assert!(!answer.as_ref().is_err_and(refuted), "{answer:?}\n{text}");
    let sampling = match seed % 3 {
        0 => Sampling::Faithful,
        _ => Sampling::Fused,
    };
    for keep in [Keep::Outcomes, Keep::Moments] {
        let simulation = Simulation::trials(1_000).seed(seed).keep(keep);
        let report = bound.simulate(&simulation.sampling(sampling));
        assert!(!report.as_ref().is_err_and(refuted), "{report:?}\n{text}");
    }
    answer.is_ok()
}

/// Nothing that is right is refuted, whatever the program, the seed and the number of trials.
#[test]
fn right_answers_of_generated_programs_pass() {
    let mut stream = Stream::from_seed(49);
    let mut exact = [0, 0];
    for number in 0..100 {
        let trials = 1 << (number % 9);
        let [first, second] = [bytes(&mut stream), bytes(&mut stream)];
        let case = script_case(&mut Unstructured::new(&first)).expect("bytes are never missing");
        if let Some(script) = compile(&case) {
            exact[0] += usize::from(pass(&bind(&script, &case), number, trials));
        }
        let ast = generate::rule(&mut Unstructured::new(&second), Dialect::Rulebook);
        let ast = ast.expect("bytes are never missing");
        let text = dicec_lang::front::notation::print(&ast, Dialect::Rulebook);
        if let Ok(rule) = dicec_compiler::Compiler::new().rule(&text) {
            exact[1] += usize::from(pass(&bare(&rule), number, trials));
        }
    }
    assert!(exact.into_iter().all(|count| count >= 30), "{exact:?}");
}

/// What a check says of itself: how many trials, and whether there was one.
#[test]
fn answers_say_how_they_were_checked() {
    let bound = bare(&rule("3d6"));
    let ask = |bound: &Bound| {
        let limits = Limits::default();
        let answer = bound.answer(&limits, Exactness::default(), &Control::default());
        answer.expect("exact odds").checked
    };
    assert_eq!(ask(&bound).map(|checked| checked.trials), Some(256));
    let off = bound.clone().checked_by(Check::Off.limits());
    assert_eq!(ask(&off), None);
    let thorough = bound.clone().checked_by(Check::Thorough.limits());
    assert_eq!(ask(&thorough).map(|checked| checked.trials), Some(1 << 17));
    let report = bound
        .simulate(&Simulation::trials(100_000))
        .expect("a report");
    let checked = report.checked.expect("a check");
    assert!(checked.trials == 256 && checked.replayed > 0, "{checked:?}");
    let report = off
        .simulate(&Simulation::trials(100_000))
        .expect("a report");
    assert_eq!(report.checked, None);
}

/// A trial that is more work than a check may be.
#[test]
fn long_trials_are_checked_by_fewer() {
    let long = |steps: u32| {
        let text = format!(
            "defroll \"L\" l() {{ n = 0; repeat ({steps}) {{ n += roll(d2); }} return n; }}"
        );
        let bound = script(&text).bind_values(&[]).expect("no resources");
        let simulation = Simulation::trials(1_000);
        let report = bound.simulate(&simulation).expect("a report");
        report.checked.expect("a check").trials
    };
    let counts = [10, 1_000, 10_000, 500_000].map(long);
    assert!(
        counts[0] == 256 && counts.is_sorted_by(|one, next| one > next),
        "{counts:?}"
    );
    assert_eq!(counts[3], 0);
}

/// The same question has the same check, on any number of threads.
#[test]
fn checks_are_reproducible() {
    let bound = bare(&rule("8d6"));
    let simulation = Simulation::trials(200_000).seed(5);
    let checked = [1, 3].map(|threads| {
        let report = bound.simulate(&simulation.clone().threads(threads));
        report.expect("a report").checked
    });
    assert_eq!(checked[0], checked[1]);
}
