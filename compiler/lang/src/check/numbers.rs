//! Numbers: if a whole number meets a float, it becomes a float.

use super::scope::Scope;
use crate::hir::{ArithOp, Expr, ExprKind, Float, Math, Type};

impl Scope<'_> {
    /// Converts a value to the type that is wanted, if it can be: a whole number becomes a float,
    /// and a list that is written a set of flags.
    pub(super) fn fit(&mut self, expr: &mut Expr, wanted: &Type) {
        if matches!(wanted, Type::Int | Type::Float) {
            self.count_check(expr);
        }
        match wanted {
            Type::Float if expr.ty == Type::Int => to_float(expr),
            Type::Flags(_) => self.make_set(expr, wanted),
            Type::Record(_) if let Some(types) = self.script.dice_types(wanted) => {
                self.make_dice(expr, types);
            }
            _ => {}
        }
    }

    /// Makes a check 1 or 0, in a module that counts them.
    pub(super) fn count_check(&mut self, expr: &mut Expr) {
        if !self.script.counts_checks || expr.ty != Type::Bool {
            return;
        }
        let span = expr.span;
        let number = |value| Expr {
            kind: ExprKind::Int(value),
            ty: Type::Int,
            span,
        };
        let check = std::mem::replace(expr, number(0));
        expr.kind = ExprKind::Choose(Box::new([check, number(1), number(0)]));
    }

    /// Makes one of two values 1 or 0 if it is a check and the other one is a number.
    pub(super) fn count_either(&mut self, left: &mut Expr, right: &mut Expr) {
        if left.ty.is_number() || right.ty.is_number() {
            self.count_check(left);
            self.count_check(right);
        }
    }

    /// Infers an operand that has to be a number. `false` if it was something else, which was
    /// reported.
    fn operand(&mut self, op: ArithOp, expr: &mut Expr) -> bool {
        if self.inside.is_some() {
            self.number_in_roll(expr);
            return true;
        }
        self.require_operand(op, expr)
    }

    /// `a op b` of two numbers; returns its type. In a script the operands are inferred already.
    pub(super) fn numbers(&mut self, op: &mut ArithOp, left: &mut Expr, right: &mut Expr) -> Type {
        let likely = self.operand(*op, left) & self.operand(*op, right);
        let unknown = left.ty == Type::Unknown || right.ty == Type::Unknown;
        // It may have joined a text.
        if *op == ArithOp::Add && self.inside.is_none() && (unknown || !likely) {
            return Type::Unknown;
        }
        if *op == ArithOp::Div && [&*left, &*right].iter().any(|side| side.ty == Type::Float) {
            *op = ArithOp::Quotient;
        }
        if op.is_float() {
            to_float(left);
            to_float(right);
            return Type::Float;
        }
        agree(&mut [left, right])
    }

    /// The clamp of the rule book's dialect. Results other than numbers have none; a compound rule
    /// may return a check, a degree or a name.
    pub(super) fn clamped(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::AtLeast(least, value) = &mut expr.kind else {
            return;
        };
        if self.inside.is_some() {
            self.whole(value);
            expr.ty = Type::Int;
            return;
        }
        self.value(value);
        expr.ty = value.ty.clone();
        if expr.ty == Type::Int {
            return;
        }
        let least = Expr {
            kind: Float::new(*least as f64).map_or(ExprKind::Int(*least), ExprKind::Float),
            ty: Type::Float,
            span,
        };
        let value = std::mem::replace(&mut **value, least.clone());
        match value.ty {
            Type::Float => expr.kind = ExprKind::Math(Math::Max, vec![least, value]),
            _ => *expr = value,
        }
    }

    /// `f(a, ...)`; returns its type.
    pub(super) fn math(&mut self, function: Math, args: &mut [Expr]) -> Type {
        for arg in args.iter_mut() {
            if self.inside.is_some() {
                self.number_in_roll(arg);
            } else {
                self.value(arg);
                self.require_number(arg, &format!("`{function}` takes"));
            }
        }
        match function {
            Math::Floor | Math::Ceil | Math::Round => Type::Int,
            Math::Sqrt => {
                args.iter_mut().for_each(to_float);
                Type::Float
            }
            Math::Abs | Math::Max | Math::Min => agree(&mut args.iter_mut().collect::<Vec<_>>()),
        }
    }
}

/// Makes all operands floats if one of them is; returns their type.
pub(super) fn agree(operands: &mut [&mut Expr]) -> Type {
    if operands.iter().all(|operand| operand.ty != Type::Float) {
        return Type::Int;
    }
    for operand in operands {
        to_float(operand);
    }
    Type::Float
}

/// Makes an operand a float.
pub(super) fn to_float(expr: &mut Expr) {
    if expr.ty == Type::Float || expr.ty == Type::Unknown {
        return;
    }
    let span = expr.span;
    let whole = std::mem::replace(expr, Expr::new(ExprKind::Int(0), span));
    let kind = match whole.kind {
        // At most 2^63 and never the negative zero.
        ExprKind::Int(value) => Float::new(value as f64).map(ExprKind::Float),
        _ => None,
    };
    *expr = Expr {
        kind: kind.unwrap_or_else(|| ExprKind::ToFloat(Box::new(whole))),
        ty: Type::Float,
        span,
    };
}
