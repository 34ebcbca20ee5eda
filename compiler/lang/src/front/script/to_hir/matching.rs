//! Desugars `match`: an `if` for each arm, or a `?:` if it is a value. Without `else`, the last arm
//! takes all other values; the checker verifies that these are the ones that it names.
//!
//! ```text
//! match (m) { single: { a } semi, full: { b } }      if (m == single) { a } else { b }
//! ```

use super::body::{Body, MAX_DEPTH, expr};
use super::make::{Make, Var};
use crate::front::script::ast::{self, Arm, ExprKind as Ast, Node, Pattern, PatternKind};
use crate::hir::{Block, Case, CaseKind, CompareOp, Data, Expr, ExprKind, Match, StmtKind, Type};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    /// A `match` of blocks, at the end of `into`.
    pub(super) fn match_blocks(
        &mut self,
        parts: &ast::Match<ast::Block>,
        span: Span,
        into: &mut Block,
    ) {
        let subject = self.expr(&parts.subject);
        let subject = self.kept(subject, into);
        let Some(conditions) = self.conditions(parts, subject, span) else {
            return;
        };
        let depth = self.depth;
        let mut arms = Vec::new();
        for (arm, condition) in parts.arms.kind.iter().zip(conditions) {
            arms.push((condition, self.block(&arm.kind.value)));
            self.depth += 1;
        }
        self.depth = depth;
        let mut rest = Block::new();
        for (condition, block) in arms.into_iter().rev() {
            rest = match condition {
                Some(condition) => vec![Make(span).stmt(StmtKind::If(condition, block, rest))],
                None => block,
            };
        }
        into.append(&mut rest);
    }

    /// A `match` that is a value.
    pub(super) fn match_value(&mut self, parts: &ast::Match<ast::Expr>, span: Span) -> Expr {
        let mut statements = Block::new();
        let subject = self.expr(&parts.subject);
        let subject = self.kept(subject, &mut statements);
        let conditions = self.conditions(parts, subject, span);
        let values: Vec<Expr> = parts.values().map(|value| self.expr(value)).collect();
        let Some(conditions) = conditions else {
            return self.unresolved(span);
        };
        let mut rest: Option<Expr> = None;
        for (condition, value) in conditions.into_iter().zip(values).rev() {
            rest = Some(match (condition, rest) {
                (Some(condition), Some(rest)) => {
                    let parts = Box::new([condition, value, rest]);
                    expr(ExprKind::Choose(parts), span)
                }
                (_, _) => value,
            });
        }
        let Some(value) = rest else {
            return self.unresolved(span);
        };
        match statements.is_empty() {
            true => value,
            false => Make(span).block(statements, value),
        }
    }

    /// The conditions of the arms, unless their errors were reported; none for the last one, which
    /// takes all other values.
    fn conditions<T>(
        &mut self,
        parts: &ast::Match<T>,
        subject: Var,
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let arms = &parts.arms.kind;
        let head = Span::new(span.start, parts.subject.span.end.max(span.start));
        let Some((last, before)) = arms.split_last() else {
            self.no_arms(head);
            return None;
        };
        if let Some(early) = before.iter().find(|arm| arm.kind.patterns.is_empty()) {
            self.early_else(early);
            return None;
        }
        if self.depth + arms.len() > MAX_DEPTH {
            let help = "each arm counts as a level; call a function in the last ones";
            self.nested_too_deep(head, help);
            return None;
        }
        let otherwise = last.kind.patterns.is_empty();
        let mut cases = Vec::new();
        let mut each = Vec::new();
        let mut fits = true;
        for (place, arm) in arms.iter().enumerate() {
            let is_compared = place + 1 < arms.len();
            let mut condition = None;
            for pattern in &arm.kind.patterns {
                let Some((kind, compared)) = self.case(pattern, subject) else {
                    fits = false;
                    continue;
                };
                condition = Some(match condition {
                    Some(before) => Make(pattern.span).or(before, compared),
                    None => compared,
                });
                cases.push(Case {
                    kind,
                    span: pattern.span,
                    is_compared,
                });
            }
            each.push(condition.filter(|_| is_compared));
        }
        let found = Match {
            function: self.function,
            subject: subject.id,
            cases,
            otherwise: otherwise.then_some(last.span),
            span: head,
        };
        if !fits {
            return None;
        }
        self.lowering.out.module.matches.push(found);
        Some(each)
    }

    /// The values of a pattern, and the condition that the subject is one of them.
    fn case(&mut self, pattern: &Pattern, subject: Var) -> Option<(CaseKind, Expr)> {
        let make = Make(pattern.span);
        let held = || {
            make.local(Var {
                span: pattern.span,
                ..subject
            })
        };
        match &pattern.kind {
            PatternKind::Value(value) => {
                let (kind, value) = self.single(value)?;
                let condition = make.compare(CompareOp::Equal, held(), value);
                Some((kind, condition))
            }
            PatternKind::Range(first, last) => {
                let (first, last) = self.ends(pattern.span, first.as_ref(), last.as_ref())?;
                let kind = CaseKind::Whole(first.unwrap_or(i64::MIN), last.unwrap_or(i64::MAX));
                let from =
                    first.map(|first| make.compare(CompareOp::LessEqual, make.int(first), held()));
                let to =
                    last.map(|last| make.compare(CompareOp::LessEqual, held(), make.int(last)));
                let condition = match (from, to) {
                    (Some(from), Some(to)) => make.and(from, to),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => make.truth(true),
                };
                Some((kind, condition))
            }
        }
    }

    /// The whole numbers that a row of a table is for.
    pub(super) fn row_numbers(&mut self, pattern: &Pattern) -> Option<(i64, i64)> {
        match &pattern.kind {
            PatternKind::Value(value) => {
                let value = self.whole(value)?;
                Some((value, value))
            }
            PatternKind::Range(first, last) => {
                let (first, last) = self.ends(pattern.span, first.as_ref(), last.as_ref())?;
                Some((first.unwrap_or(i64::MIN), last.unwrap_or(i64::MAX)))
            }
        }
    }

    /// The ends of a range, which has to hold numbers.
    fn ends(
        &mut self,
        span: Span,
        first: Option<&ast::Expr>,
        last: Option<&ast::Expr>,
    ) -> Option<(Option<i64>, Option<i64>)> {
        let ends = (self.end(first)?, self.end(last)?);
        match ends {
            (Some(first), Some(last)) if last < first => {
                self.empty_range(span, first, last);
                None
            }
            _ => Some(ends),
        }
    }

    /// An end of a range, if it has one there; none if it is not a whole number.
    fn end(&mut self, written: Option<&ast::Expr>) -> Option<Option<i64>> {
        match written {
            Some(written) => self.whole(written).map(Some),
            None => Some(None),
        }
    }

    /// A known whole number.
    fn whole(&mut self, written: &ast::Expr) -> Option<i64> {
        match self.lowering.evaluate(written) {
            Ok(value) => match value.data {
                Data::Int(value) => return Some(value),
                _ => self.not_whole(written.span),
            },
            Err(wrong) => self.lowering.found.extend(wrong),
        }
        None
    }

    /// A single value that an arm is for.
    fn single(&mut self, written: &ast::Expr) -> Option<(CaseKind, Expr)> {
        let span = written.span;
        // The type of the subject decides what a name means.
        if let Ast::Name(name) = &written.kind
            && (!self.lowering.enums_with(name).is_empty()
                || !self.lowering.constants.contains_key(name))
        {
            let index = self.lowering.out.field_name(name);
            let kind = CaseKind::Named(name.clone());
            return Some((kind, expr(ExprKind::Named(index.into()), span)));
        }
        let value = match self.lowering.evaluate(written) {
            Ok(value) => value,
            Err(wrong) => {
                self.lowering.found.extend(wrong);
                return None;
            }
        };
        let module = &self.lowering.out.module;
        let kind = match (&value.data, &value.ty) {
            (Data::Int(value), _) => CaseKind::Whole(*value, *value),
            (Data::Bool(truth), _) => CaseKind::Truth(*truth),
            (Data::Text(text), _) => CaseKind::Text(text.clone()),
            (Data::Named(rung), Type::Degree(ladder)) => CaseKind::Named(ladder.name(*rung).into()),
            (Data::Named(number), Type::Enum(id)) => {
                CaseKind::Named(module.choice(*id).written(*number)?.into_owned())
            }
            _ => {
                self.not_a_case(span);
                return None;
            }
        };
        let ty = value.ty.clone();
        Some((
            kind,
            Expr {
                kind: value.written()?,
                ty,
                span,
            },
        ))
    }
}

/// Mistakes.
impl Body<'_, '_> {
    fn no_arms(&mut self, head: Span) {
        let found = Diagnostic::error(Code::MissingArm, head, "this `match` has no arms");
        self.report(found.help("write what to do for each value: `full: { ... }`"));
    }

    pub(super) fn early_else<T>(&mut self, arm: &Node<Arm<T>>) {
        let message = "`else` is for all other values, so it is the last arm";
        let found = Diagnostic::error(Code::Misplaced, arm.span, message);
        self.report(found.help("put it after the other arms"));
    }

    fn empty_range(&mut self, span: Span, first: i64, last: i64) {
        let message = format!("this range is empty: {first} is greater than {last}");
        let found = Diagnostic::error(Code::MissingArm, span, message);
        self.report(found.help("write the lower number first"));
    }

    fn not_whole(&mut self, span: Span) {
        let message = "a range needs whole numbers";
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help("write whole numbers: `1..10`"));
    }

    fn not_a_case(&mut self, span: Span) {
        let message =
            "an arm is for whole numbers, texts, truth values, degrees or constants of an enum";
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help("compare other values in an `if`"));
    }
}
