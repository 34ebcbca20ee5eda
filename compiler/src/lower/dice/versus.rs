//! `a vs b`: the total of `a`, and the rung it reaches against `b`.
//!
//! The `if`s of [`dicec_runtime::degree`] are arithmetic on truth values here, which the constant
//! folder removes if the dice are written as numbers: one d20 leaves two comparisons of its face,
//! none or several leave nothing.

use crate::hir::Expr;
use crate::ir::{Imm, Op, Value};
use crate::lower::body::Body;
use dicec_runtime::degree::{CRITICAL_MARGIN, Ladder, NATURAL_SIDES, SHIFTING_FACES};
use dicec_runtime::span::Span;

/// The dice of a left side that may shift the degree.
#[derive(Clone, Copy)]
pub(super) struct Naturals {
    /// How many there are.
    pub(super) count: Value,
    /// The sum of their faces, which is the face if there is one die.
    pub(super) face: Value,
}

impl<'s> Body<'_, 's> {
    pub(in crate::lower) fn versus(
        &mut self,
        roll: &'s Expr,
        class: &'s Expr,
        span: Span,
    ) -> Value {
        let none = self.no_naturals(span);
        let outer = self.inside.naturals.replace(none);
        let total = self.expr(roll);
        let naturals = self.inside.naturals.take();
        let class = self.expr(class);
        self.inside.naturals = outer;
        self.builder.set_span(span);
        let margin = self.builder.iconst(CRITICAL_MARGIN);
        let high = self.op(Op::Iadd, class, margin);
        let low = self.op(Op::Isub, class, margin);
        let mut rung = self.truth_word(Op::Ige, total, high);
        for (comparison, bound) in [(Op::Ige, class), (Op::Igt, low)] {
            let step = self.truth_word(comparison, total, bound);
            rung = self.op(Op::IaddWrap, rung, step);
        }
        if let Some(naturals) = naturals {
            rung = self.shifted(rung, naturals);
        }
        if self.inside.ladder == Ladder::PathfinderOrNone {
            // The lowest rung says that there is no degree.
            let one = self.builder.iconst(1);
            rung = self.op(Op::IaddWrap, rung, one);
        }
        self.inside.rung = Some(rung);
        total
    }

    /// The naturals of no dice.
    pub(super) fn no_naturals(&mut self, span: Span) -> Naturals {
        self.builder.set_span(span);
        let zero = self.builder.iconst(0);
        Naturals {
            count: zero,
            face: zero,
        }
    }

    /// The rung after the shift by the natural face, kept on the ladder.
    fn shifted(&mut self, rung: Value, naturals: Naturals) -> Value {
        let (lowers, raises) = SHIFTING_FACES;
        let one = self.builder.iconst(1);
        let alone = self.truth_word(Op::Ieq, naturals.count, one);
        let (lowers, raises) = (self.builder.iconst(lowers), self.builder.iconst(raises));
        let raised = self.truth_word(Op::Ieq, naturals.face, raises);
        let lowered = self.truth_word(Op::Ieq, naturals.face, lowers);
        let shift = self.op(Op::IsubWrap, raised, lowered);
        let shift = self.op(Op::ImulWrap, alone, shift);
        let moved = self.op(Op::IaddWrap, rung, shift);
        let (bottom, top) = (self.builder.iconst(0), self.builder.iconst(3));
        let moved = self.op(Op::Imax, moved, bottom);
        self.op(Op::Imin, moved, top)
    }

    /// Adds a pool of written count and sides with the sum `sum`.
    pub(super) fn note_written_dice(&mut self, count: u32, sides: u32, sum: Value) {
        if i64::from(sides) == NATURAL_SIDES && self.inside.naturals.is_some() {
            let count = self.builder.iconst(count.into());
            self.note_naturals(count, sum);
        }
    }

    /// Adds a pool of computed count or sides with the sum `sum`.
    pub(super) fn note_computed_dice(&mut self, count: Value, sides: Value, sum: Value) {
        if self.inside.naturals.is_none() {
            return;
        }
        let natural = self.builder.iconst(NATURAL_SIDES);
        let counts = self.truth_word(Op::Ieq, sides, natural);
        // At most the limit of dice in a pool.
        let count = self.op(Op::ImulWrap, counts, count);
        let face = self.op(Op::ImulWrap, counts, sum);
        self.note_naturals(count, face);
    }

    pub(super) fn note_naturals(&mut self, count: Value, face: Value) {
        let Some(before) = self.inside.naturals else {
            return;
        };
        self.inside.naturals = Some(Naturals {
            // Fewer pools than bytes of source, and at most 10^7 dice in each.
            count: self.op(Op::IaddWrap, before.count, count),
            // If it wraps, there are several dice.
            face: self.op(Op::IaddWrap, before.face, face),
        });
    }

    fn op(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.builder.inst(op, &[a, b], Imm::None)
    }

    /// A comparison as 0 or 1.
    fn truth_word(&mut self, op: Op, a: Value, b: Value) -> Value {
        let truth = self.op(op, a, b);
        self.builder.inst(Op::Btoi, &[truth], Imm::None)
    }
}
