//! Runs a group of trials through the regions of a vector form ([`Region`]): each part runs for one
//! trial after the other, then the group moves to the next part. This defines the meaning of native
//! code, which runs all lanes at once.
//!
//! When a group enters a region, the dice of the region's own blocks are drawn for all trials,
//! whether or not a trial reaches these blocks. So the number of words that an iteration draws
//! never depends on its faces, and unused dice change no odds.
//!
//! In a relay (lane refill, [`VectorForm::relay`]), each lane runs several trials. After an
//! iteration of the loop that some lanes leave, the dice of the outermost region are drawn again:
//! those after the loop are for the trials that end now, those before it for the trials that start.

use super::machine::{Machine, Trial};
use crate::analysis::{Part, Region};
use crate::ir::{Block, Const};
use crate::pass::VectorForm;
use dicec_runtime::bug;
use dicec_runtime::rng::Scripted;
use dicec_runtime::rng::lanes::{Group, Layout, Twins};
use dicec_runtime::trap::Trap;

/// The dice that a block took from a draw of its region.
pub(super) struct Taken<'d> {
    /// The number of the trial.
    pub(super) trial: usize,
    /// The number of the draw in the group.
    pub(super) draw: usize,
    /// The layout of the region's dice.
    pub(super) layout: &'d Layout,
    /// The index of the first of these dice in the draw of the trial.
    pub(super) first: usize,
    /// The faces of these dice.
    pub(super) faces: &'d [u64],
}

/// Runs a group with draws from `twins` and this many trials in each lane. Returns the ends of the
/// trials by number: first those with which the lanes begin, then the second ones. Notes of the
/// trials from number `seen` on are discarded. `watch` observes the dice that they take.
pub(super) fn run_group(
    form: &VectorForm,
    machine: &mut Machine<'_>,
    twins: &mut Twins,
    (rounds, seen): (usize, usize),
    watch: &mut dyn FnMut(Taken<'_>),
) -> Vec<Result<Const, Trap>> {
    let lanes = form.trials();
    let trials = (0..lanes).map(|number| State::At(number, machine.begin()));
    let mut run = GroupRun {
        form,
        unseen: (seen < lanes).then(|| machine.clone()),
        lanes: trials.collect(),
        ended: vec![None; lanes * rounds],
        machine,
        seen,
        draws: 0,
        watch,
    };
    let parts = &form.region.parts;
    match form
        .relay
        .and_then(|place| Some((place, parts.get(place)?)))
    {
        Some((place, Part::Loop(inner))) => run.relay(place, inner, twins),
        _ => run.region(&form.region, twins),
    }
    let ended = run.ended.into_iter().enumerate().map(|(number, result)| {
        result.unwrap_or_else(|| bug!("trial {number} did not end").raise())
    });
    ended.collect()
}

/// The progress of a lane.
enum State {
    /// Its trial of this number is at a block.
    At(usize, Trial),
    /// Its trial of this number has ended.
    Ended(usize),
    /// It has no trials left.
    Done,
}

/// A draw of the dice of a region's own blocks, for all trials.
struct Drawn<'r> {
    number: usize,
    layout: &'r Layout,
    group: Group,
}

struct GroupRun<'w, 'm> {
    form: &'w VectorForm,
    machine: &'w mut Machine<'m>,
    /// The machine of the trials whose notes are discarded, if there are any.
    unseen: Option<Machine<'m>>,
    lanes: Vec<State>,
    /// By number.
    ended: Vec<Option<Result<Const, Trap>>>,
    seen: usize,
    /// The number of draws so far.
    draws: usize,
    watch: &'w mut dyn FnMut(Taken<'_>),
}

impl GroupRun<'_, '_> {
    /// Runs all trials in the region until they leave it; for a loop, until its next iteration.
    fn region(&mut self, region: &Region, twins: &mut Twins) {
        let drawn = self.draw(region, twins);
        self.parts(&region.parts, drawn.as_ref(), 0, twins);
    }

    /// Runs parts of a region whose dice begin at index `first`.
    fn parts(
        &mut self,
        parts: &[Part],
        drawn: Option<&Drawn<'_>>,
        first: usize,
        twins: &mut Twins,
    ) {
        let mut dice = first;
        for part in parts {
            match part {
                Part::Block(block) => {
                    self.block(*block, drawn, dice);
                    dice += self.form.dice_of(*block);
                }
                Part::Loop(inner) => {
                    while self.any_at(inner) {
                        self.region(inner, twins);
                    }
                }
            }
        }
    }

    /// Runs all trials, with lane refill in the loop at `place` of the outermost region.
    fn relay(&mut self, place: usize, inner: &Region, twins: &mut Twins) {
        let form = self.form;
        let outer = &form.region;
        let (before, after) = (&outer.parts[..place], &outer.parts[place + 1..]);
        let blocks = before.iter().map(|part| match part {
            Part::Block(block) => form.dice_of(*block),
            Part::Loop(_) => 0,
        });
        let dice_before = blocks.sum();
        let drawn = self.draw(outer, twins);
        self.parts(before, drawn.as_ref(), 0, twins);
        while !self.lanes.iter().all(|lane| matches!(lane, State::Done)) {
            if self.any_at(inner) {
                self.region(inner, twins);
                if !self.any_left(inner) {
                    continue;
                }
            }
            let drawn = self.draw(outer, twins);
            self.parts(after, drawn.as_ref(), dice_before, twins);
            self.begin_next();
            self.parts(before, drawn.as_ref(), 0, twins);
        }
    }

    fn any_at(&self, region: &Region) -> bool {
        self.lanes.iter().any(|lane| is_at(lane, region))
    }

    /// Whether a lane is not in the loop, but has trials left.
    fn any_left(&self, region: &Region) -> bool {
        let mut lanes = self.lanes.iter();
        lanes.any(|lane| !is_at(lane, region) && !matches!(lane, State::Done))
    }

    /// Begins the next trial of each lane whose trial has ended.
    fn begin_next(&mut self) {
        let count = self.lanes.len();
        for lane in &mut self.lanes {
            if let State::Ended(number) = *lane {
                let next = number + count;
                *lane = match next < self.ended.len() {
                    true => State::At(next, self.machine.begin()),
                    false => State::Done,
                };
            }
        }
    }

    /// Runs a block for the trials that are at it. Its dice begin at index `first` of each lane's
    /// draw.
    fn block(&mut self, block: Block, drawn: Option<&Drawn<'_>>, first: usize) {
        for (place, lane) in self.lanes.iter_mut().enumerate() {
            let State::At(number, trial) = lane else {
                continue;
            };
            if trial.block() != block {
                continue;
            }
            let machine = match &mut self.unseen {
                Some(unseen) if *number >= self.seen => unseen,
                _ => &mut *self.machine,
            };
            let faces = drawn.map_or(&[][..], |drawn| drawn.group.faces(place));
            let faces = faces.get(first..).unwrap_or_default();
            let mut dice = Scripted::new(faces);
            let ended = machine.advance(trial, &mut dice).transpose();
            if let Some(drawn) = drawn {
                (self.watch)(Taken {
                    trial: *number,
                    draw: drawn.number,
                    layout: drawn.layout,
                    first,
                    faces: &faces[..dice.used()],
                });
            }
            if let Some(ended) = ended {
                self.ended[*number] = Some(ended);
                *lane = State::Ended(*number);
            }
        }
    }

    /// The dice of a region's own blocks, if it has any.
    fn draw<'r>(&mut self, region: &'r Region, twins: &mut Twins) -> Option<Drawn<'r>> {
        let layout = region.layout.as_ref()?;
        self.draws += 1;
        Some(Drawn {
            number: self.draws,
            layout,
            group: layout.draw(twins),
        })
    }
}

/// Whether a lane is at the first block of a loop.
fn is_at(lane: &State, region: &Region) -> bool {
    matches!(lane, State::At(_, trial) if Some(trial.block()) == region.header())
}
