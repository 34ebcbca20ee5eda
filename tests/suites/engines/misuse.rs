//! Calls with unsuitable arguments are refused; none returns a silently wrong answer.

use dicec_compiler::unstable::{Backend, BindError, Misuse, Sampling};
use dicec_compiler::{
    Bound, Compiler, Failure, Keep, Limits, Program, Report, Roll, Sampler, ScriptSession, Session,
    Simulation,
};
use dicec_lang::hir::{Data, Policy};
use dicec_runtime::control::Control;
use dicec_runtime::driver::{CHUNK, Workers};
use dicec_runtime::resource::ResourceTable;
use dicec_tests::programs::{bare, bind, given, rule, script};
use serde_json::json;
use std::sync::Arc;

/// `1d20 + [Attack]` with this attack.
fn attack(value: i64) -> Bound {
    let program = rule("1d20 + [Attack]");
    program.bind_values(&[value]).expect("one resource")
}

const SCRIPT: &str = r#"
    deftype foe { ac: int, name: string = "orc" }
    defroll "Strike" strike(bonus: int, target: foe) {
        if (userOption("Bless?")) { bonus += roll(d4); }
        if (roll(d20) + bonus >= target.ac) { output("hit"); return roll(2d6); }
        return 0;
    }
    defroll "Wait" wait() { output("nothing happens"); }
"#;

fn struck(bonus: i64) -> Bound {
    let args = json!({"bonus": bonus, "target": {"ac": 15}});
    bind(&script(SCRIPT), "strike", &args)
}

fn misused(got: Result<Report, Failure>) -> Misuse {
    match got {
        Err(Failure::Misuse(misuse)) => misuse,
        other => panic!("{other:?}"),
    }
}

/// Once the mean of no resources was 0, or 510.
#[test]
fn values_that_are_too_few_or_too_many_are_refused() {
    let program = rule("1d20 + [Attack]");
    for (values, found) in [(&[][..], 0), (&[5, 6][..], 2)] {
        let error = program.bind_values(values).expect_err("one resource");
        assert_eq!(error, BindError::Values { expected: 1, found });
    }
    assert!(matches!(
        program.bind(&ResourceTable::new()),
        Err(BindError::Resources(_))
    ));
}

/// Once a sampler for an attack of 5 gave 15.5 for one of 1000.
#[test]
fn a_sampler_runs_only_what_it_was_made_for() {
    let program = rule("1d20 + [Attack]");
    let [five, thousand] = [5, 1000].map(|value| program.bind_values(&[value]).expect("one"));
    let control = Control::default();
    for backend in [Backend::Jit, Backend::Interp] {
        for sampling in [Sampling::Faithful, Sampling::Fused] {
            for keep in [Keep::Outcomes, Keep::Moments] {
                let simulation = Simulation::trials(2_000)
                    .backend(backend)
                    .sampling(sampling)
                    .keep(keep);
                let known = five.sampler(&simulation).expect("a sampler");
                let mean = |report: Report| report.summary().mean().expect("trials");
                assert!((mean(known.run(&five, &control).expect("its own")) - 15.5).abs() < 1.0);
                assert_eq!(
                    misused(known.run(&thousand, &control)),
                    Misuse::OtherArguments
                );
                assert_eq!(misused(known.run(&attack(5), &control)), Misuse::OtherRoll);
                let any = program.only_roll().expect("a rule").sampler(&simulation);
                let any: Sampler = any.expect("a sampler");
                let run = any.run(&thousand, &control).expect("any resources");
                assert!((mean(run) - 1010.5).abs() < 1.0);
            }
        }
    }
}

#[test]
fn samplers_of_scripts_know_their_arguments_and_policies() {
    let control = Control::default();
    let simulation = Simulation::trials(1_000);
    let bound = struck(5);
    let args = json!({"bonus": 6, "target": {"ac": 15}});
    let other = given(bound.definition(), &args, &ResourceTable::new());
    let known = bound.sampler(&simulation).expect("native code");
    assert_eq!(misused(known.run(&other, &control)), Misuse::OtherArguments);
    let any = bound.sampler_for_any(&simulation).expect("native code");
    assert!(any.run(&other, &control).is_ok());
    let blessed = other.with_policy("Bless?", Policy::Always);
    let blessed = blessed.expect("it is an option");
    assert_eq!(misused(any.run(&blessed, &control)), Misuse::OtherPolicies);
}

/// A policy for an unknown option was once ignored.
#[test]
fn an_unknown_option_is_refused() {
    let error = struck(5).with_policy("Blessed?", Policy::Always);
    let Err(BindError::UnknownOption { option, known }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        (option.as_str(), known),
        ("Blessed?", vec!["Bless?".to_owned()])
    );
}

#[test]
fn arguments_of_other_types_are_refused() {
    let target = Data::Record(vec![Data::Int(15), Data::Text("orc".to_owned())]);
    let roll = script(SCRIPT).roll("strike").expect("it is there");
    let bind = |args: Vec<Data>| roll.bind(args, &ResourceTable::new());
    assert!(bind(vec![Data::Int(5), target.clone()]).is_ok());
    for (args, told) in [
        (
            vec![],
            "the arguments: expected 2 values, one for each parameter, found 0 values",
        ),
        (
            vec![Data::Bool(true), target],
            "bonus: expected int, found a value of another type",
        ),
        (
            vec![Data::Int(5), Data::Record(vec![Data::Int(15)])],
            "target: expected foe, found a value of another type",
        ),
    ] {
        let error = bind(args).expect_err("they do not fit");
        assert!(matches!(error, BindError::Arguments(_)));
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn moments_are_no_outcomes_and_outcomes_no_samples() {
    let bound = attack(5);
    let moments = bound.simulate(&Simulation::trials(100).keep(Keep::Moments));
    let moments = moments.expect("no trap");
    assert_eq!(moments.tally().err(), Some(Misuse::NotKept.into()));
    let sampler = bound
        .sampler(&Simulation::trials(100))
        .expect("native code");
    let filled = sampler.fill(&bound, &mut [0; 10], &Control::default());
    assert_eq!(filled.err(), Some(Misuse::NotKept.into()));
}

/// Samples are the trials that a simulation counts, on every engine.
#[test]
fn samples_are_the_trials_of_the_simulation() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = Arc::new(pool.expect("threads"));
    let trials = 9 * CHUNK + 77;
    let bound = attack(5);
    let simulation = Simulation::trials(trials).seed(3).keep(Keep::Samples);
    let mut known: Option<Vec<i64>> = None;
    for workers in [Workers::CURRENT, Workers::Threads(2), Workers::Pool(pool)] {
        let sampler = bound.sampler(&simulation.clone().workers(workers));
        let sampler = sampler.expect("native code");
        let control = Control::default();
        let mut samples = vec![0; trials as usize];
        let filled = sampler.fill(&bound, &mut samples, &control);
        assert!(filled.is_ok());
        let report = sampler.run(&bound, &control).expect("no trap");
        for (value, count) in report.tally().expect("outcomes").outcomes() {
            let found = samples.iter().filter(|sample| **sample == value).count();
            assert_eq!(found as u64, count);
        }
        assert_eq!(*known.get_or_insert_with(|| samples.clone()), samples);
    }
}

/// Arrays of other elements have the same samples, or say which result they do not have.
#[test]
fn samples_are_the_same_in_narrow_arrays() {
    let control = Control::default();
    let trials = CHUNK as usize + 77;
    let totals = bare(&rule("100d6 - 145"));
    let simulation = Simulation::trials(1).seed(3).keep(Keep::Samples);
    let sampler = totals.sampler(&simulation).expect("native code");
    let mut known = vec![0_i64; trials];
    assert!(sampler.fill(&totals, &mut known, &control).is_ok());
    let mut narrow = vec![0_u16; trials];
    assert!(sampler.fill(&totals, &mut narrow, &control).is_ok());
    let wide = narrow.into_iter().map(i64::from);
    assert!(wide.eq(known.iter().copied()));
    let mut floats = vec![0.0_f64; trials];
    assert!(sampler.fill(&totals, &mut floats, &control).is_ok());
    assert!(
        known
            .iter()
            .zip(&floats)
            .all(|(&whole, &float)| whole as f64 == float)
    );

    let trial = known.iter().position(|&result| result > 255);
    let trial = trial.expect("one in six hundred is");
    let missed = sampler.fill(&totals, &mut vec![0_u8; trials], &control);
    let found = missed.expect_err("u8 does not have it").to_string();
    let told = format!(
        "the result {} does not fit in the array (trial {trial} of seed 3)",
        known[trial]
    );
    assert_eq!(found, told);

    let check = bare(&rule("1d20 >= 11"));
    let sampler = check.sampler(&simulation).expect("native code");
    let (mut numbers, mut truths) = (vec![0_i64; trials], vec![false; trials]);
    assert!(sampler.fill(&check, &mut numbers, &control).is_ok());
    assert!(sampler.fill(&check, &mut truths, &control).is_ok());
    let both = || numbers.iter().zip(&truths);
    assert!(both().all(|(&number, &truth)| number == i64::from(truth)));
}

#[test]
fn rules_are_rolled_and_scripts_are_played() {
    let rolled = struck(5).roll(&mut Session::seeded(1));
    assert_eq!(rolled.err(), Some(Misuse::NotARule.into()));
    let played = attack(5).play(&mut ScriptSession::new(1));
    assert_eq!(played.err(), Some(Misuse::NotAScript.into()));
    let nothing = bind(&script(SCRIPT), "wait", &json!({}));
    let odds = nothing.distribution(&Default::default());
    assert_eq!(odds.err(), Some(Misuse::NoResult.into()));
    assert_eq!(
        script(SCRIPT).bind(&ResourceTable::new()).err(),
        Some(BindError::NoOnlyRoll(2))
    );
}

/// A total without a trace equals that of the shown roll; the total of a script follows its
/// policies.
#[test]
fn totals_are_those_of_rolls() {
    let bound = attack(5);
    let (mut shown, mut bare) = (Session::seeded(4), Session::seeded(4));
    for _ in 0..100 {
        let roll = bound.roll(&mut shown).expect("no trap");
        let total = bound.total(&mut bare).expect("no trap").expect("a number");
        assert_eq!(roll.total, total.whole());
    }
    let faces = struck(5).total(&mut Session::scripted(vec![12, 3, 4]));
    assert_eq!(
        faces.expect("no trap").and_then(|value| value.whole()),
        Some(7)
    );
}

/// A caller may supply its own dice, and save a session.
#[test]
fn sessions_are_custom_and_saved() {
    let bound = bare(&rule("3d6"));
    let mut next = 0;
    let mut dice = Session::custom(move |sides| {
        next = next % sides + 1;
        next
    });
    let roll = bound.roll(&mut dice).expect("possible faces");
    assert_eq!(roll.total, Some(1 + 2 + 3));
    assert!(dice.saved().is_none());
    assert!(bound.roll(&mut Session::custom(|sides| sides + 1)).is_err());
    for mut session in [
        Session::seeded(9),
        Session::scripted(vec![1, 2, 3, 4, 5, 6]),
    ] {
        bound.roll(&mut session).expect("faces");
        let saved = serde_json::to_string(&session.saved()).expect("JSON");
        let saved = serde_json::from_str(&saved).expect("the same");
        let again = bound.roll(&mut Session::restored(saved)).expect("faces");
        assert_eq!(again, bound.roll(&mut session).expect("faces"));
    }
}

/// Exact odds can be cancelled.
#[test]
fn exact_odds_are_cancelled() {
    for bound in [bare(&rule("100d6 * 1d4")), struck(5)] {
        let control = Control::default();
        control.cancel();
        let solved = bound.solve_with::<f64>(&Default::default(), &control);
        assert!(
            matches!(solved, Err(Failure::Cancelled { .. })),
            "{solved:?}"
        );
    }
}

/// So do rolls of scripts.
#[test]
fn played_scripts_are_cancelled() {
    let endless = "defroll \"R\" r(n: int) { while (n > 0) { n += roll(d6); } return n; }";
    let bound = bind(&script(endless), "r", &json!({"n": 1}));
    let control = Control::default();
    control.cancel();
    let played = bound.play_with(&mut ScriptSession::new(1), &control);
    assert!(
        matches!(played, Err(Failure::Cancelled { .. })),
        "{played:?}"
    );
}

/// Everything that a server or a class keeps has no lifetime and can be sent to any thread.
#[test]
fn everything_can_be_kept_and_sent() {
    fn kept<T: Send + Sync + 'static>() {}
    kept::<Compiler>();
    kept::<Program>();
    kept::<Roll>();
    kept::<Bound>();
    kept::<Sampler>();
    kept::<Simulation>();
    kept::<Report>();
    kept::<Failure>();
    kept::<Control>();
    kept::<Limits>();
    let sampler = attack(5);
    let sampled = std::thread::spawn(move || sampler.simulate(&Simulation::trials(10)));
    assert!(sampled.join().expect("no panic").is_ok());
}

/// Limits for servers hold.
#[test]
fn untrusted_limits_refuse_what_is_large() {
    let compiler = Compiler::new().limits(Limits::untrusted());
    assert!(compiler.rule("2000d6").is_err());
    assert!(compiler.rule(&"1+".repeat(20_000)).is_err());
    let endless = "defroll \"R\" r() { n = 0; while (true) { n += 1; } return n; }";
    let endless = compiler.script(endless);
    if let Ok(program) = endless {
        let bound = program.bind(&ResourceTable::new()).expect("no arguments");
        assert!(bound.total(&mut Session::seeded(1)).is_err());
    }
}
