//! The current state, unpacked: its variables and objects. [`Copier::pack`] packs them into a row
//! again, so that equal states are equal rows.
//!
//! A row holds objects in the order in which they are reached from the live variables; unreachable
//! ones are dropped.
//!
//! Invariant: all code that reads a word of a state goes through [`Machine::look`],
//! [`Machine::compare`] or `copy` of [`super::eval`]. Until it is read, a word is symbolic: its
//! column in the row plus a constant. [`Reads`](super::reads::Reads) records the reads, so the
//! outcomes hold for all states that give the same answers ([`super::case`]).

use super::floors::Holder;
use super::live::Live;
use super::reads::{Reads, Word};
use super::shape::{Shape, ShapeId, Shapes};
use super::touch::{Keep, Touched};
use dicec_lang::hir::CompareOp;
use dicec_runtime::bug;

/// A variable that refers to an object.
pub(super) type Pin = (usize, ShapeId);

/// The placeholder for a dead word: not a reference.
const NOTHING: Word = Word::new(-1);

/// The current state.
#[derive(Default)]
pub(super) struct Machine {
    /// The variables; dead ones hold arbitrary words.
    pub(super) locals: Vec<Word>,
    /// The objects, one after another. A reference is the index of the first word.
    pub(super) heap: Vec<Word>,
    /// The objects of constants, see [`super::constants`].
    pub(super) constants: Vec<Word>,
    pub(super) reads: Reads,
    /// The fuel burnt so far, and the fuel burnt before the segment.
    pub(super) fuel: u64,
    pub(super) start: u64,
    /// Whether objects were made or references assigned since it was unpacked.
    pub(super) moved: bool,
    /// Whether words of objects get their saturation bounds: not in calls, whose outcomes only say
    /// by how much a word moves.
    pub(super) floors: bool,
    /// How often a saturation bound was applied.
    pub(super) floored: u64,
    /// The owner of the saturation bound whose check failed.
    pub(super) refuted: Option<Holder>,
    /// Whether any sum or difference in any state was not small; then calls read the words they
    /// move.
    pub(super) large: bool,
    /// Whether lists whose order nothing observes are kept sorted, and the length of the longest
    /// one that was sorted.
    pub(super) sorts: bool,
    pub(super) longest_sorted: u64,
    /// How many elements loops have consumed.
    pub(super) consumed: u64,
    /// Whether a number of any state was clamped to a bound.
    pub(super) clamped: bool,
}

impl Machine {
    /// A machine with the objects of constants.
    pub(super) fn new(constants: Vec<Word>) -> Self {
        Self {
            constants,
            ..Self::default()
        }
    }

    /// Begins another question.
    pub(super) fn renew(&mut self) {
        (self.large, self.clamped, self.refuted) = (false, false, None);
    }

    /// Unpacks the row of a state.
    pub(super) fn unpack(
        &mut self,
        locals: usize,
        (live, pins): (&Live, &[Pin]),
        mut row: impl Iterator<Item = Word>,
    ) {
        self.locals
            .resize(locals.max(self.locals.len()), Word::new(0));
        let objects = live.objects.iter().chain(pins).map(|(local, _)| local);
        for (local, word) in live.values.iter().chain(objects).zip(&mut row) {
            self.locals[*local] = word;
        }
        self.heap.clear();
        self.heap.extend(row);
        self.moved = false;
    }

    /// Allocates new objects.
    pub(super) fn place(&mut self, words: &[Word]) -> i64 {
        self.moved = true;
        self.heap.extend_from_slice(words);
        (self.heap.len() - words.len()) as i64
    }

    /// A word of the heap, or of a constant.
    pub(super) fn word(&self, at: i64) -> Word {
        let word = match usize::try_from(at) {
            Ok(index) => self.heap.get(index),
            Err(_) => self.constants.get(!at as usize),
        };
        *word.unwrap_or_else(|| bug!("nothing was placed at {at}").raise())
    }

    /// Reads a word of the heap.
    pub(super) fn look(&mut self, at: i64) -> i64 {
        self.reads.look(self.word(at))
    }

    /// The result of a comparison of two words.
    pub(super) fn compare(&mut self, op: CompareOp, left: Word, right: Word) -> bool {
        self.reads.compare(op, left, right)
    }

    /// Adds a small number to a small word of the heap.
    pub(super) fn shift(&mut self, at: i64, by: i64) {
        let old = self.word(at);
        let new = match self.reads.shifted(old, by) {
            Some(new) => new,
            None => Word::new(self.reads.look(old).saturating_add(by)),
        };
        self.put(at, new);
    }

    /// Applies a saturation bound to a word of the heap.
    pub(super) fn lay_floor(&mut self, at: i64, least: i32) {
        let word = self.word(at);
        if word.is_small() {
            self.floored += 1;
            self.put(at, word.with_floor(least));
        }
    }

    /// Writes a word of the heap.
    pub(super) fn put(&mut self, at: i64, word: Word) {
        let at = usize::try_from(at).ok();
        if let Some(place) = at.and_then(|at| self.heap.get_mut(at)) {
            *place = word;
        }
    }
}

/// Copies objects from one heap to another.
#[derive(Default)]
pub(super) struct Copier {
    /// The new index of each object, by its old one; -1 if it was not reached yet.
    moved: Vec<i64>,
    /// The objects that were reached, with their old and new indices.
    pub(super) found: Vec<Found>,
    /// The number of them whose words are final in the new heap.
    done: usize,
}

/// An object that was reached.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) shape: ShapeId,
    /// The words of it that matter.
    pub(super) keep: Keep,
    /// The words that a call reads, beyond moving them.
    pub(super) reads: Keep,
}

impl Found {
    /// The words that a call only moves.
    pub(super) fn moved(&self) -> Keep {
        self.keep.without(self.reads)
    }
}

impl Copier {
    /// Begins with no object reached, in a heap of this size.
    pub(super) fn begin(&mut self, heap: usize) {
        self.moved.clear();
        self.moved.resize(heap, -1);
        self.found.clear();
        self.done = 0;
    }

    /// The new index of an object, of which the words in `keep` matter. `into` is the new heap,
    /// whose first `base` words are not objects.
    pub(super) fn object(
        &mut self,
        shapes: &Shapes,
        (from, shape, keep): (i64, ShapeId, Keep),
        heap: &[Word],
        into: &mut Vec<Word>,
        base: usize,
    ) -> i64 {
        let Some(moved) = usize::try_from(from).ok().filter(|&at| at < heap.len()) else {
            return from;
        };
        if self.moved[moved] >= 0 {
            return self.moved[moved];
        }
        let to = (into.len() - base) as i64;
        let size = match shapes.get(shape) {
            Shape::Value => return from,
            Shape::Record(size, _) => *size,
            Shape::List(_) => 1,
        };
        into.extend_from_slice(&heap[moved..moved + size]);
        self.moved[moved] = to;
        self.found.push(Found {
            from,
            to,
            shape,
            keep,
            reads: keep,
        });
        to
    }

    /// Makes an existing object of the new heap the copy of an old one, in the words that matter.
    pub(super) fn over(&mut self, shapes: &Shapes, found: Found, heap: &[Word], into: &mut [Word]) {
        let (from, to) = (found.from as usize, found.to as usize);
        let size = match shapes.get(found.shape) {
            Shape::Value => return,
            Shape::Record(size, _) => *size,
            Shape::List(_) => 1,
        };
        for slot in (0..size).filter(|slot| found.keep.holds(*slot)) {
            into[to + slot] = heap[from + slot];
        }
        self.moved[from] = found.to;
        self.found.push(found);
    }

    /// Copies the objects that are reachable from the ones reached so far. If `keep` gives the
    /// words of each shape that matter, the others are cleared.
    pub(super) fn rest(
        &mut self,
        shapes: &Shapes,
        keep: Option<&[Keep]>,
        (heap, reads): (&[Word], &mut Reads),
        into: &mut Vec<Word>,
        base: usize,
    ) {
        let kept = |shape: ShapeId| keep.map_or(Keep::ALL, |keep| keep[shape.index()]);
        while let Some(found) = self.found.get(self.done).copied() {
            self.done += 1;
            let at = base + found.to as usize;
            match shapes.get(found.shape) {
                Shape::Value => {}
                Shape::Record(size, objects) => {
                    if keep.is_some() && found.keep != Keep::ALL {
                        let blots = (0..*size).filter(|slot| !found.keep.holds(*slot));
                        blots.for_each(|slot| into[at + slot] = NOTHING);
                    }
                    for (slot, shape) in objects {
                        if found.keep.holds(*slot) {
                            let object = (reads.look(into[at + slot]), *shape, kept(*shape));
                            let copy = self.object(shapes, object, heap, into, base);
                            into[at + slot] = Word::new(copy);
                        }
                    }
                }
                Shape::List(element) => {
                    // The word still refers to the old heap: to its body, which no other list
                    // shares.
                    let body = reads.look(into[at]) as usize;
                    let length = heap.get(body).map(|length| reads.look(*length));
                    let size = length.map_or(0, |length| length as usize + 1);
                    let copy = into.len();
                    into[at] = Word::new((copy - base) as i64);
                    into.extend_from_slice(&heap[body..body + size]);
                    if element.is_object() {
                        for place in copy + 1..copy + size {
                            let object = (reads.look(into[place]), *element, kept(*element));
                            let copy = self.object(shapes, object, heap, into, base);
                            into[place] = Word::new(copy);
                        }
                    }
                }
            }
        }
    }

    /// Packs a state: the live variables and the `pins`, then the objects that are reachable from
    /// them. `unchanged` if those are the variables that it was unpacked from, with the same
    /// references.
    pub(super) fn pack(
        &mut self,
        shapes: &Shapes,
        machine: &mut Machine,
        (live, pins): (&Live, &[Pin]),
        unchanged: bool,
        words: &mut Vec<Word>,
    ) {
        words.clear();
        words.extend(live.values.iter().map(|local| machine.locals[*local]));
        for roots in [&live.objects, pins] {
            words.extend(roots.iter().map(|(local, _)| machine.locals[*local]));
        }
        if unchanged {
            words.extend_from_slice(&machine.heap);
        } else {
            let roots = live.objects.iter().chain(pins);
            let roots = roots.map(|(_, shape)| *shape);
            let objects = (machine.heap.as_slice(), &mut machine.reads);
            self.gather(shapes, roots, live.values.len(), objects, words);
        }
    }

    /// Appends objects to `words`, whose words from `first` on are references to objects of these
    /// shapes.
    fn gather(
        &mut self,
        shapes: &Shapes,
        roots: impl Iterator<Item = ShapeId>,
        first: usize,
        (heap, reads): (&[Word], &mut Reads),
        words: &mut Vec<Word>,
    ) {
        if first == words.len() {
            return;
        }
        self.begin(heap.len());
        let base = words.len();
        for (place, shape) in (first..base).zip(roots) {
            let object = (reads.look(words[place]), shape, Keep::ALL);
            words[place] = Word::new(self.object(shapes, object, heap, words, base));
        }
        self.rest(shapes, None, (heap, reads), words, base);
    }

    /// The same for the arguments of a call: only the words of each object that the function
    /// touches.
    pub(super) fn gather_touched(
        &mut self,
        shapes: &Shapes,
        (params, touched): (&[Pin], &Touched),
        first: usize,
        (heap, state_reads): (&[Word], &mut Reads),
        words: &mut Vec<Word>,
    ) {
        self.begin(heap.len());
        let base = words.len();
        for (place, (param, shape)) in (first..base).zip(params) {
            let [mut keep, mut reads] = [touched.any[shape.index()]; 2];
            keep.add(touched.params.get(*param).copied().unwrap_or(Keep::ALL));
            reads.add(touched.reads.get(*param).copied().unwrap_or(Keep::ALL));
            let object = (state_reads.look(words[place]), *shape, keep);
            let before = self.found.len();
            let to = self.object(shapes, object, heap, words, base);
            words[place] = Word::new(to);
            if let Some(found) = self.found.get_mut(before) {
                found.reads = reads;
            } else {
                // Two parameters refer to the same object.
                let known = self.found.iter_mut().filter(|found| found.to == to);
                known.for_each(|found| {
                    found.keep.add(keep);
                    found.reads.add(reads);
                });
            }
        }
        self.rest(shapes, Some(&touched.any), (heap, state_reads), words, base);
    }
}
