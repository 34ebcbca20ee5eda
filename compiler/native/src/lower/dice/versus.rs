//! `a vs b` and `a under b`: the total of `a`, and its grade against `b`.
//!
//! The `if`s of [`dicec_runtime::against`] are arithmetic on truth values here, which the constant
//! folder removes if the dice are written as numbers: one d20 leaves two comparisons of its face,
//! none or several leave nothing.

use crate::ir::{Imm, Op, Value};
use crate::lower::body::Body;
use crate::lower::inside::Naturals;
use dicec_lang::hir::Expr;
use dicec_runtime::against::{Against, TEN};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;

impl<'s> Body<'_, 's> {
    pub(in crate::lower) fn versus(
        &mut self,
        against: Against,
        roll: &'s Expr,
        number: &'s Expr,
        span: Span,
    ) -> Value {
        let none = self.no_naturals(against.natural_sides(), span);
        let outer = self.inside.naturals.replace(none);
        let total = self.expr(roll);
        let mut naturals = self.inside.naturals.take();
        let number = self.expr(number);
        self.inside.naturals = outer;
        self.builder.set_span(span);
        if against.is_face() {
            naturals = Some(Naturals {
                count: self.builder.iconst(1),
                face: total,
                ..none
            });
        }
        let grade = match against {
            Against::Class(ladder) => self.climb(ladder, total, number, naturals),
            Against::Target(_) => self.by_tens(total, number, naturals),
        };
        self.inside.grade = Some(grade);
        total
    }

    /// [`Ladder::climb`]
    fn climb(
        &mut self,
        ladder: Ladder,
        total: Value,
        class: Value,
        naturals: Option<Naturals>,
    ) -> Value {
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
        if let Some(shift) = self.shift(Against::Class(ladder), naturals) {
            let moved = self.op(Op::IaddWrap, rung, shift);
            let bottom = self.builder.iconst(0);
            let top = self.builder.iconst(ladder.steps().len() as i64);
            let moved = self.op(Op::Imax, moved, bottom);
            rung = self.op(Op::Imin, moved, top);
        }
        if ladder.has_none() {
            // The lowest rung says that there is no degree.
            let one = self.builder.iconst(ladder.lowest());
            rung = self.op(Op::IaddWrap, rung, one);
        }
        rung
    }

    /// The signed degrees of [`Against::grade`].
    fn by_tens(&mut self, roll: Value, target: Value, naturals: Option<Naturals>) -> Value {
        let [zero, one, lowest, ten] = [0, 1, -1, TEN].map(|number| self.builder.iconst(number));
        let mut succeeds = self.truth_word(Op::Ile, roll, target);
        if let Some(shift) = self.shift(Against::UNDER, naturals) {
            // A shift by one in either direction outweighs the comparison.
            let sum = self.op(Op::IaddWrap, succeeds, shift);
            succeeds = self.op(Op::IaddWrap, sum, shift);
        }
        let succeeds = self.op(Op::Igt, succeeds, zero);
        // Tenths of whole numbers are far from overflow.
        let [target, roll] = [target, roll].map(|number| self.op(Op::IdivPos, number, ten));
        let margin = self.op(Op::IsubWrap, target, roll);
        let success = self.op(Op::IaddWrap, margin, one);
        let success = self.op(Op::Imax, success, one);
        let failure = self.op(Op::IsubWrap, margin, one);
        let failure = self.op(Op::Imin, failure, lowest);
        let sides = [succeeds, success, failure];
        self.builder.inst(Op::Select, &sides, Imm::None)
    }

    /// The naturals of no dice.
    pub(super) fn no_naturals(&mut self, sides: u32, span: Span) -> Naturals {
        self.builder.set_span(span);
        let zero = self.builder.iconst(0);
        Naturals {
            sides,
            count: zero,
            face: zero,
        }
    }

    /// The bound of the total for each step.
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

    /// [`Against::shift`] by the natural face, if there may be one.
    fn shift(&mut self, against: Against, naturals: Option<Naturals>) -> Option<Value> {
        let naturals = naturals?;
        let one = self.builder.iconst(1);
        let alone = self.truth_word(Op::Ieq, naturals.count, one);
        let faces = against.shifts().iter();
        let faces: Vec<Value> = faces.map(|shift| self.builder.iconst(shift.face)).collect();
        let mut sum = None;
        for (shift, face) in against.shifts().iter().zip(faces).rev() {
            let shown = self.truth_word(Op::Ieq, naturals.face, face);
            sum = Some(self.add_times(sum, shift.by, shown));
        }
        sum.map(|shift| self.op(Op::ImulWrap, alone, shift))
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
        let naturals = self.inside.naturals;
        if naturals.is_some_and(|naturals| naturals.sides == sides) {
            let count = self.builder.iconst(count.into());
            self.note_naturals(count, sum);
        }
    }

    /// Adds a pool of computed count or sides with the sum `sum`.
    pub(super) fn note_computed_dice(&mut self, count: Value, sides: Value, sum: Value) {
        let Some(naturals) = self.inside.naturals else {
            return;
        };
        let natural = self.builder.iconst(naturals.sides.into());
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
            ..before
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
