//! The meaning of vector kernels: groups of trials whose dice [`dicec_runtime::rng::lanes`] draws,
//! and which go through the function together ([`group`](super::group)), each evaluated on its own.
//! What lanes compute is thereby held to whole numbers of 64 bits.
//!
//! Native code comes back here for what is left of a call, less than a group, and for a group in
//! which a trial trapped: only here is it known which one it was, and why.

use super::group::run_group;
use super::machine::Machine;
use crate::engine::vector_stat_windows;
use crate::engine::workspaces::Workspaces;
use crate::pass::VectorForm;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::Twins;
use std::sync::Arc;

/// Runs trials in vector form. With resources that the form is not made for, nothing runs. A
/// script's are given as an
/// [argument block](crate::ir::argument block).
///
/// All trials of a group go on until they end or trap. Then the first trap by number ends the call:
/// the stream stands where the group left it, the trials before that one are recorded, and nothing
/// that the call noted is reported.
#[derive(Clone, Debug)]
pub struct VectorEvalKernel {
    form: Arc<VectorForm>,
    /// `None` for a rule.
    workspaces: Option<Workspaces>,
    sink: Sink,
}

impl VectorEvalKernel {
    /// A kernel of `form`. `sink` has to fit its results.
    pub fn new(form: impl Into<Arc<VectorForm>>, sink: Sink) -> Self {
        let form = form.into();
        Self {
            workspaces: Workspaces::new(&form.module, vector_stat_windows(&form)),
            form,
            sink,
        }
    }

    /// Runs whole groups, but for the end of the last one.
    fn groups(
        &self,
        machine: &mut Machine<'_>,
        stream: &mut Stream,
        trials: usize,
        cells: &mut [i64],
    ) -> Result<(), Stopped> {
        let mut twins = Twins::new(stream);
        let mut first = 0;
        while first < trials {
            let seen = self.form.trials().min(trials - first);
            let ended = run_group(&self.form, machine, &mut twins, seen);
            *stream = twins.first.clone();
            for (trial, result) in (first..first + seen).zip(ended) {
                let value = result.map_err(Stopped::at(trial))?;
                self.sink.record(cells, trial, value.to_cell());
            }
            first += seen;
        }
        Ok(())
    }
}

/// The results of trials whose only die shows 1, 2 and so on, of a rule that reads no resources.
#[cfg(feature = "jit")]
pub(crate) fn results_by_face(form: &VectorForm, sides: u32) -> Option<Vec<i64>> {
    let mut machine = Machine::new(&form.module, &[], None);
    let faces = (1..=u64::from(sides)).map(|face| {
        let value = machine
            .trial(&mut dicec_runtime::rng::Scripted::new(&[face]))
            .ok()?;
        Some(value.to_cell())
    });
    faces.collect()
}

impl Kernel for VectorEvalKernel {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        Events::new(self.form.module.tables.stats.len())
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
        let begun = Workspaces::begin_lanes(self.workspaces.as_ref(), resources)?;
        let workspace = begun.map(|(_, workspace)| workspace);
        let mut machine = Machine::new(&self.form.module, resources, workspace);
        self.groups(&mut machine, stream, trials, cells)?;
        machine.report(events);
        Ok(())
    }
}
