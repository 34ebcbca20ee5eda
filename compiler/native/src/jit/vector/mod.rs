//! Vector kernels: trials of a [`VectorForm`] in lanes of 128 bits, see
//! [`dicec_runtime::rng::lanes`].
//!
//! ```text
//! VectorForm --emit-->
//! ```
//!
//! `emit` has the loop over groups, and `relay` that of groups with lane refill; `region`, `node`
//! and `gate` emit blocks, `draw`, `word` and `bernoulli` dice, `lane`, `once`, `ops`, `rounded`
//! and `check` operations, `number` and `halves` numbers that do not fit 8-bit lanes, `variable`
//! loop-carried values, `note` and `fuel` what only scripts have, `sink`, `relay_sink`, `joint` and
//! `moments` the ends of trials.
//!
//! The code runs whole groups. The evaluator runs the last trials of a call, fewer than a group,
//! and groups in which a trial may trap, so that traps have only one definition.
#![allow(
    unsafe_code,
    reason = "the call into compiled code; its SAFETY argument is the check of the lengths just before it"
)]

mod bernoulli;
mod cells;
mod check;
mod computed;
mod draw;
mod draws;
mod emit;
mod fuel;
mod gate;
mod halves;
mod joint;
mod kept;
mod lane;
mod moments;
mod node;
mod note;
mod number;
mod once;
mod ops;
mod raised;
mod raises;
mod region;
mod relay;
mod relay_sink;
mod rounded;
mod sink;
mod state;
mod table;
mod variable;
mod word;

use super::code::Code;
use super::error::JitError;
use super::kernel::script_context;
use super::listing::{Listing, list};
use super::target::{self, Effort};
use crate::eval::VectorEvalKernel;
use crate::pass::VectorForm;
use crate::workspaces::{Begun, Workspaces};
use cells::NoteCells;
use cranelift::codegen::isa::TargetIsa;
use dicec_runtime::abi::{Context, STATUS_OK, ScriptContext};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::Twins;
use std::ptr;
use std::sync::Arc;
use table::Table;

/// The maximum number of trials of one call of the code: 16-bit lanes count them.
const MAX_TRIALS: usize = 1 << 16;

/// The maximum number of trials of one call if trials have loops: each takes long enough, and a
/// call with a trap runs twice.
const MAX_LOOPING_TRIALS: usize = 1 << 12;

/// The maximum number of trials of one call that stores their results: 128 KiB, so that a driver
/// that converts them still finds them in a cache.
const MAX_VALUES: usize = 1 << 14;

/// Runs trials of a function in vector form as native code. If the form is not made for the
/// resources, nothing runs. A script's are given as an [argument block](crate::ir::argument_block).
#[derive(Debug)]
pub struct VectorKernel {
    /// `None` for Bernoulli draws that are not counted: storing them one by one takes as long as
    /// evaluating them.
    code: Option<Code>,
    form: Arc<VectorForm>,
    sink: Sink,
    table: Table,
    /// `None` for a rule.
    workspaces: Option<Workspaces>,
    notes: Option<NoteCells>,
    /// Runs the trials that the code does not run.
    evaluator: VectorEvalKernel,
}

/// The data of the trials of a call.
struct Work<'w> {
    twins: Twins,
    resources: &'w [i64],
    /// A script's.
    script: Option<Begun<'w>>,
}

impl VectorKernel {
    /// Compiles `form`. `sink` has to fit its results, as [`crate::vector_sink`] does.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn compile(form: impl Into<Arc<VectorForm>>, sink: Sink) -> Result<Self, JitError> {
        let form = form.into();
        let table = Table::new(&form, sink);
        let notes = NoteCells::new(&form);
        let native = form.bernoulli().is_none() || sink == Sink::Count;
        let code = native.then(|| {
            let counts = (&table, notes.as_ref());
            Code::lone(|isa, into| emit::kernel(&form, sink, counts, isa, into))
        });
        Ok(Self {
            code: code.transpose()?,
            workspaces: notes
                .as_ref()
                .and_then(|notes| Workspaces::new(&form.module, notes.windows.clone())),
            evaluator: VectorEvalKernel::new(form.clone(), sink),
            form,
            sink,
            table,
            notes,
        })
    }

    /// Runs whole groups until a trial may trap; returns the number of trials that ran.
    fn run_groups(&self, work: &mut Work<'_>, trials: usize, cells: &mut [i64]) -> usize {
        let noted = |work: &Work<'_>| work.script.as_ref().map(|(_, space)| space.notes.clone());
        let (twins, notes) = (work.twins.clone(), noted(work));
        // A relay records results before it is known whether all of its trials end.
        let is_relay = self.form.relay.is_some() && self.sink != Sink::Values;
        let before = is_relay.then(|| cells.to_vec());
        let ran = self.groups(work, trials, cells);
        if ran == trials {
            return ran;
        }
        // The abandoned group may have noted something, and its words were drawn. So the call is
        // repeated up to that group, without storing results twice.
        work.twins = twins;
        if let (Some((_, workspace)), Some(notes)) = (&mut work.script, notes) {
            workspace.notes = notes;
        }
        match before {
            Some(before) => {
                cells.copy_from_slice(&before);
                self.groups(work, ran, cells)
            }
            None => self.groups(work, ran, &mut vec![0; cells.len()]),
        }
    }

    /// Runs whole groups of trials, at most [`MAX_TRIALS`]; returns the number of trials that
    /// ended. `cells` is long enough for them.
    fn groups(&self, work: &mut Work<'_>, trials: usize, cells: &mut [i64]) -> usize {
        let Some(code) = &self.code else { return 0 };
        let mut table = vec![0_u32; self.table.size()];
        let counters = self.notes.as_ref().map_or(0, NoteCells::counters);
        let mut counters = vec![0_u32; counters];
        let mut script = match &mut work.script {
            Some((arguments, workspace)) => script_context(arguments, workspace, code.functions()),
            None => ScriptContext::default(),
        };
        script.counters = counters.as_mut_ptr();
        let mut context = Context {
            state: [0; 4],
            twins: interleaved(&work.twins),
            resources: work.resources.as_ptr(),
            cells: if table.is_empty() {
                cells.as_mut_ptr()
            } else {
                table.as_mut_ptr().cast()
            },
            trials: (trials / self.form.trials()) as u64,
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
            script,
        };
        // SAFETY: `run` found both slices long enough for `trials` trials; they are borrowed for
        // us. Where the code counts in a table of its own, `cells` is that table, of the size that
        // the code was compiled with. It has neither pools nor tables. A script's resources were
        // read as the argument block that the form is made for, and its context was made of that
        // argument block and a workspace that nothing else uses, with cells for the numbers that
        // the code was compiled for, as there are counters for those of each lane.
        unsafe { code.call(&mut context) };
        let [first, second] = [0, 1].map(|twin| {
            let word = |word: usize| context.twins[2 * word + twin];
            Stream::from_state([word(0), word(1), word(2), word(3)])
        });
        work.twins = Twins { first, second };
        if let (Some(notes), Some((_, workspace))) = (&self.notes, &mut work.script) {
            notes.fold(&counters, &mut workspace.notes);
        }
        if let Sink::Histogram { cells: count, .. } = self.sink {
            self.table.fold(&table, &mut cells[..count as usize]);
        }
        // At most the number of groups of the call.
        trials - context.trials as usize * self.form.trials()
    }

    /// Runs trials on the evaluator; `done` trials come before them in this call.
    fn evaluate(
        &self,
        work: &mut Work<'_>,
        done: usize,
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        let mut stream = work.twins.first.clone();
        let evaluator = &self.evaluator;
        let result = evaluator.run(&mut stream, work.resources, trials, cells, events);
        work.twins = Twins::new(&stream);
        result.map_err(|stopped| Stopped {
            trial: stopped.trial + done as u64,
            ..stopped
        })
    }

    /// Runs all trials; notes what the evaluator notes in `events`.
    fn run_all(
        &self,
        work: &mut Work<'_>,
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        let group = self.form.trials();
        let whole = match self.code {
            Some(_) => trials - trials % group,
            None => 0,
        };
        let start = |done: usize| if self.sink == Sink::Values { done } else { 0 };
        let mut done = 0;
        while done < whole {
            let next = self.max_trials().min(whole - done);
            let ran = self.run_groups(work, next, &mut cells[start(done)..]);
            done += ran;
            if ran < next {
                let left = (self.form.max_rounds() * group).min(next - ran);
                self.evaluate(work, done, left, &mut cells[start(done)..], events)?;
                done += left;
            }
        }
        if whole < trials {
            let cells = &mut cells[start(whole)..];
            self.evaluate(work, whole, trials - whole, cells, events)?;
        }
        Ok(())
    }

    /// The maximum number of trials of a call of the code, in whole groups.
    fn max_trials(&self) -> usize {
        let most = self.slice();
        match self.sink {
            Sink::Moments(moments) => {
                let most = most.min(moments::max_trials(moments));
                most - most % (self.form.trials() * self.form.max_rounds())
            }
            Sink::Values | Sink::Histogram { .. } | Sink::Count => most,
        }
    }
}

/// The generators' states as vectors: each word of both.
fn interleaved(twins: &Twins) -> [u64; 8] {
    let states = [twins.first.state(), twins.second.state()];
    std::array::from_fn(|index| states[index % 2][index / 2])
}

impl Kernel for VectorKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(&self.form.module.tables.stats)
    }

    fn slice(&self) -> usize {
        // Computing the stream's twin costs as much as a few hundred trials.
        match self.sink {
            _ if !self.form.region.is_loop_free() => MAX_LOOPING_TRIALS,
            Sink::Values => MAX_VALUES,
            _ => MAX_TRIALS,
        }
    }

    fn group(&self) -> usize {
        self.form.group(self.slice())
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        let slots = self.form.module.slots();
        self.sink.check_call((slots, resources), (trials, cells))?;
        let mut work = Work {
            twins: Twins::new(stream),
            resources,
            script: Workspaces::begin_lanes(self.workspaces.as_ref(), resources)?,
        };
        let mut noted = self.events();
        let result = self.run_all(&mut work, trials, cells, &mut noted);
        *stream = work.twins.first;
        // The notes of a call that a trap ends are discarded.
        result?;
        events.merge(&noted);
        if let Some((_, workspace)) = &work.script {
            workspace.notes.report(&workspace.texts, events);
        }
        Ok(())
    }
}

/// Compiles `form` to text, for `dicec emit`. Bernoulli draws are counted, whatever the sink.
///
/// # Errors
/// See [`JitError`].
pub fn vector_listing(form: &VectorForm, sink: Sink) -> Result<Listing, JitError> {
    listing(form, sink, target::host(Effort::AsEmitted)?.as_ref())
}

/// [`vector_listing`] for another machine.
///
/// # Errors
/// See [`JitError`].
#[cfg(feature = "aarch64")]
pub fn vector_listing_for_aarch64(form: &VectorForm, sink: Sink) -> Result<Listing, JitError> {
    listing(form, sink, target::aarch64(Effort::AsEmitted)?.as_ref())
}

fn listing(form: &VectorForm, sink: Sink, isa: &dyn TargetIsa) -> Result<Listing, JitError> {
    let mut context = cranelift::codegen::Context::new();
    let sink = match form.bernoulli() {
        Some(_) => Sink::Count,
        None => sink,
    };
    let table = Table::new(form, sink);
    let notes = NoteCells::new(form);
    let counts = (&table, notes.as_ref());
    emit::kernel(form, sink, counts, isa, &mut context.func);
    list(context, isa)
}
