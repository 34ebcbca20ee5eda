//! Choices and assignments in other words.

use super::{Same, name_of};
use crate::corpus::edit::{Edit, after, before, replace};
use arbitrary::Result;
use dicec_lang::front::script::{AssignOp, BinaryOp, ExprKind, StmtKind};
use dicec_runtime::compare::CompareOp;

impl Same<'_, '_> {
    /// `c ? a : b` as `match (c) { true: a, false: b }`.
    pub(super) fn match_for_choice(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found(|expr| match &expr.kind {
            ExprKind::Choose(parts) => Some((expr.span, parts)),
            _ => None,
        })?;
        Ok(found.map(|(span, parts)| {
            let [condition, yes, no] = [0, 1, 2].map(|part| self.of(parts[part].span));
            let new = format!("match ({condition}) {{ true: {yes}, false: {no} }}");
            vec![replace(span, new)]
        }))
    }

    /// `if (e == 3) { ... } else { ... }` as a `match` of `e`, any other `if` as one of its
    /// condition.
    pub(super) fn match_for_if(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::If(arms, last) if arms.len() == 1 => Some((span, &arms[0], last)),
            _ => None,
        })?;
        Ok(found.map(|(span, (condition, block), last)| {
            let last = last.as_ref().map_or("{ }", |last| self.of(last.span));
            let block = self.of(block.span);
            let new = match &condition.kind {
                ExprKind::Binary(BinaryOp::Compare(CompareOp::Equal), left, right)
                    if matches!(right.kind, ExprKind::Int(_)) =>
                {
                    let (left, right) = (self.of(left.span), self.of(right.span));
                    format!("match ({left}) {{ {right}: {block} else: {last} }}")
                }
                _ => {
                    let condition = self.of(condition.span);
                    format!("match ({condition}) {{ true: {block} false: {last} }}")
                }
            };
            vec![replace(span, new)]
        }))
    }

    /// `if (c) { a } else { b }` as `if (!(c)) { b } else { a }`.
    pub(super) fn turned_if(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::If(arms, last) if arms.len() == 1 => Some((span, &arms[0], last)),
            _ => None,
        })?;
        Ok(found.map(|(span, (condition, block), last)| {
            let last = last.as_ref().map_or("{ }", |last| self.of(last.span));
            let (condition, block) = (self.of(condition.span), self.of(block.span));
            vec![replace(
                span,
                format!("if (!({condition})) {last} else {block}"),
            )]
        }))
    }

    /// `t += e;` as `t = t + (e);`.
    pub(super) fn full_assignment(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| match stmt {
            StmtKind::Assign(target, op, value) if *op != AssignOp::Set => {
                Some((span, name_of(target)?, *op, value))
            }
            _ => None,
        })?;
        Ok(found.map(|(span, name, op, value)| {
            let op = op.to_string();
            let (op, value) = (op.trim_end_matches('='), self.of(value.span));
            vec![replace(span, format!("{name} = {name} {op} ({value});"))]
        }))
    }

    /// A number times one.
    pub(super) fn times_one(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found(|expr| match &expr.kind {
            ExprKind::Name(_) | ExprKind::Call(..) | ExprKind::Gather(..) | ExprKind::Index(..) => {
                Some(expr.span)
            }
            _ => None,
        })?;
        Ok(found.map(|span| vec![replace(span, format!("({} * 1)", self.of(span)))]))
    }

    /// A statement in a loop of one iteration or under a condition that holds.
    pub(super) fn block(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found_stmt(|span, stmt| {
            let leaves = matches!(
                stmt,
                StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)
            );
            (!leaves).then_some(span)
        })?;
        let around = *self
            .bytes
            .choose(&["if (1 < 2)", "if (len([3, 4]) == 2)"])?;
        Ok(found.map(|span| vec![before(span, format!("{around} {{ ")), after(span, " }")]))
    }
}
