//! The walk: one function a kind of expression. Pools and groups are in [`super::pool`].

use super::trace::Observer;
use crate::hir::{Expr, ExprKind, Function, Kind, Program, Type};
use dicec_runtime::degree::{self, Ladder, Naturals};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::ops;
use dicec_runtime::pool::Flags;
use dicec_runtime::real;
use dicec_runtime::rng::Dice;
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use std::cmp::Ordering;

/// What an expression yields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A decimal number.
    Real(f64),
    /// True or false.
    Bool(bool),
    /// A rung.
    Degree(i64),
}

impl Value {
    /// The whole number that it is.
    pub fn whole(self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(value),
            Value::Real(_) | Value::Bool(_) | Value::Degree(_) => None,
        }
    }

    /// The decimal number that it is.
    pub fn decimal(self) -> Option<f64> {
        match self {
            Value::Real(value) => Some(value),
            Value::Int(_) | Value::Bool(_) | Value::Degree(_) => None,
        }
    }

    /// The value as sinks hold it: false is 0 and true is 1, a decimal is its key.
    pub fn to_cell(self) -> i64 {
        match self {
            Value::Int(value) | Value::Degree(value) => value,
            Value::Real(value) => real::key(value),
            Value::Bool(value) => i64::from(value),
        }
    }
}

/// What one trial gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The result.
    pub value: Value,
    /// A number before the final clamp, or the total that gave a degree; absent for a check.
    pub raw: Option<Value>,
    /// The face that could shift the degree (see [`dicec_runtime::degree`]).
    pub natural: Option<i64>,
}

impl Outcome {
    fn new(value: Value, raw: Option<Value>) -> Self {
        Self {
            value,
            raw,
            natural: None,
        }
    }
}

/// Runs a typed program. `resources` holds a value a slot.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'a> {
    program: &'a Program,
    limits: RollLimits,
}

impl<'a> Interpreter<'a> {
    /// An interpreter of `program`, which [`crate::check::check`] found correct.
    pub fn new(program: &'a Program, limits: RollLimits) -> Self {
        Self { program, limits }
    }

    /// One trial.
    ///
    /// # Errors
    /// The first trap, in evaluation order.
    pub fn run(
        &self,
        resources: &[i64],
        dice: &mut impl Dice,
        observer: &mut impl Observer,
    ) -> Result<Outcome, Trap> {
        let mut walk = Walk {
            limits: self.limits,
            resources,
            dice,
            observer,
            naturals: None,
            role: Flags::empty(),
            degree: None,
        };
        let body = &self.program.body;
        match (&body.kind, self.program.kind) {
            (_, Kind::Degree(ladder)) => {
                let total = walk.number(body)?;
                let (rung, natural) = walk.degree.unzip();
                let rung = match ladder {
                    Ladder::Pathfinder => rung.unwrap_or(0),
                    // The lowest rung says that there is no degree.
                    Ladder::PathfinderOrNone => rung.map_or(0, |rung| rung + 1),
                };
                Ok(Outcome {
                    natural: natural.flatten(),
                    ..Outcome::new(Value::Degree(rung), Some(total))
                })
            }
            (_, Kind::Check) => Ok(Outcome::new(Value::Bool(walk.truth(body)?), None)),
            (ExprKind::AtLeast(floor, value), _) => {
                let raw = walk.int(value)?;
                Ok(Outcome::new(
                    Value::Int(raw.max(*floor)),
                    Some(Value::Int(raw)),
                ))
            }
            _ => {
                let value = walk.number(body)?;
                Ok(Outcome::new(value, Some(value)))
            }
        }
    }
}

pub(super) struct Walk<'w, D, O> {
    pub(super) limits: RollLimits,
    resources: &'w [i64],
    pub(super) dice: &'w mut D,
    pub(super) observer: &'w mut O,
    /// Gathers the dice that may shift a degree, on the left of a `vs`.
    pub(super) naturals: Option<Naturals>,
    /// What marks the dice that are rolled here.
    pub(super) role: Flags,
    /// The rung that a `vs` reached, and the face that could shift it.
    pub(super) degree: Option<(i64, Option<i64>)>,
}

/// The trap of an operation written at `span`.
pub(super) fn at(span: Span) -> impl Fn(TrapCode) -> Trap {
    move |code| Trap { code, span }
}

impl<D: Dice, O: Observer> Walk<'_, D, O> {
    fn number(&mut self, expr: &Expr) -> Result<Value, Trap> {
        match expr.ty {
            Type::Real => self.real(expr).map(Value::Real),
            Type::Int | Type::Bool | Type::Unknown => self.int(expr).map(Value::Int),
        }
    }

    /// An expression of type [`Type::Int`].
    pub(super) fn int(&mut self, expr: &Expr) -> Result<i64, Trap> {
        let result = match &expr.kind {
            ExprKind::Int(value) => Ok(*value),
            // The caller gives a value a slot; see `run`.
            ExprKind::Resource(slot) => {
                Ok(self.resources.get(slot.0 as usize).copied().unwrap_or(0))
            }
            ExprKind::Negate(value) => ops::ineg(self.int(value)?),
            ExprKind::Arith(op, left, right) => op.apply(self.int(left)?, self.int(right)?),
            ExprKind::AtLeast(floor, value) => Ok(self.int(value)?.max(*floor)),
            ExprKind::Call(function, args) => return self.whole_call(*function, args, expr.span),
            ExprKind::Pool(pool) => return self.pool(pool, expr.span),
            ExprKind::Group(group) => return self.group(group, expr.span),
            ExprKind::Versus(roll, class) => return self.versus(roll, class, expr.span),
            ExprKind::Compare(..) => self.truth(expr).map(|truth| Ok(i64::from(truth)))?,
            // The type checker puts no decimal here.
            ExprKind::Real(_) | ExprKind::ToReal(_) => Ok(0),
        };
        result.map_err(at(expr.span))
    }

    /// An expression of type [`Type::Real`].
    fn real(&mut self, expr: &Expr) -> Result<f64, Trap> {
        let result = match &expr.kind {
            ExprKind::Real(value) => Ok(value.get()),
            ExprKind::Negate(value) => Ok(real::neg(self.real(value)?)),
            ExprKind::Arith(op, left, right) => op.apply_real(self.real(left)?, self.real(right)?),
            ExprKind::Call(function, args) => return self.real_call(*function, args, expr.span),
            ExprKind::ToReal(value) => Ok(real::from_int(self.int(value)?)),
            // The type checker converts whole numbers.
            _ => Ok(real::from_int(self.int(expr)?)),
        };
        result.map_err(at(expr.span))
    }

    /// An expression of type [`Type::Bool`].
    fn truth(&mut self, expr: &Expr) -> Result<bool, Trap> {
        match &expr.kind {
            ExprKind::Compare(op, left, right) => {
                let ordering = self.compare(left, right)?;
                Ok(op.holds(ordering))
            }
            // Nothing else is true or false.
            _ => Ok(self.int(expr)? != 0),
        }
    }

    fn compare(&mut self, left: &Expr, right: &Expr) -> Result<Ordering, Trap> {
        if left.ty == Type::Real {
            let (left, right) = (self.real(left)?, self.real(right)?);
            Ok(real::compare(left, right))
        } else {
            Ok(self.int(left)?.cmp(&self.int(right)?))
        }
    }

    fn whole_call(&mut self, function: Function, args: &[Expr], span: Span) -> Result<i64, Trap> {
        let Some((first, rest)) = args.split_first() else {
            // Every function takes an argument.
            return Ok(0);
        };
        let rounded = match function {
            Function::Floor => real::floor(self.real(first)?),
            Function::Ceil => real::ceil(self.real(first)?),
            Function::Round => real::round(self.real(first)?),
            Function::Abs => ops::iabs(self.int(first)?),
            Function::Max | Function::Min | Function::Sqrt => {
                let mut extreme = self.int(first)?;
                for arg in rest {
                    let value = self.int(arg)?;
                    extreme = match function {
                        Function::Min => extreme.min(value),
                        _ => extreme.max(value),
                    };
                }
                Ok(extreme)
            }
        };
        rounded.map_err(at(span))
    }

    fn real_call(&mut self, function: Function, args: &[Expr], span: Span) -> Result<f64, Trap> {
        let Some((first, rest)) = args.split_first() else {
            // Every function takes an argument.
            return Ok(0.0);
        };
        let mut value = self.real(first)?;
        match function {
            Function::Sqrt => real::sqrt(value).map_err(at(span)),
            Function::Abs => Ok(real::abs(value)),
            _ => {
                for arg in rest {
                    let next = self.real(arg)?;
                    value = match function {
                        Function::Min => real::min(value, next),
                        _ => real::max(value, next),
                    };
                }
                Ok(value)
            }
        }
    }

    /// The total of `roll`; its degree against `class` is noted.
    fn versus(&mut self, roll: &Expr, class: &Expr, span: Span) -> Result<i64, Trap> {
        let outer = self.naturals.replace(Naturals::default());
        let total = self.int(roll)?;
        let natural = self.naturals.take().and_then(Naturals::natural);
        let role = self.role;
        self.role |= Flags::CLASS;
        let class = self.int(class)?;
        self.role = role;
        self.naturals = outer;
        let rung = degree::pathfinder(total, class, natural).map_err(at(span))?;
        self.degree = Some((rung, natural));
        Ok(total)
    }
}
