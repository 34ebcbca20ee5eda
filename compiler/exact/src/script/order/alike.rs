//! Loops in which all records that act do the same: `for (one : goblins) { turn(one, heroes); }`
//!
//! Such a loop changes no record of its list. It reads two kinds of fields of the current record:
//! ones that are never assigned, and one that is compared with a bound, as hit points with 0.
//! Records that are not above the bound do nothing. So the loop repeats the same statements once
//! for each record above the bound, whichever these are.

use super::roles::Body;
use crate::script::compare::{mirrored, resolved};
use dicec_lang::hir::{
    CompareOp, Expr, ExprKind, FunctionId, LocalId, Module, Place, Stmt, StmtKind, each_stmt,
};
use std::ops::RangeInclusive;

/// The facts about the current record of a loop.
#[derive(Clone)]
struct Known {
    /// A field that is assigned somewhere, and the range of its number.
    field: Option<(u32, RangeInclusive<i64>)>,
    depth: usize,
}

/// How a sequence of statements ends.
#[derive(Clone, Copy, PartialEq)]
enum Ends {
    /// With the next statement.
    Next,
    /// It leaves the block.
    Left,
}

impl<'s> Body<'_, 's> {
    /// Whether the records of a loop, which changes no record of its list, act alike.
    pub(super) fn all_act_alike(&mut self, record: LocalId, body: &'s [Stmt]) -> bool {
        if is_assigned(record, body) {
            return false;
        }
        // The loop may end before a record acts.
        let first = body.iter().position(|stmt| !self.only_leaves(record, stmt));
        let rest = &body[first.unwrap_or(body.len())..];
        let guard = self.guard(record, rest, 0);
        let known = |range: &dyn Fn(i64) -> RangeInclusive<i64>| Known {
            field: guard.map(|(field, number)| (field, range(number))),
            depth: 0,
        };
        let [acts, rests] = [
            known(&|number| number + 1..=i64::MAX),
            known(&|number| i64::MIN..=number),
        ];
        self.is_told(&acts, record, rest).is_some()
            && (guard.is_none() || self.does_nothing(&rests, record, rest).is_some())
    }

    /// `if (condition) { break; }` with a condition that does not depend on the record.
    fn only_leaves(&mut self, record: LocalId, stmt: &'s Stmt) -> bool {
        let StmtKind::If(condition, yes, no) = &stmt.kind else {
            return false;
        };
        let mut mentions = false;
        let mut look = |expr: &Expr| {
            expr.each(&mut |part| mentions |= part.kind == ExprKind::Local(record));
        };
        look(condition);
        let leaves = match &yes[..] {
            [stmt] => match &stmt.kind {
                StmtKind::Break | StmtKind::Return(None) => true,
                StmtKind::Return(Some(value)) => {
                    look(value);
                    self.is_safe(value)
                }
                _ => false,
            },
            _ => false,
        };
        leaves && no.is_empty() && !mentions && self.is_safe(condition)
    }

    fn is_safe(&mut self, expr: &Expr) -> bool {
        self.search.nature(expr).is_safe()
    }

    /// The first field of the record that is compared with a number, and the greatest number up to
    /// which the comparison has one result.
    fn guard(&self, record: LocalId, body: &'s [Stmt], depth: usize) -> Option<(u32, i64)> {
        let mut found = None;
        for stmt in body {
            stmt.each_expr(&mut |expr| {
                expr.each(&mut |part| {
                    found = found.or_else(|| self.compared(record, part, depth));
                });
            });
            for block in stmt.blocks() {
                found = found.or_else(|| self.guard(record, block, depth));
            }
        }
        found
    }

    fn compared(&self, record: LocalId, expr: &'s Expr, depth: usize) -> Option<(u32, i64)> {
        match &expr.kind {
            ExprKind::Compare(..) => {
                let (op, of, field, number) = field_compared(expr)?;
                let assigned = || self.search.is_assigned(&of.ty, field);
                let last = match op {
                    CompareOp::Greater | CompareOp::LessEqual => number,
                    CompareOp::Less | CompareOp::GreaterEqual => number.checked_sub(1)?,
                    CompareOp::Equal | CompareOp::NotEqual => return None,
                };
                let bounded = last < i64::MAX;
                (of.kind == ExprKind::Local(record) && assigned() && bounded)
                    .then_some((field, last))
            }
            ExprKind::Call(callee, args) if self.search.follows(depth) => {
                let param = param_of(record, args)?;
                self.guard(param, &self.search.script.function(*callee).body, depth + 1)
            }
            _ => None,
        }
    }

    /// The value of a condition, if it is the same for every record for which these facts hold.
    fn truth(&self, known: &Known, record: LocalId, expr: &'s Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Bool(truth) => Some(*truth),
            ExprKind::Compare(..) => {
                let (op, of, field, number) = field_compared(expr)?;
                let (known, range) = known.field.as_ref()?;
                let is_it = of.kind == ExprKind::Local(record) && field == *known;
                is_it.then(|| resolved(op, range, number)).flatten()
            }
            ExprKind::Not(value) => self.truth(known, record, value).map(|truth| !truth),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let decisive = matches!(expr.kind, ExprKind::Or(..));
                match self.truth(known, record, left)? {
                    truth if truth == decisive => Some(truth),
                    _ => self.truth(known, record, right),
                }
            }
            // The other arguments are evaluated too, so they must not have effects.
            ExprKind::Call(callee, args) if args.iter().all(is_plain) => {
                let (inner, param) = self.inner(known, *callee, record, args)?;
                let value = value_of(self.search.script, *callee)?;
                self.truth(&inner, param, value)
            }
            _ => None,
        }
    }

    /// The facts about the parameter of a function that is called with the record.
    fn inner(
        &self,
        known: &Known,
        callee: FunctionId,
        record: LocalId,
        args: &[Expr],
    ) -> Option<(Known, LocalId)> {
        let param = param_of(record, args)?;
        // The parameter is the record throughout.
        let fixed = !is_assigned(param, &self.search.script.function(callee).body);
        (fixed && self.search.follows(known.depth)).then(|| {
            let depth = known.depth + 1;
            (
                Known {
                    depth,
                    ..known.clone()
                },
                param,
            )
        })
    }

    /// The same for a condition without effects, which may be skipped unobserved.
    fn truth_if_safe(&mut self, known: &Known, record: LocalId, expr: &'s Expr) -> Option<bool> {
        let truth = self.truth(known, record, expr);
        truth.or_else(|| match &expr.kind {
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let decisive = matches!(expr.kind, ExprKind::Or(..));
                let right = self.truth_if_safe(known, record, right)?;
                (right == decisive && self.is_safe(left)).then_some(decisive)
            }
            _ => None,
        })
    }

    /// Whether statements depend only on the known facts about the record; `None` if they do not.
    fn is_told(&self, known: &Known, record: LocalId, block: &'s [Stmt]) -> Option<Ends> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::If(condition, yes, no) => match self.truth(known, record, condition) {
                    Some(truth) => {
                        let way = if truth { yes } else { no };
                        if self.is_told(known, record, way)? == Ends::Left {
                            return Some(Ends::Left);
                        }
                    }
                    None => {
                        self.is_told_expr(known, record, condition)?;
                        self.is_told(known, record, yes)?;
                        self.is_told(known, record, no)?;
                    }
                },
                StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {
                    return Some(Ends::Left);
                }
                StmtKind::Return(Some(value)) => {
                    self.is_told_expr(known, record, value)?;
                    return Some(Ends::Left);
                }
                _ => {
                    let mut told = Some(());
                    stmt.each_expr(&mut |expr| {
                        told = told.and_then(|()| self.is_told_expr(known, record, expr));
                    });
                    told?;
                    for block in stmt.blocks() {
                        self.is_told(known, record, block)?;
                    }
                }
            }
        }
        Some(Ends::Next)
    }

    fn is_told_expr(&self, known: &Known, record: LocalId, expr: &'s Expr) -> Option<()> {
        if self.truth(known, record, expr).is_some() {
            return Some(());
        }
        let is_it = |expr: &Expr| expr.kind == ExprKind::Local(record);
        match &expr.kind {
            ExprKind::Local(_) => (!is_it(expr)).then_some(()),
            ExprKind::Field(of, field) if is_it(of) => {
                (!self.search.is_assigned(&of.ty, *field)).then_some(())
            }
            ExprKind::Call(callee, args) if args.iter().any(is_it) => {
                let (inner, param) = self.inner(known, *callee, record, args)?;
                let mut others = args.iter().filter(|arg| !is_it(arg));
                others.try_for_each(|arg| self.is_told_expr(known, record, arg))?;
                let body = &self.search.script.function(*callee).body;
                self.is_told(&inner, param, body).map(|_| ())
            }
            _ => {
                let mut told = Some(());
                expr.each_part(&mut |part| {
                    told = told.and_then(|()| self.is_told_expr(known, record, part));
                });
                told
            }
        }
    }

    /// Whether statements have no effects; `None` if they may have some, or if they leave the loop.
    fn does_nothing(&mut self, known: &Known, record: LocalId, block: &'s [Stmt]) -> Option<Ends> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::If(condition, yes, no) => {
                    match self.truth_if_safe(known, record, condition) {
                        Some(truth) => {
                            let way = if truth { yes } else { no };
                            if self.does_nothing(known, record, way)? == Ends::Left {
                                return Some(Ends::Left);
                            }
                        }
                        None => {
                            self.is_safe(condition).then_some(())?;
                            self.does_nothing(known, record, yes)?;
                            self.does_nothing(known, record, no)?;
                        }
                    }
                }
                StmtKind::Continue => return Some(Ends::Left),
                StmtKind::Return(value) if known.depth > 0 => {
                    let safe = value.as_ref().is_none_or(|value| self.is_safe(value));
                    return safe.then_some(Ends::Left);
                }
                StmtKind::Eval(expr) => match &expr.kind {
                    ExprKind::Call(callee, args) if param_of(record, args).is_some() => {
                        let (inner, param) = self.inner(known, *callee, record, args)?;
                        args.iter().all(|arg| self.is_safe(arg)).then_some(())?;
                        let body = &self.search.script.function(*callee).body;
                        self.does_nothing(&inner, param, body)?;
                    }
                    _ => self.is_safe(expr).then_some(())?,
                },
                _ => return None,
            }
        }
        Some(Ends::Next)
    }
}

/// The expression that a function returns, if it does nothing else.
fn value_of(script: &Module, id: FunctionId) -> Option<&Expr> {
    match &script.function(id).body[..] {
        [stmt] => match &stmt.kind {
            StmtKind::Return(Some(value)) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// A variable or a literal.
fn is_plain(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_)
    )
}

/// The parameter that receives the record in a call, if exactly one does.
fn param_of(record: LocalId, args: &[Expr]) -> Option<LocalId> {
    let params = (0..).map(LocalId).zip(args);
    let mut given = params.filter(|(_, arg)| arg.kind == ExprKind::Local(record));
    let first = given.next()?;
    given.next().is_none().then_some(first.0)
}

/// Whether a block assigns a variable.
fn is_assigned(local: LocalId, block: &[Stmt]) -> bool {
    let mut assigned = false;
    each_stmt(block, &mut |stmt| {
        assigned |= match &stmt.kind {
            StmtKind::Assign(Place::Local(to), _)
            | StmtKind::Update(Place::Local(to), ..)
            | StmtKind::For(to, ..)
            | StmtKind::Count(to, ..) => *to == local,
            _ => false,
        };
    });
    assigned
}

/// `record.field op number`, in either order.
fn field_compared(expr: &Expr) -> Option<(CompareOp, &Expr, u32, i64)> {
    let ExprKind::Compare(op, left, right) = &expr.kind else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (ExprKind::Field(record, field), ExprKind::Int(number)) => {
            Some((*op, record, *field, *number))
        }
        (ExprKind::Int(number), ExprKind::Field(record, field)) => {
            Some((mirrored(*op), record, *field, *number))
        }
        _ => None,
    }
}
