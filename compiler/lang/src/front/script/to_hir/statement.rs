//! Statements.

use super::body::{Body, MAX_DEPTH, expr};
use super::builtin::Builtin;
use crate::front::script::ast::{self, AssignOp, ExprKind as Ast};
use crate::hir::ArithOp;
use crate::hir::{Block, Expr, ExprKind, Place, Stmt, StmtKind};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    /// The statements of a block, with its own variables.
    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        self.scope(|body| {
            let statements = block.kind.iter();
            let mut lowered = Block::new();
            for stmt in statements {
                body.statement(stmt, &mut lowered);
            }
            lowered
        })
    }

    fn statement(&mut self, stmt: &ast::Stmt, into: &mut Block) {
        if self.depth == MAX_DEPTH {
            let help = "make a function of a part; each `else if` and each arm counts as a level";
            return self.nested_too_deep(stmt.span, help);
        }
        self.depth += 1;
        let span = stmt.span;
        if let ast::StmtKind::Match(parts) = &stmt.kind {
            self.match_blocks(parts, span, into);
        } else if let Some(kind) = self.statement_kind(&stmt.kind, span) {
            into.push(Stmt { kind, span });
        }
        self.depth -= 1;
    }

    pub(super) fn nested_too_deep(&mut self, span: Span, help: &str) {
        let message = format!("statements nest deeper than {MAX_DEPTH} levels");
        let found = Diagnostic::error(Code::NestedTooDeep, span, message);
        self.report(found.help(help));
    }

    fn statement_kind(&mut self, kind: &ast::StmtKind, span: Span) -> Option<StmtKind> {
        Some(match kind {
            ast::StmtKind::Assign(target, op, value) => self.assign(target, *op, value),
            ast::StmtKind::Step(target, up) => {
                let op = if *up { ArithOp::Add } else { ArithOp::Sub };
                let one = expr(ExprKind::Int(1), span);
                StmtKind::Update(self.place(target), op, one)
            }
            ast::StmtKind::Expr(value) => self.expression_statement(value),
            ast::StmtKind::If(branches, otherwise) => {
                let (first, rest) = branches.split_first()?;
                self.branches(first, rest, otherwise.as_ref())
            }
            // It is more than one statement.
            ast::StmtKind::Match(_) => return None,
            ast::StmtKind::While(condition, block) => {
                let condition = self.expr(condition);
                StmtKind::While(condition, self.loop_body(block))
            }
            ast::StmtKind::For(name, list, block) => {
                let list = self.expr(list);
                self.scope(|body| {
                    let local = body.declare(&name.kind, name.span);
                    StmtKind::For(local, list, body.loop_body(block))
                })
            }
            ast::StmtKind::Count(name, bounds, block) => {
                let bounds = bounds.each_ref().map(|bound| self.expr(bound));
                self.scope(|body| {
                    let local = body.declare(&name.kind, name.span);
                    StmtKind::Count(local, Box::new(bounds), body.loop_body(block))
                })
            }
            ast::StmtKind::Repeat(count, block) => {
                let one = expr(ExprKind::Int(1), count.span);
                let bounds = [one, self.expr(count)];
                let local = self.unnamed(count.span);
                StmtKind::Count(local, Box::new(bounds), self.loop_body(block))
            }
            ast::StmtKind::Break => self.leave(StmtKind::Break, span)?,
            ast::StmtKind::Continue => self.leave(StmtKind::Continue, span)?,
            ast::StmtKind::Return(value) => {
                StmtKind::Return(value.as_ref().map(|value| self.returned(value)))
            }
        })
    }

    fn loop_body(&mut self, block: &ast::Block) -> Block {
        self.loops += 1;
        let body = self.block(block);
        self.loops -= 1;
        body
    }

    /// `break` or `continue`.
    fn leave(&mut self, kind: StmtKind, span: Span) -> Option<StmtKind> {
        if self.loops > 0 {
            return Some(kind);
        }
        let word = if kind == StmtKind::Break {
            "break"
        } else {
            "continue"
        };
        let message = format!("there is no loop around this `{word}`");
        let found = Diagnostic::error(Code::OutsideLoop, span, message);
        self.report(found.help("`return` ends a function or roll"));
        None
    }

    fn branches(
        &mut self,
        (condition, yes): &(ast::Expr, ast::Block),
        rest: &[(ast::Expr, ast::Block)],
        otherwise: Option<&ast::Block>,
    ) -> StmtKind {
        let condition = self.expr(condition);
        let yes = self.block(yes);
        let no = match rest.split_first() {
            Some((next, rest)) => self.next_branch(next, rest, otherwise),
            None => otherwise.map(|block| self.block(block)).unwrap_or_default(),
        };
        StmtKind::If(condition, yes, no)
    }

    /// An `else if`, as an `if` in the `else` block of the one before.
    fn next_branch(
        &mut self,
        next: &(ast::Expr, ast::Block),
        rest: &[(ast::Expr, ast::Block)],
        otherwise: Option<&ast::Block>,
    ) -> Block {
        let end = otherwise.or(rest.last().map(|(_, block)| block));
        let span = next.0.span.to(end.unwrap_or(&next.1).span);
        if self.depth == MAX_DEPTH {
            let help = "each `else if` counts as a level; make a function of the last ones";
            self.nested_too_deep(next.0.span, help);
            return Block::new();
        }
        self.depth += 1;
        let kind = self.branches(next, rest, otherwise);
        self.depth -= 1;
        vec![Stmt { kind, span }]
    }

    fn assign(&mut self, target: &ast::Expr, op: AssignOp, value: &ast::Expr) -> StmtKind {
        let op = match op {
            AssignOp::Set => return self.set(target, value),
            AssignOp::Add => ArithOp::Add,
            AssignOp::Sub => ArithOp::Sub,
            AssignOp::Mul => ArithOp::Mul,
            AssignOp::Div => ArithOp::Div,
        };
        let place = self.place(target);
        let value = self.expr(value);
        StmtKind::Update(place, op, value)
    }

    /// `target = value;`: if the variable does not exist, it begins here.
    fn set(&mut self, target: &ast::Expr, value: &ast::Expr) -> StmtKind {
        if let Ast::Name(name) = &target.kind
            && self.find(name).is_none()
        {
            let value = self.expr(value);
            self.note_capitals(name, target.span);
            let local = self.declare(name, target.span);
            return StmtKind::Assign(Place::Local(local), value);
        }
        let place = self.place(target);
        let value = self.expr(value);
        StmtKind::Assign(place, value)
    }

    /// The target of an assignment; a variable has to exist.
    fn place(&mut self, target: &ast::Expr) -> Place {
        match &target.kind {
            Ast::Name(name) => match self.find(name) {
                Some(local) => Place::Local(local),
                None => {
                    let unknown = self.changed_name(name, target.span);
                    local_of(unknown)
                }
            },
            Ast::Field(record, name) => {
                let field = self.lowering.out.field_name(&name.kind);
                Place::Field(self.expr(record), field)
            }
            Ast::Index(list, index) => Place::Element(self.expr(list), self.expr(index)),
            Ast::Paren(inner) => self.place(inner),
            // Reported by the parser.
            _ => local_of(self.unresolved(target.span)),
        }
    }

    /// A name that is changed but is not a variable.
    fn changed_name(&mut self, name: &str, span: Span) -> Expr {
        let Some(constant) = self.lowering.constants.get(name) else {
            return self.unknown_name(name, span);
        };
        let place = constant.span;
        let message = format!("`{name}` is a constant and cannot be changed");
        let found = Diagnostic::error(Code::DefinedTwice, span, message)
            .label(place, "the constant")
            .help("put it into a variable, and change that");
        self.report(found);
        self.unresolved(span)
    }

    /// An expression as a statement: a command, or something that is evaluated for its effects.
    fn expression_statement(&mut self, value: &ast::Expr) -> StmtKind {
        let Ast::Call(name, arguments) = &value.kind else {
            return StmtKind::Eval(self.expr(value));
        };
        let Some(builtin) = self.lowering.builtin_named(name) else {
            return StmtKind::Eval(self.expr(value));
        };
        match (builtin, arguments.unnamed().unwrap_or_default()) {
            (Builtin::Output, [text]) => StmtKind::Output(self.expr(text)),
            (Builtin::StartGroup, []) if arguments.named.is_empty() => StmtKind::StartGroup,
            (Builtin::EndGroup, []) if arguments.named.is_empty() => StmtKind::EndGroup,
            (Builtin::Stat, [name, number]) => {
                let name = self.stat_name(name);
                StmtKind::Stat(name, self.expr(number))
            }
            _ => StmtKind::Eval(self.expr(value)),
        }
    }
}

/// The variable that an expression is.
fn local_of(expr: Expr) -> Place {
    match expr.kind {
        ExprKind::Local(local) => Place::Local(local),
        _ => Place::Field(expr, 0),
    }
}
