//! Operations on numbers. A distribution of floats is one over keys
//! ([`dicec_runtime::float::key`]). Keys have the order of the floats, so comparisons work on keys
//! directly, and arithmetic converts from and to them.

use dicec_lang::hir::{ArithOp, Expr, ExprKind, Float, Math, Type};
use dicec_runtime::float::{self, from_key, key};
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Pmf, Weight};

/// Whether an expression yields a float.
pub(super) fn is_float(expr: &Expr) -> bool {
    expr.ty == Type::Float
}

/// The distribution of a float constant.
pub(super) fn point<W: Weight>(value: Float) -> Pmf<W> {
    Pmf::point(key(value.get()))
}

/// An operation on one number; words of floats are keys.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unary {
    Negate,
    NegateFloat,
    ToFloat,
    AtLeast(i64),
    NotNegative,
    Abs,
    AbsFloat,
    Floor,
    Ceil,
    Round,
    Sqrt,
}

impl Unary {
    /// The operand and the operation of a unary expression; `None` for all others.
    pub(super) fn of(expr: &Expr) -> Option<(&Expr, Self)> {
        match &expr.kind {
            ExprKind::Negate(value) if is_float(value) => Some((value, Unary::NegateFloat)),
            ExprKind::Negate(value) => Some((value, Unary::Negate)),
            ExprKind::AtLeast(floor, value) => Some((value, Unary::AtLeast(*floor))),
            ExprKind::NotNegative(value) => Some((value, Unary::NotNegative)),
            ExprKind::ToFloat(value) => Some((value, Unary::ToFloat)),
            ExprKind::Math(function, args) => {
                let value = args.first()?;
                let unary = match function {
                    Math::Floor => Unary::Floor,
                    Math::Ceil => Unary::Ceil,
                    Math::Round => Unary::Round,
                    Math::Sqrt => Unary::Sqrt,
                    Math::Abs if is_float(value) => Unary::AbsFloat,
                    Math::Abs => Unary::Abs,
                    Math::Max | Math::Min => return None,
                };
                Some((value, unary))
            }
            _ => None,
        }
    }

    /// Whether it changes no word that is at least `least`: few rules have results below 0 to
    /// clamp.
    pub(super) fn keeps(self, least: i64) -> bool {
        match self {
            Unary::AtLeast(floor) => least >= floor,
            Unary::NotNegative | Unary::Abs => least >= 0,
            _ => false,
        }
    }

    /// The result for a word.
    ///
    /// # Errors
    /// Overflow, or the root of a negative number.
    pub(super) fn apply(self, word: i64) -> OpResult {
        match self {
            Unary::Negate => ops::ineg(word),
            Unary::NegateFloat => Ok(key(float::neg(from_key(word)))),
            Unary::ToFloat => Ok(key(float::from_int(word))),
            Unary::AtLeast(floor) => Ok(word.max(floor)),
            Unary::NotNegative => ops::not_negative(word),
            Unary::Abs => ops::iabs(word),
            Unary::AbsFloat => Ok(key(float::abs(from_key(word)))),
            Unary::Floor => float::floor(from_key(word)),
            Unary::Ceil => float::ceil(from_key(word)),
            Unary::Round => float::round(from_key(word)),
            Unary::Sqrt => float::sqrt(from_key(word)).map(key),
        }
    }
}

/// An operation on two operands of one type.
pub(super) fn binary(op: ArithOp, of_floats: bool) -> impl Fn(i64, i64) -> OpResult {
    move |a, b| match of_floats {
        true => op.apply_float(from_key(a), from_key(b)).map(key),
        false => op.apply(a, b),
    }
}

/// [`Math::Max`] or [`Math::Min`] of two words.
pub(super) fn choose(function: Math) -> impl Fn(i64, i64) -> OpResult {
    move |a, b| {
        Ok(match function {
            Math::Min => a.min(b),
            _ => a.max(b),
        })
    }
}
