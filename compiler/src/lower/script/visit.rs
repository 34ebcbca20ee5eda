//! Walks over a script's functions: all statements and all expressions, however deep.

use crate::hir::script::{Block, Expr, ExprKind, Place, Stmt, StmtKind};

/// A part of a function.
#[derive(Clone, Copy)]
pub(super) enum Node<'s> {
    /// A statement, before its parts.
    Stmt(&'s Stmt),
    /// An expression, before its parts.
    Expr(&'s Expr),
}

/// Calls `f` on every part of a block.
pub(super) fn block<'s>(block: &'s Block, f: &mut impl FnMut(Node<'s>)) {
    block.iter().for_each(|one| stmt(one, f));
}

/// Calls `f` on a statement and its parts.
pub(super) fn stmt<'s>(stmt: &'s Stmt, f: &mut impl FnMut(Node<'s>)) {
    let mut pending = vec![Node::Stmt(stmt)];
    while let Some(node) = pending.pop() {
        f(node);
        match node {
            Node::Stmt(stmt) => stmt_parts(stmt, &mut pending),
            Node::Expr(expr) => expr_parts(expr, &mut pending),
        }
    }
}

fn stmt_parts<'s>(stmt: &'s Stmt, parts: &mut Vec<Node<'s>>) {
    match &stmt.kind {
        StmtKind::Assign(place, value) | StmtKind::Update(place, _, value) => {
            match place {
                Place::Local(_) => {}
                Place::Field(record, _) => parts.push(Node::Expr(record)),
                Place::Element(list, index) => {
                    parts.extend([list, index].map(Node::Expr));
                }
            }
            parts.push(Node::Expr(value));
        }
        StmtKind::Eval(value)
        | StmtKind::Output(value)
        | StmtKind::Stat(_, value)
        | StmtKind::Return(Some(value)) => parts.push(Node::Expr(value)),
        StmtKind::If(condition, then, otherwise) => {
            parts.push(Node::Expr(condition));
            parts.extend(then.iter().chain(otherwise).map(Node::Stmt));
        }
        StmtKind::While(value, body) | StmtKind::For(_, value, body) => {
            parts.push(Node::Expr(value));
            parts.extend(body.iter().map(Node::Stmt));
        }
        StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::StartGroup
        | StmtKind::EndGroup => {}
    }
}

fn expr_parts<'s>(expr: &'s Expr, parts: &mut Vec<Node<'s>>) {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Degree(_)
        | ExprKind::Text(_)
        | ExprKind::Local(_)
        | ExprKind::Resource(_) => {}
        ExprKind::Negate(value)
        | ExprKind::Not(value)
        | ExprKind::Abs(value)
        | ExprKind::Len(value)
        | ExprKind::Field(value, _) => parts.push(Node::Expr(value)),
        ExprKind::Arith(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Same(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Append(left, right)
        | ExprKind::Element(left, right) => {
            parts.extend([&**left, &**right].map(Node::Expr));
        }
        ExprKind::Choose(three) => parts.extend(three.iter().map(Node::Expr)),
        ExprKind::Extreme(_, values)
        | ExprKind::List(values)
        | ExprKind::Join(values)
        | ExprKind::Call(_, values) => parts.extend(values.iter().map(Node::Expr)),
        ExprKind::Record(_, fields) => {
            parts.extend(fields.iter().map(|(_, value)| Node::Expr(value)));
        }
        ExprKind::Roll(roll) => parts.extend(roll.holes.iter().map(Node::Expr)),
        ExprKind::Option(option) => parts.extend(option.who.iter().map(Node::Expr)),
    }
}
