//! Expressions.

use super::real::{self, is_real};
use super::versus::Naturals;
use crate::hir::{ArithOp, CompareOp, Expr, ExprKind, Slot};
use crate::ir::{FunctionBuilder, Imm, Op, Value};
use dicec_runtime::degree::Ladder;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;

/// Appends expressions to a function.
pub(super) struct Lowering<'b> {
    pub(super) builder: &'b mut FunctionBuilder,
    pub(super) limits: RollLimits,
    /// What a degree is a rung of.
    pub(super) ladder: Ladder,
    /// On the left of a `vs`: what its dice have come to so far.
    pub(super) naturals: Option<Naturals>,
    /// The rung that a `vs` reached.
    pub(super) rung: Option<Value>,
    /// What resources stand for in a script's rule.
    pub(super) holes: Option<&'b [Value]>,
}

impl<'b> Lowering<'b> {
    pub(super) fn new(
        builder: &'b mut FunctionBuilder,
        limits: RollLimits,
        ladder: Ladder,
    ) -> Self {
        Self {
            builder,
            limits,
            ladder,
            naturals: None,
            rung: None,
            holes: None,
        }
    }

    /// Appends `expr` and gives its value.
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        if is_real(expr) {
            return self.real(expr);
        }
        match &expr.kind {
            ExprKind::Int(value) => {
                self.builder.set_span(expr.span);
                self.builder.iconst(*value)
            }
            ExprKind::Resource(slot) => self.resource(*slot, expr.span),
            ExprKind::Negate(value) => {
                let value = self.expr(value);
                self.inst(expr.span, Op::Ineg, &[value], Imm::None)
            }
            ExprKind::Arith(op, left, right) => {
                let args = [self.expr(left), self.expr(right)];
                self.inst(expr.span, arith(*op), &args, Imm::None)
            }
            ExprKind::Compare(op, left, right) => {
                let op = match is_real(left) {
                    true => real::compare(*op),
                    false => compare(*op),
                };
                let args = [self.expr(left), self.expr(right)];
                self.inst(expr.span, op, &args, Imm::None)
            }
            ExprKind::AtLeast(floor, value) => {
                let value = self.expr(value);
                self.builder.set_span(expr.span);
                let floor = self.builder.iconst(*floor);
                self.inst(expr.span, Op::Imax, &[value, floor], Imm::None)
            }
            ExprKind::Pool(pool) => match pool.plain_sides() {
                Some(sides) => self.plain(&pool.count, sides, expr.span),
                None => self.changed_pool(pool, expr.span),
            },
            ExprKind::Group(group) => self.group(group, expr.span),
            ExprKind::Call(function, args) => self.call(*function, args, expr.span),
            // Decimals are lowered above.
            ExprKind::Real(_) | ExprKind::ToReal(_) => self.builder.iconst(0),
            ExprKind::Versus(roll, class) => self.versus(roll, class, expr.span),
        }
    }

    fn resource(&mut self, slot: Slot, span: Span) -> Value {
        match self.holes {
            None => self.inst(span, Op::Resource, &[], Imm::Slot(slot.0)),
            // There is a value for each.
            Some(holes) => holes[slot.0 as usize],
        }
    }

    pub(super) fn inst(&mut self, span: Span, op: Op, args: &[Value], imm: Imm) -> Value {
        self.builder.set_span(span);
        self.builder.inst(op, args, imm)
    }

    fn plain(&mut self, count: &Expr, sides: &Expr, span: Span) -> Value {
        let (count_span, sides_span) = (count.span, sides.span);
        if let Some((count, sides)) = written_dice(count, sides) {
            let sum = self.inst(span, Op::Pool, &[], Imm::Dice { count, sides });
            self.note_written_dice(count, sides, sum);
            return sum;
        }
        let count = self.aside(count);
        let sides = self.aside(sides);
        let limit = Imm::Limit(self.limits.dice);
        let count = self.inst(count_span, Op::DiceCount, &[count], limit);
        let sides = self.inst(sides_span, Op::DieSides, &[sides], Imm::None);
        let sum = self.inst(span, Op::Dice, &[count, sides], Imm::None);
        self.note_computed_dice(count, sides, sum);
        sum
    }
}

/// The count and sides of a pool that are written as numbers within their limits, which [`crate::check`] checked.
fn written_dice(count: &Expr, sides: &Expr) -> Option<(u32, u32)> {
    match (&count.kind, &sides.kind) {
        (ExprKind::Int(count), ExprKind::Int(sides)) => {
            Some((u32::try_from(*count).ok()?, u32::try_from(*sides).ok()?))
        }
        _ => None,
    }
}

pub(super) fn arith(op: ArithOp) -> Op {
    match op {
        ArithOp::Add => Op::Iadd,
        ArithOp::Sub => Op::Isub,
        ArithOp::Mul => Op::Imul,
        ArithOp::Rem => Op::Irem,
        // The decimal operations are lowered with the decimals.
        ArithOp::Div | ArithOp::Quotient | ArithOp::Pow => Op::Idiv,
    }
}

pub(super) fn compare(op: CompareOp) -> Op {
    match op {
        CompareOp::Equal => Op::Ieq,
        CompareOp::NotEqual => Op::Ine,
        CompareOp::Less => Op::Ilt,
        CompareOp::LessEqual => Op::Ile,
        CompareOp::Greater => Op::Igt,
        CompareOp::GreaterEqual => Op::Ige,
    }
}
