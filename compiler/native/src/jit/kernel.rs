//! Compiled code as a [`Kernel`].
#![allow(
    unsafe_code,
    reason = "the call into compiled code; its SAFETY argument is the check of the lengths and of the arguments just before it"
)]

use super::code::Code;
use super::error::JitError;
use super::source::Source;
use super::tables::Drawn;
use crate::ir::{ArgumentBlock, Module};
use crate::stat_windows;
use crate::workspaces::Workspaces;
use dicec_runtime::abi::{Context, PoolStep, STATUS_OK, ScriptContext};
use dicec_runtime::bug;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::pool::Pool;
use dicec_runtime::rng::Stream;
use dicec_runtime::script::Workspace;
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use std::sync::Arc;

/// Runs trials as native code.
#[derive(Debug)]
pub struct JitKernel {
    code: Code,
    sink: Sink,
    module: Arc<Module>,
    /// `None` for a rule.
    workspaces: Option<Workspaces>,
    /// The pools at the beginning of a call: empty.
    pools: Vec<Pool>,
    steps: Vec<PoolStep>,
    /// The tables of fused draws.
    drawn: Drawn,
    /// The source of each instruction, by its number: a trap's site.
    spans: Vec<Span>,
}

impl JitKernel {
    /// Compiles `module`, which [`crate::ir::verify`] accepts. A script's resources are an
    /// [argument block](crate::ir::argument_block). `sink` has to fit its results, as
    /// [`crate::best_sink`] does.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn compile(module: impl Into<Arc<Module>>, sink: Sink) -> Result<Self, JitError> {
        let module = module.into();
        let windows = stat_windows(&module);
        let source = Source::new(&module, &windows, sink);
        let (code, steps) = Code::compile(&source)?;
        let (pools, spans, drawn) = (source.pools(), source.spans(), source.drawn);
        Ok(Self {
            code,
            sink,
            workspaces: Workspaces::new(&module, windows),
            module,
            pools,
            steps,
            drawn,
            spans,
        })
    }
}

impl Kernel for JitKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(&self.module.tables.stats)
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        let slots = self.module.slots();
        self.sink.check_call((slots, resources), (trials, cells))?;
        let Some(workspaces) = &self.workspaces else {
            return self.call(stream, resources, trials, cells, ScriptContext::default());
        };
        let (arguments, mut workspace) = workspaces.begin(resources)?;
        let context = script_context(&arguments, &mut workspace, self.code.functions());
        let result = self.call(stream, resources, trials, cells, context);
        workspace.notes.report(&workspace.texts, events);
        result
    }
}

impl JitKernel {
    /// Runs the code; both slices are long enough, and `script` is the context that this kernel's
    /// code needs.
    fn call(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        script: ScriptContext,
    ) -> Result<(), Stopped> {
        let mut pools = self.pools.clone();
        let columns = self.drawn.columns();
        let mut context = Context {
            state: stream.state(),
            resources: resources.as_ptr(),
            cells: cells.as_mut_ptr(),
            trials: trials as u64,
            trap_trial: 0,
            trap_site: 0,
            pools: pools.as_mut_ptr(),
            pool_count: pools.len() as u64,
            steps: self.steps.as_ptr(),
            step_count: self.steps.len() as u64,
            columns: columns.as_ptr(),
            tables: self.drawn.tables().as_ptr(),
            table_count: self.drawn.tables().len() as u64,
            call_status: STATUS_OK,
            twins: [0; 8],
            script,
        };
        // SAFETY: both slices were just found long enough, and `cells` is borrowed for us alone.
        // The pools are ours, and the steps and tables are those that the code was compiled with. A
        // script's resources were read as an argument block of this module, and its context was
        // made of that argument block and a workspace of our own.
        let status = unsafe { self.code.call(&mut context) };
        *stream = Stream::from_state(context.state);
        if status == STATUS_OK {
            return Ok(());
        }
        Err(Stopped {
            trial: context.trap_trial,
            trap: self.trap(status, context.trap_site),
        })
    }

    fn trap(&self, status: u32, site: u64) -> Trap {
        let span = usize::try_from(site)
            .ok()
            .and_then(|site| self.spans.get(site));
        Trap {
            // The code returns the number of a trap code or `STATUS_OK`, nothing else.
            code: TrapCode::from_number(status)
                .unwrap_or_else(|| bug!("native code returned {status}").into()),
            span: span
                .copied()
                .unwrap_or_else(|| bug!("native code has no instruction {site}").raise()),
        }
    }
}

/// The context of a script's code: a workspace made from this argument block, and the module's
/// functions.
pub(super) fn script_context(
    arguments: &ArgumentBlock<'_>,
    workspace: &mut Workspace,
    functions: &[usize],
) -> ScriptContext {
    let line_width = workspace.notes.width() as u64;
    let memory_words = workspace.memory.len() as u64;
    let memory = workspace.memory.words_mut().as_mut_ptr();
    ScriptContext {
        memory,
        memory_words,
        free: 0,
        image_words: arguments.words.len() as u64,
        written: arguments.written.as_ptr(),
        written_count: arguments.written.len() as u64,
        fuel: 0,
        lines: workspace.notes.lines_mut().as_mut_ptr(),
        line_width,
        stats: workspace.notes.stats_mut().as_mut_ptr(),
        counters: std::ptr::null_mut(),
        functions: functions.as_ptr(),
        texts_are_many: 0,
        workspace,
    }
}
