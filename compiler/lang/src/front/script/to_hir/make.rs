//! Builders for HIR: constructs that HIR lacks become loops over fresh variables.

use super::body::{Body, expr};
use crate::front::script::ast::Name;
use crate::hir::{
    Aggregate, ArithOp, Block, CompareOp, Expr, ExprKind, Initial, InitialValue, LocalId, Place,
    Stmt, StmtKind, ValueBlock,
};
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;

/// A variable with the span of its source, where errors are reported.
#[derive(Clone, Copy)]
pub(super) struct Var {
    pub(super) id: LocalId,
    pub(super) span: Span,
}

/// Builds expressions and statements for one place in the script.
#[derive(Clone, Copy)]
pub(super) struct Make(pub(super) Span);

impl Make {
    pub(super) fn local(self, local: Var) -> Expr {
        expr(ExprKind::Local(local.id), local.span)
    }

    pub(super) fn int(self, value: i64) -> Expr {
        expr(ExprKind::Int(value), self.0)
    }

    pub(super) fn truth(self, value: bool) -> Expr {
        expr(ExprKind::Bool(value), self.0)
    }

    /// The initial value of a variable that has the type of `like`; `purpose` is for messages.
    pub(super) fn initial(
        self,
        local: Var,
        value: InitialValue,
        like: Var,
        purpose: &'static str,
    ) -> Initial {
        Initial {
            local: local.id,
            like: like.id,
            value,
            purpose,
        }
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

    pub(super) fn element(self, list: Var, index: Expr) -> Expr {
        let list = Box::new(self.local(list));
        expr(ExprKind::Element(list, Box::new(index)), self.0)
    }

    pub(super) fn len(self, list: Var) -> Expr {
        expr(ExprKind::Len(Box::new(self.local(list))), self.0)
    }

    pub(super) fn plus(self, left: Expr, right: Expr) -> Expr {
        let (left, right) = (Box::new(left), Box::new(right));
        expr(ExprKind::Arith(ArithOp::Add, left, right), self.0)
    }

    pub(super) fn minus(self, left: Expr, right: Expr) -> Expr {
        let (left, right) = (Box::new(left), Box::new(right));
        expr(ExprKind::Arith(ArithOp::Sub, left, right), self.0)
    }

    pub(super) fn times(self, left: Expr, right: Expr) -> Expr {
        let (left, right) = (Box::new(left), Box::new(right));
        expr(ExprKind::Arith(ArithOp::Mul, left, right), self.0)
    }

    /// `condition ? yes : no`
    pub(super) fn choose(self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        expr(ExprKind::Choose(Box::new([condition, yes, no])), self.0)
    }

    pub(super) fn and(self, left: Expr, right: Expr) -> Expr {
        expr(ExprKind::And(Box::new(left), Box::new(right)), self.0)
    }

    pub(super) fn empty_list(self) -> Expr {
        expr(ExprKind::List(Vec::new()), self.0)
    }

    pub(super) fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.0 }
    }

    pub(super) fn set(self, local: Var, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Place::Local(local.id), value))
    }

    /// `list[index] = value`
    pub(super) fn put(self, list: Var, index: Expr, value: Expr) -> Stmt {
        let place = Place::Element(self.local(list), index);
        self.stmt(StmtKind::Assign(place, value))
    }

    /// `local += value`
    pub(super) fn add(self, local: Var, value: Expr) -> Stmt {
        self.stmt(StmtKind::Update(
            Place::Local(local.id),
            ArithOp::Add,
            value,
        ))
    }

    pub(super) fn append(self, list: Var, value: Expr) -> Stmt {
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

    /// `for (local : first..last) { body }`
    pub(super) fn count(self, local: Var, bounds: [Expr; 2], body: Block) -> Stmt {
        self.stmt(StmtKind::Count(local.id, Box::new(bounds), body))
    }

    /// `for (local : list) { body }`
    pub(super) fn each(self, local: Var, list: Expr, body: Block) -> Stmt {
        self.stmt(StmtKind::For(local.id, list, body))
    }

    /// Statements without a value.
    pub(super) fn unit(self, statements: Block) -> Expr {
        self.block_from(Vec::new(), statements, None)
    }

    /// Statements, then a value.
    pub(super) fn block(self, statements: Block, value: Expr) -> Expr {
        self.block_from(Vec::new(), statements, Some(value))
    }

    pub(super) fn block_from(
        self,
        initials: Vec<Initial>,
        statements: Block,
        value: Option<Expr>,
    ) -> Expr {
        self.value_block(ValueBlock {
            initials,
            statements,
            value,
            aggregate: None,
        })
    }

    /// Statements that compute a value of the elements of a list.
    pub(super) fn aggregate(
        self,
        aggregate: Aggregate,
        initials: Vec<Initial>,
        statements: Block,
        value: Expr,
    ) -> Expr {
        self.value_block(ValueBlock {
            initials,
            statements,
            value: Some(value),
            aggregate: Some(aggregate),
        })
    }

    /// Statements that sort a list by its elements.
    pub(super) fn sorts(self, list: Var, statements: Block, value: Option<Expr>) -> Expr {
        self.value_block(ValueBlock {
            initials: Vec::new(),
            statements,
            value,
            aggregate: Some(Aggregate::Sorted(list.id)),
        })
    }

    /// A statement that marks the dice of a list that a selector drops.
    pub(super) fn drops(self, list: Var, selector: Selector, each: Stmt) -> Expr {
        self.value_block(ValueBlock {
            initials: Vec::new(),
            statements: vec![each],
            value: None,
            aggregate: Some(Aggregate::Selected {
                list: list.id,
                selector,
            }),
        })
    }

    fn value_block(self, block: ValueBlock) -> Expr {
        expr(ExprKind::Block(Box::new(block)), self.0)
    }
}

impl Body<'_, '_> {
    /// A new variable of the innermost block.
    pub(super) fn variable(&mut self, name: &Name) -> Var {
        let id = self.declare(&name.kind, name.span);
        Var {
            id,
            span: name.span,
        }
    }

    /// Fresh variables that no script can name.
    pub(super) fn fresh<const N: usize>(&mut self, span: Span) -> [Var; N] {
        [(); N].map(|()| Var {
            id: self.unnamed(span),
            span,
        })
    }

    /// A value that is used more than once: a variable that holds it, or a constant of an enum
    /// itself, because only its use determines the enum.
    pub(super) fn reused(&mut self, value: Expr, statements: &mut Block) -> Expr {
        match value.kind {
            ExprKind::Named(_) => value,
            _ => Make(value.span).local(self.kept(value, statements)),
        }
    }

    /// The variable that holds a value: the value itself if it is a variable, so that type
    /// inference sees it; otherwise a fresh one, assigned at the end of `statements`.
    pub(super) fn kept(&mut self, value: Expr, statements: &mut Block) -> Var {
        let span = value.span;
        if let ExprKind::Local(id) = value.kind {
            return Var { id, span };
        }
        let [var] = self.fresh(span);
        statements.push(Make(span).set(var, value));
        var
    }
}
