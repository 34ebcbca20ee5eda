//! Tree to HIR: where the dialect becomes explicit.
//!
//! Seed 002, 3.5.3: in the rule book's dialect a result is at least 0. Section 3.7.2 makes each side of a Check an
//! Expression, so each side is clamped on its own before they are compared. The notation dialect clamps nothing, and its `/`
//! gives decimals. A rule that is nothing but a die with labels yields the label, in both.

mod label;
mod pool;

use super::ast::{Ast, AstKind, BinaryOp, Function};
use super::dialect::Dialect;
use crate::hir::{self, ArithOp, Expr, ExprKind, Program, ResourceUse, Slot, Type};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use indexmap::IndexMap;

/// The program that `ast` writes. Errors in the tree become zeros: the caller has reported them already.
pub fn to_hir(ast: &Ast, dialect: Dialect) -> Program {
    let ast = ast.unwrapped();
    if let Some(program) = label::program(ast) {
        return program;
    }
    // Each resource and where it is first named, in the order of their slots.
    let mut resources: IndexMap<ResourceName, Span> = IndexMap::new();
    let mut slots = |name: &ResourceName, span| {
        let entry = resources.entry(name.clone());
        let index = entry.index();
        entry.or_insert(span);
        // A source of at most 4 GiB names fewer resources than that.
        Slot(index as u32)
    };
    let mut builder = Builder {
        dialect,
        slots: &mut slots,
    };
    let body = match &ast.kind {
        _ if dialect == Dialect::Notation => builder.expr(ast),
        AstKind::Compare(op, left, right) => {
            let left = Box::new(clamp(builder.expr(left)));
            let right = Box::new(clamp(builder.expr(right)));
            node(ExprKind::Compare(*op, left, right), ast.span)
        }
        // The totals of a `vs` keep their sign: the distance to the class counts.
        _ if has_versus(ast) => builder.expr(ast),
        _ => clamp(builder.expr(ast)),
    };
    let resources = resources.into_iter();
    let resources = resources.map(|(name, span)| ResourceUse { name, span });
    Program::new(resources.collect(), body)
}

/// The program of a rule that is one die with words on it.
pub(in crate::front) fn label_to_hir(ast: &Ast) -> Option<Program> {
    label::program(ast.unwrapped())
}

/// What `ast` writes as a part of a larger rule, in the rule book's dialect without its clamps; `slots` gives resources their places.
pub(in crate::front) fn part_to_hir(
    ast: &Ast,
    slots: &mut dyn FnMut(&ResourceName, Span) -> Slot,
) -> Expr {
    let mut builder = Builder {
        dialect: Dialect::Rulebook,
        slots,
    };
    builder.expr(ast)
}

fn has_versus(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Versus(..) => true,
        AstKind::Number(_) | AstKind::Decimal(_) | AstKind::Resource(_) | AstKind::Error => false,
        AstKind::Negate(value) => has_versus(value),
        AstKind::Binary(_, left, right) | AstKind::Compare(_, left, right) => {
            has_versus(left) || has_versus(right)
        }
        AstKind::Call(_, arguments) => arguments.iter().any(has_versus),
        AstKind::Dice(dice) => dice.parts().any(has_versus),
        AstKind::Group(group) => group.parts().any(has_versus),
    }
}

/// Seed 002, 3.6, step 6.
fn clamp(value: Expr) -> Expr {
    let span = value.span;
    node(ExprKind::AtLeast(0, Box::new(value)), span)
}

fn node(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        ty: Type::Unknown,
        span,
    }
}

struct Builder<'s> {
    dialect: Dialect,
    /// Gives each resource its place; one that was met before keeps it.
    slots: &'s mut dyn FnMut(&ResourceName, Span) -> Slot,
}

impl Builder<'_> {
    fn expr(&mut self, ast: &Ast) -> Expr {
        let kind = match &ast.kind {
            AstKind::Number(value) => ExprKind::Int(*value),
            AstKind::Decimal(value) => ExprKind::Real(*value),
            AstKind::Resource(name) => ExprKind::Resource((self.slots)(name, ast.span)),
            AstKind::Negate(value) => ExprKind::Negate(self.boxed(value)),
            AstKind::Binary(op, left, right) => {
                ExprKind::Arith(self.op(*op), self.boxed(left), self.boxed(right))
            }
            AstKind::Compare(op, left, right) => {
                ExprKind::Compare(*op, self.boxed(left), self.boxed(right))
            }
            AstKind::Versus(roll, class) => ExprKind::Versus(self.boxed(roll), self.boxed(class)),
            AstKind::Call(function, arguments) => self.call(*function, arguments),
            AstKind::Dice(dice) => ExprKind::Pool(Box::new(self.pool(dice, ast.span))),
            AstKind::Group(group) => return self.group(group, ast.span),
            AstKind::Error => ExprKind::Int(0),
        };
        node(kind, ast.span)
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
            (BinaryOp::Rem, _) => ArithOp::Rem,
            (BinaryOp::Pow, _) => ArithOp::Pow,
        }
    }

    fn call(&mut self, function: Function, arguments: &[Ast]) -> ExprKind {
        let function = match function {
            Function::Floor => hir::Function::Floor,
            Function::Ceil => hir::Function::Ceil,
            Function::Round => hir::Function::Round,
            Function::Abs => hir::Function::Abs,
            Function::Sqrt => hir::Function::Sqrt,
            Function::Max => hir::Function::Max,
            Function::Min => hir::Function::Min,
            Function::Pow => return self.power(arguments),
        };
        let arguments = arguments.iter().map(|argument| self.expr(argument));
        ExprKind::Call(function, arguments.collect())
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
