//! Liveness: a state holds only variables that may be read before they are assigned again, so that
//! states that differ only in dead variables are merged.
//!
//! The tree is walked backward. Liveness before a loop depends on itself. But for each variable, a
//! block does one of three things: it needs the variable, passes it on to an exit, or neither
//! ([`Flow`]). So no fixed point is needed: a variable is live before a loop if the body needs it,
//! or passes it on to a `break` after which it is live.

use super::flow::{After, Flow, Set};
use super::live::Live;
use super::plan::{Block, Head, Loop, Pure, Segment, Step, Tail};
use super::shape::ShapeId;
use std::sync::Arc;

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
            | Step::Consume(value)
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
            Step::Append(first, second, _)
            | Step::Remove(first, second, _)
            | Step::NamedStat(first, second) => {
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
        Some(Head::Decision(decision)) => {
            see(decision.into, false);
            decision.parts().for_each(|part| reads(part, see));
        }
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
