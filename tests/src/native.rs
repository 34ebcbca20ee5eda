//! Every engine that can run a script, by name: the interpreter, the IR evaluator and native code,
//! one trial at a time or in lanes.

use crate::stages;
use dicec_compiler::engine::eval::{EvalKernel, VectorEvalKernel};
use dicec_compiler::engine::jit::{JitKernel, VectorKernel};
use dicec_compiler::engine::{best_sink, moments_of, vector_moments_of, vector_sink};
use dicec_compiler::ir::{Module, verify};
use dicec_compiler::ir_text::parse;
use dicec_compiler::pass::Pass;
use dicec_compiler::{Bound, Sampling};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use std::fmt::Debug;

/// The outcome of a run of some trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The results of the trials before the trap, or of all; the sink's cells.
    pub results: Vec<i64>,
    /// The trap that ended the run.
    pub stopped: Option<Stopped>,
    /// The generator's end state.
    pub state: [u64; 4],
    /// The lines and their counts.
    pub lines: Vec<(String, u64)>,
    /// The values that each statistic recorded, and how often.
    pub stats: Vec<Vec<(i64, u64)>>,
}

/// Runs `trials` trials of a kernel from `seed`.
pub fn run(kernel: &dyn Kernel, inputs: &[i64], seed: u64, trials: usize) -> Outcome {
    let mut stream = Stream::from_seed(seed);
    let sink = kernel.sink();
    let mut cells = vec![0; sink.cells(trials)];
    let mut events = kernel.events();
    let stopped = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
    let stopped = stopped.err();
    if sink == Sink::Values {
        cells.truncate(stopped.map_or(trials, |stopped| stopped.trial as usize));
    }
    Outcome {
        results: cells,
        stopped,
        state: stream.state(),
        lines: lines(&events),
        stats: stats(&events),
    }
}

fn lines(events: &Events) -> Vec<(String, u64)> {
    let lines = events.lines();
    lines
        .map(|(line, times)| (line.to_owned(), times))
        .collect()
}

fn stats(events: &Events) -> Vec<Vec<(i64, u64)>> {
    let stats = events.stats().iter();
    stats.map(|stat| stat.outcomes().collect()).collect()
}

/// Runs a roll on every engine and compares whole outcomes; returns the interpreter's.
///
/// # Panics
/// If two engines disagree; the message names `what` and the engine.
pub fn check(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Outcome {
    let kernel = bound.interpreter_kernel(Sink::Values);
    let reference = run(&*kernel, bound.resources(), seed, trials);
    let lowered = Module::clone(bound.lowered());
    let mut units = vec![("lowered".to_owned(), lowered.clone())];
    for pass in Pass::ALL {
        let mut module = lowered.clone();
        pass.run(&mut module);
        units.push((pass.name.to_owned(), module));
    }
    let optimised = stages::module(bound, false, Sampling::Faithful);
    units.push(("optimised".to_owned(), optimised.clone()));
    for (name, module) in &units {
        expect_round_trip(module);
        let image = bound.inputs(module).expect("no bug");
        for (engine, outcome) in both(module, &image, seed, trials) {
            assert_eq!(outcome, reference, "{engine} {name} of {what:?}\n{module}");
        }
    }
    let (specialised, image) = bound.specialised(Sampling::Faithful).expect("no bug");
    expect_round_trip(&specialised);
    for (engine, outcome) in both(&specialised, &image, seed, trials) {
        let name = "specialised";
        assert_eq!(
            outcome, reference,
            "{engine} {name} of {what:?}\n{specialised}"
        );
    }
    check_fused(bound, seed, trials, what);
    check_lanes(bound, seed, trials, what);
    check_sink(
        &optimised,
        &bound.inputs(&optimised).expect("no bug"),
        seed,
        trials,
        what,
    );
    reference
}

/// The evaluator and native code.
fn both(module: &Module, image: &[i64], seed: u64, trials: usize) -> [(&'static str, Outcome); 2] {
    let native = JitKernel::compile(module.clone(), Sink::Values).expect("native code");
    [
        (
            "eval",
            run(
                &EvalKernel::new(module.clone(), Sink::Values),
                image,
                seed,
                trials,
            ),
        ),
        ("jit", run(&native, image, seed, trials)),
    ]
}

/// A module with fused sampling, for any arguments or for these, is its own reference: the
/// evaluator and native code must have equal outcomes. Different modules fuse different dice, so
/// they draw different words.
fn check_fused(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) {
    let module = stages::module(bound, false, Sampling::Fused);
    let image = bound.inputs(&module).expect("no bug");
    for (name, (module, image)) in [
        ("fused", (module, image)),
        (
            "fused, specialised",
            bound.specialised(Sampling::Fused).expect("no bug"),
        ),
    ] {
        expect_round_trip(&module);
        let [(_, reference), (_, native)] = both(&module, &image, seed, trials);
        assert_eq!(native, reference, "{name}, {what:?}\n{module}");
    }
}

/// Runs a roll in lanes, if it has a vector form, and compares whole outcomes of native code with
/// the evaluator's, which it returns: all results, and the counts of a simulation.
///
/// # Panics
/// If they disagree; the message names `what`.
pub fn check_lanes(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Option<Outcome> {
    let (form, image) = bound.specialised_vector_form().expect("no bug")?;
    let moments = vector_moments_of(&form).map_or(Sink::Values, Sink::Moments);
    let sinks = [Sink::Values, vector_sink(&form), moments];
    let [values, ..] = sinks.map(|sink| {
        let evaluated = run(
            &VectorEvalKernel::new(form.clone(), sink),
            &image,
            seed,
            trials,
        );
        let native = VectorKernel::compile(form.clone(), sink).expect("native code");
        let native = run(&native, &image, seed, trials);
        assert_eq!(native, evaluated, "{sink:?} in lanes of {what:?}\n{form}");
        evaluated
    });
    Some(values)
}

/// Compares the counts in the sinks that a simulation would use with the evaluator's.
fn check_sink(module: &Module, image: &[i64], seed: u64, trials: usize, what: &dyn Debug) {
    let moments = moments_of(module).map(Sink::Moments);
    for sink in [best_sink(module)].into_iter().chain(moments) {
        if sink == Sink::Values {
            continue;
        }
        let native = JitKernel::compile(module.clone(), sink).expect("native code");
        let native = run(&native, image, seed, trials);
        let evaluated = run(&EvalKernel::new(module.clone(), sink), image, seed, trials);
        assert_eq!(native, evaluated, "{sink:?} of {what:?}\n{module}");
    }
}

/// Checks that the text of a module reads back as the module, and that the verifier accepts it.
fn expect_round_trip(module: &Module) {
    let text = module.to_string();
    let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, *module, "{text}");
    assert_eq!(verify(&read), Ok(()), "{text}");
}
