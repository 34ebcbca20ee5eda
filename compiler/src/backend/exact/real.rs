//! Decimal numbers and functions. The distribution of a decimal is one over keys (see [`dicec_runtime::real::key`]): they are in
//! the order of the numbers, so comparisons work on them as they are, and arithmetic reads and makes them.

use super::{Engine, ExactError, at};
use crate::hir::{ArithOp, Expr, ExprKind, Function, Type};
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::real::{self, RealResult, from_key, key};
use dicec_runtime::span::Span;

/// Whether an expression yields a decimal number.
pub(super) fn is_real(expr: &Expr) -> bool {
    expr.ty == Type::Real
}

impl Engine<'_> {
    /// The distribution of an expression that yields a decimal number, over keys.
    pub(super) fn real<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        match &expr.kind {
            ExprKind::Real(value) => Ok(Pmf::point(key(value.get()))),
            ExprKind::Negate(value) => self.map(
                value,
                |value| Ok(key(real::neg(from_key(value)))),
                expr.span,
            ),
            ExprKind::Arith(..) => self.chain(expr),
            ExprKind::Call(function, args) => self.call(*function, args, expr.span),
            ExprKind::ToReal(value) => {
                self.map(value, |value| Ok(key(real::from_int(value))), expr.span)
            }
            // The type checker calls nothing else a decimal.
            ExprKind::Int(_)
            | ExprKind::Resource(_)
            | ExprKind::Compare(..)
            | ExprKind::AtLeast(..)
            | ExprKind::Pool(_)
            | ExprKind::Group(_)
            | ExprKind::Versus(..) => Ok(Pmf::point(0)),
        }
    }

    /// An operation on two independent decimals.
    pub(super) fn real_arith<W: Weight>(
        &mut self,
        op: ArithOp,
        left: &Pmf<W>,
        right: &Pmf<W>,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let joint = left.combine(right, self.budget, |a, b| {
            op.apply_real(from_key(a), from_key(b)).map(key)
        });
        joint.map_err(at(span))
    }

    /// The distribution of a function's value.
    pub(super) fn call<W: Weight>(
        &mut self,
        function: Function,
        args: &[Expr],
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let Some((first, rest)) = args.split_first() else {
            // Every function takes an argument.
            return Ok(Pmf::point(0));
        };
        let rounded = |f: fn(f64) -> OpResult| move |value| f(from_key(value));
        let of_real = |f: fn(f64) -> RealResult| move |value| f(from_key(value)).map(key);
        match function {
            Function::Floor => self.map(first, rounded(real::floor), span),
            Function::Ceil => self.map(first, rounded(real::ceil), span),
            Function::Round => self.map(first, rounded(real::round), span),
            Function::Sqrt => self.map(first, of_real(real::sqrt), span),
            Function::Abs if is_real(first) => {
                self.map(first, of_real(|value| Ok(real::abs(value))), span)
            }
            Function::Abs => self.map(first, ops::iabs, span),
            Function::Max => self.extreme(first, rest, i64::max, span),
            Function::Min => self.extreme(first, rest, i64::min, span),
        }
    }

    /// The greatest or least of independent numbers. Keys are in the order of their numbers.
    fn extreme<W: Weight>(
        &mut self,
        first: &Expr,
        rest: &[Expr],
        choose: fn(i64, i64) -> i64,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let mut extreme = self.expr::<W>(first)?;
        for arg in rest {
            let value = self.expr::<W>(arg)?;
            let joint = extreme.combine(&value, self.budget, |a, b| Ok(choose(a, b)));
            extreme = joint.map_err(at(span))?;
        }
        Ok(extreme)
    }
}
