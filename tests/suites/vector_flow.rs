//! Native code in lanes on generated branches and loops: in everything it is the evaluator of the form.

use arbitrary::Unstructured;
use dicec_compiler::backend::eval::VectorEvalKernel;
use dicec_compiler::backend::jit::{VectorKernel, vector_listing_for_aarch64};
use dicec_compiler::backend::vector_sink;
use dicec_compiler::pass::VectorForm;
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::Tier;
use dicec_tests::generate::flow::flow_case;
use dicec_tests::native;

const IMAGE: [i64; 2] = [2, 0];

/// What the cases were like.
#[derive(Default, Debug)]
struct Seen {
    forms: usize,
    loops: usize,
    wide: usize,
    trapped: usize,
    ran: usize,
}

fn check(form: &VectorForm, seed: u64, seen: &mut Seen) {
    for sink in [Sink::Values, vector_sink(form)] {
        let native = VectorKernel::compile(form, sink).expect("native code");
        let evaluator = VectorEvalKernel::new(form, sink);
        for trials in [8, 45] {
            let expected = native::run(&evaluator, &IMAGE, seed, trials);
            let found = native::run(&native, &IMAGE, seed, trials);
            assert_eq!(
                found, expected,
                "{sink:?}, {trials} trials\n{}",
                form.function
            );
            seen.trapped += usize::from(expected.stopped.is_some());
            seen.ran += usize::from(expected.stopped.is_none());
        }
    }
}

#[test]
fn generated_flow() {
    let mut stream = Stream::from_seed(3);
    let mut seen = Seen::default();
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..128).flat_map(|_| stream.word().to_le_bytes()).collect();
        let unit = flow_case(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        let Some(form) = VectorForm::of_unit(&unit) else {
            continue;
        };
        seen.forms += 1;
        seen.loops += usize::from(!form.region.is_loop_free());
        seen.wide += usize::from(form.tier == Tier::V32);
        check(&form, stream.word(), &mut seen);
        if seen.forms % 16 == 0 {
            vector_listing_for_aarch64(&form, vector_sink(&form)).expect("code for aarch64");
        }
    }
    eprintln!("{seen:?}");
}
