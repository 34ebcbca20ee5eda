//! `a vs b`: the total of `a`, and the rung it reaches against `b`.
//!
//! The `if`s of [`dicec_runtime::degree`] are arithmetic on truth values here, which the constant
//! folder removes if the dice are written as numbers: one d20 leaves two comparisons of its face,
//! none or several leave nothing.

use crate::hir::Expr;
use crate::ir::{Imm, Op, Value};
use crate::lower::body::Body;
use dicec_runtime::degree::{Ladder, NATURAL_SIDES};
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
        ladder: Ladder,
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
        let bounds = self.bounds(ladder, class);
        let mut rung = None;
        for (step, bound) in ladder.steps().iter().zip(bounds) {
            let comparison = if step.above { Op::Igt } else { Op::Ige };
            let step = self.truth_word(comparison, total, bound);
            rung = Some(match rung {
                Some(above) => self.op(Op::IaddWrap, above, step),
                None => step,
            });
        }
        // A ladder of one rung has no steps.
        let mut rung = rung.unwrap_or_else(|| self.builder.iconst(0));
        if let Some(naturals) = naturals {
            rung = self.shifted(ladder, rung, naturals);
        }
        if ladder.has_none() {
            // The lowest rung says that there is no degree.
            let one = self.builder.iconst(ladder.lowest());
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

    /// What the total is compared with for each step.
    fn bounds(&mut self, ladder: Ladder, class: Value) -> Vec<Value> {
        // Margins up and down are often of one size.
        let mut known: Option<(i64, Value)> = None;
        let steps = ladder.steps().iter().map(|step| {
            let size = step.margin.abs();
            if size == 0 {
                return class;
            }
            let margin = match known {
                Some((same, margin)) if same == size => margin,
                _ => self.builder.iconst(size),
            };
            known = Some((size, margin));
            let op = if step.margin > 0 { Op::Iadd } else { Op::Isub };
            self.op(op, class, margin)
        });
        steps.collect()
    }

    /// The rung after the shift by the natural face, kept among the degrees.
    fn shifted(&mut self, ladder: Ladder, rung: Value, naturals: Naturals) -> Value {
        let one = self.builder.iconst(1);
        let alone = self.truth_word(Op::Ieq, naturals.count, one);
        let faces = ladder.shifts().iter();
        let faces: Vec<Value> = faces.map(|shift| self.builder.iconst(shift.face)).collect();
        let mut sum = None;
        for (shift, face) in ladder.shifts().iter().zip(faces).rev() {
            let shown = self.truth_word(Op::Ieq, naturals.face, face);
            sum = Some(self.add_times(sum, shift.by, shown));
        }
        let Some(shift) = sum else {
            return rung;
        };
        let shift = self.op(Op::ImulWrap, alone, shift);
        let moved = self.op(Op::IaddWrap, rung, shift);
        let bottom = self.builder.iconst(0);
        let top = self.builder.iconst(ladder.steps().len() as i64);
        let moved = self.op(Op::Imax, moved, bottom);
        self.op(Op::Imin, moved, top)
    }

    /// `sum + times * value`.
    fn add_times(&mut self, sum: Option<Value>, times: i64, value: Value) -> Value {
        match (sum, times) {
            (None, 1) => value,
            (Some(sum), 1) => self.op(Op::IaddWrap, sum, value),
            (Some(sum), -1) => self.op(Op::IsubWrap, sum, value),
            _ => {
                let times = self.builder.iconst(times);
                let value = self.op(Op::ImulWrap, value, times);
                match sum {
                    Some(sum) => self.op(Op::IaddWrap, sum, value),
                    None => value,
                }
            }
        }
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
