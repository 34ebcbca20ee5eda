//! Floats, functions of numbers and remainders.
//!
//! Arithmetic on floats is a plain operation and a check of its result (`finite`), and of the
//! divisor before it (`nonzero`), so that passes can work on each by itself. Whole numbers become
//! floats where the checker says so. In memory, and as the result of a trial, a float is its key
//! (`fkey`): words are whole numbers.

use super::body::Body;
use crate::ir::{Imm, Op, Value};
use dicec_lang::hir::{ArithOp, CompareOp, Expr, Math, Type};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// Whether an expression yields a float.
pub(super) fn is_float(expr: &Expr) -> bool {
    expr.ty == Type::Float
}

impl<'s> Body<'_, 's> {
    /// `a op b` of two floats.
    pub(super) fn float_arith(
        &mut self,
        op: ArithOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        let mut inst = |op, args: &[Value]| self.inst(span, op, args, Imm::None);
        let unchecked = match op {
            ArithOp::Add => inst(Op::Fadd, &[left, right]),
            ArithOp::Sub => inst(Op::Fsub, &[left, right]),
            ArithOp::Mul => inst(Op::Fmul, &[left, right]),
            // The checker makes a division of floats a quotient.
            ArithOp::Div | ArithOp::With | ArithOp::Without => bug!("{op:?} of floats").raise(),
            ArithOp::Quotient => {
                let divisor = inst(Op::Nonzero, &[right]);
                inst(Op::Fdiv, &[left, divisor])
            }
            ArithOp::Rem | ArithOp::StrictRem => return inst(Op::Frem, &[left, right]),
            ArithOp::Pow => return inst(Op::Fpow, &[left, right]),
        };
        inst(Op::Finite, &[unchecked])
    }

    /// A remainder that is 0 for the divisor 0: that of 1 is.
    pub(super) fn total_rem(&mut self, left: Value, right: Value, span: Span) -> Value {
        let [zero, one] = [0, 1].map(|number| self.builder.iconst(number));
        let is_zero = self.inst(span, Op::Ieq, &[right, zero], Imm::None);
        let divisor = self.inst(span, Op::Select, &[is_zero, one, right], Imm::None);
        self.inst(span, Op::Irem, &[left, divisor], Imm::None)
    }

    /// A function of numbers, whatever it yields.
    pub(super) fn math(&mut self, function: Math, args: &'s [Expr], span: Span) -> Value {
        let is_float = args.iter().any(is_float);
        let op = match (function, is_float) {
            (Math::Floor, _) => Op::Ffloor,
            (Math::Ceil, _) => Op::Fceil,
            (Math::Round, _) => Op::Fround,
            (Math::Sqrt, _) => Op::Fsqrt,
            (Math::Abs, true) => Op::Fabs,
            (Math::Abs, false) => return self.whole_abs(args, span),
            (Math::Max, true) => Op::Fmax,
            (Math::Max, false) => Op::Imax,
            (Math::Min, true) => Op::Fmin,
            (Math::Min, false) => Op::Imin,
        };
        let Some((first, rest)) = args.split_first() else {
            bug!("{function:?} of nothing").raise()
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

    /// The greater of a number and its negation, which traps where the number without its sign
    /// would not fit.
    fn whole_abs(&mut self, args: &'s [Expr], span: Span) -> Value {
        let Some(arg) = args.first() else {
            return self.builder.iconst(0);
        };
        let value = self.expr(arg);
        let negated = self.inst(span, Op::Ineg, &[value], Imm::None);
        self.inst(span, Op::Imax, &[value, negated], Imm::None)
    }
}

/// The comparison of two floats.
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
