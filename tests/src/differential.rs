//! All engines on one case.

use crate::engines::{self, Engine, Outcome};
use crate::generate::Case;
use crate::properties::compiler;
use dicec_compiler::backend::best_sink;
use dicec_compiler::{Bound, Sampling};
use dicec_runtime::kernel::Sink;

/// Trials a case. Enough to meet rare branches, few enough for many cases.
pub const TRIALS: usize = 24;

/// Runs a case on every engine and compares whole outcomes.
///
/// # Panics
/// Where two engines disagree; the message names the case and the engine.
pub fn check(case: &Case) {
    // Constant folding in the type checker may still find a die without sides; that is a fine answer.
    let Ok(program) = compiler(case).compile(&case.text) else {
        return;
    };
    let bound = program
        .bind(&case.resources)
        .expect("the case gives every name");
    let reference = engines::interpreter(&bound).run(bound.values(), case.seed, TRIALS);
    for engine in engines::faithful(&bound) {
        expect_same(case, &engine, &reference, &bound);
    }
    let fused = engines::fused(&bound);
    let fused_reference = fused[0].run(bound.values(), case.seed, TRIALS);
    for engine in &fused[1..] {
        expect_same(case, engine, &fused_reference, &bound);
    }
    check_sinks(case, &bound, &reference);
}

fn expect_same(case: &Case, engine: &Engine<'_>, reference: &Outcome, bound: &Bound<'_>) {
    let outcome = engine.run(bound.values(), case.seed, TRIALS);
    assert_eq!(
        &outcome,
        reference,
        "{} disagrees on `{}` with {:?}, seed {}",
        engine.name,
        case.text,
        bound.values(),
        case.seed
    );
}

/// The sink that a simulation would use counts what the interpreter yields.
fn check_sinks(case: &Case, bound: &Bound<'_>, reference: &Outcome) {
    let values = Some(bound.values());
    let function = bound.program().optimised(values, Sampling::Faithful);
    let sink = best_sink(&function);
    let (low, cells) = match sink {
        Sink::Values => return,
        Sink::Histogram { low, cells } => (low, cells),
        Sink::Count => (1, 1),
    };
    let engine = engines::jit_into("sink", &function, sink);
    let outcome = engine.run(bound.values(), case.seed, TRIALS);
    let mut counts = vec![0; cells as usize];
    for result in &reference.results {
        // A check's falses are not counted.
        if let Some(count) = usize::try_from(result - low)
            .ok()
            .and_then(|i| counts.get_mut(i))
        {
            *count += 1;
        }
    }
    assert_eq!(outcome.results, counts, "{sink:?} of `{}`", case.text);
    assert_eq!(
        outcome.stopped, reference.stopped,
        "{sink:?} of `{}`",
        case.text
    );
    assert_eq!(
        outcome.state, reference.state,
        "{sink:?} of `{}`",
        case.text
    );
}
