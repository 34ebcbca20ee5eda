//! Tree to HIR: where the rule book's dialect becomes explicit.
//!
//! Seed 002, 3.5.3: a result is at least 0. Section 3.7.2 makes each side of a Check an Expression, so each side is
//! clamped on its own before they are compared.

use super::ast::{Ast, AstKind};
use crate::hir::{Expr, ExprKind, Pool, Program, ResourceUse, Slot, Type};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use indexmap::IndexMap;

/// The program that `ast` writes. Errors in the tree become zeros: the caller has reported them already.
pub fn to_hir(ast: &Ast) -> Program {
    let mut builder = Builder {
        resources: IndexMap::new(),
    };
    let body = match &ast.kind {
        AstKind::Compare(op, left, right) => {
            let left = Box::new(clamp(builder.expr(left)));
            let right = Box::new(clamp(builder.expr(right)));
            node(ExprKind::Compare(*op, left, right), ast.span)
        }
        // The totals of a `vs` keep their sign: the distance to the class counts.
        _ if has_versus(ast) => builder.expr(ast),
        _ => clamp(builder.expr(ast)),
    };
    let resources = builder.resources.into_iter();
    let resources = resources.map(|(name, span)| ResourceUse { name, span });
    Program::new(resources.collect(), body)
}

fn has_versus(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Versus(..) => true,
        AstKind::Number(_) | AstKind::Resource(_) | AstKind::Error => false,
        AstKind::Negate(value) => has_versus(value),
        AstKind::Binary(_, left, right) | AstKind::Compare(_, left, right) => {
            has_versus(left) || has_versus(right)
        }
        AstKind::Dice(count, sides) => {
            count.as_ref().is_some_and(|count| has_versus(count)) || has_versus(sides)
        }
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

struct Builder {
    /// Each resource and where it is first named, in the order of their slots.
    resources: IndexMap<ResourceName, Span>,
}

impl Builder {
    fn expr(&mut self, ast: &Ast) -> Expr {
        let kind = match &ast.kind {
            AstKind::Number(value) => ExprKind::Int(*value),
            AstKind::Resource(name) => ExprKind::Resource(self.slot(name, ast.span)),
            AstKind::Negate(value) => ExprKind::Negate(self.boxed(value)),
            AstKind::Binary(op, left, right) => {
                ExprKind::Arith(*op, self.boxed(left), self.boxed(right))
            }
            AstKind::Compare(op, left, right) => {
                ExprKind::Compare(*op, self.boxed(left), self.boxed(right))
            }
            AstKind::Versus(roll, class) => ExprKind::Versus(self.boxed(roll), self.boxed(class)),
            AstKind::Dice(count, sides) => {
                // Seed 002, 3.2.2: an omitted count is 1.
                let letter = Span::new(ast.span.start, ast.span.start);
                let count = count
                    .as_ref()
                    .map_or_else(|| node(ExprKind::Int(1), letter), |count| self.expr(count));
                let sides = self.expr(sides);
                ExprKind::Pool(Box::new(Pool::plain(count, sides)))
            }
            AstKind::Error => ExprKind::Int(0),
        };
        node(kind, ast.span)
    }

    fn boxed(&mut self, ast: &Ast) -> Box<Expr> {
        Box::new(self.expr(ast))
    }

    /// The slot of a resource; a name that was met before keeps its slot.
    fn slot(&mut self, name: &ResourceName, span: Span) -> Slot {
        let entry = self.resources.entry(name.clone());
        let index = entry.index();
        entry.or_insert(span);
        // A source of at most 4 GiB names fewer resources than that.
        Slot(index as u32)
    }
}
