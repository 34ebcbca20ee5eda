//! The exact engine: evaluates the HIR over distributions instead of single results.
//!
//! Resources are known, so only dice are random, and each die is rolled in one place. So the
//! operands of every node are independent, and the distributions of sums, products and comparisons
//! follow from theirs (see [`dicec_runtime::pmf`]).
//!
//! ```text
//! pool --params--> mixture over its computed numbers
//!                    |
//!                  roll--> distribution of one die (die_distribution) --> sum, selection, count
//!                    |---> the same for each multiset of dice (multisets), if some are kept early
//!                    \---> every roll of the faces, if there is no closed form (enumerate)
//! ```
//!
//! Groups (`group`) select among totals, or among the dice of several pools. Floats are in `float`.
//! If a `vs` needs to know the natural die, or whether the `vs` was dropped, values carry a label
//! (`label`, `natural`, `degree`).
//!
//! If a trap can happen at all, however rarely, it is the answer: a distribution without it would
//! be wrong. But dice that explode or are rerolled can go on forever: rolls with a probability
//! below [`SERIES_CUT`](dicec_runtime::pmf::SERIES_CUT) are left out, whatever their result, and
//! the answer states how much that is.

mod degree;
mod die_distribution;
mod enumerate;
mod face_value;
mod float;
mod group;
mod joined;
mod keep;
mod label;
mod multisets;
mod natural;
mod params;
mod pool;
mod roll;
mod script;
mod shortcuts;
mod verify;

use dicec_lang::hir::{ArithOp, CompareOp, Expr, ExprKind, LocalId, Math, Roll};
use dicec_runtime::against::Against;
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, CombineError, Exhausted, Overflow, Pmf, Weight};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use float::{Unary, binary, is_float};
use thiserror::Error;

pub use script::{
    Aim, AnswerValue, Best, Choice, Goal, Joint, KeptPlans, Mover, Noted, Odds, Question, Shown,
    Solved, StateExplosion, Tracker, ValueOf, VariedPart, value_text, with_best,
};
pub use shortcuts::{Fired, SHORTCUTS, Shortcut, Shortcuts, UnknownShortcut, take_fired};
pub use verify::{
    Difference, Verified, first_wrong_shortcut, plain_limits, solve, take_checked, verified,
};

/// Why there is no exact answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExactError {
    /// It needs more work than the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The same for a script, with an explanation of its states.
    #[error("{}", .0.exhausted)]
    StateExplosion(Box<StateExplosion>),
    /// Some rolls of the dice end in an error.
    #[error(transparent)]
    Trap(#[from] Trap),
    /// A mistake in this engine: the answer differs without the shortcuts.
    #[error(transparent)]
    Wrong(Box<Difference>),
}

/// An exact answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<W = f64> {
    /// The distribution.
    pub pmf: Pmf<W>,
    /// An upper bound on the probability of the rolls that are left out because their dice explode
    /// or are rerolled very often. Each probability is off by at most this; 0 if nothing goes on
    /// forever.
    pub residual: f64,
}

/// The inputs of a roll; floats are keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'e> {
    /// One value per resource of the module.
    pub(crate) resources: &'e [i64],
    /// The roll.
    pub(crate) roll: &'e Roll,
    /// One value per hole.
    pub(crate) holes: &'e [i64],
    /// The shortcuts that are allowed.
    pub(crate) shortcuts: Shortcuts,
}

impl Inputs<'_> {
    fn hole(&self, local: LocalId) -> i64 {
        let holes = self.roll.holes.iter().zip(self.holes);
        let mut values = holes.filter(|(hole, _)| hole.local == local);
        // The body of a roll reads no other variables.
        values
            .next()
            .map(|(_, value)| *value)
            .unwrap_or_else(|| bug!("a roll reads {local:?}, which is not a hole").raise())
    }
}

/// The distribution of a roll's result: 0 (false) and 1 (true) for a check, rungs for a degree,
/// keys for a float, indices for a label.
///
/// # Errors
/// See [`ExactError`].
fn roll<W: Weight>(
    inputs: Inputs<'_>,
    limits: RollLimits,
    budget: &mut Budget,
) -> Result<Exact<W>, ExactError> {
    let body = &inputs.roll.body;
    let versus = degree::versus(body);
    let mut engine = Engine {
        inputs,
        against: versus
            .as_ref()
            .map_or(Against::VERSUS, |versus| versus.against),
        limits,
        budget,
        residual: 0.0,
    };
    let pmf = match versus {
        None => engine.expr(body)?,
        Some(versus) => {
            if !matches!(body.kind, ExprKind::Versus(..)) {
                // The expression around the `vs` does not change the degree, but it may trap.
                engine.expr::<W>(body)?;
                engine.residual = 0.0;
            }
            engine.grades(&versus)?
        }
    };
    Ok(Exact {
        pmf,
        residual: engine.residual.min(1.0),
    })
}

struct Engine<'e> {
    inputs: Inputs<'e>,
    /// The comparison that gives the roll a degree, if there is one.
    against: Against,
    limits: RollLimits,
    budget: &'e mut Budget,
    /// See [`Exact::residual`].
    residual: f64,
}

/// An operation of a chain, with its right operand.
struct Link<'e> {
    op: ArithOp,
    right: &'e Expr,
    span: Span,
}

/// The leftmost operand of a chain of operations, and its links from the last to the first.
fn links(expr: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let (mut first, mut links) = (expr, Vec::new());
    while let ExprKind::Arith(op, left, right) = &first.kind {
        // All operations of a chain have one type: a conversion separates whole and float
        // operations.
        links.push(Link {
            op: *op,
            right,
            span: first.span,
        });
        first = left;
    }
    (first, links)
}

/// A distribution that becomes part of a mixture.
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
    // One method per kind of expression, so that the recursion into a high tree needs little stack.
    fn expr<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Pmf::point(*value)),
            ExprKind::Float(value) => Ok(float::point(*value)),
            ExprKind::Resource(slot) => Ok(Pmf::point(self.inputs.resources[slot.index()])),
            ExprKind::Local(local) => Ok(Pmf::point(self.inputs.hole(*local))),
            ExprKind::Arith(..) => self.chain(expr),
            ExprKind::Compare(op, left, right) => self.compare(*op, left, right),
            ExprKind::Pool(pool) => self.pool(pool, expr.span),
            ExprKind::Group(group) => self.group(group, expr.span),
            ExprKind::Versus(_, roll, class) => self.versus_total(roll, class),
            ExprKind::Math(function @ (Math::Max | Math::Min), args) => {
                self.extreme(*function, args, expr.span)
            }
            // The checker allows nothing else in a roll.
            _ => self.map(expr),
        }
    }

    /// An operation on one number.
    fn map<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        let Some((value, unary)) = Unary::of(expr) else {
            bug!("{:?} in a roll", expr.kind).raise();
        };
        let value = self.expr::<W>(value)?;
        if unary.keeps(value.min()) {
            return Ok(value);
        }
        let apply = |word| unary.apply(word);
        value.map(self.budget, apply).map_err(at(expr.span))
    }

    /// A chain such as `a + b - c` is a tree as high as it is long, so a loop walks its left
    /// operands instead of recursion.
    fn chain<W: Weight>(&mut self, expr: &Expr) -> Result<Pmf<W>, ExactError> {
        let (first, links) = links(expr);
        let mut value = self.expr::<W>(first)?;
        for link in links.into_iter().rev() {
            let right = self.expr::<W>(link.right)?;
            value = self.arith(&link, &value, &right)?;
        }
        Ok(value)
    }

    fn arith<W: Weight>(
        &mut self,
        link: &Link<'_>,
        left: &Pmf<W>,
        right: &Pmf<W>,
    ) -> Result<Pmf<W>, ExactError> {
        let floats = is_float(link.right);
        if link.op == ArithOp::Add && !floats {
            let sum = left.sum(right, self.budget);
            return sum.map_err(overflow).map_err(at(link.span));
        }
        let joint = left.combine(right, self.budget, binary(link.op, floats));
        joint.map_err(at(link.span))
    }

    /// The maximum or minimum of independent numbers. Keys of floats have the order of the floats.
    fn extreme<W: Weight>(
        &mut self,
        function: Math,
        args: &[Expr],
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let mut extreme: Option<Pmf<W>> = None;
        for arg in args {
            let value = self.expr::<W>(arg)?;
            extreme = Some(match extreme {
                None => value,
                Some(extreme) => {
                    let joint = extreme.combine(&value, self.budget, float::choose(function));
                    joint.map_err(at(span))?
                }
            });
        }
        Ok(extreme.unwrap_or_else(|| bug!("the extreme of nothing").raise()))
    }

    /// The total of a `vs` is the roll's; the class is evaluated only for its traps.
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
}
