//! Lists of dice are rolled as late as possible: `let a = dice(10d6); let b = dice(8d6); count(.. :
//! a) - count(.. : b)` rolls the second list after the first one was counted. So states hold one of
//! them at a time.
//!
//! Premise: rolls are independent, and nothing between the old and the new place reads the list or
//! changes anything that it depends on. The parts of an expression that read lists become
//! statements first, if the whole expression has no effects.

use super::super::unordered::Pure;
use super::edit::{Make, assigned, assignments, each_operand_mut, own_operands_mut, reads_of};
use super::quiet::{is_plain, is_quiet};
use dicec_lang::hir::{
    Block, Expr, ExprKind, Local, LocalId, Place, Stmt, StmtKind, Type, each_expr, each_stmt,
};

/// The body of a function whose lists are moved.
pub(super) struct Late<'f> {
    pub(super) locals: &'f mut Vec<Local>,
    pub(super) pure: &'f Pure,
    /// The variables that hold one list that is rolled or made of such lists.
    lists: Vec<LocalId>,
    /// The number of lists that were moved.
    pub(super) moved: u64,
}

impl<'f> Late<'f> {
    /// The lists of a function, if there are several.
    pub(super) fn of(
        body: &Block,
        locals: &'f mut Vec<Local>,
        params: usize,
        pure: &'f Pure,
    ) -> Self {
        let mut lists = Vec::new();
        each_stmt(body, &mut |stmt| {
            if let StmtKind::Assign(Place::Local(local), value) = &stmt.kind
                && matches!(value.ty, Type::List(_))
                && local.index() >= params
                && !locals[local.index()].name.is_empty()
                && is_quiet(value, pure)
            {
                lists.push(*local);
            }
        });
        lists.retain(|local| assignments(body, *local) == 1);
        Self {
            locals,
            pure,
            lists,
            moved: 0,
        }
    }

    /// Moves the lists of a block, and of the blocks in it.
    pub(super) fn block(&mut self, block: &mut Block) {
        if self.lists.len() < 2 {
            return;
        }
        self.split(block);
        for index in (0..block.len()).rev() {
            self.sink(block, index);
        }
        for stmt in block {
            match &mut stmt.kind {
                StmtKind::If(_, yes, no) => {
                    self.block(yes);
                    self.block(no);
                }
                StmtKind::While(_, body)
                | StmtKind::For(_, _, body)
                | StmtKind::Count(_, _, body) => self.block(body),
                _ => {}
            }
        }
    }

    /// Moves a list down as far as nothing reads it.
    fn sink(&mut self, block: &mut Block, index: usize) {
        let StmtKind::Assign(Place::Local(list), value) = &block[index].kind else {
            return;
        };
        if !self.lists.contains(list) || !rolls(value) {
            return;
        }
        let (list, value) = (*list, value.clone());
        let passes = |stmt: &Stmt| {
            let mut passes = is_plain(stmt, self.pure);
            each_stmt(std::slice::from_ref(stmt), &mut |stmt| {
                passes &= assigned(stmt).is_none_or(|local| reads_of(&value, local) == 0);
            });
            each_expr(std::slice::from_ref(stmt), &mut |expr| {
                passes &= expr.kind != ExprKind::Local(list);
            });
            passes
        };
        let rest = block.get(index + 1..block.len().saturating_sub(1));
        let passed = rest
            .unwrap_or_default()
            .iter()
            .take_while(|stmt| passes(stmt))
            .count();
        // States have one list less only if another one was read.
        let gains = block[index + 1..=index + passed].iter().any(|stmt| {
            let mut gains = false;
            each_expr(std::slice::from_ref(stmt), &mut |expr| {
                gains |= matches!(expr.kind, ExprKind::Local(local) if self.lists.contains(&local));
            });
            gains
        });
        if gains {
            block[index..=index + passed].rotate_left(1);
            self.moved += 1;
        }
    }

    /// Makes the parts of expressions that read lists statements of their own.
    fn split(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            self.flatten(block, at);
            let mut before = Block::new();
            if self.can_be_split(&block[at]) {
                let span = block[at].span;
                own_operands_mut(&mut block[at], &mut |expr| {
                    let mut parts = 0;
                    strict_parts(expr, &mut |part| {
                        parts += usize::from(self.reads_list(part))
                    });
                    if parts > 1 {
                        let make = &mut Make {
                            locals: &mut *self.locals,
                            span,
                        };
                        let lists = &self.lists;
                        take(expr, lists, make, &mut before);
                    }
                });
            }
            let made = before.len();
            block.splice(at..at, before);
            at += made + 1;
        }
    }

    /// Whether the expressions of a statement are evaluated once, before anything else.
    fn can_be_split(&self, stmt: &Stmt) -> bool {
        let value = match &stmt.kind {
            StmtKind::Assign(Place::Local(_), value)
            | StmtKind::Update(Place::Local(_), _, value)
            | StmtKind::Return(Some(value))
            | StmtKind::Eval(value)
            | StmtKind::If(value, ..)
            | StmtKind::Output(value) => value,
            _ => return false,
        };
        is_quiet(value, self.pure)
    }

    fn reads_list(&self, expr: &Expr) -> bool {
        reads_any(expr, &self.lists)
    }

    /// The statements of `return { statements; value }` come before it.
    fn flatten(&mut self, block: &mut Block, at: usize) {
        let (StmtKind::Return(Some(value)) | StmtKind::Assign(Place::Local(_), value)) =
            &mut block[at].kind
        else {
            return;
        };
        let is_list = matches!(value.ty, Type::List(_));
        let ExprKind::Block(inner) = &mut value.kind else {
            return;
        };
        if is_list {
            return;
        }
        let (None, Some(_)) = (inner.aggregate, &inner.value) else {
            return;
        };
        let reads = inner.statements.iter().any(|stmt| {
            let exprs = stmt.exprs();
            exprs.into_iter().any(|expr| reads_any(expr, &self.lists))
        });
        if !reads {
            return;
        }
        let statements = std::mem::take(&mut inner.statements);
        let Some(last) = inner.value.take() else {
            return;
        };
        *value = last;
        block.splice(at..at, statements);
    }
}

fn reads_any(expr: &Expr, lists: &[LocalId]) -> bool {
    lists.iter().any(|list| reads_of(expr, *list) > 0)
}

/// Whether an expression rolls, or makes a list of another list.
fn rolls(expr: &Expr) -> bool {
    let mut rolls = false;
    expr.each(&mut |part| {
        rolls |= match &part.kind {
            ExprKind::Roll(_) | ExprKind::Call(..) => true,
            ExprKind::Local(_) => matches!(part.ty, Type::List(_)),
            _ => false,
        };
    });
    rolls
}

/// The blocks and calls that are evaluated in any case, if they have no other part.
fn strict_parts<'e>(expr: &'e Expr, look: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Block(_) | ExprKind::Call(..) => look(expr),
        ExprKind::And(first, _) | ExprKind::Or(first, _) => strict_parts(first, look),
        ExprKind::Choose(parts) => strict_parts(&parts[0], look),
        ExprKind::Roll(_) | ExprKind::Pool(_) | ExprKind::Group(_) | ExprKind::Option(_) => {}
        _ => expr.each_part(&mut |part| strict_parts(part, look)),
    }
}

/// Replaces these parts that read lists by variables, which are set before.
fn take(expr: &mut Expr, lists: &[LocalId], make: &mut Make<'_>, before: &mut Block) {
    match &mut expr.kind {
        ExprKind::Block(_) | ExprKind::Call(..) => {
            if !reads_any(expr, lists) || matches!(expr.ty, Type::Unit) {
                return;
            }
            let local = make.fresh(expr.ty.clone());
            let read = make.expr(ExprKind::Local(local), expr.ty.clone());
            let value = std::mem::replace(expr, read);
            before.push(make.set(local, value));
        }
        ExprKind::And(first, _) | ExprKind::Or(first, _) => take(first, lists, make, before),
        ExprKind::Choose(parts) => take(&mut parts[0], lists, make, before),
        ExprKind::Roll(_) | ExprKind::Pool(_) | ExprKind::Group(_) | ExprKind::Option(_) => {}
        _ => each_operand_mut(expr, &mut |part| take(part, lists, make, before)),
    }
}
