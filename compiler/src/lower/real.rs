//! Decimal numbers and functions.
//!
//! Arithmetic on decimals is a plain operation and a check of its result (`finite`), and of the divisor before it (`nonzero`), so
//! that passes can work on each by itself. Whole numbers become decimals where the type checker says so. A decimal result
//! leaves the trial as its key (`fkey`): sinks hold whole numbers.

use super::expr::Lowering;
use crate::hir::{ArithOp, CompareOp, Expr, ExprKind, Function, Type};
use crate::ir::{Imm, Op, Value};
use dicec_runtime::span::Span;

/// Whether an expression yields a decimal number.
pub(super) fn is_real(expr: &Expr) -> bool {
    expr.ty == Type::Real
}

impl Lowering<'_> {
    /// Appends an expression that yields a decimal number.
    pub(super) fn real(&mut self, expr: &Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Real(value) => self.inst(span, Op::Fconst, &[], Imm::Float(value.get())),
            ExprKind::Negate(value) => {
                let value = self.real(value);
                self.inst(span, Op::Fneg, &[value], Imm::None)
            }
            ExprKind::Arith(op, left, right) => {
                let (left, right) = (self.real(left), self.real(right));
                self.real_arith(*op, left, right, span)
            }
            ExprKind::Call(function, args) => self.call(*function, args, span),
            ExprKind::ToReal(value) => {
                let value = self.expr(value);
                self.inst(span, Op::Itof, &[value], Imm::None)
            }
            // The type checker calls nothing else a decimal.
            ExprKind::Int(_)
            | ExprKind::Resource(_)
            | ExprKind::Compare(..)
            | ExprKind::AtLeast(..)
            | ExprKind::Pool(_)
            | ExprKind::Group(_)
            | ExprKind::Versus(..) => self.inst(span, Op::Fconst, &[], Imm::Float(0.0)),
        }
    }

    fn real_arith(&mut self, op: ArithOp, left: Value, right: Value, span: Span) -> Value {
        let mut inst = |op, args: &[Value]| self.inst(span, op, args, Imm::None);
        let unchecked = match op {
            ArithOp::Add => inst(Op::Fadd, &[left, right]),
            ArithOp::Sub => inst(Op::Fsub, &[left, right]),
            ArithOp::Mul => inst(Op::Fmul, &[left, right]),
            // The flooring division is of whole numbers alone.
            ArithOp::Quotient | ArithOp::Div => {
                let divisor = inst(Op::Nonzero, &[right]);
                inst(Op::Fdiv, &[left, divisor])
            }
            ArithOp::Rem => return inst(Op::Frem, &[left, right]),
            ArithOp::Pow => return inst(Op::Fpow, &[left, right]),
        };
        inst(Op::Finite, &[unchecked])
    }

    /// Appends a call of a function, whatever it yields.
    pub(super) fn call(&mut self, function: Function, args: &[Expr], span: Span) -> Value {
        let is_real = args.iter().any(is_real);
        let op = match (function, is_real) {
            (Function::Floor, _) => Op::Ffloor,
            (Function::Ceil, _) => Op::Fceil,
            (Function::Round, _) => Op::Fround,
            (Function::Sqrt, _) => Op::Fsqrt,
            (Function::Abs, true) => Op::Fabs,
            (Function::Abs, false) => return self.whole_abs(args, span),
            (Function::Max, true) => Op::Fmax,
            (Function::Max, false) => Op::Imax,
            (Function::Min, true) => Op::Fmin,
            (Function::Min, false) => Op::Imin,
        };
        let Some((first, rest)) = args.split_first() else {
            // Every function takes an argument.
            return self.builder.iconst(0);
        };
        let mut result = self.expr(first);
        if op.info().params.len() == 1 {
            return self.inst(span, op, &[result], Imm::None);
        }
        for arg in rest {
            let next = self.expr(arg);
            result = self.inst(span, op, &[result, next], Imm::None);
        }
        result
    }

    /// The greater of a number and its negation, which traps where the number without its sign would not fit.
    fn whole_abs(&mut self, args: &[Expr], span: Span) -> Value {
        let Some(arg) = args.first() else {
            return self.builder.iconst(0);
        };
        let value = self.expr(arg);
        let negated = self.inst(span, Op::Ineg, &[value], Imm::None);
        self.inst(span, Op::Imax, &[value, negated], Imm::None)
    }
}

/// The comparison of two decimal numbers.
pub(super) fn compare(op: CompareOp) -> Op {
    match op {
        CompareOp::Equal => Op::Feq,
        CompareOp::NotEqual => Op::Fne,
        CompareOp::Less => Op::Flt,
        CompareOp::LessEqual => Op::Fle,
        CompareOp::Greater => Op::Fgt,
        CompareOp::GreaterEqual => Op::Fge,
    }
}
