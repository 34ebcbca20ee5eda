//! Types, and the constant dice that can be refused before any is rolled.

use super::constant::constant;
use crate::hir::{Expr, ExprKind, Pool, Program, Type};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES, RollLimits};
use dicec_runtime::span::Span;

/// Sets the type of each expression and reports what is wrong with them.
pub fn check(program: &mut Program, limits: RollLimits) -> Diagnostics {
    let mut checker = Checker {
        limits,
        diagnostics: Diagnostics::new(),
        versus: None,
        versus_allowed: true,
    };
    checker.infer(&mut program.body);
    checker.diagnostics.sort();
    checker.diagnostics
}

struct Checker {
    limits: RollLimits,
    diagnostics: Diagnostics,
    /// Where the rule's `vs` is, once it was met.
    versus: Option<Span>,
    /// Whether a degree may come from here.
    versus_allowed: bool,
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
                self.without_versus(|checker| {
                    checker.number(left);
                    checker.number(right);
                });
                Type::Bool
            }
            ExprKind::Versus(roll, class) => {
                self.versus(roll, class, expr.span);
                Type::Int
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

    /// A `vs` and its sides, in neither of which a second one may stand.
    fn versus(&mut self, roll: &mut Expr, class: &mut Expr, span: Span) {
        let problem = match (self.versus_allowed, self.versus) {
            (_, Some(first)) => Some(
                Diagnostic::error(Code::NestedVersus, span, "a rule has one `vs` only")
                    .label(first, "the first one")
                    .help("roll once against each class"),
            ),
            (false, None) => Some(
                Diagnostic::error(
                    Code::MisplacedVersus,
                    span,
                    "a `vs` gives a degree, which cannot stand here",
                )
                .help("make it the whole rule: `1d20 + 5 vs 15`"),
            ),
            (true, None) => None,
        };
        self.diagnostics.extend(problem);
        self.versus = self.versus.or(Some(span));
        self.number(roll);
        self.number(class);
    }

    /// Runs `inner`, in which no `vs` may stand.
    fn without_versus(&mut self, inner: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.versus_allowed, false);
        inner(self);
        self.versus_allowed = outer;
    }

    fn pool(&mut self, pool: &mut Pool) {
        self.without_versus(|checker| {
            checker.number(&mut pool.count);
            checker.number(&mut pool.sides);
        });
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
