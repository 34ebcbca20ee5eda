//! The value of an expression without dice and resources.

use crate::hir::{Expr, ExprKind};
use dicec_runtime::ops;

/// The value of `expr` if it is a constant whole number and does not overflow.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Negate(value) => ops::ineg(constant(value)?).ok(),
        ExprKind::Arith(op, left, right) => op.apply(constant(left)?, constant(right)?).ok(),
        ExprKind::NotNegative(value) => Some(constant(value)?).filter(|count| *count >= 0),
        ExprKind::AtLeast(floor, value) => Some(constant(value)?.max(*floor)),
        _ => None,
    }
}
