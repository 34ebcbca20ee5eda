//! What is known of the parts of loops before they run: which variables they only add to. Whatever
//! such a variable holds, the same is added to it.

use crate::engine::exact::script::plan::{Block, Head, Plan, Pure, Segment, Step, Tail};
use crate::hir::ArithOp;
use std::collections::BTreeSet;

/// The rest of a block, from its first head on.
#[derive(Debug, Default)]
pub(in super::super) struct Region {
    /// The variables that it reads.
    pub(super) reads: Vec<usize>,
    /// Those that it does not read, but adds to.
    pub(super) sums: Vec<usize>,
    /// Those that it sets.
    pub(super) sets: Vec<usize>,
}

/// The regions of a script, by the number of their first segment.
pub(in super::super) fn regions(functions: &[Plan], segments: usize) -> Vec<Option<Region>> {
    let mut regions: Vec<Option<Region>> = (0..segments).map(|_| None).collect();
    let quiet: Vec<bool> = functions.iter().map(|plan| is_quiet(&plan.body)).collect();
    for plan in functions {
        find(&plan.body, plan.result(), &quiet, &mut regions);
    }
    regions
}

/// Whether a function notes nothing, always ends, calls no other, and knows no objects.
fn is_quiet(block: &Block) -> bool {
    block.segments.iter().all(|segment| {
        let notes = !segment.straight.iter().all(is_quiet_step);
        let calls = matches!(segment.head, Some(Head::Call { .. }));
        let tail = match &segment.tail {
            Tail::If(condition, then, otherwise) => {
                !has_objects(condition) && is_quiet(then) && is_quiet(otherwise)
            }
            Tail::Return(Some(value)) => !has_objects(value),
            Tail::Loop(iterations) => iterations.ends && is_quiet(&iterations.body),
            _ => true,
        };
        !notes && !calls && tail
    })
}

fn is_quiet_step(step: &Step) -> bool {
    match step {
        Step::Set(_, value, false) | Step::Eval(value) | Step::Require(value, _) => {
            !has_objects(value)
        }
        Step::Pay(..) => true,
        _ => false,
    }
}

/// Whether an expression makes or reads objects.
fn has_objects(value: &Pure) -> bool {
    value.any(&mut |part| {
        matches!(
            part,
            Pure::Slot(..)
                | Pure::Len(_, true)
                | Pure::Element(_, true, _)
                | Pure::Object(_)
                | Pure::List(_)
                | Pure::Sorted(_, true)
        )
    })
}

fn find(block: &Block, result: usize, quiet: &[bool], regions: &mut [Option<Region>]) {
    for segment in &block.segments {
        match &segment.tail {
            Tail::If(_, then, otherwise) => {
                find(then, result, quiet, regions);
                find(otherwise, result, quiet, regions);
            }
            Tail::Loop(iterations) => find(&iterations.body, result, quiet, regions),
            _ => {}
        }
    }
    let first = block.segments.iter().position(|segment| segment.head.is_some());
    if let Some(first) = first {
        let segments = &block.segments[first..];
        regions[segments[0].number] = Use::of(segments, result, quiet);
    }
}

/// How segments use variables.
#[derive(Default)]
struct Use {
    reads: BTreeSet<usize>,
    adds: BTreeSet<usize>,
    replaces: BTreeSet<usize>,
    objects: bool,
}

impl Use {
    fn of(segments: &[Segment], result: usize, quiet: &[bool]) -> Option<Region> {
        let mut uses = Self::default();
        uses.all(segments, result, quiet)?;
        let sums = uses.adds.difference(&uses.reads).copied();
        let sums: BTreeSet<usize> = sums.collect();
        let sums: Vec<usize> = sums.difference(&uses.replaces).copied().collect();
        if sums.is_empty() || uses.objects {
            return None;
        }
        let others = uses.adds.iter().filter(|local| !sums.contains(local));
        let reads = uses.reads.iter().chain(others).copied();
        Some(Region {
            reads: reads.collect::<BTreeSet<usize>>().into_iter().collect(),
            sets: uses.adds.union(&uses.replaces).copied().collect(),
            sums,
        })
    }

    fn all(&mut self, segments: &[Segment], result: usize, quiet: &[bool]) -> Option<()> {
        for segment in segments {
            match &segment.head {
                None => {}
                Some(Head::Roll(_, into, holes)) => {
                    self.reads_of(holes);
                    self.replaces.insert(*into);
                }
                Some(Head::Option(into, _)) => {
                    self.replaces.insert(*into);
                }
                Some(Head::Call { into, function, args, .. }) => {
                    quiet[function.index()].then_some(())?;
                    self.reads_of(args);
                    self.replaces.extend(into);
                }
            }
            for step in &segment.straight {
                self.step(step)?;
            }
            match &segment.tail {
                Tail::If(condition, then, otherwise) => {
                    self.read(condition);
                    self.all(&then.segments, result, quiet)?;
                    self.all(&otherwise.segments, result, quiet)?;
                }
                Tail::Loop(_) => return None,
                Tail::Return(value) => {
                    self.reads_of(value.as_slice());
                    self.replaces.insert(result);
                }
                Tail::Next | Tail::Break | Tail::Continue => {}
            }
        }
        Some(())
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Set(local, value, false) => match added(*local, value) {
                Some(added) => {
                    self.read(added);
                    self.adds.insert(*local);
                }
                None => {
                    self.read(value);
                    self.replaces.insert(*local);
                }
            },
            Step::Eval(value) | Step::Require(value, _) => self.read(value),
            Step::Pay(..) => {}
            _ => return None,
        }
        Some(())
    }

    fn reads_of(&mut self, values: &[Pure]) {
        values.iter().for_each(|value| self.read(value));
    }

    fn read(&mut self, value: &Pure) {
        self.objects |= has_objects(value);
        self.locals(value);
    }

    fn locals(&mut self, value: &Pure) {
        if let Pure::Local(local) = value {
            self.reads.insert(*local);
        }
        value.operands(&mut |part| self.locals(part));
    }
}

/// What is added to a variable or taken away from it, if that is all that is done to it.
fn added(local: usize, value: &Pure) -> Option<&Pure> {
    match value {
        Pure::Floored(value, _) => added(local, value),
        Pure::Arith(ArithOp::Add | ArithOp::Sub, false, pair, _) => match &**pair {
            [Pure::Local(to), added] if *to == local && !added.reads_local(local) => Some(added),
            _ => None,
        },
        _ => None,
    }
}
