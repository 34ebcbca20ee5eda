//! Statements and blocks in their layout.

use super::Formatter;
use super::expression::expression;
use crate::front::script::ast::{Block, Expr, Stmt, StmtKind};

impl Formatter<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.braces(block.span, block.kind.is_empty(), |formatter| {
            for statement in &block.kind {
                formatter.begin(statement.span.start, head_end(statement));
                formatter.statement(&statement.kind);
                formatter.end_line(statement.span.end);
            }
        });
    }

    fn statement(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign(target, op, value) => {
                expression(&mut self.out, target);
                self.out.push_str(&format!(" {op} "));
                expression(&mut self.out, value);
            }
            StmtKind::Step(target, up) => {
                expression(&mut self.out, target);
                self.out.push_str(if *up { "++" } else { "--" });
            }
            StmtKind::Expr(value) => expression(&mut self.out, value),
            StmtKind::If(branches, otherwise) => {
                self.branches(branches, otherwise.as_ref());
                return;
            }
            StmtKind::Match(parts) => {
                self.match_blocks(parts);
                return;
            }
            StmtKind::While(condition, body) => {
                self.head("while (", condition, body);
                return;
            }
            StmtKind::For(name, list, body) => {
                self.head(&format!("for ({} : ", name.kind), list, body);
                return;
            }
            StmtKind::Count(name, bounds, body) => {
                self.out.push_str(&format!("for ({} : ", name.kind));
                expression(&mut self.out, &bounds[0]);
                self.head("..", &bounds[1], body);
                return;
            }
            StmtKind::Repeat(count, body) => {
                self.head("repeat (", count, body);
                return;
            }
            StmtKind::Break => self.out.push_str("break"),
            StmtKind::Continue => self.out.push_str("continue"),
            StmtKind::Return(value) => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    expression(&mut self.out, value);
                }
            }
        }
        self.out.push(';');
    }

    /// A block after a condition in parentheses.
    fn head(&mut self, before: &str, value: &Expr, body: &Block) {
        self.out.push_str(before);
        expression(&mut self.out, value);
        self.out.push_str(") ");
        self.block(body);
    }

    fn branches(&mut self, branches: &[(Expr, Block)], otherwise: Option<&Block>) {
        for (index, (condition, block)) in branches.iter().enumerate() {
            let before = if index == 0 { "if (" } else { " else if (" };
            self.head(before, condition, block);
        }
        if let Some(block) = otherwise {
            self.out.push_str(" else ");
            self.block(block);
        }
    }
}

/// The end of the first line of a statement: comments before it go before the statement.
fn head_end(statement: &Stmt) -> u32 {
    match &statement.kind {
        StmtKind::If(branches, _) => match branches.first() {
            Some((_, block)) => block.span.start,
            None => statement.span.end,
        },
        StmtKind::Match(parts) => parts.arms.span.start,
        StmtKind::While(_, block)
        | StmtKind::For(_, _, block)
        | StmtKind::Count(_, _, block)
        | StmtKind::Repeat(_, block) => block.span.start,
        _ => statement.span.end,
    }
}
