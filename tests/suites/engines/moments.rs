//! Moments: native code computes the same moments as the evaluators, also at the limits of its
//! sums; and a summary equals that of the tally of the same trials. The differential suites use the
//! sink with generated rules and scripts.

use dicec_compiler::unstable::{Backend, KNOWN_FROM, Sampling};
use dicec_compiler::{Bound, Keep, Sampler, Simulation};
use dicec_lang::hir::Kind;
use dicec_native::eval::EvalKernel;
use dicec_native::jit::vector_listing;
use dicec_native::{moments_of, summary_sink, vector_moments_of, vector_sink, vector_summary_sink};
use dicec_runtime::driver::{CHUNK, Control, Extent, Judged, Plan, RunError, Workers, simulate};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_runtime::scale::Scale;
use dicec_tests::engines::{Stage, lane_kernels, run};
use dicec_tests::programs::{bare, bind, notation, rule, script};
use dicec_tests::stages;
use serde_json::json;

/// Rules by the distance of their results from the middle: at the limits of sums of 32 bits, of
/// lanes, and of the sink. They have two outcomes, so that every trial is as far away as possible.
const LANES: [(&str, LaneWidth, bool); 12] = [
    ("3d6", LaneWidth::V16, true),
    ("1d1+1d2", LaneWidth::V16, true),
    ("1d2*1022", LaneWidth::V16, true),
    ("1d2*8190", LaneWidth::V16, true),
    ("1d2*8192", LaneWidth::V16, true),
    ("1d181*1d181", LaneWidth::V16, true),
    ("10d10 count>=8", LaneWidth::V16, true),
    ("1d2*131070", LaneWidth::V32, true),
    ("1d2*131072", LaneWidth::V32, true),
    ("1d2*16777216", LaneWidth::V32, true),
    ("1d2*16777218", LaneWidth::V32, false),
    ("12d1000-5000", LaneWidth::V16, true),
];

#[test]
fn lanes_keep_what_the_evaluator_records() {
    for (text, width, fits) in LANES {
        let form = stages::form_of(&rule(text)).expect(text);
        let moments = vector_moments_of(&form);
        assert_eq!((form.width, moments.is_some()), (width, fits), "{text}");
        let Some(moments) = moments else { continue };
        let sink = Sink::Moments(moments);
        let kernels = lane_kernels(&form, sink);
        for trials in [0, 5, form.trials(), 3000, (1 << 16) + 77] {
            let [evaluated, native] = kernels
                .each_ref()
                .map(|kernel| run(&**kernel, &[], 9, trials));
            assert_eq!(native, evaluated, "{text}");
        }
    }
}

/// Squares and sums are of pairs of lanes, one instruction each.
#[cfg(target_arch = "x86_64")]
#[test]
fn lanes_are_added_in_pairs() {
    let form = stages::form_of(&rule("1d20*1d20")).expect("a form");
    let moments = vector_moments_of(&form).expect("few results");
    let listing = vector_listing(&form, Sink::Moments(moments)).expect("native code");
    let code = listing.assembly;
    let pairs = code.matches("pmaddwd").count();
    let highest = code.matches("pmaxsw").count();
    // The slots are added up before.
    assert_eq!(
        (pairs, highest),
        (form.trials_per_lane() + 1, form.trials_per_lane()),
        "{code}"
    );
}

/// The same without lanes: the last but one rule needs all 128 bits, the last one is too wide.
#[test]
fn registers_keep_what_the_evaluator_records() {
    for (text, fits) in [
        ("3d6", true),
        ("100d6", true),
        ("3d6!", true),
        ("(1d4)d6-5", true),
        ("1d2*4294967295", true),
        ("1d2*4294967297", false),
    ] {
        for sampling in [Sampling::Faithful, Sampling::Fused] {
            let function = stages::module_of(&rule(text), sampling);
            let moments = moments_of(&function);
            assert_eq!(moments.is_some(), fits, "{text}");
            let Some(moments) = moments else { continue };
            let stage = Stage::new("moments", function, &[]);
            let [evaluated, native] = stage.both(Sink::Moments(moments), 9, 3001);
            assert_eq!(native, evaluated, "{text}");
        }
    }
}

/// The cheapest sink is chosen: few results, and checks, are counted; many results are summed up;
/// and too wide results go through a buffer.
#[test]
fn a_summary_takes_the_cheaper_sink() {
    let lanes = |text: &str| {
        let form = stages::form_of(&rule(text)).expect(text);
        (vector_summary_sink(&form), vector_sink(&form))
    };
    for text in ["3d6", "1d20+7>=15", "4d6kh3"] {
        let (found, counting) = lanes(text);
        assert_eq!(found, counting, "{text}");
    }
    for text in ["1d20*1d20", "1d1000*1d1000"] {
        assert!(matches!(lanes(text).0, Sink::Moments(_)), "{text}");
    }
    assert_eq!(lanes("1d2*16777218").0, Sink::Values);
    let scalar = |text| summary_sink(&stages::module_of(&rule(text), Sampling::Faithful));
    assert!(matches!(scalar("1d20*1d20"), Sink::Histogram { .. }));
    assert!(matches!(scalar("1d200*1d200"), Sink::Moments(_)));
    assert_eq!(scalar("1d2*4294967297"), Sink::Values);
    assert_eq!(scalar("1d20>=11"), Sink::Count);
}

/// Every way to run a simulation.
fn simulations(trials: u64) -> Vec<Simulation> {
    let mut all = Vec::new();
    for (backend, sampling) in [
        (Backend::Jit, Sampling::Fused),
        (Backend::Jit, Sampling::Faithful),
        (Backend::Interp, Sampling::Fused),
        (Backend::Interp, Sampling::Faithful),
    ] {
        all.push(
            Simulation::trials(trials)
                .backend(backend)
                .sampling(sampling)
                .seed(6),
        );
    }
    all
}

fn expect_summary(bound: &Bound, simulation: &Simulation, told: &str) {
    let tallied = bound.simulate(simulation).expect(told);
    let moments = simulation.clone().keep(Keep::Moments);
    let summary = bound.simulate(&moments).expect(told).summary();
    let tally = tallied.tally().expect("kept");
    assert_eq!(summary, tally.summary(), "{told}, {simulation:?}");
    assert_eq!(
        (summary.count(), summary.min(), summary.max()),
        (tally.count(), tally.min(), tally.max()),
        "{told}"
    );
    let figures =
        |mean: Option<f64>, sd: Option<f64>| (mean.map(f64::to_bits), sd.map(f64::to_bits));
    assert_eq!(
        figures(summary.mean(), summary.sd()),
        figures(tally.mean(), tally.sd()),
        "{told}"
    );
}

#[test]
fn a_summary_is_that_of_the_tally() {
    for text in [
        "3d6",
        "(1d8+4)*2-3",
        "100d6",
        "20d100",
        "1d20*1d20",
        "1d200*1d200",
        "4d6kh3",
        "1d20+7>=15",
        "1d20+7 vs 15",
        "1d1000000*1d1000000",
        "1d1000000*1d1000000*1d1000000",
        "3d6!",
    ] {
        let program = rule(text);
        for simulation in simulations(5_001) {
            expect_summary(
                &program.bind_values(&[]).expect("its resources"),
                &simulation,
                text,
            );
        }
    }
}

/// Floats have their sums by exponent, and whole results of floats are whole numbers.
#[test]
fn floats_are_summarised() {
    for text in ["1d6/4", "sqrt(2d20)*1.5-3", "floor(1d6/2)-7"] {
        let bound = bare(&notation(text));
        for simulation in simulations(2_003) {
            expect_summary(&bound, &simulation, text);
        }
    }
}

#[test]
fn threads_do_not_change_a_summary() {
    for text in ["3d6", "1d20*1d20", "1d4000*1d4000", "1d1000000*1d1000000"] {
        let bound = bare(&rule(text));
        let run = |threads| {
            let simulation = Simulation::trials(9 * CHUNK + 1234).threads(threads);
            let ran = bound.simulate(&simulation.keep(Keep::Moments));
            ran.expect("no trap").summary()
        };
        let one = run(1);
        assert_eq!(one.count(), 9 * CHUNK + 1234);
        assert_eq!([run(2), run(3)], [one.clone(), one], "{text}");
    }
}

#[test]
fn a_precision_takes_as_many_trials() {
    for (text, half_width) in [("3d6", 0.005), ("1d20*1d20", 0.2), ("1d20>=11", 0.003)] {
        let bound = bare(&rule(text));
        let simulation = Simulation::of(Extent::Precision {
            half_width,
            most: 100 * CHUNK,
        });
        expect_summary(&bound, &simulation, text);
        let summary = bound
            .simulate(&simulation.clone().keep(Keep::Moments))
            .expect("no trap")
            .summary();
        assert!(
            summary.count() > CHUNK && summary.count() < 100 * CHUNK,
            "{text}"
        );
        assert!(
            bound.kind().is_some_and(Kind::is_number)
                || summary.half_width() > Some(half_width / 2.0)
        );
    }
}

/// One summariser serves all resources, those that lanes do not take as well.
#[test]
fn a_summariser_for_any_resources() {
    let program = rule("(3d8+[S])*9-[Target D]");
    for simulation in simulations(700) {
        let zeros = bare(&program);
        let sampler = zeros.sampler_for_any(&simulation).expect("native code");
        let moments = simulation.keep(Keep::Moments);
        let summariser = zeros.sampler_for_any(&moments).expect("native code");
        for values in [[4, 3], [-1000, 1000], [1001, 0], [1 << 40, 5]] {
            let bound = program.bind_values(&values).expect("two resources");
            let run = |sampler: &Sampler| sampler.run(&bound, &Control::default());
            let [summary, tally] =
                [&summariser, &sampler].map(|sampler| run(sampler).expect("no trap"));
            let tally = tally.tally().expect("kept");
            assert_eq!(summary.summary(), tally.summary(), "{values:?}");
        }
    }
}

#[test]
fn the_first_trap_is_the_same() {
    let program = rule("1d6*[S]*[S]*(1d3-1)");
    let bound = program.bind_values(&[1 << 31]).expect("its resources");
    for simulation in simulations(5_000) {
        let tally = bound.simulate(&simulation).expect_err("it overflows");
        let summary = bound
            .simulate(&simulation.clone().keep(Keep::Moments))
            .expect_err("it overflows");
        assert_eq!(summary, tally);
    }
}

const SCRIPT: &str = r#"
    defroll "Strike" strike(bonus: int) {
        die = roll(d20);
        stat("die", die);
        if (die + bonus >= 15) { output("hit"); return roll(2d6) * roll(3d20) + bonus; }
        return 0;
    }
    defroll "Hit" hit(bonus: int) { return roll(d20) + bonus >= 15; }
    defroll "Talk" talk(bonus: int) { output("hello"); }
"#;

/// Lines and statistics, too; in short simulations, whose kernel is for any arguments, and in long
/// ones.
#[test]
fn scripts_are_summarised() {
    for name in ["strike", "hit", "talk"] {
        let bound = bind(&script(SCRIPT), name, &json!({"bonus": 5}));
        for trials in [3_000, KNOWN_FROM] {
            for simulation in simulations(trials) {
                let tallied = bound.simulate(&simulation).expect("no trap");
                let summed = bound
                    .simulate(&simulation.clone().keep(Keep::Moments))
                    .expect("no trap");
                let tally = tallied.tally().expect("kept");
                assert_eq!(summed.summary(), tally.summary(), "{name}");
                let told = [&summed.events, &tallied.events].map(|events| format!("{events:?}"));
                assert_eq!(told[0], told[1], "{name}");
            }
        }
    }
}

#[test]
fn moments_give_no_outcomes() {
    let function = stages::module_of(&rule("3d6"), Sampling::Faithful);
    let moments = moments_of(&function).expect("few results");
    let kernel = EvalKernel::new(function.clone(), Sink::Moments(moments));
    let plan = Plan {
        extent: Extent::Trials(10),
        seed: 0,
        workers: Workers::CURRENT,
        judged: Judged::Mean,
        scale: Scale::Whole,
    };
    let ran = simulate(&kernel, &[], &plan, &Control::default());
    assert_eq!(ran.expect_err("there is no tally"), RunError::NoOutcomes);
}
