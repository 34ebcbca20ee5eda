//! Vector kernels: trials of a [`VectorForm`] in lanes of 128 bits, see [`dicec_runtime::rng::lanes`].
//!
//! ```text
//! VectorForm --emit (loop), draw and word (dice), lane (operations), sink, joint--> CLIF --> Code --> VectorKernel
//! ```
//!
//! The code runs whole groups. What is left of a call, less than a group, the evaluator runs: so there is one meaning of it.
#![allow(
    unsafe_code,
    reason = "the call into compiled code; its SAFETY argument is the check of the lengths just before it"
)]

mod draw;
mod emit;
mod joint;
mod lane;
mod sink;
mod word;

use super::code::Code;
use super::{JitError, Listing, target};
use crate::backend::eval::VectorEvalKernel;
use crate::pass::VectorForm;
use cranelift::codegen::isa::TargetIsa;
use dicec_runtime::abi::{Context, STATUS_OK, ScriptContext};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::Twins;
use sink::Table;
use std::ptr;

/// Most trials of one call of the code: lanes of 16 bits count them.
const MOST_TRIALS: usize = 1 << 16;

/// Runs trials of a function in vector form as native code. With resources that the form is not made for, nothing runs.
#[derive(Debug)]
pub struct VectorKernel {
    code: Code,
    form: VectorForm,
    sink: Sink,
    table: Table,
}

impl VectorKernel {
    /// Compiles `form`. `sink` has to fit its results, as [`crate::backend::vector_sink`] does.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn compile(form: &VectorForm, sink: Sink) -> Result<Self, JitError> {
        let table = Table::new(form, sink);
        let code = Code::lone(|isa, into| emit::kernel(form, sink, &table, isa, into))?;
        Ok(Self {
            code,
            form: form.clone(),
            sink,
            table,
        })
    }

    /// Runs whole groups of trials, at most [`MOST_TRIALS`]. `cells` is long enough for them.
    fn groups(&self, twins: &mut Twins, resources: &[i64], trials: usize, cells: &mut [i64]) {
        let mut table = vec![0_u32; self.table.size()];
        let mut context = Context {
            state: [0; 4],
            twins: interleaved(twins),
            resources: resources.as_ptr(),
            cells: if table.is_empty() {
                cells.as_mut_ptr()
            } else {
                table.as_mut_ptr().cast()
            },
            trials: (trials / self.form.layout.trials()) as u64,
            trap_trial: 0,
            trap_site: 0,
            pools: ptr::null_mut(),
            pool_count: 0,
            steps: ptr::null(),
            step_count: 0,
            columns: ptr::null(),
            tables: ptr::null(),
            table_count: 0,
            call_status: STATUS_OK,
            script: ScriptContext::default(),
        };
        // SAFETY: `run` found both slices long enough for `trials` trials; they are borrowed for us. Where the code counts in a table
        // of its own, `cells` is that table, of the size that the code was compiled with. It has neither pools nor tables nor a script.
        unsafe { self.code.call(&mut context) };
        let [first, second] = [0, 1].map(|twin| {
            let word = |word: usize| context.twins[2 * word + twin];
            Stream::from_state([word(0), word(1), word(2), word(3)])
        });
        *twins = Twins { first, second };
        if let Sink::Histogram { cells: count, .. } = self.sink {
            self.table.fold(&table, &mut cells[..count as usize]);
        }
    }
}

/// The generators' states as vectors: each word of both.
fn interleaved(twins: &Twins) -> [u64; 8] {
    let states = [twins.first.state(), twins.second.state()];
    std::array::from_fn(|place| states[place % 2][place / 2])
}

impl Kernel for VectorKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn slice(&self) -> usize {
        match self.sink {
            Sink::Values => 1 << 12,
            // A look at the stream's twin costs as much as some hundred trials.
            _ => MOST_TRIALS,
        }
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.form.function.resources.len()
            || !VectorForm::takes(resources)
            || cells.len() < self.sink.cells(trials)
        {
            return Ok(());
        }
        let whole = trials - trials % self.form.layout.trials();
        let mut done = 0;
        let mut twins = Twins::new(stream);
        let start = |done: usize| if self.sink == Sink::Values { done } else { 0 };
        while done < whole {
            let trials = MOST_TRIALS.min(whole - done);
            self.groups(&mut twins, resources, trials, &mut cells[start(done)..]);
            done += trials;
        }
        *stream = twins.first;
        if whole == trials {
            return Ok(());
        }
        VectorEvalKernel::new(&self.form, self.sink).run(
            stream,
            resources,
            trials - whole,
            &mut cells[start(whole)..],
            events,
        )
    }
}

/// Compiles `form` to text, for `dicec emit`.
///
/// # Errors
/// See [`JitError`].
pub fn vector_listing(form: &VectorForm, sink: Sink) -> Result<Listing, JitError> {
    listing(form, sink, target::host()?.as_ref())
}

/// [`vector_listing`] for another machine.
///
/// # Errors
/// See [`JitError`].
#[cfg(feature = "aarch64")]
pub fn vector_listing_for_aarch64(form: &VectorForm, sink: Sink) -> Result<Listing, JitError> {
    listing(form, sink, target::aarch64()?.as_ref())
}

fn listing(form: &VectorForm, sink: Sink, isa: &dyn TargetIsa) -> Result<Listing, JitError> {
    let mut context = cranelift::codegen::Context::new();
    let table = Table::new(form, sink);
    emit::kernel(form, sink, &table, isa, &mut context.func);
    super::list(context, isa)
}
