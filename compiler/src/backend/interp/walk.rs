//! The walk: one function a kind of expression.

use super::dice::Dice;
use super::trace::{Observer, RolledDie};
use crate::hir::{Expr, ExprKind, Pool, Program};
use dicec_runtime::degree::{self, Naturals};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::ops;
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};

/// What an expression yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// A rung.
    Degree(i64),
}

impl Value {
    /// The value as sinks hold it: false is 0 and true is 1.
    pub fn to_cell(self) -> i64 {
        match self {
            Value::Int(value) | Value::Degree(value) => value,
            Value::Bool(value) => i64::from(value),
        }
    }
}

/// What one trial gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result.
    pub value: Value,
    /// A number before the final clamp, or the total that gave a degree; absent for a check.
    pub raw: Option<i64>,
    /// The face that could shift the degree (see [`dicec_runtime::degree`]).
    pub natural: Option<i64>,
}

impl Outcome {
    fn new(value: Value, raw: Option<i64>) -> Self {
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
    /// An interpreter of `program`, which [`crate::sema::check`] found correct.
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
            degree: None,
        };
        match &self.program.body.kind {
            ExprKind::AtLeast(floor, value) => {
                let raw = walk.int(value)?;
                Ok(Outcome::new(Value::Int(raw.max(*floor)), Some(raw)))
            }
            ExprKind::Compare(op, left, right) => {
                let (left, right) = (walk.int(left)?, walk.int(right)?);
                let truth = op.holds(left.cmp(&right));
                Ok(Outcome::new(Value::Bool(truth), None))
            }
            _ => {
                let value = walk.int(&self.program.body)?;
                Ok(match walk.degree {
                    Some((rung, natural)) => Outcome {
                        natural,
                        ..Outcome::new(Value::Degree(rung), Some(value))
                    },
                    None => Outcome::new(Value::Int(value), Some(value)),
                })
            }
        }
    }
}

struct Walk<'w, D, O> {
    limits: RollLimits,
    resources: &'w [i64],
    dice: &'w mut D,
    observer: &'w mut O,
    /// Gathers the dice that may shift a degree, on the left of a `vs`.
    naturals: Option<Naturals>,
    /// The rung that a `vs` reached, and the face that could shift it.
    degree: Option<(i64, Option<i64>)>,
}

impl<D: Dice, O: Observer> Walk<'_, D, O> {
    fn int(&mut self, expr: &Expr) -> Result<i64, Trap> {
        let result = match &expr.kind {
            ExprKind::Int(value) => Ok(*value),
            // The caller gives a value a slot; see `run`.
            ExprKind::Resource(slot) => {
                Ok(self.resources.get(slot.0 as usize).copied().unwrap_or(0))
            }
            ExprKind::Negate(value) => ops::ineg(self.int(value)?),
            ExprKind::Arith(op, left, right) => op.apply(self.int(left)?, self.int(right)?),
            ExprKind::Compare(op, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                Ok(i64::from(op.holds(left.cmp(&right))))
            }
            ExprKind::AtLeast(floor, value) => Ok(self.int(value)?.max(*floor)),
            ExprKind::Pool(pool) => return self.pool(pool, expr.span),
            ExprKind::Versus(roll, class) => return self.versus(roll, class, expr.span),
        };
        result.map_err(|code| Trap {
            code,
            span: expr.span,
        })
    }

    /// The total of `roll`; its degree against `class` is noted.
    fn versus(&mut self, roll: &Expr, class: &Expr, span: Span) -> Result<i64, Trap> {
        self.naturals = Some(Naturals::default());
        let total = self.int(roll)?;
        let natural = self.naturals.take().and_then(Naturals::natural);
        let class = self.int(class)?;
        let rung = degree::pathfinder(total, class, natural).map_err(|code| Trap { code, span })?;
        self.degree = Some((rung, natural));
        Ok(total)
    }

    fn pool(&mut self, pool: &Pool, span: Span) -> Result<i64, Trap> {
        let at = |span: Span| move |code: TrapCode| Trap { code, span };
        // Dice that a count or sides are computed from are not part of the total, so they are not natural.
        let naturals = self.naturals.take();
        let count = self.int(&pool.count)?;
        let sides = self.int(&pool.sides)?;
        self.naturals = naturals;
        let count = ops::dice_count(count, self.limits.dice).map_err(at(pool.count.span))?;
        let sides = ops::die_sides(sides).map_err(at(pool.sides.span))?;
        // Both are in range by now: 0..=10^9 and 1..=10^9.
        let sides = sides.unsigned_abs();
        let mut sum = 0;
        for _ in 0..count {
            let face = self.dice.roll(sides).map_err(at(span))?;
            self.observer.die(RolledDie {
                sides,
                face,
                kept: true,
                span,
            });
            sum += face;
        }
        self.observer.pool(count as usize);
        if let Some(naturals) = &mut self.naturals {
            naturals.add_pool(count.unsigned_abs(), sides, sum as i64);
        }
        // At most 10^18; see `dicec_runtime::limits::MAX_SIDES`.
        Ok(sum as i64)
    }
}
