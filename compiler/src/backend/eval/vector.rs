//! The meaning of vector kernels: groups of trials whose dice [`dicec_runtime::rng::lanes`] draws, each trial evaluated on its own. What
//! lanes compute is thereby held to whole numbers of 64 bits.

use super::machine::Machine;
use crate::backend::sums::Sums;
use crate::pass::VectorForm;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::lanes::Twins;
use dicec_runtime::rng::{Scripted, Stream};

/// Runs trials of a function in vector form. With resources that the form is not made for, nothing runs.
#[derive(Clone, Copy, Debug)]
pub struct VectorEvalKernel<'f> {
    form: &'f VectorForm,
    sink: Sink,
}

impl<'f> VectorEvalKernel<'f> {
    /// A kernel of `form`. `sink` has to fit its results.
    pub fn new(form: &'f VectorForm, sink: Sink) -> Self {
        Self { form, sink }
    }

    /// The results of trials whose only die shows 1, 2 and so on. The function reads no resources.
    pub fn by_face(&self, sides: u32) -> Option<Vec<i64>> {
        let functions = std::slice::from_ref(&self.form.function);
        let sums = Sums::of(functions);
        let mut machine = Machine::new(functions, &sums, &[], None);
        let faces = (1..=u64::from(sides)).map(|face| {
            let value = machine.trial(&mut Scripted::new(&[face])).ok()?;
            Some(value.to_cell())
        });
        faces.collect()
    }
}

impl Kernel for VectorEvalKernel<'_> {
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
        let VectorForm { function, layout } = self.form;
        if resources.len() < function.resources.len()
            || !VectorForm::takes(resources)
            || cells.len() < self.sink.cells(trials)
        {
            return Ok(());
        }
        let mut twins = Twins::new(stream);
        let functions = std::slice::from_ref(function);
        // No vector form draws sums from tables.
        let sums = Sums::of(functions);
        let mut machine = Machine::new(functions, &sums, resources, None);
        let mut trial = 0;
        while trial < trials {
            let group = layout.draw(&mut twins);
            for place in 0..layout.trials().min(trials - trial) {
                let mut dice = Scripted::new(group.faces(place));
                let value = machine.trial(&mut dice).map_err(|trap| Stopped {
                    trial: trial as u64,
                    trap,
                })?;
                self.sink.record(cells, trial, value.to_cell());
                trial += 1;
            }
        }
        *stream = twins.first;
        Ok(())
    }
}
