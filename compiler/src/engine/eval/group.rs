//! Runs a group of trials through the regions of a vector form ([`Region`]): each part runs for one
//! trial after the other, then the group goes on to the next part. This defines what native code
//! does in all lanes at once.
//!
//! Whenever a group enters a region, the dice of the region's own blocks are drawn for all trials,
//! whether a trial gets to these blocks or not. So the number of words that an iteration draws
//! never depends on its faces, and dice that are not used change no odds.

use super::machine::{Machine, Trial};
use crate::analysis::{Part, Region};
use crate::ir::{Block, Const};
use crate::pass::VectorForm;
use dicec_runtime::bug;
use dicec_runtime::rng::Scripted;
use dicec_runtime::rng::lanes::{Group, Twins};
use dicec_runtime::trap::Trap;

/// Runs a group, drawing from `twins`; returns how each trial ended, by number. What the trials
/// from number `seen` on note is discarded.
pub(super) fn run_group(
    form: &VectorForm,
    machine: &mut Machine<'_>,
    twins: &mut Twins,
    seen: usize,
) -> Vec<Result<Const, Trap>> {
    let trials = (0..form.trials()).map(|_| State::At(machine.begin()));
    let mut run = GroupRun {
        form,
        unseen: (seen < form.trials()).then(|| machine.clone()),
        trials: trials.collect(),
        machine,
        seen,
    };
    run.region(&form.region, twins);
    let ended = run.trials.into_iter().map(|state| match state {
        State::Ended(result) => result,
        State::At(trial) => bug!("a trial is still at {}", trial.block()).raise(),
    });
    ended.collect()
}

/// How far a trial has come.
enum State {
    /// It is at a block.
    At(Trial),
    /// It has its result or its trap.
    Ended(Result<Const, Trap>),
}

struct GroupRun<'w, 'm> {
    form: &'w VectorForm,
    machine: &'w mut Machine<'m>,
    /// The machine of the trials whose notes are discarded, if there are any.
    unseen: Option<Machine<'m>>,
    /// By number.
    trials: Vec<State>,
    seen: usize,
}

impl GroupRun<'_, '_> {
    /// Runs all trials that are in the region until they leave it; in a loop, until its next
    /// iteration.
    fn region(&mut self, region: &Region, twins: &mut Twins) {
        let drawn = region.layout.as_ref().map(|layout| layout.draw(twins));
        let mut dice = 0;
        for part in &region.parts {
            match part {
                Part::Block(block) => {
                    self.block(*block, drawn.as_ref(), dice);
                    dice += self.form.dice_of(*block);
                }
                Part::Loop(inner) => {
                    while inner.header().is_some_and(|header| self.any_at(header)) {
                        self.region(inner, twins);
                    }
                }
            }
        }
    }

    fn any_at(&self, block: Block) -> bool {
        let mut trials = self.trials.iter();
        trials.any(|state| matches!(state, State::At(trial) if trial.block() == block))
    }

    /// Runs a block for the trials that are at it. Its dice are those of each trial's draw from
    /// index `first` on.
    fn block(&mut self, block: Block, drawn: Option<&Group>, first: usize) {
        for (number, state) in self.trials.iter_mut().enumerate() {
            let State::At(trial) = state else { continue };
            if trial.block() != block {
                continue;
            }
            let machine = match &mut self.unseen {
                Some(unseen) if number >= self.seen => unseen,
                _ => &mut *self.machine,
            };
            let faces = drawn.map_or(&[][..], |drawn| drawn.faces(number));
            let mut dice = Scripted::new(faces.get(first..).unwrap_or_default());
            if let Some(ended) = machine.advance(trial, &mut dice).transpose() {
                *state = State::Ended(ended);
            }
        }
    }
}
