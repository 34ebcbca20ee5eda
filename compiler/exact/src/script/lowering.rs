//! The blocks and segments under construction: what the lowering of statements ([`super::lower`])
//! and of expressions ([`super::operand`]) add their parts to.

use super::constants::Constants;
use super::consumed::Consumed;
use super::floors::{Floor, Floors, Holder};
use super::plan::{Block, Head, Pure, RollSite, Segment, Step, Tail, WordOrder};
use super::shape::{FieldPlace, ShapeId, Shapes};
use super::unordered::{Pure as PureCalls, Unordered};
use super::values::Values;
use crate::Shortcuts;
use dicec_lang::hir::{ArithOp, FunctionId, LocalId, Module, Policy, Type};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The context of the whole script.
pub(super) struct Context<'l, 's> {
    pub(super) script: &'s Module,
    pub(super) policies: &'l [Policy],
    /// Whether each option is a decision ([`super::plan::Head::Decision`]); none after the end.
    pub(super) decided: &'l [bool],
    pub(super) shapes: &'l mut Shapes,
    pub(super) values: &'l mut Values,
    pub(super) constants: Constants,
    pub(super) rolls: Vec<RollSite>,
    pub(super) floors: Floors,
    /// The number of segments so far.
    pub(super) segments: usize,
    /// The segments that begin with a call; see [`Plans::calls`](super::plan::Plans::calls).
    pub(super) calls: Vec<(usize, FunctionId)>,
    pub(super) shortcuts: Shortcuts,
}

impl Context<'_, '_> {
    /// The shape of values of a type.
    pub(super) fn shape(&mut self, ty: &Type) -> ShapeId {
        self.shapes.shape(self.script, ty)
    }
}

/// A block under construction: its finished segments, and the parts of the open one.
#[derive(Default)]
pub(super) struct Open {
    segments: Vec<Segment>,
    head: Option<Head>,
    straight: Vec<Step>,
    /// The source of the parts.
    span: Option<Span>,
}

impl Open {
    /// Whether a condition depends on the sum to which the outcomes of the head were added. Then
    /// each sum needs separate answers for each outcome; in a segment of its own, the condition
    /// needs only one per sum.
    fn accumulates_for(&self, condition: &Pure) -> bool {
        let changes_objects = matches!(self.head, Some(Head::Call { .. }))
            || self.straight.iter().any(Step::changes_objects);
        let accumulated = |local| {
            let of_it = |step: &Step| matches!(step, Step::Set(set, value, _) if *set == local && value.reads_local(local));
            self.straight.iter().any(of_it)
        };
        condition.any(&mut |part| match part {
            Pure::Local(local) => accumulated(*local),
            Pure::Slot(..) | Pure::Element(_, true, _) | Pure::Len(_, true) => changes_objects,
            _ => false,
        })
    }
}

/// A function under construction.
pub(super) struct Lowering<'f, 'l, 's> {
    pub(super) context: &'f mut Context<'l, 's>,
    pub(super) function: FunctionId,
    pub(super) locals: Vec<ShapeId>,
    pub(super) unordered: &'f Unordered,
    pub(super) pure: &'f PureCalls,
    pub(super) consumed: Consumed,
    pub(super) open: Open,
    /// The current statement.
    pub(super) span: Span,
}

impl Lowering<'_, '_, '_> {
    /// A new variable.
    pub(super) fn temporary(&mut self, shape: ShapeId) -> usize {
        self.locals.push(shape);
        self.locals.len() - 1
    }

    pub(super) fn step(&mut self, step: Step) {
        self.open.span.get_or_insert(self.span);
        self.open.straight.push(step);
    }

    /// A value, put in a variable if it could change or trap.
    pub(super) fn spilled(&mut self, value: Pure, shape: ShapeId) -> Pure {
        if matches!(value, Pure::Word(_) | Pure::Resource(_) | Pure::Local(_)) {
            return value;
        }
        let into = self.temporary(shape);
        self.set(into, value);
        Pure::Local(into)
    }

    /// Assigns a value to a variable.
    pub(super) fn set(&mut self, local: usize, value: Pure) {
        let object = self
            .locals
            .get(local)
            .is_some_and(|shape| shape.is_object());
        self.step(Step::Set(local, value, object));
    }

    /// Begins a segment with this head.
    pub(super) fn head(&mut self, head: Head) {
        if self.open.head.is_some() || !self.open.straight.is_empty() {
            self.tail(Tail::Next);
        }
        self.open.head = Some(head);
        self.open.span = Some(self.span);
    }

    /// Ends the open segment.
    pub(super) fn tail(&mut self, tail: Tail) {
        let head = self.open.head.take();
        if let Some(Head::Call { function, .. }) = &head {
            self.context.calls.push((self.context.segments, *function));
        }
        let straight = std::mem::take(&mut self.open.straight);
        self.open.segments.push(Segment {
            number: self.context.segments,
            span: self.open.span.take().unwrap_or(self.span),
            head,
            straight,
            tail,
            live: Arc::default(),
        });
        self.context.segments += 1;
    }

    /// Ends the open segment, or one after it, with a branch to two blocks.
    pub(super) fn branch(&mut self, condition: Pure, then: Block, otherwise: Block) {
        if self.open.head.is_some() && self.open.accumulates_for(&condition) {
            self.tail(Tail::Next);
        }
        self.tail(Tail::If(condition, then, otherwise));
    }

    /// The operand of a comparison or a clamp. The total of several rolls is put in a variable, and
    /// compared in the next segment; otherwise each total so far would need separate answers for
    /// each outcome of the last roll.
    pub(super) fn totalled(&mut self, value: Pure) -> Pure {
        // Only random values, and values evaluated before a random one, are in temporaries.
        let named = self.context.script.function(self.function).locals.len();
        let head = self.open.head.as_ref().and_then(Head::into);
        let reads = |part: &Pure, wanted: &dyn Fn(usize) -> bool| {
            part.any(&mut |part| matches!(part, Pure::Local(local) if wanted(*local)))
        };
        let is_total = match &value {
            Pure::Arith(ArithOp::Add | ArithOp::Sub, _, parts, _) => {
                let [left, right] = &**parts;
                let before = |local| local >= named && Some(local) != head;
                head.is_some() && reads(left, &before) && reads(right, &|local| Some(local) == head)
            }
            _ => false,
        };
        if !is_total {
            return value;
        }
        let into = self.temporary(ShapeId::VALUE);
        self.set(into, value);
        self.tail(Tail::Next);
        Pure::Local(into)
    }

    /// A block of the segments that `inside` adds.
    pub(super) fn block(&mut self, inside: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.open);
        inside(self);
        if self.open.head.is_some() || !self.open.straight.is_empty() {
            self.tail(Tail::Next);
        }
        let block = std::mem::replace(&mut self.open, outer);
        Block {
            segments: block.segments,
        }
    }

    /// The saturation bound of a variable.
    pub(super) fn floor_of(&self, local: LocalId) -> Option<Floor> {
        let holder = Holder::Local(self.function, local);
        self.context.floors.get(holder)
    }

    /// Appends a value to a list.
    pub(super) fn append(&mut self, list: Pure, value: Pure, span: Span) {
        let sorted = match list {
            Pure::Local(local) => self.keeps_sorted(LocalId(local as u32)),
            _ => None,
        };
        let inserted = sorted.map(|order| Pure::Inserted(Box::new(list.clone()), order));
        self.step(Step::Append(list, value, span));
        inserted
            .into_iter()
            .for_each(|list| self.step(Step::Eval(list)));
    }

    /// How the lists in a variable are kept sorted, if nothing observes their order.
    pub(super) fn keeps_sorted(&self, local: LocalId) -> Option<WordOrder> {
        if !self.unordered.has(self.function, local) {
            return None;
        }
        let function = self.context.script.function(self.function);
        Some(match &function.locals[local.index()].ty {
            Type::List(element) if matches!(**element, Type::Record(_)) => WordOrder::Tuples,
            _ => WordOrder::Numbers,
        })
    }

    pub(super) fn shape(&mut self, ty: &Type) -> ShapeId {
        self.context.shape(ty)
    }

    /// The place of a field, and whether its record is an object.
    pub(super) fn field(&self, ty: &Type, field: u32) -> Option<(FieldPlace, bool)> {
        let Type::Record(id) = ty else {
            return None;
        };
        let layout = self.context.shapes.layout(*id)?;
        let place = layout.fields.get(field as usize)?;
        Some((*place, layout.shape.is_object()))
    }

    /// The result of dice.
    pub(super) fn rolled(&mut self, site: RollSite, holes: Vec<Pure>) -> Pure {
        self.context.rolls.push(site);
        let into = self.temporary(ShapeId::VALUE);
        let site = self.context.rolls.len() - 1;
        self.head(Head::Roll(site, into, holes));
        Pure::Local(into)
    }
}
