//! The state of the exact engine while it takes distributions through a script: the engine itself,
//! the function ([`Frame`]) and the segment ([`Run`]) that are being computed.

use super::activation::Calls;
use super::case::Count;
use super::composite::Composites;
use super::dist::Dist;
use super::eval::World;
use super::kept::Found;
use super::known::{Begin, Cases};
use super::live::Live;
use super::machine::{Copier, Machine, Pin};
use super::notes::{Mean, Notes};
use super::plan::{Exit, Plan, Plans, Segment};
use super::reads::Word;
use super::roll_distributions::RollDistributions;
use super::shape::Shapes;
use crate::shortcuts::{count, fired_more};
use crate::{Fired, Question, Shortcuts};
use dicec_runtime::pmf::{Budget, Weight};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::OnceCell;
use std::sync::Arc;

/// The stack space that a block needs, and how much is added if less is left. Expressions in a
/// block are trees of limited height.
pub(super) const STACK_LEFT: usize = 1 << 20;
pub(super) const STACK_ADDED: usize = 4 << 20;

pub(super) struct Engine<'p, W> {
    pub(super) question: &'p Question<'p>,
    pub(super) plans: &'p Plans,
    pub(super) shapes: &'p Shapes,
    pub(super) world: World,
    pub(super) distributions: RollDistributions<W>,
    pub(super) calls: Calls<W>,
    pub(super) budget: &'p mut Budget,
    /// The cost of everything that the current call uses, whether or not it was charged before.
    pub(super) tab: u64,
    /// The size of the largest table of the current call.
    pub(super) peak: u64,
    /// The maximum number of words of a state.
    pub(super) longest: u64,
    pub(super) shortcuts: Shortcuts,
    /// How often each shortcut was used.
    pub(super) fired: Fired,
    /// Whether the states of any column had burnt different fuel.
    pub(super) mixed: bool,
    /// The factor by which merged orders of records may burn more fuel; 0 if none were merged.
    pub(super) interchanged: u64,
    /// The current state.
    pub(super) machine: Machine,
    pub(super) copier: Copier,
    /// The cached cases.
    pub(super) cases: Cases<W>,
    pub(super) composites: Composites<W>,
    /// Scratch space: the row of a state.
    pub(super) words: Vec<Word>,
    /// Scratch space: the input of a call.
    pub(super) input: Vec<i64>,
    /// The sets of the callers' objects that functions were called with.
    pub(super) pins: IndexSet<Vec<Pin>, FxBuildHasher>,
}

impl<'p, W> Engine<'p, W> {
    /// An engine with a plan and the outcomes found with it.
    pub(super) fn new(
        question: &'p Question<'p>,
        (plans, shapes): (&'p Plans, &'p Shapes),
        found: Found<W>,
        budget: &'p mut Budget,
        shortcuts: Shortcuts,
    ) -> Self {
        Self {
            question,
            plans,
            shapes,
            world: World {
                values: found.values,
                limits: question.limits,
                resources: question.resources.to_vec(),
            },
            distributions: found.distributions,
            calls: found.calls,
            budget,
            tab: 0,
            peak: 0,
            longest: 0,
            shortcuts,
            fired: Fired::default(),
            mixed: false,
            interchanged: 0,
            machine: found.machine,
            copier: Copier::default(),
            cases: found.cases,
            composites: Composites::default(),
            words: Vec::new(),
            input: Vec::new(),
            pins: found.pins,
        }
    }

    /// Whether a shortcut is allowed; if so, its use is counted.
    pub(super) fn takes(&mut self, shortcut: Shortcuts) -> bool {
        let takes = self.shortcuts.contains(shortcut);
        if takes {
            count(&mut self.fired, shortcut);
        }
        takes
    }

    /// Adds up the uses of shortcuts.
    pub(super) fn count_fired(&mut self) {
        if self.machine.longest_sorted > 1 {
            count(&mut self.fired, Shortcuts::LISTS);
        }
        if std::mem::take(&mut self.machine.floored) > 0 {
            count(&mut self.fired, Shortcuts::FLOORS);
        }
        if std::mem::take(&mut self.machine.consumed) > 0 {
            count(&mut self.fired, Shortcuts::CONSUMED);
        }
        self.takes(Shortcuts::EQUAL);
        fired_more(&std::mem::take(&mut self.fired));
    }
}

/// A function that is being computed.
pub(super) struct Frame<'p, W> {
    pub(super) plan: &'p Plan,
    /// The objects of the caller, which outlive the call, and the index of the set in
    /// [`Engine::pins`].
    pub(super) pins: Vec<Pin>,
    pub(super) pinned: usize,
    pub(super) returns: Dist<W>,
    /// The exits of the enclosing loops, the innermost one last.
    pub(super) loops: Vec<LoopExits<W>>,
    /// The probability of the call, if the function is recursive.
    pub(super) scale: f64,
    /// The probability that was left out.
    pub(super) residual: f64,
    pub(super) notes: Notes,
    /// The expected number of each call in [`Calls::done`].
    pub(super) calls: FxHashMap<usize, Mean>,
    /// The depth of the calls.
    pub(super) height: u32,
}

/// The exits of an iteration of a loop.
pub(super) struct LoopExits<W> {
    pub(super) breaks: Dist<W>,
    pub(super) continues: Dist<W>,
}

/// A segment that is being computed.
pub(super) struct Run<'r, 'p, W> {
    pub(super) frame: &'r mut Frame<'p, W>,
    pub(super) segment: &'p Segment,
    pub(super) input: &'r Dist<W>,
    /// The total probability, computed on first use.
    pub(super) mass: OnceCell<f64>,
    /// The distribution after the segment.
    pub(super) next: &'r mut Dist<W>,
    /// The distributions at the entries in its tail, by [`Segment::entries`].
    pub(super) inner: Vec<Dist<W>>,
    /// The cases that occurred, by their numbers, with their probabilities.
    pub(super) met: IndexMap<usize, (Arc<Count>, Mean), FxBuildHasher>,
    /// The node of the decision tree at which the questions about the states begin.
    pub(super) begin: Option<Begin>,
}

impl<'r, 'p, W: Weight> Run<'r, 'p, W> {
    pub(super) fn new(
        frame: &'r mut Frame<'p, W>,
        segment: &'p Segment,
        input: &'r Dist<W>,
        next: &'r mut Dist<W>,
        inner: Vec<Dist<W>>,
    ) -> Self {
        Self {
            frame,
            segment,
            input,
            mass: OnceCell::new(),
            next,
            inner,
            met: IndexMap::default(),
            begin: None,
        }
    }

    /// The distribution at an exit; `break` and `continue` occur only in loops.
    pub(super) fn to(&mut self, exit: Exit) -> &mut Dist<W> {
        match (exit, self.frame.loops.last_mut()) {
            (Exit::Inner(place), _) => &mut self.inner[place],
            (Exit::Return, _) => &mut self.frame.returns,
            (Exit::Break, Some(exits)) => &mut exits.breaks,
            (Exit::Continue, Some(exits)) => &mut exits.continues,
            (Exit::Next | Exit::Break | Exit::Continue, _) => self.next,
        }
    }

    /// The live variables at an exit.
    pub(super) fn live(&mut self, exit: Exit) -> Arc<Live> {
        self.to(exit).live.clone()
    }
}
