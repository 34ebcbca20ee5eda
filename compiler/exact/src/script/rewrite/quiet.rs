//! Expressions that have no effects but rolls.

use super::super::unordered::Pure;
use super::edit::each_inner_stmt;
use dicec_lang::hir::{Expr, ExprKind, LocalId, Place, Stmt, StmtKind, each_own_stmt};
use rustc_hash::FxHashSet;

/// Whether evaluating an expression changes nothing that existed before, notes nothing and asks
/// nobody. It may roll, and it may trap.
pub(super) fn is_quiet(expr: &Expr, pure: &Pure) -> bool {
    let made = made_inside(expr);
    let is_made =
        |list: &Expr| matches!(list.kind, ExprKind::Local(local) if made.contains(&local));
    let mut quiet = true;
    expr.each(&mut |part| {
        quiet &= match &part.kind {
            ExprKind::Append(list, _) | ExprKind::Pop(list) => is_made(list),
            ExprKind::Call(callee, _) => pure.has(*callee),
            ExprKind::Option(_) => false,
            _ => true,
        };
    });
    each_inner_stmt(expr, &mut |stmt| {
        quiet &= match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => match place {
                Place::Local(_) => true,
                Place::Field(record, _) => is_made(record),
                Place::Element(list, _) => is_made(list),
            },
            StmtKind::Output(_)
            | StmtKind::StartGroup
            | StmtKind::EndGroup
            | StmtKind::Stat(..)
            | StmtKind::Return(_) => false,
            _ => true,
        };
    });
    quiet
}

/// The variables of the blocks in an expression that only hold lists made there, or their elements.
fn made_inside(expr: &Expr) -> FxHashSet<LocalId> {
    let (mut made, mut others) = (FxHashSet::default(), FxHashSet::default());
    for _ in 0..3 {
        each_inner_stmt(expr, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(Place::Local(local), value) => {
                let is_new = match &value.kind {
                    ExprKind::List(_) => true,
                    ExprKind::Element(list, _) => {
                        matches!(list.kind, ExprKind::Local(list) if made.contains(&list))
                    }
                    _ => false,
                };
                let sort = if is_new { &mut made } else { &mut others };
                sort.insert(*local);
            }
            StmtKind::For(local, list, _) => {
                let is_made = matches!(list.kind, ExprKind::Local(list) if made.contains(&list));
                let sort = if is_made { &mut made } else { &mut others };
                sort.insert(*local);
            }
            _ => {}
        });
        // An element is only known once its list is.
        others.retain(|local| !made.contains(local) || assigned_otherwise(expr, *local, &made));
    }
    made.retain(|local| !others.contains(local));
    made
}

/// Whether a variable is assigned something that was not made inside.
fn assigned_otherwise(expr: &Expr, local: LocalId, made: &FxHashSet<LocalId>) -> bool {
    let is_made = |list: &Expr| matches!(list.kind, ExprKind::Local(list) if made.contains(&list));
    let mut otherwise = false;
    each_inner_stmt(expr, &mut |stmt| {
        otherwise |= match &stmt.kind {
            StmtKind::Assign(Place::Local(to), value) if *to == local => match &value.kind {
                ExprKind::List(_) => false,
                ExprKind::Element(list, _) => !is_made(list),
                _ => true,
            },
            StmtKind::For(to, list, _) if *to == local => !is_made(list),
            _ => false,
        };
    });
    otherwise
}

/// Whether a statement goes on with the next one, and its expressions are quiet. It may assign
/// variables and note things.
pub(super) fn is_plain(stmt: &Stmt, pure: &Pure) -> bool {
    let mut plain = true;
    each_own_stmt(std::slice::from_ref(stmt), &mut |stmt| {
        plain &= match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => {
                matches!(place, Place::Local(_))
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::While(..) => {
                false
            }
            _ => true,
        };
        stmt.each_expr(&mut |expr| plain &= is_quiet(expr, pure));
    });
    plain
}
