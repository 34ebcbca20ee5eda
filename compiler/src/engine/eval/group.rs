//! A group of trials on its way through the regions of a vector form ([`Region`]): one after the
//! other they take each part, and then the group goes on. This is the meaning of what lanes do all
//! at once.
//!
//! Whenever a group comes to a region, the dice of its own blocks are drawn for all trials, whether
//! a trial will stand at these blocks or not. So how many words a round takes never depends on the
//! faces of that round, and dice that nobody looks at change no odds.

use super::machine::{Machine, Trial};
use crate::analysis::{Part, Region};
use crate::ir::{Block, Const};
use crate::pass::VectorForm;
use dicec_runtime::bug;
use dicec_runtime::rng::Scripted;
use dicec_runtime::rng::lanes::{Group, Twins};
use dicec_runtime::trap::Trap;

/// Runs a group from the twins' place on; gives how each trial ended, by number. What the trials
/// from `seen` on note is lost.
pub(super) fn run_group(
    form: &VectorForm,
    machine: &mut Machine<'_>,
    twins: &mut Twins,
    seen: usize,
) -> Vec<Result<Const, Trap>> {
    let trials = (0..form.trials()).map(|_| State::At(machine.begin()));
    let mut way = Way {
        form,
        unseen: (seen < form.trials()).then(|| machine.clone()),
        trials: trials.collect(),
        machine,
        seen,
    };
    way.region(&form.region, twins);
    let ended = way.trials.into_iter().map(|state| match state {
        State::Ended(result) => result,
        State::At(trial) => bug!("a trial is still at {}", trial.block()).raise(),
    });
    ended.collect()
}

/// How far a trial has come.
enum State {
    /// It stands at a block.
    At(Trial),
    /// It has its result or its trap.
    Ended(Result<Const, Trap>),
}

struct Way<'w, 'm> {
    form: &'w VectorForm,
    machine: &'w mut Machine<'m>,
    /// What the trials run on that nobody looks at, if there are any.
    unseen: Option<Machine<'m>>,
    /// By number.
    trials: Vec<State>,
    seen: usize,
}

impl Way<'_, '_> {
    /// Takes all trials that stand in the region out of it; in a loop, as far as its next round.
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

    /// Runs a block for the trials that stand at it. Its dice are those from `first` on of what was
    /// drawn for each.
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
