//! The meaning of vector kernels: groups of trials, with dice drawn as
//! [`dicec_runtime::rng::lanes`] does, go through the function together ([`group`](super::group)).
//! Each trial is evaluated separately in 64-bit numbers. Lanes must give the same results.
//!
//! Native code falls back to this for the last trials of a call, fewer than a group, and for a
//! group in which a trial may trap: only the evaluator finds out which trial traps, and why.

use super::group::run_group;
use super::machine::Machine;
use crate::pass::VectorForm;
use crate::vector_stat_windows;
use crate::workspaces::Workspaces;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::Twins;
use std::sync::Arc;

/// Runs trials in vector form. If the form is not made for the resources, nothing runs. A script's
/// are given as an [argument block](crate::ir::argument_block).
///
/// All trials of a group run until they end or trap. Then the trap of the trial with the lowest
/// number ends the call: the stream is where the group left it, the trials before that one are
/// recorded, and nothing that the call noted is reported.
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
            workspaces: Workspaces::new(&form.module, vector_stat_windows(&form, &form.ranges())),
            form,
            sink,
        }
    }

    /// The number of trials per lane in the next group, and the number of its trials that count, if
    /// this many are left.
    fn group(&self, left: usize) -> (usize, usize) {
        let lanes = self.form.trials();
        let rounds = (left / lanes).clamp(1, self.form.max_rounds());
        (rounds, left.min(lanes * rounds))
    }

    /// Runs whole groups, and the first part of a last one.
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
            let (rounds, seen) = self.group(trials - first);
            let ended = run_group(&self.form, machine, &mut twins, (rounds, seen), &mut |_| {});
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

/// For a rule with one die and no resources: the results of the trials in which the die shows 1, 2
/// and so on.
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
        Events::new(&self.form.module.tables.stats)
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
        let begun = Workspaces::begin_lanes(self.workspaces.as_ref(), resources)?;
        let workspace = begun.map(|(_, workspace)| workspace);
        let mut machine = Machine::new(&self.form.module, resources, workspace);
        self.groups(&mut machine, stream, trials, cells)?;
        machine.report(events);
        Ok(())
    }
}
