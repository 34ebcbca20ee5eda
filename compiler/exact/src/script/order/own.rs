//! Loops that change only their current record: their iterations commute.
//! `for (one : all) { one.hp = min(one.most, one.hp + roll(d4)); }`

use super::Search;
use super::roles::Body;
use dicec_lang::hir::{Expr, ExprKind, LocalId, Place, Stmt, StmtKind, Type};

impl<'s> Body<'_, 's> {
    /// Whether statements change only this record, and read no other.
    pub(super) fn changes_own(&self, record: LocalId, block: &'s [Stmt]) -> bool {
        let own = Own {
            search: self.search,
            depth: 0,
        };
        own.block(Some(record), block)
    }
}

#[derive(Clone, Copy)]
struct Own<'o, 's> {
    search: &'o Search<'s>,
    depth: usize,
}

impl Own<'_, '_> {
    fn is_it(self, record: Option<LocalId>, expr: &Expr) -> bool {
        record.is_some_and(|record| expr.kind == ExprKind::Local(record))
    }

    fn block(self, record: Option<LocalId>, block: &[Stmt]) -> bool {
        block.iter().all(|stmt| self.stmt(record, stmt))
    }

    fn stmt(self, record: Option<LocalId>, stmt: &Stmt) -> bool {
        let is_own = |place: &Place| match place {
            Place::Field(of, _) => self.is_it(record, of),
            Place::Local(_) | Place::Element(..) => false,
        };
        let own = match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => is_own(place),
            StmtKind::If(..)
            | StmtKind::Continue
            | StmtKind::Eval(_)
            | StmtKind::Output(_)
            | StmtKind::Stat(..) => true,
            // It ends a called function, not the loop.
            StmtKind::Return(_) => self.depth > 0,
            _ => false,
        };
        let mut exprs = true;
        stmt.each_expr(&mut |expr| exprs = exprs && self.expr(record, expr));
        own && exprs && stmt.blocks().all(|block| self.block(record, block))
    }

    fn expr(self, record: Option<LocalId>, expr: &Expr) -> bool {
        let each = |own: &Self| {
            let mut all = true;
            expr.each_part(&mut |part| all = all && own.expr(record, part));
            all
        };
        match &expr.kind {
            ExprKind::Local(_) => {
                self.is_it(record, expr) || !matches!(expr.ty, Type::Record(_) | Type::List(_))
            }
            ExprKind::Call(callee, args) => {
                let params = (0..).map(LocalId).zip(args);
                let given: Vec<_> = params.filter(|(_, arg)| self.is_it(record, arg)).collect();
                let depth = self.depth + 1;
                let inner = Self { depth, ..self };
                given.len() <= 1
                    && each(&self)
                    && self.search.follows(self.depth)
                    && inner.block(
                        given.first().map(|(param, _)| *param),
                        &self.search.script.function(*callee).body,
                    )
            }
            ExprKind::Option(_)
            | ExprKind::Block(_)
            | ExprKind::Append(..)
            | ExprKind::Pop(_)
            | ExprKind::List(_)
            | ExprKind::Record(..)
            | ExprKind::Same(..)
            | ExprKind::Element(..) => false,
            _ => each(&self),
        }
    }
}
