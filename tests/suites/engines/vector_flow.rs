//! Native code in lanes on generated branches and loops: it agrees with the evaluator of the vector
//! form in everything.

use arbitrary::Unstructured;
use dicec_native::eval::{EvalKernel, seen_in_trials};
use dicec_native::ir::Module;
use dicec_native::ir_text::parse;
use dicec_native::jit::vector_listing_for_aarch64;
use dicec_native::pass::{Rewrites, Sampling, Seen, VectorForm, optimise};
use dicec_native::{vector_moments_of, vector_sink};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_tests::engines;
use dicec_tests::generate::flow::flow_case;
use dicec_tests::stages;

const ARGUMENTS: [i64; 2] = [2, 0];

/// Statistics of the generated cases.
#[derive(Default, Debug)]
struct Counts {
    forms: usize,
    loops: usize,
    wide: usize,
    /// In lanes of 8 bits.
    narrow: usize,
    moments: usize,
    trapped: usize,
    ran: usize,
}

fn check(form: &VectorForm, seed: u64, seen: &mut Counts) {
    let relays = form.in_relays();
    let narrow = relays.and_then(|relays| relays.in_bytes(&seen_in_trials(&relays, &ARGUMENTS)));
    seen.narrow += usize::from(narrow.is_some());
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
    let mut seen = Counts::default();
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
            optimise(&mut module, sampling, &mut Rewrites::from_environment());
        }
        let Ok(form) = stages::lanes(&module) else {
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
    let Counts {
        forms,
        loops,
        wide,
        narrow,
        moments,
        trapped,
        ran,
    } = seen;
    let least = [
        (forms, 100),
        (loops, 25),
        (wide, 8),
        (narrow, 12),
        (moments, 60),
        (trapped, 15),
        (ran, 150),
    ];
    assert!(
        least.iter().all(|(count, least)| count >= least),
        "{seen:?}"
    );
}

/// A module of this function, which begins with the instructions of its first block.
fn module(function: &str) -> Module {
    let tables = "fuel 1000000 depth 4 list 10\nsite \"\" \"\"\nstat \"rounds\"\nknown 2, 0";
    parse(&format!(
        "module {tables}\n\nfunction i64\n\nblock0:\n{function}"
    ))
    .expect("a module")
}

/// A number may leave the interval that lanes watch: then the evaluator runs its group, but not the
/// groups before and after it.
#[test]
fn long_trials() {
    let text = "    v0 = iconst 0
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
    let module = module(text);
    let form = stages::lanes(&module).expect("a vector form");
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

/// Addresses that are only merged and compared become small numbers, and all trials stay the same.
#[test]
fn labels() {
    let text = "    v0 = iconst 0
    v1 = iconst 1
    v2 = iconst 12
    v3 = iconst 300
    v4 = iconst 348
    v5 = iconst 324
    v6 = iconst 6
    jump block1(v3, v0)

block1(v7: i64, v8: i64):
    v9 = fuel 10
    v10 = pool 1 4
    v11 = imul_wrap v10, v2
    v12 = iadd_wrap v11, v3
    v13 = pool 1 6
    v14 = ieq v13, v6
    v15 = select v14, v4, v12
    v16 = igt v15, v7
    v17 = select v16, v15, v7
    v18 = ige v17, v5
    v19 = select v18, v1, v0
    v20 = iadd_wrap v8, v19
    v21 = ieq v17, v4
    branch v21, block2, block1(v17, v20)

block2:
    v22 = stat 0 v20
    return v20
";
    let module = module(text);
    let form = stages::lanes(&module).expect("a vector form");
    let function = form.function();
    let numbers = function.live_insts().filter_map(|inst| {
        let result = function.insts[inst].result;
        function.as_iconst(result)
    });
    assert!(numbers.max() < Some(100), "{}", form.module);
    let [before, after] = [&module, &*form.module].map(|module| {
        let kernel = EvalKernel::new(module.clone(), Sink::Values);
        engines::run(&kernel, &ARGUMENTS, 5, 200)
    });
    assert_eq!(before.results, after.results, "{}", form.module);
    assert!(before.results.iter().any(|&result| result > 2));
    for trials in [3, 200] {
        engines::check_form(&form, &ARGUMENTS, 6, trials, &"labels");
    }
}

/// Lanes of 8 bits watch a number in an interval that a few trials suggest. Where it leaves that,
/// however it got there, the evaluator runs the group.
#[test]
fn numbers_that_leave_bytes() {
    let text = "    v0 = iconst 0
    v1 = iconst 1
    jump block1(v0)

block1(v2: i64):
    v3 = fuel 100
    v4 = pool 1 20
    v5 = pool 1 6
    v6 = ieq v4, v1
    v7 = iadd_wrap v2, v5
    branch v6, block2, block1(v7)

block2:
    v8 = stat 0 v7
    return v7
";
    let form = stages::lanes(&module(text)).expect("a vector form");
    let relays = form.in_relays().expect("a relay");
    let &[(sum, seen)] = &seen_in_trials(&relays, &ARGUMENTS).params[..] else {
        panic!("the sum is the only number that iterations pass on");
    };
    assert_eq!(seen.low, 0);
    for high in [10, 40, 50, 60] {
        let mut seen = seen;
        seen.high = high;
        let bytes = relays
            .in_bytes(&Seen {
                params: vec![(sum, seen)],
            })
            .expect("lanes of 8 bits");
        let narrow = bytes.watched.interval(sum).expect("it is watched");
        let outcome = engines::check_form(&bytes, &ARGUMENTS, 4, 640, &high);
        assert!(
            outcome
                .results
                .iter()
                .any(|&result| result > narrow.high + 6)
        );
    }
}
