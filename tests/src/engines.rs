//! Every engine that can run a roll, and that they agree: the interpreter, the IR evaluator and
//! native code, one trial at a time or in lanes.
//!
//! *Faithful* modules draw the same words for the same dice and must agree with the interpreter in
//! everything. *Fused* ones must agree with their own evaluation, and so must vector forms.

use crate::stages;
use dicec_compiler::engine::eval::{EvalKernel, VectorEvalKernel, seen_in_trials};
use dicec_compiler::engine::jit::{JitKernel, VectorKernel};
use dicec_compiler::engine::{best_sink, moments_of, vector_moments_of, vector_sink};
use dicec_compiler::ir::{Module, verify};
use dicec_compiler::ir_text::parse;
use dicec_compiler::pass::{Contract, Pass, Seen, VectorForm};
use dicec_compiler::{Bound, Data, Sampling};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use std::fmt::Debug;
use std::sync::Arc;

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
    /// Those of statistics whose names were put together.
    pub named: Vec<(String, Vec<(i64, u64)>)>,
}

/// Runs `trials` trials of a kernel from `seed`.
pub fn run(kernel: &dyn Kernel, inputs: &[i64], seed: u64, trials: usize) -> Outcome {
    run_from(kernel, inputs, Stream::from_seed(seed), trials)
}

/// Runs `trials` trials of a kernel, drawing from `stream`.
pub fn run_from(kernel: &dyn Kernel, inputs: &[i64], mut stream: Stream, trials: usize) -> Outcome {
    let sink = kernel.sink();
    let mut cells = vec![0; sink.cells(trials)];
    let mut events = kernel.events();
    let stopped = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
    let stopped = stopped.err();
    if sink == Sink::Values {
        cells.truncate(stopped.map_or(trials, |stopped| stopped.trial as usize));
    }
    Outcome::new(cells, stopped, &stream, &events)
}

/// The same in calls of these numbers of trials, of a kernel that stores its results. The first
/// trap ends it.
pub fn run_in_calls(kernel: &dyn Kernel, inputs: &[i64], seed: u64, calls: &[usize]) -> Outcome {
    let (mut results, mut stopped) = (Vec::new(), None);
    let (mut stream, mut events) = (Stream::from_seed(seed), kernel.events());
    for &trials in calls {
        let mut cells = vec![0; trials];
        let ran = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
        results.extend(cells);
        stopped = ran.err();
        if stopped.is_some() {
            break;
        }
    }
    Outcome::new(results, stopped, &stream, &events)
}

impl Outcome {
    fn new(results: Vec<i64>, stopped: Option<Stopped>, stream: &Stream, events: &Events) -> Self {
        let lines = events.lines.iter();
        let (stats, named) = (events.stats().iter(), events.named().iter());
        Outcome {
            results,
            stopped,
            state: stream.state(),
            lines: lines
                .map(|(line, times)| (line.to_owned(), times))
                .collect(),
            stats: stats.map(|stat| stat.outcomes().collect()).collect(),
            named: named
                .map(|(name, stat)| (name.to_owned(), stat.outcomes().collect()))
                .collect(),
        }
    }
}

/// A module of a roll, and what its kernels are given.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name in failures.
    pub name: &'static str,
    /// The module.
    pub module: Arc<Module>,
    /// Its inputs.
    pub inputs: Vec<i64>,
}

impl Stage {
    /// A module whose kernels are given these inputs.
    pub fn new(name: &'static str, module: impl Into<Arc<Module>>, inputs: &[i64]) -> Self {
        Self {
            name,
            module: module.into(),
            inputs: inputs.to_vec(),
        }
    }

    /// The evaluator and native code.
    ///
    /// # Panics
    /// If this machine runs no native code.
    pub fn kernels(&self, sink: Sink) -> [Arc<dyn Kernel>; 2] {
        let native = JitKernel::compile(self.module.clone(), sink).expect("native code");
        let evaluator = EvalKernel::new(self.module.clone(), sink);
        [Arc::new(evaluator), Arc::new(native)]
    }

    /// What both give.
    ///
    /// # Panics
    /// If this machine runs no native code.
    pub fn both(&self, sink: Sink, seed: u64, trials: usize) -> [Outcome; 2] {
        let kernels = self.kernels(sink);
        kernels.map(|kernel| run(&*kernel, &self.inputs, seed, trials))
    }

    /// Checks that both give `expected`.
    ///
    /// # Panics
    /// If not; the message names `what`.
    pub fn expect(&self, expected: &Outcome, seed: u64, trials: usize, what: &dyn Debug) {
        for (engine, outcome) in ["eval", "jit"]
            .iter()
            .zip(self.both(Sink::Values, seed, trials))
        {
            let (name, module) = (self.name, &self.module);
            assert_eq!(outcome, *expected, "{engine} {name} of {what:?}\n{module}");
        }
    }
}

/// A module as lowered, and after each pass alone that changes it and keeps what each trial does
/// for these inputs.
pub fn after_passes(lowered: &Module, inputs: &[i64]) -> Vec<Stage> {
    let keeps = |pass: &Pass| {
        let takes = !pass.assumes_usual || VectorForm::takes(inputs);
        pass.contract == Contract::Exact && takes
    };
    let passes = Pass::ALL.into_iter().filter(keeps).filter_map(|pass| {
        let mut module = lowered.clone();
        pass.run(&mut module);
        (module != *lowered).then_some((pass.name, module))
    });
    let modules = [("lowered", lowered.clone())].into_iter().chain(passes);
    modules
        .map(|(name, module)| Stage::new(name, module, inputs))
        .collect()
}

/// The module of a roll for any arguments and resources, and that for its own.
///
/// # Panics
/// On an internal error.
pub fn optimised(bound: &Bound, sampling: Sampling) -> [Stage; 2] {
    let any = Arc::clone(bound.optimised(sampling));
    let inputs = bound.inputs(&any).expect("no bug");
    let (own, known) = bound.specialised(sampling).expect("no bug");
    [
        Stage::new("optimised", any, &inputs),
        Stage::new("specialised", own, &known),
    ]
}

/// The interpreter's outcome: the reference.
pub fn interpreted(bound: &Bound, seed: u64, trials: usize) -> Outcome {
    let kernel = bound.interpreter_kernel(Sink::Values);
    run(&*kernel, bound.resources(), seed, trials)
}

/// More trials than a group has, and not a whole number of groups.
const LANE_TRIALS: usize = 77;

/// Runs a roll on every engine and compares whole outcomes; returns the interpreter's.
///
/// # Panics
/// If two engines disagree; the message names `what` and the engine.
pub fn check(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Outcome {
    let reference = interpreted(bound, seed, trials);
    let lowered = bound.lowered();
    for stage in after_passes(lowered, &bound.inputs(lowered).expect("no bug")) {
        expect_round_trip(&stage.module);
        stage.expect(&reference, seed, trials, what);
    }
    check_optimised(bound, &reference, seed, trials, what);
    reference
}

/// The part of [`check`] that is about modules as they run.
///
/// # Panics
/// As there.
pub fn check_optimised(
    bound: &Bound,
    reference: &Outcome,
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) {
    let mut optimised = Vec::from(optimised(bound, Sampling::Faithful));
    // Without arguments, both are the same.
    optimised.dedup_by(|own, any| (&own.module, &own.inputs) == (&any.module, &any.inputs));
    for stage in optimised {
        expect_round_trip(&stage.module);
        stage.expect(reference, seed, trials, what);
        check_sinks(&stage, seed, trials, what);
    }
    check_fused(bound, seed, trials, what);
    check_lanes(bound, seed, LANE_TRIALS, what);
    if bound.program().is_script() {
        check_shared(bound, reference, seed, trials, what);
    }
}

/// What all arguments of a script's pattern share gives for these what it gives in the interpreter,
/// or fused in the evaluator; and it is the same for others.
fn check_shared(bound: &Bound, reference: &Outcome, seed: u64, trials: usize, what: &dyn Debug) {
    let (faithful, inputs) = bound.shared(Sampling::Faithful).expect("no bug");
    let faithful = *faithful.expect_err("faithful sampling has no lanes");
    let stage = Stage::new("shared", faithful, &inputs);
    expect_round_trip(&stage.module);
    stage.expect(reference, seed, trials, what);
    check_sinks(&stage, seed, trials, what);
    for changed in changed(bound) {
        let (other, _) = changed.shared(Sampling::Faithful).expect("no bug");
        let other = *other.expect_err("faithful sampling has no lanes");
        let pattern = |module: &Module| (module.tables.known.clone(), module.tables.open.clone());
        if pattern(&other) == pattern(&stage.module) {
            let args = changed.arguments();
            assert_eq!(other, *stage.module, "shared with {args:?}: {what:?}");
        }
    }
    let (fused, inputs) = bound.shared(Sampling::Fused).expect("no bug");
    match fused {
        Ok(form) => {
            check_form(&form, &inputs, seed, LANE_TRIALS, what);
        }
        Err(module) => {
            let stage = Stage::new("shared", *module, &inputs);
            expect_round_trip(&stage.module);
            let [evaluated, native] = stage.both(Sink::Values, seed, trials);
            let module = &stage.module;
            assert_eq!(native, evaluated, "fused, shared, {what:?}\n{module}");
        }
    }
}

/// The same roll with other numbers in its arguments: one, another one, and all.
pub(crate) fn changed(bound: &Bound) -> impl Iterator<Item = Bound> {
    let masks = [0b1, 0b1000, !0_u64];
    masks.into_iter().map(|mask| {
        let mut number = 0;
        let args = bound.arguments().iter();
        let args = args.map(|data| with_others(data, mask, &mut number));
        let roll = bound.definition();
        let changed = roll.bind_values(args.collect(), bound.resources());
        let changed = changed.expect("arguments of the same types");
        let options = bound.program().options().iter();
        let decided = options.zip(bound.policies());
        decided.fold(changed, |changed, (option, policy)| {
            changed.with_policy(option, *policy).expect("an option")
        })
    })
}

/// A value whose numbers differ by one where the mask, repeated, has a bit.
fn with_others(data: &Data, mask: u64, number: &mut u32) -> Data {
    match data {
        Data::Int(value) => {
            let bit = mask >> (*number % 64) & 1;
            *number += 1;
            Data::Int(value.saturating_add_unsigned(bit))
        }
        Data::Record(parts) | Data::List(parts) => {
            let parts = parts.iter();
            let parts = parts.map(|part| with_others(part, mask, number)).collect();
            match data {
                Data::List(_) => Data::List(parts),
                _ => Data::Record(parts),
            }
        }
        other => other.clone(),
    }
}

/// The evaluator and native code agree on each fused module.
fn check_fused(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) {
    let is_script = bound.program().is_script();
    let [any, own] = optimised(bound, Sampling::Fused).map(|stage| {
        if is_script {
            expect_round_trip(&stage.module);
        }
        let [evaluated, native] = stage.both(Sink::Values, seed, trials);
        let (name, module) = (stage.name, &stage.module);
        assert_eq!(native, evaluated, "fused, {name}, {what:?}\n{module}");
        evaluated
    });
    // Different modules of a script fuse different dice, so they draw different words.
    assert!(is_script || any == own, "{what:?}: {any:?}, {own:?}");
}

/// Compares the counts and moments of a simulation, if it has any, with the evaluator's.
fn check_sinks(stage: &Stage, seed: u64, trials: usize, what: &dyn Debug) {
    let moments = moments_of(&stage.module).map(Sink::Moments);
    let counts = best_sink(&stage.module);
    let counts = (counts != Sink::Values).then_some(counts);
    for sink in counts.into_iter().chain(moments) {
        let [evaluated, native] = stage.both(sink, seed, trials);
        assert_eq!(native, evaluated, "{sink:?} of {what:?}\n{}", stage.module);
    }
}

/// The vector forms of a roll that take its resources, with the inputs of their kernels: for any
/// resources and for its own.
///
/// # Panics
/// On an internal error.
pub fn forms(bound: &Bound) -> Vec<(VectorForm, Vec<i64>)> {
    if !bound.program().is_script() && !VectorForm::takes(bound.resources()) {
        return Vec::new();
    }
    let any = stages::form(bound, false).map(|form| (form, bound.resources().to_vec()));
    let known = bound.specialised_vector_form().expect("no bug");
    any.into_iter().chain(known).collect()
}

/// The evaluator and native code of a vector form.
///
/// # Panics
/// If this machine runs no native code.
pub fn lane_kernels(form: &VectorForm, sink: Sink) -> [Arc<dyn Kernel>; 2] {
    let native = VectorKernel::compile(form.clone(), sink).expect("native code");
    [
        Arc::new(VectorEvalKernel::new(form.clone(), sink)),
        Arc::new(native),
    ]
}

/// Runs a roll in lanes, if it has a vector form, and compares whole outcomes, which it returns.
///
/// # Panics
/// If they disagree; the message names `what`.
pub fn check_lanes(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Option<Outcome> {
    let forms = forms(bound).into_iter();
    let outcomes = forms.map(|(form, inputs)| check_form(&form, &inputs, seed, trials, what));
    outcomes.reduce(|any, known| {
        assert_eq!(
            known,
            any,
            "specialised on {:?}: {what:?}",
            bound.resources()
        );
        any
    })
}

/// Compares whole outcomes of native code with the evaluator's, which it returns: all results, and
/// the counts and moments of a simulation. The same is compared in relays, if trials can relay.
///
/// # Panics
/// If they disagree; the message names `what`.
pub fn check_form(
    form: &VectorForm,
    inputs: &[i64],
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) -> Outcome {
    expect_round_trip(&form.module);
    let in_sink = |sink| {
        let [evaluated, native] =
            lane_kernels(form, sink).map(|kernel| run(&*kernel, inputs, seed, trials));
        assert_eq!(
            native, evaluated,
            "{sink:?} in lanes of {what:?}\n{}",
            form.module
        );
        evaluated
    };
    let values = in_sink(Sink::Values);
    let counts = Some(vector_sink(form)).filter(|counts| *counts != Sink::Values);
    for sink in counts
        .into_iter()
        .chain(vector_moments_of(form).map(Sink::Moments))
    {
        in_sink(sink);
    }
    if let Some(relayed) = form.in_relays().filter(|_| form.relay.is_none()) {
        check_form(&relayed, inputs, seed, trials, what);
    }
    if let Some(parted) = stages::with_rare_parts(form, &seen_nowhere(form)) {
        check_form(&parted, inputs, seed, trials, what);
    }
    if let Some(narrow) = form.in_bytes(&seen_in_trials(form, inputs)) {
        check_form(&narrow, inputs, seed, trials, what);
    }
    values
}

/// As if trials had iterated loops, but come to nothing in them: all of it is rare.
pub fn seen_nowhere(form: &VectorForm) -> Seen {
    let mut seen = Seen::default();
    let mut pending = vec![&form.region];
    while let Some(region) = pending.pop() {
        pending.extend(region.loops());
        if let Some(header) = region.header() {
            seen.visits[header] = 1000;
        }
    }
    seen
}

/// Checks that the text of a module reads back as the module, and that the verifier accepts it.
pub(crate) fn expect_round_trip(module: &Module) {
    let text = module.to_string();
    let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, *module, "{text}");
    assert_eq!(verify(&read), Ok(()), "{text}");
}
