//! The faces with which a loop compares dice.

use super::super::compare::mirrored;
use super::edit::{Make, reads_of};
use super::pool::Dice;
use dicec_lang::hir::{ArithOp, CompareOp, Expr, ExprKind, LocalId};

/// Loops through numbers that are further from 0 are left as they are.
pub(super) const MAX_LAST: i64 = 1000;

/// The face at a number of a loop: the number plus another, or another without the number.
pub(super) struct Key {
    pub(super) descends: bool,
    pub(super) plus: i64,
    /// The variables that hold it.
    pub(super) names: Vec<LocalId>,
}

impl Key {
    /// The face at a number.
    pub(super) fn of(&self, number: i64) -> i64 {
        match self.descends {
            true => self.plus - number,
            false => self.plus + number,
        }
    }

    /// The same as an expression.
    pub(super) fn expr(&self, number: LocalId, make: &Make<'_>) -> Expr {
        match self.descends {
            true => make.minus(make.int(self.plus), make.number(number)),
            false => make.plus(make.number(number), make.int(self.plus)),
        }
    }
}

/// Whether a number descends as a variable ascends, and the number that is added.
pub(super) fn affine(expr: &Expr, local: LocalId) -> Option<(bool, i64)> {
    let is_it = |expr: &Expr| expr.kind == ExprKind::Local(local);
    let of = |number: &Expr| match number.kind {
        ExprKind::Int(number) if number.abs() <= MAX_LAST => Some(number),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Local(_) => is_it(expr).then_some((false, 0)),
        ExprKind::Arith(ArithOp::Add, left, right) if is_it(left) => Some((false, of(right)?)),
        ExprKind::Arith(ArithOp::Add, left, right) if is_it(right) => Some((false, of(left)?)),
        ExprKind::Arith(ArithOp::Sub, left, right) if is_it(left) => Some((false, -of(right)?)),
        ExprKind::Arith(ArithOp::Sub, left, right) if is_it(right) => Some((true, of(left)?)),
        _ => None,
    }
}

/// How an element is compared, and with what.
pub(super) fn compared<'e>(
    expr: &'e Expr,
    element: LocalId,
    dice: &Dice,
) -> Option<(CompareOp, &'e Expr)> {
    match &expr.kind {
        ExprKind::Compare(op, left, right) => {
            if dice.is_face(left, element) && reads_of(right, element) == 0 {
                Some((*op, right))
            } else if dice.is_face(right, element) && reads_of(left, element) == 0 {
                Some((mirrored(*op), left))
            } else {
                None
            }
        }
        ExprKind::Not(inner) => {
            let (op, other) = compared(inner, element, dice)?;
            let not = match op {
                CompareOp::Equal => CompareOp::NotEqual,
                CompareOp::NotEqual => CompareOp::Equal,
                CompareOp::Less => CompareOp::GreaterEqual,
                CompareOp::LessEqual => CompareOp::Greater,
                CompareOp::Greater => CompareOp::LessEqual,
                CompareOp::GreaterEqual => CompareOp::Less,
            };
            Some((not, other))
        }
        _ => None,
    }
}
