//! All engines on one case.

use crate::engines::{self, Engine, Outcome};
use crate::generate::Case;
use crate::properties::compiler;
use crate::stages::{form, module};
use dicec_compiler::engine::{best_sink, moments_of, vector_moments_of, vector_sink};
use dicec_compiler::{Bound, Sampling};
use dicec_runtime::kernel::Sink;

/// Trials per case: enough to reach rare branches, few enough for many cases.
pub const TRIALS: usize = 24;

/// Runs a case on every engine and compares whole outcomes.
///
/// # Panics
/// If two engines disagree; the message names the case and the engine.
pub fn check(case: &Case) {
    // Constant folding in the type checker may still find a die without sides; that is a valid
    // answer.
    let Ok(program) = compiler(case).rule(&case.text) else {
        return;
    };
    let bound = program
        .bind(&case.resources)
        .expect("the case gives every name");
    let reference = engines::interpreter(&bound).run(bound.resources(), case.seed, TRIALS);
    for engine in engines::faithful(&bound) {
        expect_same(case, &engine, &reference, &bound);
    }
    let fused = engines::fused(&bound);
    let fused_reference = fused[0].run(bound.resources(), case.seed, TRIALS);
    for engine in &fused[1..] {
        expect_same(case, engine, &fused_reference, &bound);
    }
    check_sinks(case, &bound, &reference);
    check_vectors(case, &bound);
}

/// More trials than a group has, and not a whole number of groups.
const VECTOR_TRIALS: usize = 77;

/// Compares engines in lanes: values, and the cells of the sinks that a simulation would use.
fn check_vectors(case: &Case, bound: &Bound) {
    let engines = engines::vector(bound);
    let Some((reference, others)) = engines.split_first() else {
        return;
    };
    let run = |engine: &Engine| engine.run(bound.resources(), case.seed, VECTOR_TRIALS);
    let reference = run(reference);
    let told = |name: &str| format!("{name} on `{}`, {:?}", case.text, bound.resources());
    for engine in others {
        assert_eq!(run(engine), reference, "{}", told(&engine.name));
    }
    for known in [false, true] {
        let form = form(bound, known);
        let form = form.expect("there is a vector engine");
        let moments = vector_moments_of(&form).map(Sink::Moments);
        for sink in [vector_sink(&form)].into_iter().chain(moments) {
            let outcome = run(&engines::vector_jit("sink", form.clone(), sink));
            let counted = match sink {
                Sink::Values => continue,
                sink => counts(&reference.results, sink),
            };
            assert_eq!(outcome.results, counted, "{}", told(&format!("{sink:?}")));
            assert_eq!(outcome.state, reference.state, "{}", told("the sink"));
        }
    }
}

fn expect_same(case: &Case, engine: &Engine, reference: &Outcome, bound: &Bound) {
    let outcome = engine.run(bound.resources(), case.seed, TRIALS);
    assert_eq!(
        &outcome,
        reference,
        "{} disagrees on `{}` with {:?}, seed {}",
        engine.name,
        case.text,
        bound.resources(),
        case.seed
    );
}

/// Compares the counts in the sinks that a simulation would use with the interpreter's results.
fn check_sinks(case: &Case, bound: &Bound, reference: &Outcome) {
    let function = module(bound, true, Sampling::Faithful);
    let moments = moments_of(&function).map(Sink::Moments);
    for sink in [best_sink(&function)].into_iter().chain(moments) {
        if sink == Sink::Values {
            continue;
        }
        let engine = engines::jit_into("sink", function.clone(), sink);
        let outcome = engine.run(bound.resources(), case.seed, TRIALS);
        let told = || format!("{sink:?} of `{}`", case.text);
        assert_eq!(
            outcome.results,
            counts(&reference.results, sink),
            "{}",
            told()
        );
        assert_eq!(outcome.stopped, reference.stopped, "{}", told());
        assert_eq!(outcome.state, reference.state, "{}", told());
    }
}

/// The cells of a sink after these results.
fn counts(results: &[i64], sink: Sink) -> Vec<i64> {
    let mut cells = vec![0; sink.cells(results.len())];
    for (trial, &result) in results.iter().enumerate() {
        sink.record(&mut cells, trial, result);
    }
    cells
}
