//! Runs trials of a module one at a time and records everything observable about each; checks of
//! rewrites compare these records.

use super::machine::Machine;
use crate::ir::{ArgumentBlock, Module};
use crate::workspaces::Workspaces;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::Stopped;
use dicec_runtime::rng::Dice;
use dicec_runtime::script::{Window, Windows};
use dicec_runtime::stats::Tally;
use dicec_runtime::trap::Trap;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Everything that can be observed of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// The result as sinks hold it, or the trap that ended the trial.
    pub ended: Result<i64, Trap>,
    /// Its lines by template, and how often it output each; none if it trapped.
    pub lines: Vec<(String, u64)>,
    /// The noted numbers by the name of the statistic, with counts; none if it trapped.
    pub stats: BTreeMap<String, Vec<(i64, u64)>>,
}

impl Observed {
    /// A trial with this end and these events; `names` are those of its known statistics.
    pub fn new(ended: Result<i64, Trap>, events: &Events, names: &[String]) -> Self {
        let mut observed = Self {
            ended,
            lines: Vec::new(),
            stats: BTreeMap::new(),
        };
        if ended.is_err() {
            return observed;
        }
        let lines = events.lines.iter();
        observed.lines = lines
            .map(|(line, times)| (line.to_owned(), times))
            .collect();
        let known = names.iter().map(String::as_str).zip(events.stats());
        for (name, numbers) in known.chain(events.named().iter()) {
            if numbers.count() > 0 {
                let numbers = numbers.outcomes().collect();
                observed.stats.insert(name.to_owned(), numbers);
            }
        }
        observed
    }
}

impl Observed {
    /// Adds its lines and statistics to those of other trials.
    pub fn add_to(&self, events: &mut Events) {
        for (line, times) in &self.lines {
            events.lines.add(line, *times);
        }
        for (name, numbers) in &self.stats {
            let mut tally = Tally::sparse();
            for &(number, times) in numbers {
                (0..times).for_each(|_| tally.record(number));
            }
            events.add_named(name, &tally);
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ended {
            Ok(result) => write!(f, "{result}")?,
            Err(trap) => write!(f, "an error ({trap})")?,
        }
        for (line, times) in &self.lines {
            write!(f, ", {line:?} {times} times")?;
        }
        for (name, numbers) in &self.stats {
            write!(f, ", {name:?} with")?;
            for (number, times) in numbers {
                write!(f, " {number} {times} times")?;
            }
        }
        Ok(())
    }
}

/// A trial that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its observable behaviour.
    pub observed: Observed,
    /// The fuel that was left at its end; 0 for a rule, and for a trial that trapped.
    pub fuel: i64,
}

/// Runs trials of a verified module, one at a time, each from the memory with which trials begin.
#[derive(Debug)]
pub struct Trials<'m> {
    module: &'m Module,
    /// The machine before its first trial.
    machine: Machine<'m>,
    arguments: Option<ArgumentBlock<'m>>,
}

impl<'m> Trials<'m> {
    /// Trials of `module` on these inputs: the resources of a rule, or an
    /// [argument block](crate::ir::argument_block).
    ///
    /// # Errors
    /// [`Stopped::bad_call`], if the inputs are not those of the module.
    pub fn new(module: &'m Arc<Module>, inputs: &'m [i64]) -> Result<Self, Stopped> {
        if inputs.len() < module.slots() {
            return Err(Stopped::bad_call());
        }
        let workspaces = Workspaces::new(module, without_cells(module));
        let begun = workspaces.map(|workspaces| workspaces.begin(inputs));
        let (arguments, workspace) = begun.transpose()?.unzip();
        Ok(Self {
            module,
            machine: Machine::new(module, inputs, workspace),
            arguments,
        })
    }

    /// Runs one trial with these dice; `None` if it executes more than `blocks` blocks. The
    /// executed blocks are subtracted from `blocks`.
    pub fn run(&self, dice: &mut impl Dice, blocks: &mut u64) -> Option<Ran> {
        let mut machine = self.machine.clone();
        if let Some(arguments) = &self.arguments {
            machine.restart(&arguments.words, &arguments.written);
        }
        let mut trial = machine.begin();
        let ended = loop {
            *blocks = blocks.checked_sub(1)?;
            match machine.advance(&mut trial, dice) {
                Ok(None) => {}
                Ok(Some(result)) => break Ok(result.to_cell()),
                Err(trap) => break Err(trap),
            }
        };
        let names = &self.module.tables.stats;
        let mut events = Events::new(names);
        machine.report(&mut events);
        Some(Ran {
            observed: Observed::new(ended, &events, names),
            fuel: ended.map_or(0, |_| trial.fuel()),
        })
    }
}

/// No cells for statistics: a trial notes few numbers, and the cells would be copied for each
/// trial.
fn without_cells(module: &Module) -> Windows {
    Windows {
        stats: vec![Window::default(); module.tables.stat_count()],
        named: Vec::new(),
    }
}
