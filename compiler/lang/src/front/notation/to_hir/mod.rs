//! Tree to HIR: makes the dialect explicit.
//!
//! Seed 002, 3.5.3: in the rule book's dialect a result is at least 0. Section 3.7.2 makes each
//! side of a Check an Expression, so each side is clamped on its own before they are compared. The
//! notation dialect clamps nothing, and its `/` gives decimals. A rule that is nothing but a die
//! with labels yields the label, in both.

mod label;
mod pool;

use super::ast::{Ast, AstKind, BinaryOp, Function};
use super::dialect::Dialect;
use super::rerolled::rolls_again;
use super::subtotals::has_labels;
use crate::front::notation::parse::parse;
use crate::front::notation::print::print;
use crate::hir::{
    self, ArithOp, DICE_HELP, DiceValue, Expr, ExprKind, LocalId, Module, Roll, Slot,
};
use crate::syntax::{Diagnostic, SourceLimits, not_dice_value};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The module of the rule `ast`. Errors in the tree become zeros: the caller has reported them
/// already. Without `clamps`, results keep their sign in either dialect.
pub fn to_hir(ast: &Ast, dialect: Dialect, clamps: bool) -> Module {
    match label_to_hir(ast, &|span| span) {
        Some(roll) => hir::Builder::default().rule(roll),
        None if clamps && dialect == Dialect::Rulebook => {
            module_of(dialect, |dice| dice.clamped(ast.unwrapped()))
        }
        None => module_of(dialect, |dice| dice.expr(ast.unwrapped())),
    }
}

/// The module of the contribution of a [share](super::share) of a rule's terms: without the clamps,
/// so that the shares add up to the rule's total before them.
pub fn share_to_hir(share: &Ast, dialect: Dialect) -> Module {
    module_of(dialect, |dice| dice.expr(share))
}

fn module_of(dialect: Dialect, body: impl FnOnce(&mut DiceBuilder<'_>) -> Expr) -> Module {
    let mut module = hir::Builder::default();
    let body = body(&mut DiceBuilder {
        dialect,
        resource: &mut |name, span| module.resource(name, span),
        holes: &[],
        place: &|span| span,
    });
    module.rule(Roll {
        holes: Vec::new(),
        body,
        labels: Arc::default(),
        cost: 0,
    })
}

/// The roll of a rule that is one die with labels on it. `place` maps spans of the tree to those of
/// the source.
pub(in crate::front) fn label_to_hir(ast: &Ast, place: &dyn Fn(Span) -> Span) -> Option<Roll> {
    label::roll(ast.unwrapped(), place)
}

/// The HIR of `ast` as a part of a larger roll, in its dialect without the clamps. `resource` gives
/// a name's slot, `holes` are the locals of the tree's holes, and `place` maps spans of the tree to
/// those of the source.
pub(in crate::front) fn part_to_hir(
    ast: &Ast,
    dialect: Dialect,
    resource: &mut dyn FnMut(&ResourceName, Span) -> Slot,
    holes: &[LocalId],
    place: &dyn Fn(Span) -> Span,
) -> Expr {
    let mut dice = DiceBuilder {
        dialect,
        resource,
        holes,
        place,
    };
    dice.expr(ast)
}

/// The dice value that a text denotes, as in arguments.
///
/// # Errors
/// The error in the text.
pub fn dice_value(text: &str, limits: SourceLimits) -> Result<DiceValue, Diagnostic> {
    Ok(written_dice(text, limits)?.0)
}

/// The same, and the dice in their normal layout.
pub fn written_dice(text: &str, limits: SourceLimits) -> Result<(DiceValue, String), Diagnostic> {
    let parsed = parse(text, Dialect::Rulebook, limits);
    if let Some(found) = parsed.diagnostics.errors().next() {
        return Err(found.clone());
    }
    if has_labels(&parsed.ast) || rolls_again(&parsed.ast) {
        return Err(not_dice_value(parsed.ast.span, DICE_HELP));
    }
    // A resource is not known, and refused whatever its number.
    let mut resource = |_: &ResourceName, _| Slot(0);
    let body = part_to_hir(
        &parsed.ast,
        Dialect::Rulebook,
        &mut resource,
        &[],
        &|span| span,
    );
    let value = DiceValue::of(&body).map_err(|span| not_dice_value(span, DICE_HELP))?;
    Ok((value, print(&parsed.ast, Dialect::Rulebook)))
}

fn has_versus(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Versus(..)) || ast.kind.any_part(has_versus)
}

/// Seed 002, 3.6, step 6.
fn clamp(value: Expr) -> Expr {
    let span = value.span;
    Expr::new(ExprKind::AtLeast(0, Box::new(value)), span)
}

struct DiceBuilder<'s> {
    dialect: Dialect,
    /// A resource's slot.
    resource: &'s mut dyn FnMut(&ResourceName, Span) -> Slot,
    /// The locals that hold the values of the tree's holes.
    holes: &'s [LocalId],
    /// Maps spans of the tree to those of the source.
    place: &'s dyn Fn(Span) -> Span,
}

impl DiceBuilder<'_> {
    /// A whole rule with the clamps of the rule book's dialect.
    fn clamped(&mut self, ast: &Ast) -> Expr {
        match &ast.kind {
            AstKind::Compare(op, left, right) => {
                let left = Box::new(clamp(self.expr(left)));
                let right = Box::new(clamp(self.expr(right)));
                self.node(ExprKind::Compare(*op, left, right), ast.span)
            }
            // The totals of a `vs` keep their sign: the distance to the class counts.
            _ if has_versus(ast) => self.expr(ast),
            _ => clamp(self.expr(ast)),
        }
    }

    fn node(&self, kind: ExprKind, span: Span) -> Expr {
        Expr::new(kind, (self.place)(span))
    }

    fn expr(&mut self, ast: &Ast) -> Expr {
        let kind = match &ast.kind {
            AstKind::Number(value) => ExprKind::Int(*value),
            AstKind::Float(value) => ExprKind::Float(*value),
            AstKind::Resource(name) => {
                let span = (self.place)(ast.span);
                ExprKind::Resource((self.resource)(name, span))
            }
            AstKind::Hole(index) => ExprKind::Local(self.holes[*index as usize]),
            AstKind::Negate(value) => ExprKind::Negate(self.boxed(value)),
            AstKind::Binary(op, left, right) => {
                ExprKind::Arith(self.op(*op), self.boxed(left), self.boxed(right))
            }
            AstKind::Compare(op, left, right) => {
                ExprKind::Compare(*op, self.boxed(left), self.boxed(right))
            }
            AstKind::Versus(against, roll, number) => {
                ExprKind::Versus(*against, self.boxed(roll), self.boxed(number))
            }
            AstKind::Call(function, arguments) => self.call(*function, arguments),
            AstKind::Dice(dice) => ExprKind::Pool(Box::new(self.pool(dice, ast.span))),
            AstKind::Group(group) => return self.group(group, ast.span),
            AstKind::Labelled(_, term) => return self.expr(term),
            AstKind::Error => ExprKind::Int(0),
        };
        self.node(kind, ast.span)
    }

    fn boxed(&mut self, ast: &Ast) -> Box<Expr> {
        Box::new(self.expr(ast))
    }

    fn op(&self, op: BinaryOp) -> ArithOp {
        match (op, self.dialect) {
            (BinaryOp::Add, _) => ArithOp::Add,
            (BinaryOp::Sub, _) => ArithOp::Sub,
            (BinaryOp::Mul, _) => ArithOp::Mul,
            (BinaryOp::Div, Dialect::Rulebook) => ArithOp::Div,
            (BinaryOp::Div, Dialect::Notation) => ArithOp::Quotient,
            (BinaryOp::Rem, Dialect::Rulebook) => ArithOp::Rem,
            (BinaryOp::Rem, Dialect::Notation) => ArithOp::StrictRem,
            (BinaryOp::Pow, _) => ArithOp::Pow,
        }
    }

    fn call(&mut self, function: Function, arguments: &[Ast]) -> ExprKind {
        let function = match function {
            Function::Floor => hir::Math::Floor,
            Function::Ceil => hir::Math::Ceil,
            Function::Round => hir::Math::Round,
            Function::Abs => hir::Math::Abs,
            Function::Sqrt => hir::Math::Sqrt,
            Function::Max => hir::Math::Max,
            Function::Min => hir::Math::Min,
            Function::Pow => return self.power(arguments),
        };
        let arguments = arguments.iter().map(|argument| self.expr(argument));
        ExprKind::Math(function, arguments.collect())
    }

    fn power(&mut self, arguments: &[Ast]) -> ExprKind {
        match arguments {
            [base, exponent] => {
                ExprKind::Arith(ArithOp::Pow, self.boxed(base), self.boxed(exponent))
            }
            // Reported already.
            _ => ExprKind::Int(0),
        }
    }
}
