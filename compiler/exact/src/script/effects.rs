//! The effects of a call on the objects of the caller: changed words, or new contents of the
//! objects as a whole.

use super::activation::{Activation, Patch, Patches};
use super::dist::Dist;
use super::engine::Engine;
use super::machine::{Found, Pin};
use super::reads::Word;
use super::shape::Shape;
use super::touch::Keep;
use dicec_lang::hir::FunctionId;
use dicec_runtime::pmf::Weight;

/// The only difference between the outcomes of a call.
#[derive(Clone, Copy, PartialEq)]
enum Differing {
    Result,
    /// A word of an object.
    Word(usize, usize),
}

impl<W: Weight> Activation<W> {
    /// The only difference between the outcomes, in their results or in the caller's objects.
    fn differing(&self) -> Option<Differing> {
        let patches = &self.patches.as_ref()?.all;
        let Some(first) = patches.first() else {
            return Some(Differing::Result);
        };
        let word = |patch: &Patch| (patch.object, patch.slot);
        let result = |outcome| self.outcomes.row(outcome).first().copied();
        let returns = !self.outcomes.live.values.is_empty();
        let is_one = patches.iter().all(|patch| word(patch) == word(first))
            && !(returns && (1..self.outcomes.len()).any(|other| result(other) != result(0)));
        is_one.then_some(Differing::Word(first.object, first.slot))
    }

    /// The numbers in which the outcomes differ, if there is only one difference.
    pub(super) fn numbers(&self) -> Option<Vec<i64>> {
        let differing = self.differing()?;
        let number = |outcome: usize| match differing {
            Differing::Result => self.outcomes.row(outcome).first().copied(),
            // An outcome without a patch adds 0 to the word.
            Differing::Word(..) => {
                let patches = self.patches.as_ref()?.of(outcome);
                Some(patches.first().map_or(0, |patch| patch.word))
            }
        };
        (0..self.outcomes.len()).map(number).collect()
    }
}

impl<W: Weight> Engine<'_, W> {
    /// The patches of the outcomes, if they only change words.
    pub(super) fn patches(
        &self,
        function: FunctionId,
        input: &[i64],
        pins: &[Pin],
        outcomes: &Dist<W>,
    ) -> Option<Patches> {
        let size = |(_, shape): &Pin| match self.shapes.get(*shape) {
            Shape::Record(size, objects) if objects.is_empty() => Some(*size),
            Shape::Value | Shape::Record(..) | Shape::List(_) => None,
        };
        let sizes: Vec<usize> = pins.iter().map(size).collect::<Option<_>>()?;
        if !outcomes.live.objects.is_empty() {
            return None;
        }
        // Records without references are packed one after another, in the order in which they were
        // found.
        let params = &self.plans.functions[function.index()].params;
        let before = &input[params.values.len() + params.objects.len()..];
        let first = outcomes.live.values.len();
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for outcome in 0..outcomes.len() {
            let row = outcomes.row(outcome);
            let (heads, heap) = row.split_at(first + pins.len());
            let mut old = before;
            for (object, (at, size)) in heads[first..].iter().zip(&sizes).enumerate() {
                let now = &heap[*at as usize..][..*size];
                for (slot, (word, was)) in now.iter().zip(old).enumerate() {
                    if word != was {
                        let word = *word;
                        all.push(Patch { object, slot, word });
                    }
                }
                old = &old[*size..];
            }
            ends.push(all.len());
        }
        Some(Patches { all, ends })
    }

    /// Applies an outcome to the unpacked state of the caller.
    pub(super) fn apply(
        &mut self,
        done: &Activation<W>,
        outcome: usize,
        objects: &[Found],
        into: Option<usize>,
    ) {
        let row = done.outcomes.row(outcome);
        let mut result = row.first().copied().unwrap_or(0);
        if let Some(patches) = &done.patches {
            for patch in patches.of(outcome) {
                let object = &objects[patch.object];
                let at = object.from + patch.slot as i64;
                if object.moved().slots().any(|slot| slot == patch.slot) {
                    self.machine.shift(at, patch.word);
                } else {
                    self.machine.put(at, Word::new(patch.word));
                }
                let floor = self.plans.floors.slot(object.shape, patch.slot);
                if let Some(least) = floor.filter(|_| self.machine.floors) {
                    self.machine.lay_floor(at, least);
                }
            }
        } else {
            result = self.replace(&done.outcomes, &row, objects);
        }
        if let Some(into) = into {
            self.machine.locals[into] = Word::new(result);
        }
    }

    /// Applies all outcomes that differ in one number; `false` if that number is not only moved.
    pub(super) fn apply_number(
        &mut self,
        done: &Activation<W>,
        number: Word,
        objects: &[Found],
        into: Option<usize>,
    ) -> bool {
        let result = match done.differing() {
            None => return false,
            Some(Differing::Result) => number,
            Some(Differing::Word(object, slot)) => {
                let object = &objects[object];
                let at = object.from + slot as i64;
                let old = self.machine.word(at);
                let is_moved = object.moved().slots().any(|moved| moved == slot);
                let Some(sum) = self.machine.reads.sum(old, number).filter(|_| is_moved) else {
                    return false;
                };
                self.machine.put(at, sum);
                let floor = self.plans.floors.slot(object.shape, slot);
                if let Some(least) = floor.filter(|_| self.machine.floors) {
                    self.machine.lay_floor(at, least);
                }
                Word::new(done.outcomes.row(0).first().copied().unwrap_or(0))
            }
        };
        if let Some(into) = into {
            self.machine.locals[into] = result;
        }
        true
    }

    /// Replaces the objects by their contents after the call; returns the result.
    fn replace(&mut self, outcomes: &Dist<W>, words: &[i64], objects: &[Found]) -> i64 {
        let live = &outcomes.live;
        let mut result = words.first().copied().unwrap_or(0);
        let pins = live.values.len() + live.objects.len();
        let (heads, heap) = words.split_at(pins + objects.len());
        let heap: Vec<Word> = heap.iter().copied().map(Word::new).collect();
        let reads = &mut self.machine.reads;
        let target = &mut self.machine.heap;
        self.copier.begin(heap.len());
        for (object, from) in objects.iter().zip(&heads[pins..]) {
            let over = Found {
                from: *from,
                to: object.from,
                ..*object
            };
            self.copier.over(self.shapes, over, &heap, target);
        }
        for (_, shape) in &live.objects {
            let object = (result, *shape, Keep::ALL);
            result = self.copier.object(self.shapes, object, &heap, target, 0);
        }
        self.copier
            .rest(self.shapes, None, (&heap, reads), target, 0);
        self.machine.moved = true;
        if self.machine.floors {
            self.lay_floors();
        }
        result
    }

    /// Applies the saturation bounds to the words of all objects that were copied last.
    fn lay_floors(&mut self) {
        for found in &self.copier.found {
            let Shape::Record(size, _) = self.shapes.get(found.shape) else {
                continue;
            };
            for slot in (0..*size).filter(|slot| found.keep.holds(*slot)) {
                if let Some(least) = self.plans.floors.slot(found.shape, slot) {
                    self.machine.lay_floor(found.to + slot as i64, least);
                }
            }
        }
    }
}
