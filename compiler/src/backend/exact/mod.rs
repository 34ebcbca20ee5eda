//! The exact engine: walks the HIR and gives the distribution of the result instead of one result.
//!
//! Resources are known, so an expression's randomness is in its dice alone, and each die is rolled in one place: the operands
//! of every node are independent, and the distributions of sums, products and comparisons follow from theirs
//! (see [`dicec_runtime::pmf`]). A pool with a computed count or computed sides is a mixture over them.
//!
//! A trap that can happen at all, however seldom, is the answer: a distribution that leaves it out would be wrong.

mod degree;
mod real;

use crate::hir::{ArithOp, CompareOp, Die, Expr, ExprKind, Pool, Program, Slot};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Budget, CombineError, Exhausted, Overflow, Pmf, Weight};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use real::is_real;
use std::num::NonZeroU64;
use thiserror::Error;

/// Why there is no exact answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExactError {
    /// It would take more work than the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Some rolls of the dice end in an error.
    #[error(transparent)]
    Trap(#[from] Trap),
}

/// The distribution of a typed program's result; a check's is over 0 (false) and 1 (true), a degree's over its rungs. `resources` holds a value a
/// slot. Weights are [`f64`] or [`num_bigint::BigUint`].
///
/// # Errors
/// See [`ExactError`].
pub fn distribution<W: Weight>(
    program: &Program,
    resources: &[i64],
    limits: RollLimits,
    budget: &mut Budget,
) -> Result<Pmf<W>, ExactError> {
    let mut engine = Engine {
        resources,
        limits,
        budget,
    };
    match degree::versus(&program.body) {
        None => engine.expr(&program.body),
        Some((roll, class, span)) => {
            if !matches!(program.body.kind, ExprKind::Versus(..)) {
                // What stands around the `vs` leaves the degree alone, but may trap.
                engine.expr::<W>(&program.body)?;
            }
            engine.degree(roll, class, span)
        }
    }
}

struct Engine<'e> {
    resources: &'e [i64],
    limits: RollLimits,
    budget: &'e mut Budget,
}

/// An operation of a chain, with its right side.
struct Link<'e> {
    op: ArithOp,
    right: &'e Expr,
    span: Span,
}

/// The leftmost operand of a chain of operations, and its links from the last to the first.
fn links(expr: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let (mut first, mut links) = (expr, Vec::new());
    while let ExprKind::Arith(op, left, right) = &first.kind {
        links.push(Link {
            op: *op,
            right,
            span: first.span,
        });
        first = left;
    }
    (first, links)
}

/// A distribution on the way to a mixture.
type Mixed<W> = Result<Pmf<W>, CombineError<TrapCode>>;

/// The error of an operation written at `span`.
fn at(span: Span) -> impl Fn(CombineError<TrapCode>) -> ExactError {
    move |error| match error {
        CombineError::Value(code) => Trap { code, span }.into(),
        CombineError::Exhausted(exhausted) => exhausted.into(),
    }
}

/// A sum's overflow as the trap that it is.
fn overflow(error: CombineError<Overflow>) -> CombineError<TrapCode> {
    match error {
        CombineError::Value(Overflow) => CombineError::Value(TrapCode::Overflow),
        CombineError::Exhausted(exhausted) => exhausted.into(),
    }
}

impl Engine<'_> {
    // A method a kind of expression, so that the recursion over a high tree takes little stack.
    fn expr<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        if is_real(expr) {
            return self.real(expr);
        }
        match &expr.kind {
            ExprKind::Int(value) => Ok(Pmf::point(*value)),
            ExprKind::Resource(slot) => Ok(self.resource(*slot)),
            ExprKind::Negate(value) => self.map(value, ops::ineg, expr.span),
            ExprKind::AtLeast(floor, value) => {
                self.map(value, |value| Ok(value.max(*floor)), expr.span)
            }
            ExprKind::Arith(..) => self.chain(expr),
            ExprKind::Compare(op, left, right) => self.compare(*op, left, right),
            ExprKind::Pool(pool) => self.pool(pool),
            ExprKind::Call(function, args) => self.call(*function, args, expr.span),
            // Decimals are above.
            ExprKind::Real(_) | ExprKind::ToReal(_) | ExprKind::Group(_) => Ok(Pmf::point(0)),
            ExprKind::Versus(roll, class) => self.versus_total(roll, class),
        }
    }

    fn resource<W: Weight>(&self, slot: Slot) -> Pmf<W> {
        // The caller gives a value a slot.
        let value = self.resources.get(slot.0 as usize).copied();
        Pmf::point(value.unwrap_or(0))
    }

    fn map<W: Weight>(
        &mut self,
        value: &Expr,
        f: impl Fn(i64) -> OpResult,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let value = self.expr::<W>(value)?;
        value.map(self.budget, f).map_err(at(span))
    }

    /// A chain such as `a + b - c` is as high a tree as it is long, so its left sides are taken one after the other instead
    /// of by recursion.
    fn chain<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        let (first, links) = links(expr);
        let mut value = self.expr::<W>(first)?;
        for link in links.into_iter().rev() {
            let right = self.expr::<W>(link.right)?;
            value = match is_real(expr) {
                true => self.real_arith(link.op, &value, &right, link.span)?,
                false => self.arith(link.op, &value, &right, link.span)?,
            };
        }
        Ok(value)
    }

    fn arith<W: Weight>(
        &mut self,
        op: ArithOp,
        left: &Pmf<W>,
        right: &Pmf<W>,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        if op == ArithOp::Add {
            let sum = left.sum(right, self.budget);
            return sum.map_err(overflow).map_err(at(span));
        }
        let joint = left.combine(right, self.budget, |a, b| op.apply(a, b));
        joint.map_err(at(span))
    }

    /// The total of a `vs` is the roll's; the class is evaluated for the traps that it may hold.
    fn versus_total<W: Weight>(&mut self, roll: &Expr, class: &Expr) -> Result<Pmf<W>, ExactError> {
        let total = self.expr(roll)?;
        self.expr::<W>(class)?;
        Ok(total)
    }

    fn compare<W: Weight>(
        &mut self,
        op: CompareOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<Pmf<W>, ExactError> {
        let left = self.expr::<W>(left)?;
        let right = self.expr::<W>(right)?;
        Ok(left.relation(&right).check(|ordering| op.holds(ordering)))
    }

    fn pool<W: Weight>(&mut self, pool: &Pool) -> Result<Pmf<W>, ExactError> {
        self.pool_with(pool, |_, _, sums, _| Ok(sums))
    }

    /// The mixture of what `each` makes of every pool that `pool` can be: it is given the count, the sides and the distribution of
    /// their sum.
    fn pool_with<W: Weight>(
        &mut self,
        pool: &Pool,
        mut each: impl FnMut(i64, i64, Pmf<W>, &mut Budget) -> Mixed<W>,
    ) -> Result<Pmf<W>, ExactError> {
        let Die::Sides(written) = &pool.die else {
            return Ok(Pmf::point(0));
        };
        let limit = self.limits.dice;
        let count = self.expr::<W>(&pool.count)?;
        let sides = self.expr::<W>(written)?;
        // The interpreter's order: all counts are judged before any sides.
        let count = count.map(self.budget, |n| ops::dice_count(n, limit));
        let count = count.map_err(at(pool.count.span))?;
        let sides = sides.map(self.budget, ops::die_sides);
        let sides = sides.map_err(at(written.span))?;
        let mixed = count.bind(self.budget, |count, budget| {
            sides.bind(budget, |sides, budget| {
                // In 0..=10^9 and 1..=10^9, both.
                let faces = NonZeroU64::new(sides.unsigned_abs()).unwrap_or(NonZeroU64::MIN);
                let sums = Pmf::pool(count.unsigned_abs(), faces, budget)?;
                each(count, sides, sums, budget)
            })
        });
        mixed.map_err(at(written.span))
    }
}
