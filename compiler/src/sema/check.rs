//! Types, and the constant dice that can be refused before any is rolled.

use super::constant::constant;
use crate::hir::{Expr, ExprKind, Pool, Program, Type};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES, RollLimits};

/// Sets the type of each expression and reports what is wrong with them.
pub fn check(program: &mut Program, limits: RollLimits) -> Diagnostics {
    let mut checker = Checker {
        limits,
        diagnostics: Diagnostics::new(),
    };
    checker.infer(&mut program.body);
    checker.diagnostics.sort();
    checker.diagnostics
}

struct Checker {
    limits: RollLimits,
    diagnostics: Diagnostics,
}

impl Checker {
    fn infer(&mut self, expr: &mut Expr) {
        expr.ty = match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Resource(_) => Type::Int,
            ExprKind::Negate(value) | ExprKind::AtLeast(_, value) => {
                self.number(value);
                Type::Int
            }
            ExprKind::Arith(_, left, right) => {
                self.number(left);
                self.number(right);
                Type::Int
            }
            ExprKind::Compare(_, left, right) => {
                self.number(left);
                self.number(right);
                Type::Bool
            }
            ExprKind::Pool(pool) => {
                self.pool(pool);
                Type::Int
            }
        };
    }

    /// Infers an expression that has to be a number.
    fn number(&mut self, expr: &mut Expr) {
        self.infer(expr);
        // A clamp or sign around a check has been reported where the check stands.
        if expr.ty == Type::Bool {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::CheckAsNumber,
                    expr.span,
                    "a check is true or false; a number is wanted here",
                )
                .help("make the comparison the whole rule: one expression on each side"),
            );
        }
    }

    fn pool(&mut self, pool: &mut Pool) {
        self.number(&mut pool.count);
        self.number(&mut pool.sides);
        if let Some(sides) = constant(&pool.sides) {
            self.constant_sides(sides, &pool.sides);
        }
        if let Some(count) = constant(&pool.count) {
            self.constant_count(count, &pool.count);
        }
    }

    /// Seed 002, 3.2.2: a roll of `1d0` is invalid.
    fn constant_sides(&mut self, sides: i64, expr: &Expr) {
        if sides < 1 {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::NoSides,
                    expr.span,
                    format!("a die cannot have {sides} sides"),
                )
                .help("a die has at least 1 side; to roll nothing, write 0 dice: `0d6`"),
            );
        } else if sides > i64::from(MAX_SIDES) {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::TooManySides,
                    expr.span,
                    format!("a die cannot have {sides} sides"),
                )
                .help(format!("a die has at most {MAX_SIDES} sides")),
            );
        }
    }

    fn constant_count(&mut self, count: i64, expr: &Expr) {
        if count <= i64::from(self.limits.dice) {
            return;
        }
        let help = if count <= i64::from(MAX_DICE_CEILING) {
            format!("roll fewer, or raise the limit with --max-dice {count}")
        } else {
            format!("roll fewer; --max-dice can raise the limit to {MAX_DICE_CEILING}")
        };
        self.diagnostics.push(
            Diagnostic::error(
                Code::TooManyDice,
                expr.span,
                format!(
                    "{count} dice in one pool; the limit is {}",
                    self.limits.dice
                ),
            )
            .help(help),
        );
    }
}
