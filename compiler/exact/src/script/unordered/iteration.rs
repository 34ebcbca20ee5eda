//! Loops over lists whose iterations commute: they count, add, keep a maximum or minimum, or append
//! to lists whose order nothing observes.
//!
//! The rolls of an iteration are independent of all others, so the odds after the loop do not
//! depend on the order either.

use dicec_lang::hir::{
    ArithOp, Expr, ExprKind, FunctionId, LocalId, Math, Place, Stmt, StmtKind, Type, each_expr,
    each_own_stmt, each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of reads of each variable of a function.
#[derive(Clone, Debug, Default)]
pub(in crate::script) struct Reads(FxHashMap<LocalId, usize>);

impl Reads {
    pub(in crate::script) fn of(block: &[Stmt]) -> Self {
        let mut reads = Self::default();
        each_expr(block, &mut |expr| reads.read(expr));
        reads
    }

    fn read(&mut self, expr: &Expr) {
        if let ExprKind::Local(local) = expr.kind {
            *self.0.entry(local).or_default() += 1;
        }
    }

    /// The number of reads of a variable.
    pub(in crate::script) fn get(&self, local: LocalId) -> usize {
        self.0.get(&local).copied().unwrap_or(0)
    }
}

/// The pure functions of a script; see [`super::pure`].
#[derive(Debug, Default)]
pub(in crate::script) struct Pure(pub(super) FxHashSet<FunctionId>);

impl Pure {
    pub(in crate::script) fn has(&self, function: FunctionId) -> bool {
        self.0.contains(&function)
    }
}

/// The change that iterations make to a variable, whatever their order.
#[derive(Clone, Copy, PartialEq)]
enum Change<'s> {
    /// It is a sum: numbers are added or subtracted.
    Sum,
    Extreme(Math),
    /// It is set to this constant.
    To(&'s ExprKind),
    /// Values are appended to its list.
    Append,
}

/// The lists to which the iterations of a loop append.
type Appended = FxHashSet<LocalId>;

/// The iterations of a loop over a list.
struct Iterations<'r, 's> {
    /// The reads in the function.
    reads: &'r Reads,
    /// The functions whose calls commute.
    pure: &'r Pure,
    /// The changed variables; `None` while the kind of change is open.
    changes: FxHashMap<LocalId, Option<Change<'s>>>,
    /// Variables that each iteration assigns before reading, and that nothing else reads.
    own: FxHashSet<LocalId>,
    /// Variables of block expressions, which nothing else reads either.
    inner: FxHashSet<LocalId>,
    /// The depth of nested loops at this point.
    loops: usize,
}

/// Whether the iterations commute; if so, the lists to which they append. `local` holds the
/// element.
pub(super) fn in_any_order(
    local: LocalId,
    body: &[Stmt],
    reads: &Reads,
    pure: &Pure,
) -> Option<Appended> {
    if Reads::of(body).get(local) != reads.get(local) {
        // The last element is read after the loop.
        return None;
    }
    let (mut changes, mut all) = (FxHashMap::default(), FxHashSet::default());
    each_own_stmt(body, &mut |stmt| changes.extend(changed(stmt)));
    each_stmt(body, &mut |stmt| {
        all.extend(changed(stmt).map(|(local, _)| local));
    });
    all.retain(|local| !changes.contains_key(local));
    let mut iterations = Iterations {
        reads,
        pure,
        changes,
        own: FxHashSet::default(),
        inner: all,
        loops: 0,
    };
    if !iterations.block(body) {
        return None;
    }
    let changes = iterations.changes.into_iter();
    let appended = changes.filter(|(_, change)| *change == Some(Change::Append));
    Some(appended.map(|(local, _)| local).collect())
}

/// Whether expressions have the same values, or the same odds, for the elements of a list in any
/// order, and no effects.
pub(super) fn are_fixed(exprs: &[&Expr], pure: &Pure) -> bool {
    are_fixed_with(exprs, FxHashSet::default(), pure)
}

/// The same if the lists in the variables `inner` are new.
pub(super) fn are_fixed_with(exprs: &[&Expr], mut inner: FxHashSet<LocalId>, pure: &Pure) -> bool {
    for expr in exprs {
        expr.each(&mut |part| {
            if let ExprKind::Block(block) = &part.kind {
                each_own_stmt(&block.statements, &mut |stmt| {
                    inner.extend(changed(stmt).map(|(local, _)| local));
                });
            }
        });
    }
    let iterations = Iterations {
        reads: &Reads::default(),
        pure,
        changes: FxHashMap::default(),
        own: FxHashSet::default(),
        inner,
        loops: 0,
    };
    exprs.iter().all(|expr| iterations.is_fixed(expr))
}

/// Whether expressions can be evaluated or skipped without anything observing it.
pub(super) fn are_safe(exprs: &[&Expr]) -> bool {
    exprs.iter().all(|expr| is_safe(expr))
}

/// `for (x : list) { if (condition) { found = true; break; } }`, where visiting another element has
/// no effect but for its fuel.
pub(super) fn is_search(body: &[Stmt]) -> bool {
    let [stmt] = body else {
        return false;
    };
    let StmtKind::If(condition, yes, no) = &stmt.kind else {
        return false;
    };
    let finds = match &yes[..] {
        [found, end] => match &found.kind {
            StmtKind::Assign(Place::Local(_), value) => {
                is_constant(value) && end.kind == StmtKind::Break
            }
            _ => false,
        },
        // A filter.
        _ => is_search(yes),
    };
    finds && no.is_empty() && is_safe(condition)
}

/// Whether an expression can be evaluated or skipped without anything observing it.
fn is_safe(expr: &Expr) -> bool {
    let mut is_safe = true;
    expr.each(&mut |part| {
        is_safe &= match &part.kind {
            ExprKind::Local(_)
            | ExprKind::Resource(_)
            | ExprKind::Field(..)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Choose(_)
            | ExprKind::Math(Math::Max | Math::Min, _) => true,
            _ => is_constant(part),
        };
    });
    is_safe
}

/// The variables that a statement changes, in a way that is not known yet.
fn changed<'s>(stmt: &Stmt) -> impl Iterator<Item = (LocalId, Option<Change<'s>>)> + use<'s> {
    let local = match &stmt.kind {
        StmtKind::Assign(Place::Local(local), _)
        | StmtKind::Update(Place::Local(local), ..)
        | StmtKind::Count(local, ..)
        | StmtKind::For(local, ..) => Some(*local),
        StmtKind::Eval(value) => appended(value).map(|(list, _)| list),
        _ => None,
    };
    local.into_iter().map(|local| (local, None))
}

/// A value that is appended to the list in a variable.
fn appended(expr: &Expr) -> Option<(LocalId, &Expr)> {
    let ExprKind::Append(list, value) = &expr.kind else {
        return None;
    };
    match list.kind {
        ExprKind::Local(list) => Some((list, value)),
        _ => None,
    }
}

fn is_constant(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Degree(..) | ExprKind::Named(_)
    )
}

fn is_object(value: &Expr) -> bool {
    matches!(value.ty, Type::List(_) | Type::Record(_))
}

impl<'s> Iterations<'_, 's> {
    fn block(&mut self, block: &'s [Stmt]) -> bool {
        (0..).zip(block).all(|(index, stmt)| {
            if let StmtKind::Assign(Place::Local(local), value) = &stmt.kind
                && !is_object(value)
                && self.is_fixed(value)
                // All reads of it come after this statement.
                && Reads::of(&block[index + 1..]).get(*local) == self.reads.get(*local)
            {
                self.own.insert(*local);
                return true;
            }
            self.stmt(stmt)
        })
    }

    fn stmt(&mut self, stmt: &'s Stmt) -> bool {
        match &stmt.kind {
            StmtKind::If(condition, yes, no) => {
                self.is_fixed(condition) && self.block(yes) && self.block(no)
            }
            StmtKind::For(local, list, body) => self.is_fixed(list) && self.inner(*local, body),
            StmtKind::Count(local, bounds, body) => {
                bounds.iter().all(|bound| self.is_fixed(bound)) && self.inner(*local, body)
            }
            // It ends the iteration, or a loop in it.
            StmtKind::Continue => true,
            StmtKind::Break => self.loops > 0,
            StmtKind::Update(Place::Local(local), ArithOp::Add | ArithOp::Sub, value) => {
                let is_own = self.own.contains(local);
                value.ty == Type::Int
                    && self.is_fixed(value)
                    && (is_own || self.changes_by(*local, Change::Sum))
            }
            StmtKind::Assign(Place::Local(local), value) => {
                (self.own.contains(local) && self.is_fixed(value))
                    || (is_constant(value) && self.changes_by(*local, Change::To(&value.kind)))
                    || self.extreme(*local, value)
            }
            StmtKind::Eval(value) => match appended(value) {
                Some((list, value)) => {
                    self.is_fixed(value) && self.changes_by(list, Change::Append)
                }
                None => false,
            },
            _ => false,
        }
    }

    /// A loop in an iteration, which has its own order. The loop assigns its variable again.
    fn inner(&mut self, local: LocalId, body: &'s [Stmt]) -> bool {
        if Reads::of(body).get(local) != self.reads.get(local) {
            return false;
        }
        self.own.insert(local);
        self.loops += 1;
        let fits = self.block(body);
        self.loops -= 1;
        fits
    }

    /// `local = max(local, value)`
    fn extreme(&mut self, local: LocalId, value: &'s Expr) -> bool {
        let ExprKind::Math(extreme @ (Math::Max | Math::Min), parts) = &value.kind else {
            return false;
        };
        let is_it = |part: &&Expr| part.kind == ExprKind::Local(local);
        parts.iter().filter(is_it).count() == 1
            && parts.iter().all(|part| is_it(&part) || self.is_fixed(part))
            && self.changes_by(local, Change::Extreme(*extreme))
    }

    fn changes_by(&mut self, local: LocalId, change: Change<'s>) -> bool {
        let all = self.changes.entry(local).or_default();
        !self.own.contains(&local) && *all.get_or_insert(change) == change
    }

    /// Whether an expression has the same value, or the same odds, in iterations of any order, and
    /// no effects.
    fn is_fixed(&self, expr: &Expr) -> bool {
        let mut fixed = true;
        expr.each(&mut |part| {
            fixed &= match &part.kind {
                ExprKind::Local(local) => {
                    self.own.contains(local) || !self.changes.contains_key(local)
                }
                ExprKind::Arith(op, ..) => {
                    matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::Mul)
                }
                ExprKind::Append(..) => appended(part).is_some_and(|(list, _)| self.inner.contains(&list)),
                ExprKind::Block(block) => {
                    let mut fits = true;
                    each_own_stmt(&block.statements, &mut |stmt| fits &= is_inner(stmt));
                    fits
                }
                ExprKind::Resource(_)
                // The loop assigns no field.
                | ExprKind::Field(..)
                | ExprKind::Not(_)
                | ExprKind::Compare(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Choose(_)
                | ExprKind::Len(_)
                | ExprKind::Math(Math::Max | Math::Min, _)
                | ExprKind::Roll(_)
                | ExprKind::Pool(_)
                | ExprKind::Group(_)
                | ExprKind::AtLeast(..)
                | ExprKind::NotNegative(_)
                | ExprKind::Versus(..) => true,
                // A new list, to which nothing is appended elsewhere.
                ExprKind::List(_) => true,
                ExprKind::Call(callee, _) => self.pure.has(*callee),
                _ => is_constant(part),
            };
        });
        fixed
    }
}

/// Whether a statement of a block expression changes only variables of that expression.
pub(super) fn is_inner(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Assign(Place::Local(_), _)
            | StmtKind::Update(Place::Local(_), ..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::Count(..)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Eval(_)
    )
}
