//! The IR evaluator: runs a function or a unit as it stands, before or after any pass. Tests hold the passes to it, and it replays
//! what the JIT does with a fused program.

mod group;
mod machine;
mod vector;

pub use vector::VectorEvalKernel;

use crate::engine::stat_windows;
use crate::ir::{Const, Function, Image, Tables, Unit};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::{Dice, Stream};
use dicec_runtime::script::{Window, Workspace};
use dicec_runtime::trap::Trap;
use machine::Machine;
use std::sync::Arc;

/// Runs trials of a verified function or unit.
#[derive(Clone, Debug)]
pub struct EvalKernel<'f> {
    /// The first is the trial.
    functions: &'f [Function],
    /// What a script has besides; `None` for a lone function.
    script: Option<Script<'f>>,
    sink: Sink,
}

#[derive(Clone, Debug)]
struct Script<'f> {
    tables: &'f Tables,
    windows: Arc<[Window]>,
}

impl Script<'_> {
    /// The image in what a kernel was given, and what the trials on it work on; `None` if there is none.
    fn begin<'i>(&self, slots: usize, inputs: &'i [i64]) -> Option<(Image<'i>, Workspace)> {
        let image = Image::read(self.tables, slots, inputs)?;
        let workspace = self.tables.workspace(&image, &self.windows);
        Some((image, workspace))
    }
}

impl<'f> EvalKernel<'f> {
    /// A kernel of `function`, which [`crate::ir::verify`] accepts. `sink` has to fit its results.
    pub fn new(function: &'f Function, sink: Sink) -> Self {
        Self {
            functions: std::slice::from_ref(function),
            script: None,
            sink,
        }
    }

    /// A kernel of `unit`, which [`crate::ir::verify_unit`] accepts. Its resources are an [image](crate::ir::image). `sink` has to fit
    /// its results.
    pub fn of_unit(unit: &'f Unit, sink: Sink) -> Self {
        let script = unit.tables.is_script().then(|| Script {
            tables: &unit.tables,
            windows: stat_windows(unit).into(),
        });
        Self {
            functions: unit.functions.values().as_slice(),
            script,
            sink,
        }
    }

    /// One trial of a lone function. `resources` holds a value a slot.
    ///
    /// # Errors
    /// The first trap.
    pub fn trial(&self, dice: &mut impl Dice, resources: &[i64]) -> Result<Const, Trap> {
        Machine::new(self.functions, resources, None).trial(dice)
    }

    /// How many words the trial reads by slot.
    fn slots(&self) -> usize {
        self.functions[0].resources.len()
    }
}

impl Kernel for EvalKernel<'_> {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn events(&self) -> Events {
        let stats = self.script.as_ref();
        Events::new(stats.map_or(0, |script| script.tables.stats.len()))
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.slots() || cells.len() < self.sink.cells(trials) {
            return Err(Stopped::bad_call());
        }
        let Some(script) = &self.script else {
            let mut machine = Machine::new(self.functions, resources, None);
            return self.trials(&mut machine, stream, trials, cells, |_| {});
        };
        let Some((image, workspace)) = script.begin(self.slots(), resources) else {
            return Err(Stopped::bad_call());
        };
        let workspace = Some((script.tables, workspace));
        let mut machine = Machine::new(self.functions, resources, workspace);
        let result = self.trials(&mut machine, stream, trials, cells, |machine| {
            machine.restart(image.words, &image.written);
        });
        machine.report(events);
        result
    }
}

impl EvalKernel<'_> {
    fn trials(
        &self,
        machine: &mut Machine<'_>,
        stream: &mut Stream,
        trials: usize,
        cells: &mut [i64],
        restart: impl Fn(&mut Machine<'_>),
    ) -> Result<(), Stopped> {
        for trial in 0..trials {
            restart(machine);
            let value = machine.trial(stream).map_err(|trap| Stopped {
                trial: trial as u64,
                trap,
            })?;
            self.sink.record(cells, trial, value.to_cell());
        }
        Ok(())
    }
}
