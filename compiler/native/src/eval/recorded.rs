//! Runs a group of trials in lanes and records the faces that each trial was given.

use super::group::{Taken, run_group};
use super::machine::Machine;
use crate::pass::VectorForm;
use crate::vector_stat_windows;
use crate::workspaces::Workspaces;
use dicec_runtime::events::Events;
use dicec_runtime::rng::Stream;
use dicec_runtime::rng::lanes::{Layout, Twins};
use dicec_runtime::trap::Trap;

/// The maximum number of trials per lane: the second one begins where another ended.
const MAX_ROUNDS: usize = 3;

/// A face that a trial in lanes was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// The number of the draw in the group.
    pub draw: usize,
    /// The index of the die in the draw.
    pub index: usize,
    /// The number of sides with which the die was drawn.
    pub sides: u64,
    /// The face.
    pub face: u64,
}

/// The record of a group.
#[derive(Clone, Debug)]
pub struct GroupServed {
    /// The end of each trial, and its faces in the order in which it took them.
    pub trials: Vec<(Result<i64, Trap>, Vec<Served>)>,
    /// The notes of all trials.
    pub events: Events,
}

/// Runs a group of `form` on these inputs; `None` if the form is not made for them.
pub fn run_recorded(form: &VectorForm, inputs: &[i64], stream: &mut Stream) -> Option<GroupServed> {
    let windows = vector_stat_windows(form, &form.ranges());
    let workspaces = Workspaces::new(&form.module, windows);
    let begun = Workspaces::begin_lanes(workspaces.as_ref(), inputs).ok()?;
    let workspace = begun.map(|(_, workspace)| workspace);
    let mut machine = Machine::new(&form.module, inputs, workspace);
    let rounds = form.max_rounds().min(MAX_ROUNDS);
    let count = form.trials() * rounds;
    let mut served = vec![Vec::new(); count];
    let mut twins = Twins::new(stream);
    let ended = run_group(
        form,
        &mut machine,
        &mut twins,
        (rounds, count),
        &mut |taken| {
            let trial: &mut Vec<Served> = &mut served[taken.trial];
            trial.extend(faces(&taken));
        },
    );
    *stream = twins.first;
    let mut events = Events::new(&form.module.tables.stats);
    machine.report(&mut events);
    let ended = ended
        .into_iter()
        .map(|ended| ended.map(|value| value.to_cell()));
    Some(GroupServed {
        trials: ended.zip(served).collect(),
        events,
    })
}

fn faces<'t>(taken: &'t Taken<'_>) -> impl Iterator<Item = Served> + 't {
    let faces = (taken.first..).zip(taken.faces);
    faces.map(|(index, &face)| Served {
        draw: taken.draw,
        index,
        sides: sides(taken.layout, index),
        face,
    })
}

/// The sides of the die at an index of a trial: all trials of a lane take the same dice.
fn sides(layout: &Layout, index: usize) -> u64 {
    if layout.bernoulli().is_some() {
        return 2;
    }
    let mut dice = layout.words().iter().flat_map(|word| word.dice());
    dice.nth(index).map_or(0, |die| die.sides().into())
}
