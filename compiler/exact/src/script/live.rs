//! Liveness: a state holds only variables that may be read before they are assigned again, so that
//! states that differ only in dead variables are merged.
//!
//! The tree is walked backward. Liveness before a loop depends on itself. But for each variable, a
//! block does one of three things: it needs the variable, passes it on to an exit, or neither. So
//! no fixed point is needed: a variable is live before a loop if the body needs it, or passes it on
//! to a `break` after which it is live.

use super::packed::Layout;
use super::plan::{Block, Head, Loop, Pure, Segment, Step, Tail};
use super::shape::ShapeId;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The variables that are live at one point.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// The variables that are values.
    pub(super) values: Vec<usize>,
    /// The variables that refer to objects.
    pub(super) objects: Vec<(usize, ShapeId)>,
    /// The last layout of the states there. Only one question uses it at a time, so the lock is
    /// free.
    layout: Mutex<Arc<Layout>>,
    /// Whether equal states there are not merged.
    apart: AtomicBool,
}

impl Live {
    /// Those of a function's variables that are in `live`.
    pub(super) fn new(locals: &[ShapeId], live: impl Iterator<Item = usize>) -> Self {
        let mut all = Self::default();
        for local in live {
            match locals.get(local) {
                Some(shape) if shape.is_object() => all.objects.push((local, *shape)),
                _ => all.values.push(local),
            }
        }
        all
    }

    /// The last layout of the states there.
    pub(super) fn layout(&self) -> Arc<Layout> {
        self.last().clone()
    }

    /// Records the layout of the states there.
    pub(super) fn grown(&self, layout: &Arc<Layout>) {
        *self.last() = layout.clone();
    }

    /// Resets the layout to this empty one.
    pub(super) fn renew(&self, empty: &Arc<Layout>) {
        *self.last() = empty.clone();
    }

    /// From now on, equal states there are not merged.
    pub(super) fn keep_apart(&self) {
        self.apart.store(true, Relaxed);
    }

    /// Whether equal states there are not merged.
    pub(super) fn is_apart(&self) -> bool {
        self.apart.load(Relaxed)
    }

    fn last(&self) -> MutexGuard<'_, Arc<Layout>> {
        self.layout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the same variables are live.
    fn is(&self, other: &Self) -> bool {
        self.values == other.values && self.objects == other.objects
    }
}

/// A set of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn none(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn all(size: usize) -> Self {
        Self(vec![u64::MAX; size.div_ceil(64)])
    }

    fn insert(&mut self, local: usize) {
        self.0[local / 64] |= 1 << (local % 64);
    }

    fn remove(&mut self, local: usize) {
        self.0[local / 64] &= !(1 << (local % 64));
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = self.0.iter().enumerate();
        bits.flat_map(|(word, bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        })
    }
}

/// The variables that a block needs, and those that it passes on to each exit.
#[derive(Debug, Default)]
pub(super) struct Flow {
    needs: Set,
    next: Set,
    breaks: Set,
    continues: Set,
}

impl Flow {
    fn none(size: usize) -> Self {
        Self {
            needs: Set::none(size),
            next: Set::none(size),
            breaks: Set::none(size),
            continues: Set::none(size),
        }
    }

    fn sets(&mut self) -> [&mut Set; 4] {
        [
            &mut self.needs,
            &mut self.next,
            &mut self.breaks,
            &mut self.continues,
        ]
    }

    /// The flow of this block followed by `rest`.
    fn then(mut self, rest: &Self) -> Self {
        let on = std::mem::replace(&mut self.next, rest.next.clone());
        self.needs.add(&on.and(&rest.needs));
        self.breaks.add(&on.and(&rest.breaks));
        self.continues.add(&on.and(&rest.continues));
        self.next = on.and(&self.next);
        self
    }

    /// The union of both flows.
    fn or(mut self, mut other: Self) -> Self {
        for (set, more) in self.sets().into_iter().zip(other.sets()) {
            set.add(more);
        }
        self
    }

    /// The live variables before the block, for those after it.
    fn before(&self, after: &After<'_>) -> Set {
        let mut live = self.needs.clone();
        live.add(&self.next.and(after.next));
        live.add(&self.breaks.and(after.breaks));
        live.add(&self.continues.and(after.continues));
        live
    }
}

/// The live variables at each exit.
struct After<'l> {
    next: &'l Set,
    breaks: &'l Set,
    continues: &'l Set,
}

/// Sets the live variables of each segment and loop of a function. With `result`, the result is
/// live at its end.
pub(super) fn mark(locals: &[ShapeId], body: &mut Block) -> Marked {
    let mut marker = Marker {
        locals,
        all: vec![Arc::default()],
        told: 0,
    };
    marker.flow(body);
    let none = Set::none(locals.len());
    let after = After {
        next: &none,
        breaks: &none,
        continues: &none,
    };
    let begin = marker.block(body, &after);
    Marked {
        begin: marker.live(&begin),
        all: marker.all,
        told: marker.told,
    }
}

/// The liveness of a function.
pub(super) struct Marked {
    /// The live variables at its beginning.
    pub(super) begin: Arc<Live>,
    /// The sets of live variables of all points.
    pub(super) all: Vec<Arc<Live>>,
    /// The total number of live variables.
    pub(super) told: u64,
}

struct Marker<'m> {
    locals: &'m [ShapeId],
    /// The sets so far; the last one is often needed again.
    all: Vec<Arc<Live>>,
    told: u64,
}

impl Marker<'_> {
    fn live(&mut self, set: &Set) -> Arc<Live> {
        let live = Live::new(self.locals, set.iter());
        if let Some(last) = self.all.last()
            && live.is(last)
        {
            return last.clone();
        }
        self.told += (live.values.len() + live.objects.len()) as u64;
        let live = Arc::new(live);
        self.all.push(live.clone());
        live
    }

    /// Computes the flow through a block, and stores that of each loop in it.
    fn flow(&self, block: &mut Block) -> Flow {
        let size = self.locals.len();
        let mut flow = Flow::none(size);
        flow.next = Set::all(size);
        for segment in block.segments.iter_mut().rev() {
            flow = match &mut segment.tail {
                Tail::Next => flow,
                Tail::If(_, then, otherwise) => {
                    let either = self.flow(then).or(self.flow(otherwise));
                    either.then(&flow)
                }
                Tail::Loop(iterations) => {
                    let mut body = self.flow(&mut iterations.body);
                    // The end of the body leads to the next iteration, so its variables are needs
                    // of the loop, or passed on to a `break`.
                    body.next = std::mem::replace(&mut body.breaks, Set::none(size));
                    body.continues = Set::none(size);
                    iterations.flow = Flow {
                        needs: body.needs.clone(),
                        next: body.next.clone(),
                        ..Flow::none(size)
                    };
                    body.then(&flow)
                }
                Tail::Break => Flow {
                    breaks: Set::all(size),
                    ..Flow::none(size)
                },
                Tail::Continue => Flow {
                    continues: Set::all(size),
                    ..Flow::none(size)
                },
                Tail::Return(_) => Flow::none(size),
            };
            passes(segment, &mut |local, read| {
                if read {
                    flow.needs.insert(local);
                } else {
                    flow.sets().into_iter().for_each(|set| set.remove(local));
                }
            });
        }
        flow
    }

    fn block(&mut self, block: &mut Block, after: &After<'_>) -> Set {
        let mut live = after.next.clone();
        for segment in block.segments.iter_mut().rev() {
            live = self.tail(&mut segment.tail, live, after);
            passes(segment, &mut |local, read| {
                if read {
                    live.insert(local);
                } else {
                    live.remove(local);
                }
            });
            segment.live = self.live(&live);
        }
        live
    }

    fn tail(&mut self, tail: &mut Tail, next: Set, after: &After<'_>) -> Set {
        match tail {
            Tail::Next => next,
            Tail::If(_, then, otherwise) => {
                let after = After {
                    next: &next,
                    ..*after
                };
                let mut live = self.block(then, &after);
                live.add(&self.block(otherwise, &after));
                live
            }
            Tail::Loop(iterations) => self.iterations(iterations, &next),
            Tail::Break => after.breaks.clone(),
            Tail::Continue => after.continues.clone(),
            Tail::Return(_) => Set::none(self.locals.len()),
        }
    }

    fn iterations(&mut self, iterations: &mut Loop, next: &Set) -> Set {
        let live = iterations.flow.before(&After {
            next,
            breaks: next,
            continues: next,
        });
        let after = After {
            next: &live,
            breaks: next,
            continues: &live,
        };
        self.block(&mut iterations.body, &after);
        iterations.live = self.live(&live);
        live
    }
}

/// Calls `see` with each variable that a segment reads or assigns, from the last to the first.
fn passes(segment: &Segment, see: &mut dyn FnMut(usize, bool)) {
    match &segment.tail {
        Tail::If(condition, ..) => reads(condition, see),
        Tail::Return(Some(value)) => reads(value, see),
        Tail::Return(None) | Tail::Next | Tail::Loop(_) | Tail::Break | Tail::Continue => {}
    }
    for step in segment.straight.iter().rev() {
        match step {
            Step::Set(local, value, _) => {
                see(*local, false);
                reads(value, see);
            }
            Step::Eval(value)
            | Step::Output(value)
            | Step::Stat(_, value)
            | Step::Shorten(value)
            | Step::Require(value, _) => reads(value, see),
            Step::Slot(record, _, value, _) => {
                reads(record, see);
                reads(value, see);
            }
            Step::Element(list, index, value, _) => {
                reads(list, see);
                reads(index, see);
                reads(value, see);
            }
            Step::Append(first, second, _) | Step::NamedStat(first, second) => {
                reads(first, see);
                reads(second, see);
            }
            Step::Pay(..) => {}
        }
    }
    match &segment.head {
        None => {}
        Some(Head::Roll(_, into, holes)) => {
            see(*into, false);
            holes.iter().for_each(|hole| reads(hole, see));
        }
        Some(Head::Option(into, _)) => see(*into, false),
        Some(Head::Call { into, args, .. }) => {
            if let Some(into) = into {
                see(*into, false);
            }
            args.iter().for_each(|arg| reads(arg, see));
        }
    }
}

fn reads(value: &Pure, see: &mut dyn FnMut(usize, bool)) {
    if let Pure::Local(local) = value {
        see(*local, true);
    }
    value.operands(&mut |part| reads(part, see));
}
