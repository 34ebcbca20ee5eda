//! Operators whose meaning depends on their operands: `+` also joins texts and sets of
//! flags, and adds to dice, `==` also compares truth values, texts and the identity of records.

use super::flags::{is_unresolved, set_op};
use super::numbers::agree;
use super::scope::Scope;
use super::types::unify;
use crate::hir::{ArithOp, CompareOp};
use crate::hir::{Expr, ExprKind, Type};

impl Scope<'_> {
    /// `a op b`, which joins texts if it is a `+` with a text on either side.
    pub(super) fn arith(&mut self, expr: &mut Expr) {
        let ExprKind::Arith(op, left, right) = &mut expr.kind else {
            return;
        };
        if self.inside.is_some() {
            expr.ty = self.numbers(op, left, right);
            return;
        }
        self.value(left);
        self.value(right);
        let text = left.ty == Type::Text || right.ty == Type::Text;
        if !text {
            self.count_check(left);
            self.count_check(right);
        }
        if let Some(ty) = self.sets(left, right) {
            self.set_arith(op, [left, right], &ty);
            expr.ty = ty;
            return;
        }
        if let Some(types) = self.number_added(*op, left, right) {
            return self.add_number(expr, types);
        }
        if *op == ArithOp::Add
            && [&left.ty, &right.ty]
                .iter()
                .all(|ty| matches!(ty, Type::List(_)))
        {
            return self.concatenated(expr);
        }
        if set_op(*op).is_some() && is_unresolved(left) && is_unresolved(right) {
            // Where it is used says what it is.
            return;
        }
        if *op == ArithOp::Add && text {
            self.require_joinable(left);
            self.require_joinable(right);
            expr.ty = Type::Text;
            join(expr);
            return;
        }
        expr.ty = self.numbers(op, left, right);
    }

    /// `a op b`, true or false.
    pub(super) fn compare(&mut self, expr: &mut Expr) {
        expr.ty = Type::Bool;
        let ExprKind::Compare(_, left, right) = &mut expr.kind else {
            return;
        };
        if self.inside.is_some() {
            return self.compared_in_roll(left, right);
        }
        self.value(left);
        self.value(right);
        self.compare_values(expr);
    }

    /// [`Scope::compare`] of operands that were inferred.
    pub(super) fn compare_values(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::Compare(op, left, right) = &mut expr.kind else {
            return;
        };
        self.count_either(left, right);
        if left.ty.is_number() && right.ty.is_number() {
            agree(&mut [left, right]);
        }
        self.sets(left, right);
        let Some(ty) = unify(&left.ty, &right.ty) else {
            self.not_comparable(left, right, span);
            return;
        };
        self.complete(left, &ty);
        self.complete(right, &ty);
        let same = match op {
            CompareOp::Equal => Some(true),
            CompareOp::NotEqual => Some(false),
            _ => None,
        };
        match (ty, same) {
            (
                Type::Unknown
                | Type::Int
                | Type::Float
                | Type::Degree(_)
                | Type::Test
                | Type::Enum(_),
                _,
            ) => {}
            (Type::Flags(_), Some(_)) => {}
            (ty, _) if self.script.dice_types(&ty).is_some() => {
                self.without_order(&ty, same.is_some(), span);
            }
            (Type::Bool | Type::Text | Type::Record(_), Some(same)) => {
                let nothing = ExprKind::Bool(false);
                let compared = std::mem::replace(&mut expr.kind, nothing);
                if let ExprKind::Compare(_, left, right) = compared {
                    expr.kind = ExprKind::Same(same, left, right);
                }
            }
            (ty, _) => self.without_order(&ty, same.is_some(), span),
        }
    }
}

/// Turns a sum into a join; the parts of joins in it become its own.
fn join(expr: &mut Expr) {
    let kind = std::mem::replace(&mut expr.kind, ExprKind::Bool(false));
    let ExprKind::Arith(_, left, right) = kind else {
        return;
    };
    let mut parts = Vec::new();
    for side in [*left, *right] {
        match side.kind {
            ExprKind::Join(inner) => parts.extend(inner),
            kind => parts.push(Expr { kind, ..side }),
        }
    }
    expr.kind = ExprKind::Join(parts);
}
