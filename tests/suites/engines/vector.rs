//! Vector kernels: which rules get one, with which lane width, and that lanes, sinks and odd
//! numbers of trials agree with the evaluator. The differential suite tests them with generated
//! rules.

use dicec_compiler::Simulation;
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_native::jit::{vector_listing, vector_listing_for_aarch64};
use dicec_native::pass::VectorForm;
use dicec_native::{best_sink, vector_moments_of, vector_sink};
use dicec_runtime::driver::Control;
use dicec_runtime::kernel::Sink;
use dicec_runtime::resource::ResourceTable;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_tests::engines;
use dicec_tests::programs::{bare, rule, table};
use dicec_tests::stages;

fn form(text: &str) -> Option<VectorForm> {
    stages::form_of(&rule(text))
}

/// `[S]` and `[Target D]`, which the rules here read.
fn resources(value: i64) -> ResourceTable {
    table(&[("S", value), ("Target D", 3)])
}

const SHAPES: [(&str, Option<LaneWidth>); 40] = [
    ("1d20", Some(LaneWidth::V16)),
    ("(1d8+4)*2-3", Some(LaneWidth::V16)),
    ("3-1d10", Some(LaneWidth::V16)),
    ("1d2*1000", Some(LaneWidth::V16)),
    ("1d3", Some(LaneWidth::V16)),
    ("max(1d6, 3)", Some(LaneWidth::V16)),
    ("1d32", Some(LaneWidth::V16)),
    ("1d20 = 20", Some(LaneWidth::V32)),
    ("1d20 != 1", Some(LaneWidth::V32)),
    ("25 - 1d9 > 18", Some(LaneWidth::V32)),
    ("12 <= 1d10000", Some(LaneWidth::V32)),
    ("5d7 count<3", Some(LaneWidth::V16)),
    ("3d6", Some(LaneWidth::V16)),
    ("2d6+3", Some(LaneWidth::V16)),
    ("1d20+7>=15", Some(LaneWidth::V32)),
    ("4d6kh3", Some(LaneWidth::V16)),
    ("13d20", Some(LaneWidth::V16)),
    ("13d4", Some(LaneWidth::V16)),
    ("(1d8+[S])*2-[Target D]", Some(LaneWidth::V16)),
    ("1d20+[S] vs 15", None),
    ("10d10 count>=8", Some(LaneWidth::V16)),
    ("10d10 count>=8f1", Some(LaneWidth::V16)),
    ("1d3+1d5+1d7", Some(LaneWidth::V16)),
    ("1d1+1d2", Some(LaneWidth::V16)),
    ("(2d6+3)/2", Some(LaneWidth::V16)),
    ("(2d6-9)/3", Some(LaneWidth::V16)),
    ("1d100*1d100", Some(LaneWidth::V16)),
    ("1d200*1d200", Some(LaneWidth::V32)),
    ("(1d200*1d100)/100", Some(LaneWidth::V16)),
    ("1d1000", Some(LaneWidth::V16)),
    ("1d999+1d10000", Some(LaneWidth::V32)),
    ("12d1000", Some(LaneWidth::V16)),
    ("15d4000", Some(LaneWidth::V32)),
    ("1d16385", None),
    ("[S]*[S]*1d6", Some(LaneWidth::V32)),
    ("3d6!", Some(LaneWidth::V16)),
    ("10d10!>=8", Some(LaneWidth::V16)),
    ("3d4r<=2", Some(LaneWidth::V16)),
    ("2d100!!", Some(LaneWidth::V16)),
    ("1000d6", None),
];

/// Of some numbers of sides, a die shares words with others, or tables: all of them.
#[test]
fn one_die_of_any_sides() {
    for sides in 2..=130 {
        let form = form(&format!("1d{sides}")).expect("lanes");
        engines::check_form(&form, &[], 5, 300, &sides);
    }
}

#[test]
fn tiers_follow_from_the_rule() {
    for (text, width) in SHAPES {
        let found = form(text).map(|form| form.width);
        // Degrees may be lowered to straight-line code or not; both are compared with the evaluator
        // below.
        if !text.contains("vs") {
            assert_eq!(found, width, "{text}");
        }
    }
}

fn expect_equal(text: &str, trials: usize) {
    let bound = rule(text).bind(&resources(4)).expect("both resources");
    engines::check_lanes(&bound, 11, trials, &(text, trials));
}

#[test]
fn any_number_of_trials() {
    for (text, _) in SHAPES {
        for trials in [0, 1, 7, 8, 31, 32, 33, 500] {
            expect_equal(text, trials);
        }
    }
}

/// More trials than one call of the code runs.
#[test]
fn many_trials() {
    for text in ["1d20+7>=15", "2d6+3", "1d8+1"] {
        expect_equal(text, (1 << 16) + 4097);
    }
}

/// Results depend neither on what is known of resources nor on the back end, and resources of
/// unusual size have their own kernel.
#[test]
fn samplers_agree() {
    for text in ["(1d8+[S])*2-[Target D]", "2d6+[S]>=9", "1d20+[S] vs 15"] {
        let program = rule(text);
        for value in [4, -1000, 1001, i64::MAX >> 8] {
            let bound = program.bind(&resources(value)).expect("both resources");
            let [jit, interp] = [Backend::Jit, Backend::Interp]
                .map(|backend| Simulation::trials(5_000).backend(backend));
            let samplers = [
                bound.sampler_for_any(&jit),
                bound.sampler(&jit),
                bound.sampler_for_any(&interp),
                bound.sampler(&interp),
            ];
            let tallies = samplers.map(|sampler| {
                let sampler = sampler.expect("native code");
                let run = sampler.run(&bound, &Control::default()).expect("no trap");
                let outcomes = run.tally().expect("kept").outcomes();
                outcomes.filter(|&(_, count)| count > 0).collect::<Vec<_>>()
            });
            assert!(
                tallies.iter().all(|tally| *tally == tallies[0]),
                "{text}, {value}"
            );
        }
    }
}

/// The same kernel for another machine has the other instruction, and Cranelift makes code of it.
#[test]
fn kernels_for_aarch64() {
    for (text, _) in SHAPES {
        let Some(form) = form(text) else { continue };
        let sink = vector_sink(&form);
        if let Some(moments) = vector_moments_of(&form) {
            let moments = vector_listing_for_aarch64(&form, Sink::Moments(moments));
            assert!(
                !moments.expect("code for aarch64").clif.contains("x86_"),
                "{text}"
            );
        }
        let listing = vector_listing_for_aarch64(&form, sink).expect("code for aarch64");
        assert!(!listing.clif.contains("x86_"), "{text}");
        let here = vector_listing(&form, sink).expect("code for this machine");
        // It also lacks the instruction that selects by a mask.
        if cfg!(target_arch = "x86_64") && !here.clif.contains("blendv") {
            let there = listing.clif.replace("sqmul_round_sat", "x86_pmulhrsw");
            let body = |clif: &str| clif[clif.find("block0").expect("a block")..].to_owned();
            assert_eq!(body(&there), body(&here.clif), "{text}");
        }
    }
    let form = form("3d6").expect("a vector form");
    let listing = vector_listing_for_aarch64(&form, vector_sink(&form)).expect("code");
    assert!(listing.clif.contains("sqmul_round_sat"));
    assert!(
        listing.assembly.contains("sqrdmulh"),
        "{}",
        listing.assembly
    );
}

/// Faithful sampling never runs in lanes.
#[test]
fn faithful_sampling_keeps_its_rolls() {
    let bound = bare(&rule("3d6"));
    let [stage, _] = engines::optimised(&bound, Sampling::Faithful);
    let [expected, _] = stage.both(best_sink(&stage.module), 0, 1000);
    let simulation = Simulation::trials(1000)
        .backend(Backend::Jit)
        .sampling(Sampling::Faithful);
    let run = bound.simulate(&simulation).expect("no trap");
    let counts = run.tally().expect("kept").outcomes();
    let counts = counts.map(|(_, n)| n as i64).filter(|&count| count > 0);
    let expected = expected.results.into_iter().filter(|&count| count > 0);
    assert!(counts.eq(expected));
}
