//! The cached calls of a script: the outcomes of a function for one input (an [`Activation`]), and
//! what they change in the objects of the caller.

use super::dist::Dist;
use super::notes::{Mean, Notes};
use dicec_lang::hir::FunctionId;
use dicec_runtime::limits::ScriptLimits;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The outcomes of a function for one input.
pub(super) struct Activation<W> {
    pub(super) outcomes: Dist<W>,
    /// The probability that was left out.
    pub(super) residual: f64,
    pub(super) notes: Notes,
    /// The calls that it makes, with their expected numbers.
    pub(super) calls: FxHashMap<usize, Mean>,
    /// The depth of its calls.
    pub(super) height: u32,
    /// The probability of the caller for which it was computed; see
    /// [`Engine::scale`](super::engine::Engine::scale).
    pub(super) scale: f64,
    /// The maximum fuel that it takes.
    pub(super) fuel: u64,
    /// Whether any of its numbers was clamped to a bound.
    pub(super) clamped: bool,
    /// The cost of it and everything that it uses, an upper bound.
    pub(super) cost: u64,
    /// The size of its largest table.
    pub(super) peak: u64,
    /// The last question that was charged for it.
    pub(super) paid: AtomicU64,
    /// The changes of each outcome to the caller's objects, if all of them, and the result, are
    /// words that are not references.
    pub(super) patches: Option<Patches>,
}

/// The changed words of each outcome.
pub(super) struct Patches {
    pub(super) all: Vec<Patch>,
    /// The end of each outcome's patches.
    pub(super) ends: Vec<usize>,
}

impl Patches {
    pub(super) fn of(&self, outcome: usize) -> &[Patch] {
        let begin = outcome.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[begin..self.ends[outcome]]
    }
}

/// A word of an object that changes.
pub(super) struct Patch {
    /// The index of the object in the input.
    pub(super) object: usize,
    pub(super) slot: usize,
    pub(super) word: i64,
}

/// The calls of a script.
pub(super) struct Calls<W> {
    /// The cached calls, in the order in which they ended: each comes after the calls that it
    /// makes.
    pub(super) done: Vec<Arc<Activation<W>>>,
    /// By function and input.
    pub(super) known: Vec<FxHashMap<Box<[i64]>, usize>>,
    /// How many activations of each function are in progress.
    pub(super) active: Vec<u32>,
    pub(super) depth: u32,
    /// The fuel that the callers in progress burnt before their calls.
    pub(super) burnt: u64,
    /// The number of outcomes that this question holds, and that of all questions.
    pub(super) kept: u64,
    pub(super) held: u64,
    /// The number of the question, and whether it used calls of earlier questions.
    pub(super) question: u64,
    pub(super) borrowed: bool,
}

impl<W> Calls<W> {
    pub(super) fn new(functions: usize) -> Self {
        Self {
            done: Vec::new(),
            known: vec![FxHashMap::default(); functions],
            active: vec![0; functions],
            depth: 0,
            burnt: 0,
            kept: 0,
            held: 0,
            question: 0,
            borrowed: false,
        }
    }

    /// Begins another question.
    pub(super) fn renew(&mut self) {
        self.kept = 0;
        self.question += 1;
        self.borrowed = false;
    }

    /// Drops the calls of these functions.
    pub(super) fn forget(&mut self, functions: &[bool]) {
        let known = self.known.iter_mut().zip(functions);
        let forgotten = known.filter(|(_, forgotten)| **forgotten);
        forgotten.for_each(|(known, _)| known.clear());
    }

    /// Drops the roll itself, which ended last. Returns whether the other calls can be used by
    /// later questions: whether they do not depend on what was asked before.
    pub(super) fn close(&mut self, roll: FunctionId) -> bool {
        self.done.pop();
        let last = self.done.len();
        self.known[roll.index()].retain(|_, id| *id != last);
        let is_plain = |call: &Arc<Activation<W>>| call.residual == 0.0 && call.notes.len() == 0;
        self.done.iter().all(is_plain)
    }

    /// The number of outcomes in the cache.
    pub(super) fn size(&self) -> u64 {
        self.held
    }

    /// Whether the cached outcomes of a call are precise enough for a caller of this probability at
    /// the current depth.
    pub(super) fn fits(&self, id: usize, scale: f64, limits: ScriptLimits) -> bool {
        let done = &self.done[id];
        let depth = self.depth + done.height;
        (done.residual == 0.0 || done.scale >= scale) && depth <= limits.depth
    }
}
