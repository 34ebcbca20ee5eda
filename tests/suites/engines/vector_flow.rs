//! Native code in lanes on generated branches and loops: it agrees with the evaluator of the vector
//! form in everything.

use arbitrary::Unstructured;
use dicec_compiler::engine::jit::vector_listing_for_aarch64;
use dicec_compiler::engine::{vector_moments_of, vector_sink};
use dicec_compiler::ir_text::parse;
use dicec_compiler::pass::{Sampling, VectorForm, optimise};
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_tests::engines;
use dicec_tests::generate::flow::flow_case;

const ARGUMENTS: [i64; 2] = [2, 0];

/// Statistics of the generated cases.
#[derive(Default, Debug)]
struct Seen {
    forms: usize,
    loops: usize,
    wide: usize,
    moments: usize,
    trapped: usize,
    ran: usize,
}

fn check(form: &VectorForm, seed: u64, seen: &mut Seen) {
    seen.moments += usize::from(vector_moments_of(form).is_some());
    for trials in [8, 45] {
        let outcome = engines::check_form(form, &ARGUMENTS, seed, trials, &trials);
        seen.trapped += usize::from(outcome.stopped.is_some());
        seen.ran += usize::from(outcome.stopped.is_none());
    }
}

#[test]
fn generated_flow() {
    let mut stream = Stream::from_seed(3);
    let mut seen = Seen::default();
    for number in 0..150 {
        let bytes: Vec<u8> = (0..128).flat_map(|_| stream.word().to_le_bytes()).collect();
        let mut module =
            flow_case(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        if number % 3 > 0 {
            // This removes unreachable blocks, without which there is no vector form. In fused
            // code, some branches are selects.
            let sampling = if number % 3 == 2 {
                Sampling::Fused
            } else {
                Sampling::Faithful
            };
            optimise(&mut module, sampling);
        }
        let Ok(form) = VectorForm::new(&module) else {
            continue;
        };
        seen.forms += 1;
        seen.loops += usize::from(!form.region.is_loop_free());
        seen.wide += usize::from(form.width == LaneWidth::V32);
        check(&form, stream.word(), &mut seen);
        if seen.forms % 16 == 0 {
            vector_listing_for_aarch64(&form, vector_sink(&form)).expect("code for aarch64");
        }
    }
    let Seen {
        forms,
        loops,
        wide,
        moments,
        trapped,
        ran,
    } = seen;
    let least = [
        (forms, 100),
        (loops, 25),
        (wide, 8),
        (moments, 60),
        (trapped, 15),
        (ran, 150),
    ];
    assert!(
        least.iter().all(|(count, least)| count >= least),
        "{seen:?}"
    );
}

/// A number may leave the interval that lanes watch: then the evaluator runs its group, but not the
/// groups before and after it.
#[test]
fn long_trials() {
    let text = "module fuel 1000000 depth 4 list 10
site \"\" \"\"
stat \"rounds\"
known 2, 0

function i64

block0:
    v0 = iconst 0
    v1 = iconst 1
    v2 = iconst 100
    jump block1(v0)

block1(v3: i64):
    v4 = fuel 100
    v5 = pool 1 50
    v6 = ieq v5, v1
    v7 = iadd_wrap v3, v2
    branch v6, block2, block1(v7)

block2:
    v8 = stat 0 v7
    return v7
";
    let module = parse(text).expect("a module");
    let form = VectorForm::new(&module).expect("a vector form");
    assert_eq!((form.width, form.fuel), (LaneWidth::V16, 1_000_000));
    let &[(_, narrow)] = &form.watched.0[..] else {
        panic!("{:?}", form.watched);
    };
    let trials = 6 * form.trials();
    let outcome = engines::check_form(&form, &ARGUMENTS, 2, trials, &"long trials");
    let lanes = form.trials();
    let groups = outcome.results.chunks(lanes);
    let is_long = |result: &i64| *result > narrow.high;
    let long = groups.filter(|group| group.iter().any(is_long));
    let count = long.count();
    assert!(count > 0 && count < trials / lanes, "{outcome:?}");
}
