//! The way down a script's tree, for questions that look at every part of it.

use crate::hir::script::{Block, Expr, ExprKind, Place, StmtKind};

/// Gives each operand of an expression to `see`, in order of evaluation.
pub(super) fn operands<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
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
        | ExprKind::Field(value, _) => see(value),
        ExprKind::Arith(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Same(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Append(left, right)
        | ExprKind::Element(left, right) => {
            see(left);
            see(right);
        }
        ExprKind::Choose(parts) => parts.iter().for_each(see),
        ExprKind::Extreme(_, parts)
        | ExprKind::List(parts)
        | ExprKind::Join(parts)
        | ExprKind::Call(_, parts) => parts.iter().for_each(see),
        ExprKind::Record(_, fields) => fields.iter().for_each(|(_, value)| see(value)),
        ExprKind::Roll(roll) => roll.holes.iter().for_each(see),
        ExprKind::Option(option) => option.who.iter().for_each(see),
    }
}

/// Whether an expression does more than give a value: whether it rolls, asks, calls or appends.
pub(super) fn acts(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Roll(_) | ExprKind::Option(_) | ExprKind::Call(..) | ExprKind::Append(..) => true,
        _ => {
            let mut any = false;
            operands(expr, &mut |part| any = any || acts(part));
            any
        }
    }
}

/// What a script writes to, beside variables.
pub(super) enum Write<'e> {
    /// A field of this record, by its place.
    Field(&'e Expr, u32),
    /// An element of this list, or its end.
    List(&'e Expr),
}

/// Gives everything that a block writes to `see`.
pub(super) fn writes<'e>(block: &'e Block, see: &mut dyn FnMut(Write<'e>)) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Assign(place, value) | StmtKind::Update(place, _, value) => {
                match place {
                    Place::Local(_) => {}
                    Place::Field(record, field) => {
                        see(Write::Field(record, *field));
                        appends(record, see);
                    }
                    Place::Element(list, index) => {
                        see(Write::List(list));
                        appends(list, see);
                        appends(index, see);
                    }
                }
                appends(value, see);
            }
            StmtKind::Eval(value)
            | StmtKind::Output(value)
            | StmtKind::Stat(_, value)
            | StmtKind::Return(Some(value)) => appends(value, see),
            StmtKind::If(condition, then, otherwise) => {
                appends(condition, see);
                writes(then, see);
                writes(otherwise, see);
            }
            StmtKind::While(value, body) | StmtKind::For(_, value, body) => {
                appends(value, see);
                writes(body, see);
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::StartGroup
            | StmtKind::EndGroup => {}
        }
    }
}

/// The lists that an expression appends to.
fn appends<'e>(expr: &'e Expr, see: &mut dyn FnMut(Write<'e>)) {
    if let ExprKind::Append(list, _) = &expr.kind {
        see(Write::List(list));
    }
    operands(expr, &mut |part| appends(part, see));
}
