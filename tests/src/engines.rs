//! Every engine that can run a program, by name.
//!
//! The *faithful* engines draw the same words for the same dice and must agree with the interpreter
//! in everything. The *fused* engines must agree with each other, and so must the fused engines in
//! lanes.

use crate::stages::{form, module};
use dicec_compiler::engine::eval::{EvalKernel, VectorEvalKernel};
use dicec_compiler::engine::jit::{JitKernel, VectorKernel};
use dicec_compiler::ir::Module;
use dicec_compiler::pass::{Pass, VectorForm};
use dicec_compiler::{Bound, Sampling};
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use std::sync::Arc;

/// The outcome of a run of some trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The results of the trials before the trap, or of all.
    pub results: Vec<i64>,
    /// The trap that ended the run.
    pub stopped: Option<Stopped>,
    /// The generator's end state.
    pub state: [u64; 4],
    /// How many words were drawn.
    pub words: u64,
}

/// A named engine.
pub struct Engine {
    /// Its name in failures.
    pub name: String,
    /// The function that runs it; it owns the compiled program.
    kernel: Arc<dyn Kernel>,
}

/// An upper bound on the words that any test run draws.
const MAX_WORDS: u64 = 10_000_000;

impl Engine {
    /// Runs `trials` trials from `seed`.
    pub fn run(&self, resources: &[i64], seed: u64, trials: usize) -> Outcome {
        self.run_from(resources, &Stream::from_seed(seed), trials)
    }

    /// Runs `trials` trials from `start` on.
    pub fn run_from(&self, resources: &[i64], start: &Stream, trials: usize) -> Outcome {
        let mut stream = start.clone();
        let sink = self.kernel.sink();
        let mut cells = vec![0; sink.cells(trials)];
        let mut events = self.kernel.events();
        let stopped = self
            .kernel
            .run(&mut stream, resources, trials, &mut cells, &mut events)
            .err();
        let ran = stopped.map_or(trials, |stopped| stopped.trial as usize);
        if sink == Sink::Values {
            cells.truncate(ran);
        }
        Outcome {
            results: cells,
            stopped,
            state: stream.state(),
            words: start
                .words_until(&stream, MAX_WORDS)
                .expect("a bounded run"),
        }
    }
}

/// An evaluator that stores every result.
pub fn eval(name: &str, module: impl Into<Arc<Module>>) -> Engine {
    Engine {
        name: format!("eval {name}"),
        kernel: Arc::new(EvalKernel::new(module, Sink::Values)),
    }
}

/// A native engine that stores every result.
pub fn jit(name: &str, module: impl Into<Arc<Module>>) -> Engine {
    jit_into(name, module, Sink::Values)
}

/// A native engine with another sink; its outcome's `results` are the sink's cells.
pub fn jit_into(name: &str, module: impl Into<Arc<Module>>, sink: Sink) -> Engine {
    let kernel = JitKernel::compile(module, sink).expect("this machine runs native code");
    Engine {
        name: format!("jit {name}"),
        kernel: Arc::new(kernel),
    }
}

/// The reference.
pub fn interpreter(bound: &Bound) -> Engine {
    Engine {
        name: "interp".to_owned(),
        kernel: bound.interpreter_kernel(Sink::Values),
    }
}

/// All faithful engines but the interpreter: the IR as lowered, after each pass alone, after all of
/// them, and specialised on its resources, evaluated and native.
pub fn faithful(bound: &Bound) -> Vec<Engine> {
    let lowered = Module::clone(bound.lowered());
    let mut engines = Vec::new();
    for pass in Pass::ALL {
        let mut function = lowered.clone();
        pass.run(&mut function);
        engines.push(eval(pass.name, function.clone()));
        engines.push(jit(pass.name, function));
    }
    let [optimised, specialised] =
        [false, true].map(|known| module(bound, known, Sampling::Faithful));
    for (name, function) in [
        ("lowered", lowered),
        ("optimised", optimised),
        ("specialised", specialised),
    ] {
        engines.push(jit(name, function.clone()));
        engines.push(eval(name, function));
    }
    engines
}

/// The fused engines in lanes, if the program has a vector form and takes its resources; the first
/// is the reference of the others.
pub fn vector(bound: &Bound) -> Vec<Engine> {
    let mut engines = Vec::new();
    for (name, known) in [("vector", false), ("vector specialised", true)] {
        let form = form(bound, known);
        if let Some(form) = form.filter(|_| VectorForm::takes(bound.resources())) {
            engines.push(vector_jit(name, form.clone(), Sink::Values));
            engines.push(Engine {
                name: format!("eval {name}"),
                kernel: Arc::new(VectorEvalKernel::new(form, Sink::Values)),
            });
        }
    }
    // The evaluator is the reference.
    if !engines.is_empty() {
        engines.swap(0, 1);
    }
    engines
}

/// A native engine in lanes; its outcome's `results` are the sink's cells.
pub fn vector_jit(name: &str, form: impl Into<Arc<VectorForm>>, sink: Sink) -> Engine {
    let kernel = VectorKernel::compile(form, sink).expect("this machine runs native code");
    Engine {
        name: format!("jit {name}"),
        kernel: Arc::new(kernel),
    }
}

/// The fused engines without lanes; the first is the reference of the others.
pub fn fused(bound: &Bound) -> Vec<Engine> {
    let mut engines = Vec::new();
    for (name, known) in [("fused", false), ("fused specialised", true)] {
        let function = module(bound, known, Sampling::Fused);
        engines.push(eval(name, function.clone()));
        engines.push(jit(name, function));
    }
    engines
}
