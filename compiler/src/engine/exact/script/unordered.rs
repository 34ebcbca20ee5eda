//! Lists whose order nothing observes: their elements are kept sorted, so that states with the same
//! elements are equal. Seven dice in a list are 792 states then, and not 6^7.
//!
//! Such a list is made by the function that uses it, is in one variable only, and is asked for
//! nothing but its length, or in loops whose iterations can be in any order: they count, or keep
//! the greatest or least number.

use super::operand::acts;
use crate::hir::{
    ArithOp, Expr, ExprKind, Function, LocalId, Math, Place, Stmt, StmtKind, Type, each_expr,
    each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that hold such lists.
pub(super) fn unordered(function: &Function) -> FxHashSet<LocalId> {
    // The variables that new lists are assigned to, and those that hold other values.
    let (mut made, mut given) = (FxHashSet::default(), FxHashSet::default());
    // How many uses there are that may observe the order.
    let mut uses: FxHashMap<LocalId, i64> = FxHashMap::default();
    let mut used = |list: &Expr, by: i64| {
        if let ExprKind::Local(local) = list.kind {
            *uses.entry(local).or_default() += by;
        }
    };
    each_expr(&function.body, &mut |expr| match &expr.kind {
        ExprKind::Local(_) => used(expr, 1),
        ExprKind::Append(list, _) | ExprKind::Len(list) => used(list, -1),
        _ => {}
    });
    each_stmt(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::For(_, list, body) if can_be_in_any_order(body) => used(list, -1),
        _ => {}
    });
    each_stmt(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(Place::Local(local), value) => {
            let is_new = matches!(value.kind, ExprKind::List(_));
            if is_new { &mut made } else { &mut given }.insert(*local);
        }
        StmtKind::For(local, ..) => {
            given.insert(*local);
        }
        _ => {}
    });
    let of_numbers = |local: &LocalId| {
        let local = &function.locals[local.index()];
        matches!(&local.ty, Type::List(element) if **element == Type::Int)
    };
    made.retain(|local| {
        local.index() >= function.params
            && of_numbers(local)
            && !given.contains(local)
            && uses.get(local).copied().unwrap_or(0) == 0
    });
    made
}

/// What iterations do to a variable, the same whatever their order is.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Up,
    Down,
    Extreme(Math),
}

/// An iteration of a loop over a list.
struct Iteration {
    /// The variables that it changes, and how.
    changes: FxHashMap<LocalId, Option<Change>>,
}

/// Whether iterations only count, or keep the greatest or least number.
pub(super) fn can_be_in_any_order(body: &[Stmt]) -> bool {
    let mut changes = FxHashMap::default();
    each_stmt(body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(Place::Local(local), _) | StmtKind::Update(Place::Local(local), ..) => {
            changes.insert(*local, None);
        }
        _ => {}
    });
    Iteration { changes }.block(body)
}

impl Iteration {
    fn block(&mut self, block: &[Stmt]) -> bool {
        block.iter().all(|stmt| match &stmt.kind {
            StmtKind::If(condition, yes, no) => {
                self.is_fixed(condition) && self.block(yes) && self.block(no)
            }
            StmtKind::For(local, list, body) => {
                !self.changes.contains_key(local) && self.is_fixed(list) && self.block(body)
            }
            StmtKind::Update(Place::Local(local), op, value) => {
                let change = match (op, &value.kind) {
                    (ArithOp::Add, ExprKind::Int(0..)) => Change::Up,
                    (ArithOp::Sub, ExprKind::Int(0..)) => Change::Down,
                    _ => return false,
                };
                self.changes_by(*local, change)
            }
            StmtKind::Assign(Place::Local(local), value) => self.extreme(*local, value),
            _ => false,
        })
    }

    /// `local = max(local, value)`
    fn extreme(&mut self, local: LocalId, value: &Expr) -> bool {
        let ExprKind::Math(extreme @ (Math::Max | Math::Min), parts) = &value.kind else {
            return false;
        };
        let is_it = |part: &&Expr| part.kind == ExprKind::Local(local);
        parts.iter().filter(is_it).count() == 1
            && parts.iter().all(|part| is_it(&part) || self.is_fixed(part))
            && self.changes_by(local, Change::Extreme(*extreme))
    }

    fn changes_by(&mut self, local: LocalId, change: Change) -> bool {
        *self.changes.entry(local).or_default().get_or_insert(change) == change
    }

    /// Whether an expression has the same value in iterations of any order, and has no effects.
    fn is_fixed(&self, expr: &Expr) -> bool {
        let mut fixed = !acts(expr);
        expr.each(&mut |part| {
            fixed &= match &part.kind {
                ExprKind::Local(local) => !self.changes.contains_key(local),
                ExprKind::Arith(op, ..) => {
                    matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::Mul)
                }
                ExprKind::Int(_)
                | ExprKind::Bool(_)
                | ExprKind::Resource(_)
                // No field is assigned in the loop.
                | ExprKind::Field(..)
                | ExprKind::Not(_)
                | ExprKind::Compare(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Choose(_)
                | ExprKind::Math(Math::Max | Math::Min, _) => true,
                _ => false,
            };
        });
        fixed
    }
}
