//! One state at work: its variables and its objects, unpacked; and how it is packed again, so that equal states are equal words.
//!
//! Objects are packed in the order in which they are found from the variables that live; what is not found is forgotten.

use super::live::Live;
use super::shape::{Shape, ShapeId, Shapes};
use super::touch::{Keep, Touched};

/// A variable that refers to an object.
pub(super) type Pin = (usize, ShapeId);

/// What stands for a word that does not matter: no reference.
const NOTHING: i64 = -1;

/// A state, unpacked.
#[derive(Default)]
pub(super) struct Machine {
    /// The variables; those that do not live hold anything.
    pub(super) locals: Vec<i64>,
    /// The objects, one behind the other. A reference is the place of the first word.
    pub(super) heap: Vec<i64>,
    /// The most fuel that a way here took.
    pub(super) fuel: u64,
    /// Whether objects were made or references set since it was unpacked.
    pub(super) moved: bool,
}

impl Machine {
    /// Takes a packed state on.
    pub(super) fn unpack(&mut self, locals: usize, (live, pins): (&Live, &[Pin]), words: &[i64]) {
        self.locals.resize(locals.max(self.locals.len()), 0);
        let mut rest = words.iter();
        let objects = live.objects.iter().chain(pins).map(|(local, _)| local);
        for (local, word) in live.values.iter().chain(objects).zip(&mut rest) {
            self.locals[*local] = *word;
        }
        self.heap.clear();
        self.heap.extend_from_slice(rest.as_slice());
        self.moved = false;
    }

    /// Places new objects.
    pub(super) fn place(&mut self, words: &[i64]) -> i64 {
        self.moved = true;
        self.heap.extend_from_slice(words);
        (self.heap.len() - words.len()) as i64
    }

    /// A word of the heap.
    pub(super) fn word(&self, at: i64) -> i64 {
        // References are places that were given out.
        let at = usize::try_from(at).ok();
        at.and_then(|at| self.heap.get(at)).copied().unwrap_or(0)
    }

    /// The same, to change it.
    pub(super) fn put(&mut self, at: i64, word: i64) {
        let at = usize::try_from(at).ok();
        if let Some(place) = at.and_then(|at| self.heap.get_mut(at)) {
            *place = word;
        }
    }
}

/// Copies objects from one heap to another.
#[derive(Default)]
pub(super) struct Copier {
    /// Where each object went, by its place; -1 for those that were not found yet.
    moved: Vec<i64>,
    /// The objects that were found: their old and new places.
    pub(super) found: Vec<Found>,
    /// Those of them whose words are in the new heap as they should be.
    done: usize,
}

/// An object that was found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) shape: ShapeId,
    /// The words of it that matter.
    pub(super) keep: Keep,
}

impl Copier {
    /// Begins with nothing found in a heap of this size.
    pub(super) fn begin(&mut self, heap: usize) {
        self.moved.clear();
        self.moved.resize(heap, -1);
        self.found.clear();
        self.done = 0;
    }

    /// The new place of an object, of which some words matter; `into` is the new heap, of which the first `base` words are something else.
    pub(super) fn object(
        &mut self,
        shapes: &Shapes,
        (from, shape, keep): (i64, ShapeId, Keep),
        heap: &[i64],
        into: &mut Vec<i64>,
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
        });
        to
    }

    /// Lets an object of the new heap, which is there already, be the copy of one of the old, in the words that matter.
    pub(super) fn over(&mut self, shapes: &Shapes, found: Found, heap: &[i64], into: &mut [i64]) {
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

    /// Copies what the objects that were found refer to. Where `keep` tells what matters of each shape, the rest is blotted out.
    pub(super) fn rest(
        &mut self,
        shapes: &Shapes,
        keep: Option<&[Keep]>,
        heap: &[i64],
        into: &mut Vec<i64>,
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
                            let object = (into[at + slot], *shape, kept(*shape));
                            into[at + slot] = self.object(shapes, object, heap, into, base);
                        }
                    }
                }
                Shape::List(element) => {
                    // The word is still that of the old heap: its body, which no other list has.
                    let body = into[at] as usize;
                    let size = heap.get(body).map_or(0, |length| *length as usize + 1);
                    let copy = into.len();
                    into[at] = (copy - base) as i64;
                    into.extend_from_slice(&heap[body..body + size]);
                    if element.is_object() {
                        for place in copy + 1..copy + size {
                            let object = (into[place], *element, kept(*element));
                            into[place] = self.object(shapes, object, heap, into, base);
                        }
                    }
                }
            }
        }
    }

    /// Packs a state: the variables that live and the `pins`, then the objects that are found from them. `unchanged` if those are the
    /// variables that it was unpacked from, and refer to the same.
    pub(super) fn pack(
        &mut self,
        shapes: &Shapes,
        machine: &Machine,
        (live, pins): (&Live, &[Pin]),
        unchanged: bool,
        words: &mut Vec<i64>,
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
            let first = live.values.len();
            self.gather(
                shapes,
                roots.map(|(_, shape)| *shape),
                first,
                &machine.heap,
                words,
            );
        }
    }

    /// Puts objects behind `words`, which are, from `first` on, references to objects of these shapes.
    fn gather(
        &mut self,
        shapes: &Shapes,
        roots: impl Iterator<Item = ShapeId>,
        first: usize,
        heap: &[i64],
        words: &mut Vec<i64>,
    ) {
        if first == words.len() {
            return;
        }
        self.begin(heap.len());
        let base = words.len();
        for (place, shape) in (first..base).zip(roots) {
            let object = (words[place], shape, Keep::ALL);
            words[place] = self.object(shapes, object, heap, words, base);
        }
        self.rest(shapes, None, heap, words, base);
    }

    /// The same for what a call is given: of each object what the function touches.
    pub(super) fn gather_touched(
        &mut self,
        shapes: &Shapes,
        (params, touched): (&[Pin], &Touched),
        first: usize,
        heap: &[i64],
        words: &mut Vec<i64>,
    ) {
        self.begin(heap.len());
        let base = words.len();
        for (place, (param, shape)) in (first..base).zip(params) {
            let mut keep = touched.any[shape.index()];
            keep.add(touched.params.get(*param).copied().unwrap_or(Keep::ALL));
            let before = self.found.len();
            words[place] = self.object(shapes, (words[place], *shape, keep), heap, words, base);
            if self.found.len() == before {
                // Two parameters refer to one object.
                let known = self
                    .found
                    .iter_mut()
                    .filter(|found| found.to == words[place]);
                known.for_each(|found| found.keep.add(keep));
            }
        }
        self.rest(shapes, Some(&touched.any), heap, words, base);
    }
}
