//! Every engine that can run a roll, and that they agree: the interpreter, the IR evaluator and
//! native code, one trial at a time or in lanes.
//!
//! *Faithful* modules draw the same words for the same dice and must agree with the interpreter in
//! everything. *Fused* ones must agree with their own evaluation, and so must vector forms.

mod checks;
mod lanes;
mod wanted;

pub use checks::{check, check_optimised, check_some};
pub use lanes::{check_form, check_lanes, forms, lane_kernels};
pub use wanted::Wanted;

pub(crate) use checks::changed;

use dicec_compiler::Bound;
use dicec_compiler::unstable::Sampling;
use dicec_native::eval::EvalKernel;
use dicec_native::ir::{Module, verify};
use dicec_native::ir_text::parse;
use dicec_native::jit::JitKernel;
use dicec_native::pass::{Contract, Pass, VectorForm};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use std::fmt::Debug;
use std::iter;
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
    let first = Stage::new("lowered", lowered.clone(), inputs);
    let passes = (0..Pass::ALL.len()).filter_map(|pass| after_pass(lowered, inputs, pass));
    iter::once(first).chain(passes).collect()
}

/// A module after a pass, by its number in [`Pass::ALL`], that changes it and keeps what each trial
/// does for these inputs.
fn after_pass(lowered: &Module, inputs: &[i64], pass: usize) -> Option<Stage> {
    let pass = Pass::ALL[pass];
    let takes = !pass.assumes_usual || VectorForm::takes(inputs);
    if pass.contract != Contract::Exact || !takes {
        return None;
    }
    let mut module = lowered.clone();
    pass.run(&mut module);
    (module != *lowered).then(|| Stage::new(pass.name, module, inputs))
}

/// The module of a roll for any arguments and resources, and that for its own.
///
/// # Panics
/// On an internal error.
pub fn optimised(bound: &Bound, sampling: Sampling) -> [Stage; 2] {
    [false, true].map(|is_own| optimised_for(bound, sampling, is_own))
}

/// One of both.
fn optimised_for(bound: &Bound, sampling: Sampling, is_own: bool) -> Stage {
    if is_own {
        let (own, known) = bound.specialised(sampling).expect("no bug");
        return Stage::new("specialised", own, &known);
    }
    let any = Arc::clone(bound.optimised(sampling));
    let inputs = bound.inputs(&any).expect("no bug");
    Stage::new("optimised", any, &inputs)
}

/// The interpreter's outcome: the reference.
pub fn interpreted(bound: &Bound, seed: u64, trials: usize) -> Outcome {
    let kernel = bound.interpreter_kernel(Sink::Values);
    run(&*kernel, bound.resources(), seed, trials)
}

/// Checks that the text of a module reads back as the module, and that the verifier accepts it.
pub(crate) fn expect_round_trip(module: &Module) {
    let text = module.to_string();
    let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, *module, "{text}");
    assert_eq!(verify(&read), Ok(()), "{text}");
}
