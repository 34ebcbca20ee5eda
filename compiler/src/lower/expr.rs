//! Expressions.

use super::real::{self, is_real};
use super::versus::Naturals;
use crate::hir::{ArithOp, CompareOp, Expr, ExprKind};
use crate::ir::{FunctionBuilder, Imm, Op, Type, Value};
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
            ExprKind::Resource(slot) => self.inst(expr.span, Op::Resource, &[], Imm::Slot(slot.0)),
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
        let sum = self.dice_loop(count, sides, span);
        self.note_computed_dice(count, sides, sum);
        sum
    }

    /// The loop of the module's picture. Its arithmetic cannot overflow: the count only falls to 0, and the sum stays below
    /// 10^16 (see `dicec_runtime::limits::MAX_SIDES`).
    fn dice_loop(&mut self, count: Value, sides: Value, span: Span) -> Value {
        let b = &mut *self.builder;
        b.set_span(span);
        let head = b.block(&[Type::I64, Type::I64]);
        let (body, done) = (b.block(&[]), b.block(&[]));
        let zero = b.iconst(0);
        let one = b.iconst(1);
        b.jump(head, &[count, zero]);

        b.switch_to(head);
        let (left, sum) = (b.param(head, 0), b.param(head, 1));
        let more = b.inst(Op::Igt, &[left, zero], Imm::None);
        b.branch(more, (body, &[]), (done, &[]));

        b.switch_to(body);
        let face = b.inst(Op::Roll, &[sides], Imm::None);
        let next = b.inst(Op::IsubWrap, &[left, one], Imm::None);
        let sum_next = b.inst(Op::IaddWrap, &[sum, face], Imm::None);
        b.jump(head, &[next, sum_next]);

        b.switch_to(done);
        sum
    }
}

/// The count and sides of a pool that are written as numbers within their limits, which [`crate::sema`] checked.
fn written_dice(count: &Expr, sides: &Expr) -> Option<(u32, u32)> {
    match (&count.kind, &sides.kind) {
        (ExprKind::Int(count), ExprKind::Int(sides)) => {
            Some((u32::try_from(*count).ok()?, u32::try_from(*sides).ok()?))
        }
        _ => None,
    }
}

fn arith(op: ArithOp) -> Op {
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
