//! Compiled code as a [`Kernel`].
#![allow(
    unsafe_code,
    reason = "the call into compiled code; its SAFETY argument is the check of the lengths just before it"
)]

use super::JitError;
use super::code::Code;
use crate::ir::Function;
use dicec_runtime::abi::{Context, PoolStep, STATUS_OK};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::pool::Pool;
use dicec_runtime::rng::Stream;
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};

/// Runs trials as native code.
#[derive(Debug)]
pub struct JitKernel {
    code: Code,
    sink: Sink,
    resources: usize,
    /// What stands on the table when a call begins: empty pools.
    pools: Vec<Pool>,
    steps: Vec<PoolStep>,
    /// The source of each instruction, by its number: a trap's site.
    spans: Vec<Span>,
}

impl JitKernel {
    /// Compiles `function`, which [`crate::ir::verify`] accepts. `sink` has to fit its results, as
    /// [`crate::backend::best_sink`] does.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn compile(function: &Function, sink: Sink) -> Result<Self, JitError> {
        let (code, steps) = Code::compile(function, sink)?;
        Ok(Self {
            code,
            sink,
            pools: function
                .pools
                .values()
                .map(|faces| Pool::new(faces))
                .collect(),
            steps,
            resources: function.resources.len(),
            spans: function.insts.values().map(|inst| inst.span).collect(),
        })
    }
}

impl Kernel for JitKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        _events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.resources || cells.len() < self.sink.cells(trials) {
            return Ok(());
        }
        let mut pools = self.pools.clone();
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
            step_status: STATUS_OK,
        };
        // SAFETY: both slices were just found long enough, and `cells` is borrowed for us alone. The pools are ours, and
        // the steps are those that the code was compiled with.
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
}

impl JitKernel {
    fn trap(&self, status: u32, site: u64) -> Trap {
        let span = usize::try_from(site)
            .ok()
            .and_then(|site| self.spans.get(site));
        Trap {
            // The code returns the number of a trap code or `STATUS_OK`, nothing else.
            code: TrapCode::from_number(status).unwrap_or(TrapCode::Overflow),
            span: span.copied().unwrap_or_default(),
        }
    }
}
