//! Operations on numbers, whole and decimal. The distribution of a decimal is one over keys (see [`dicec_runtime::real::key`]): they
//! are in the order of the numbers, so comparisons work on them as they are, and arithmetic reads and makes them.

use super::Unary;
use crate::hir::{ArithOp, Decimal, Expr, ExprKind, Function, Type};
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::real::{self, RealResult, from_key, key};

/// Whether an expression yields a decimal number.
pub(super) fn is_real(expr: &Expr) -> bool {
    expr.ty == Type::Real
}

/// A decimal that is written out.
pub(super) fn point<W: Weight>(value: Decimal) -> Pmf<W> {
    Pmf::point(key(value.get()))
}

/// An operation on one operand: the operand, and what becomes of its value. `None` for everything else.
pub(super) fn unary(expr: &Expr) -> Option<(&Expr, Unary)> {
    match &expr.kind {
        ExprKind::Negate(value) if is_real(value) => {
            Some((value, Box::new(|value| Ok(key(real::neg(from_key(value)))))))
        }
        ExprKind::Negate(value) => Some((value, Box::new(ops::ineg))),
        ExprKind::AtLeast(floor, value) => {
            let floor = *floor;
            Some((value, Box::new(move |value| Ok(value.max(floor)))))
        }
        ExprKind::ToReal(value) => Some((value, Box::new(|value| Ok(key(real::from_int(value)))))),
        ExprKind::Call(function, args) => {
            let value = args.first()?;
            Some((value, called(*function, is_real(value))?))
        }
        _ => None,
    }
}

/// A function of one number.
fn called(function: Function, of_real: bool) -> Option<Unary> {
    fn to_whole(f: fn(f64) -> OpResult) -> Option<Unary> {
        Some(Box::new(move |value| f(from_key(value))))
    }
    fn to_real(f: fn(f64) -> RealResult) -> Option<Unary> {
        Some(Box::new(move |value| f(from_key(value)).map(key)))
    }
    match function {
        Function::Floor => to_whole(real::floor),
        Function::Ceil => to_whole(real::ceil),
        Function::Round => to_whole(real::round),
        Function::Sqrt => to_real(real::sqrt),
        Function::Abs if of_real => to_real(|value| Ok(real::abs(value))),
        Function::Abs => Some(Box::new(ops::iabs)),
        Function::Max | Function::Min => None,
    }
}

/// An operation on two operands of one type.
pub(super) fn binary(op: ArithOp, of_real: bool) -> impl Fn(i64, i64) -> OpResult {
    move |a, b| match of_real {
        true => op.apply_real(from_key(a), from_key(b)).map(key),
        false => op.apply(a, b),
    }
}

/// What [`Function::Max`] and [`Function::Min`] make of two numbers.
pub(super) fn choose(function: Function) -> impl Fn(i64, i64) -> OpResult {
    move |a, b| {
        Ok(match function {
            Function::Min => a.min(b),
            _ => a.max(b),
        })
    }
}
