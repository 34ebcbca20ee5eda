//! The source of a compilation: a module and its sink, and the numbers of entities over all
//! functions.

use super::tables::Drawn;
use crate::ir::{Func, Function, Inst, Module, Op, Pool, Tables};
use cranelift_entity::EntityRef;
use dicec_runtime::abi::PoolStep;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pool::{self, Step};
use dicec_runtime::script::Windows;
use dicec_runtime::span::Span;

/// A verified module, with what belongs to its kernel.
pub(super) struct Source<'f> {
    functions: &'f [Function],
    /// A script's.
    pub(super) tables: Option<&'f Tables>,
    /// The cells of statistics.
    pub(super) windows: &'f Windows,
    pub(super) sink: Sink,
    /// The tables of fused draws.
    pub(super) drawn: Drawn,
}

impl<'f> Source<'f> {
    pub(super) fn new(module: &'f Module, windows: &'f Windows, sink: Sink) -> Self {
        let functions = module.functions.values().as_slice();
        Self {
            functions,
            tables: module.script_tables(),
            windows,
            sink,
            drawn: Drawn::of(functions),
        }
    }

    pub(super) fn function(&self, func: Func) -> &'f Function {
        &self.functions[func.index()]
    }

    /// The functions by their numbers; the first is the trial.
    pub(super) fn funcs(&self) -> impl Iterator<Item = Func> + use<> {
        (0..self.functions.len()).map(Func::new)
    }

    /// Whether trials put texts together.
    pub(super) fn joins_texts(&self) -> bool {
        self.functions.iter().any(|function| {
            let mut insts = function.live_insts();
            insts.any(|inst| function.insts[inst].op == Op::TextJoin)
        })
    }

    fn before(&self, func: Func) -> &'f [Function] {
        &self.functions[..func.index()]
    }

    /// The number of an instruction among those of all functions: where a trap is.
    pub(super) fn site(&self, func: Func, inst: Inst) -> i64 {
        let before = self.before(func).iter();
        let before: usize = before.map(|function| function.insts.len()).sum();
        // Memory holds fewer than 2^63 of them.
        (before + inst.index()) as i64
    }

    /// The source of each instruction, by the numbers of [`Source::site`].
    pub(super) fn spans(&self) -> Vec<Span> {
        let insts = self
            .functions
            .iter()
            .flat_map(|function| function.insts.values());
        insts.map(|inst| inst.span).collect()
    }

    /// The pools of all functions, empty.
    pub(super) fn pools(&self) -> Vec<pool::Pool> {
        let pools = self
            .functions
            .iter()
            .flat_map(|function| function.pools.values());
        pools.map(|faces| pool::Pool::new(faces)).collect()
    }

    /// A step of a function on the pools of all.
    pub(super) fn step(&self, func: Func, pool: Pool, step: Step) -> PoolStep {
        let before = self.before(func).iter();
        // A u32 numbers the pools of a function; a source text is far too short for as many in all.
        let before: usize = before.map(|function| function.pools.len()).sum();
        let before = before as u32;
        PoolStep {
            pool: before + pool.as_u32(),
            step: match step {
                Step::Join(other) => Step::Join(before + other),
                step => step,
            },
        }
    }
}
