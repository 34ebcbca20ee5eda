//! Short names for making HIR: what the language has beyond it becomes loops over fresh variables.

use super::body::{Body, expr};
use crate::hir::{
    ArithOp, Block, CompareOp, Expr, ExprKind, LocalId, Place, Stmt, StmtKind, ValueBlock, Zero,
};
use dicec_runtime::span::Span;

/// Makes expressions and statements that come from one place in the script.
#[derive(Clone, Copy)]
pub(super) struct Make(pub(super) Span);

impl Make {
    pub(super) fn local(self, local: LocalId) -> Expr {
        expr(ExprKind::Local(local), self.0)
    }

    pub(super) fn int(self, value: i64) -> Expr {
        expr(ExprKind::Int(value), self.0)
    }

    pub(super) fn truth(self, value: bool) -> Expr {
        expr(ExprKind::Bool(value), self.0)
    }

    pub(super) fn not(self, value: Expr) -> Expr {
        expr(ExprKind::Not(Box::new(value)), self.0)
    }

    pub(super) fn or(self, left: Expr, right: Expr) -> Expr {
        expr(ExprKind::Or(Box::new(left), Box::new(right)), self.0)
    }

    pub(super) fn compare(self, op: CompareOp, left: Expr, right: Expr) -> Expr {
        let (left, right) = (Box::new(left), Box::new(right));
        expr(ExprKind::Compare(op, left, right), self.0)
    }

    pub(super) fn element(self, list: LocalId, index: Expr) -> Expr {
        let list = Box::new(self.local(list));
        expr(ExprKind::Element(list, Box::new(index)), self.0)
    }

    pub(super) fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.0 }
    }

    pub(super) fn set(self, local: LocalId, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Place::Local(local), value))
    }

    /// `local += value`
    pub(super) fn add(self, local: LocalId, value: Expr) -> Stmt {
        self.stmt(StmtKind::Update(Place::Local(local), ArithOp::Add, value))
    }

    pub(super) fn append(self, list: LocalId, value: Expr) -> Stmt {
        let list = Box::new(self.local(list));
        let append = expr(ExprKind::Append(list, Box::new(value)), self.0);
        self.stmt(StmtKind::Eval(append))
    }

    pub(super) fn require(self, condition: Expr) -> Stmt {
        self.stmt(StmtKind::Require(condition))
    }

    /// `if (condition) { yes }`
    pub(super) fn when(self, condition: Expr, yes: Block) -> Stmt {
        self.stmt(StmtKind::If(condition, yes, Block::new()))
    }

    /// Statements, then a value.
    pub(super) fn block(self, statements: Block, value: Expr) -> Expr {
        self.block_from(Vec::new(), statements, Some(value))
    }

    pub(super) fn block_from(
        self,
        zeros: Vec<Zero>,
        statements: Block,
        value: Option<Expr>,
    ) -> Expr {
        let block = ValueBlock {
            zeros,
            statements,
            value,
        };
        expr(ExprKind::Block(Box::new(block)), self.0)
    }
}

impl Body<'_, '_> {
    /// Fresh variables that no script can name.
    pub(super) fn fresh<const N: usize>(&mut self, span: Span) -> [LocalId; N] {
        [(); N].map(|()| self.unnamed(span))
    }
}
