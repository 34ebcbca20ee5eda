//! The walk over expressions that yield numbers, truth values and degrees: one function per type.

use super::heap::Value;
use super::host::Host;
use super::walk::{Grade, Walk, at};
use crate::hir::{Expr, ExprKind, Math, Type};
use dicec_runtime::against::Against;
use dicec_runtime::bug;
use dicec_runtime::degree::Naturals;
use dicec_runtime::float;
use dicec_runtime::ops;
use dicec_runtime::pool::Flags;
use dicec_runtime::span::Span;
use dicec_runtime::trap::Trap;
use std::cmp::Ordering;

impl<H: Host> Walk<'_, H> {
    /// An expression that yields a whole number, a degree, a constant or a set of flags; a truth
    /// value counts as 0 or 1.
    pub(super) fn int(&mut self, expr: &Expr) -> Result<i64, Trap> {
        let result = match &expr.kind {
            ExprKind::Int(value) | ExprKind::Degree(_, value) | ExprKind::Named(value) => {
                Ok(*value)
            }
            ExprKind::Resource(slot) => Ok(self.resources[slot.index()]),
            ExprKind::Degrees(test) => return self.int(test),
            ExprKind::Negate(value) => ops::ineg(self.int(value)?),
            ExprKind::Arith(op, left, right) => op.apply(self.int(left)?, self.int(right)?),
            ExprKind::NotNegative(value) => ops::not_negative(self.int(value)?),
            ExprKind::AtLeast(floor, value) => {
                let raw = self.int(value)?;
                self.host.clamped(raw, expr.span);
                Ok(raw.max(*floor))
            }
            ExprKind::Math(function, args) => return self.whole_math(*function, args, expr.span),
            ExprKind::Len(list) => {
                let list = self.expr(list)?;
                // A list is within its limit, far below 2^63.
                self.heap.length(&list).map(|length| length as i64)
            }
            ExprKind::Pool(pool) => return self.pool(pool, expr.span),
            ExprKind::Group(group) => return self.group(group, expr.span),
            ExprKind::Versus(against, roll, number) => {
                return self.versus(*against, roll, number, expr.span);
            }
            _ if expr.ty == Type::Bool => return self.truth(expr).map(i64::from),
            _ => match self.load(expr)? {
                Value::Int(value) => Ok(value),
                other => Err(bug!("a whole number that is {other:?}").into()),
            },
        };
        result.map_err(at(expr.span))
    }

    /// An expression of type [`Type::Float`].
    pub(super) fn float(&mut self, expr: &Expr) -> Result<f64, Trap> {
        let result = match &expr.kind {
            ExprKind::Float(value) => Ok(value.get()),
            ExprKind::Negate(value) => Ok(float::neg(self.float(value)?)),
            ExprKind::Arith(op, left, right) => {
                op.apply_float(self.float(left)?, self.float(right)?)
            }
            ExprKind::Math(function, args) => return self.float_math(*function, args, expr.span),
            ExprKind::ToFloat(value) => Ok(float::from_int(self.int(value)?)),
            _ => match self.load(expr)? {
                Value::Float(value) => Ok(value),
                other => Err(bug!("a float that is {other:?}").into()),
            },
        };
        result.map_err(at(expr.span))
    }

    /// An expression of type [`Type::Bool`].
    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool, Trap> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok(*value),
            ExprKind::Compare(op, left, right) => {
                let ordering = self.compare(left, right)?;
                Ok(op.holds(ordering))
            }
            ExprKind::Same(wanted, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Ok(same(&left, &right) == *wanted)
            }
            ExprKind::Has(set, flags) => {
                let (set, flags) = (self.int(set)?, self.int(flags)?);
                Ok(ops::iand_not(flags, set) == 0)
            }
            ExprKind::Not(value) => Ok(!self.truth(value)?),
            ExprKind::And(left, right) => self.short_circuit(left, right, true),
            ExprKind::Or(left, right) => self.short_circuit(left, right, false),
            ExprKind::Option(option) => self.option(option, expr.span),
            _ => match self.load(expr)? {
                Value::Bool(value) => Ok(value),
                other => Err(at(expr.span)(
                    bug!("a truth value that is {other:?}").into(),
                )),
            },
        }
    }

    fn compare(&mut self, left: &Expr, right: &Expr) -> Result<Ordering, Trap> {
        if left.ty == Type::Float {
            let (left, right) = (self.float(left)?, self.float(right)?);
            Ok(float::compare(left, right))
        } else {
            Ok(self.int(left)?.cmp(&self.int(right)?))
        }
    }

    fn whole_math(&mut self, function: Math, args: &[Expr], span: Span) -> Result<i64, Trap> {
        let Some((first, rest)) = args.split_first() else {
            return Err(at(span)(bug!("`{function}` of nothing").into()));
        };
        let result = match function {
            Math::Floor => float::floor(self.float(first)?),
            Math::Ceil => float::ceil(self.float(first)?),
            Math::Round => float::round(self.float(first)?),
            Math::Abs => ops::iabs(self.int(first)?),
            Math::Sqrt => Err(bug!("a root that is whole").into()),
            Math::Max | Math::Min => {
                let mut extreme = self.int(first)?;
                for arg in rest {
                    let value = self.int(arg)?;
                    extreme = match function {
                        Math::Min => extreme.min(value),
                        _ => extreme.max(value),
                    };
                }
                Ok(extreme)
            }
        };
        result.map_err(at(span))
    }

    fn float_math(&mut self, function: Math, args: &[Expr], span: Span) -> Result<f64, Trap> {
        let Some((first, rest)) = args.split_first() else {
            return Err(at(span)(bug!("`{function}` of nothing").into()));
        };
        let mut value = self.float(first)?;
        match function {
            Math::Sqrt => float::sqrt(value).map_err(at(span)),
            Math::Abs => Ok(float::abs(value)),
            _ => {
                for arg in rest {
                    let next = self.float(arg)?;
                    value = match function {
                        Math::Min => float::min(value, next),
                        _ => float::max(value, next),
                    };
                }
                Ok(value)
            }
        }
    }

    /// The total of `roll`; its grade against `number` is noted.
    fn versus(
        &mut self,
        against: Against,
        roll: &Expr,
        number: &Expr,
        span: Span,
    ) -> Result<i64, Trap> {
        let none = Naturals::new(against.natural_sides());
        let outer = self.naturals.replace(none);
        let total = self.int(roll)?;
        let natural = match self.naturals.take() {
            _ if against.is_face() => Some(total),
            naturals => naturals.and_then(Naturals::natural),
        };
        let role = self.role;
        self.role |= Flags::CLASS;
        let number = self.int(number)?;
        self.role = role;
        self.naturals = outer;
        let grade = against.grade(total, number, against.shift(natural));
        self.grade = Some(Grade {
            grade: grade.map_err(at(span))?,
            natural,
            against: number,
        });
        Ok(total)
    }
}

/// Whether two truth values or texts are equal, or two records are the same.
fn same(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Constant(left), Value::Constant(right)) => std::ptr::eq(*left, *right),
        // Equal texts may be joined from different pieces.
        (Value::Text(left), Value::Text(right)) => left.to_string() == right.to_string(),
        _ => left == right,
    }
}
