//! The stack for reading a postfix expression: every operator must find as many values as it needs,
//! each of a type that it accepts.

use super::operator::Binary;
use super::query::Query;
use super::types::{binary_type, fits, fitted, holds, joined};
use super::{Area, Expr, ExprKind, Type};
use crate::features::document::Piece;
use crate::features::event::EventKind;
use crate::features::findings::{At, Findings};
use crate::features::operand::Operand;
use dicec_lang::syntax::Code;

/// The context of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::features) enum Context {
    /// It gives a value.
    Value,
    /// The condition of a trigger.
    Trigger,
}

/// A stack of values.
pub(super) struct Builder {
    context: Context,
    stack: Vec<Expr>,
    /// A value that was consumed at the bottom of the stack: it is evaluated before the next value.
    consumed: Option<Expr>,
    /// The number of duplicated values.
    kept: u32,
}

impl Builder {
    pub(super) fn new(context: Context) -> Self {
        Self {
            context,
            stack: Vec::new(),
            consumed: None,
            kept: 0,
        }
    }

    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// Adds a value.
    pub(super) fn push(&mut self, expr: Expr) {
        let expr = match self.consumed.take() {
            Some(first) => {
                let (ty, span) = (expr.ty, expr.span);
                Expr::new(ExprKind::After(Box::new(first), Box::new(expr)), ty, span)
            }
            None => expr,
        };
        self.stack.push(expr);
    }

    /// Takes this many values off, the first one first.
    fn take<const N: usize>(
        &mut self,
        operator: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<[Expr; N]> {
        let taken = self.take_all(N, operator, findings)?;
        taken.try_into().ok()
    }

    fn take_all(
        &mut self,
        count: usize,
        operator: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<Expr>> {
        let found = self.stack.len();
        if found < count {
            let name = operator.text;
            let needs = match count {
                1 => "a value before it".to_owned(),
                count => format!("{count} values before it"),
            };
            let there = match found {
                0 => "there is none".to_owned(),
                1 => "there is only one".to_owned(),
                found => format!("there are only {found}"),
            };
            let example = ["X", "Y", "Z", "W"]
                .get(..count)
                .unwrap_or_default()
                .join(",");
            let what = format!("has `{name}`, which needs {needs}, and {there}");
            let help = format!("values come before their operator: ({example},{name})");
            findings.error(Code::BadPostfix, &operator, what, help);
            return None;
        }
        Some(self.stack.split_off(found - count))
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        at: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<()> {
        let [left, right] = self.take(at, findings)?;
        let ty = binary_type(operator, &left, &right).or_else(|| {
            let symbol = operator.symbol();
            let (one, other) = (left.ty.words(), right.ty.words());
            let what = format!("has `{symbol}` between {one} and {other}");
            let help = match operator {
                Binary::Eq => {
                    "only values of one kind can be equal: two numbers, two creatures, two words"
                }
                Binary::And | Binary::Or => "`&` and `|` join numbers and conditions",
                _ if operator.compares() => "compare two numbers",
                _ => "calculate with numbers: `creature.HP` is one, `creature` is not",
            };
            findings.error(Code::PostfixType, &at, what, help);
            None
        })?;
        let span = left.span.to(at.span());
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        self.push(Expr::new(kind, ty, span));
        Some(())
    }

    pub(super) fn not(&mut self, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        let [value] = self.take(at, findings)?;
        self.truth(&value, at, findings)?;
        let span = value.span.to(at.span());
        self.push(Expr::new(ExprKind::Not(Box::new(value)), Type::Truth, span));
        Some(())
    }

    pub(super) fn if_else(&mut self, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        let [condition, then, otherwise] = self.take(at, findings)?;
        self.truth(&condition, at, findings)?;
        let Some(ty) = joined(then.ty, otherwise.ty) else {
            let (one, other) = (then.ty.words(), otherwise.ty.words());
            let what = format!("has `ifelse`, which gives {one} or {other}");
            let help = "both values have to be of one kind";
            findings.error(Code::PostfixType, &at, what, help);
            return None;
        };
        let span = condition.span.to(at.span());
        let kind = ExprKind::IfElse(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.push(Expr::new(kind, ty, span));
        Some(())
    }

    fn truth(&self, value: &Expr, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        if value.ty.is_truth() {
            return Some(());
        }
        let what = format!("has `{}` after {}", at.text, value.ty.words());
        let help = "it needs a number or a condition: 0 is false, anything else is true";
        findings.error(Code::PostfixType, &at, what, help);
        None
    }

    /// Removes the value on top; its stores still happen.
    pub(super) fn consume(&mut self, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        let [value] = self.take(at, findings)?;
        match (self.stack.pop(), self.consumed.take()) {
            (Some(below), _) => {
                let (ty, span) = (below.ty, below.span);
                let kind = ExprKind::Before(Box::new(below), Box::new(value));
                self.stack.push(Expr::new(kind, ty, span));
            }
            (None, Some(first)) => {
                let (ty, span) = (value.ty, value.span);
                let kind = ExprKind::After(Box::new(first), Box::new(value));
                self.consumed = Some(Expr::new(kind, ty, span));
            }
            (None, None) => self.consumed = Some(value),
        }
        Some(())
    }

    pub(super) fn duplicate(&mut self, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        let [value] = self.take(at, findings)?;
        let (ty, span, number) = (value.ty, value.span, self.kept);
        self.kept += 1;
        self.push(Expr::new(ExprKind::Kept(number, Box::new(value)), ty, span));
        self.push(Expr::new(ExprKind::Again(number), ty, at.span()));
        Some(())
    }

    pub(super) fn store(&mut self, at: Piece<'_>, findings: &mut Findings) -> Option<()> {
        let [value, place] = self.take(at, findings)?;
        let ExprKind::Attribute(place) = place.kind else {
            let what = format!("has `store` after {}", place.ty.words());
            let help =
                "what it stores to is an attribute: (5,NV1,store), (0,creature.MOVESPEED,store)";
            findings.error(Code::PostfixType, &at, what, help);
            return None;
        };
        if !fits(&value, place.attribute) {
            let what = format!("stores {} to `{place}`", value.ty.words());
            let help = holds(place.attribute);
            findings.error(Code::PostfixType, &at, what, help);
            return None;
        }
        let (ty, span) = (value.ty, value.span.to(at.span()));
        self.push(Expr::new(ExprKind::Store(Box::new(value), place), ty, span));
        Some(())
    }

    pub(super) fn query(
        &mut self,
        query: Query,
        at: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<()> {
        let info = query.info();
        let operands = self.operands(info.operands, at, findings)?;
        let span = operands
            .first()
            .map_or(at.span(), |first| first.span.to(at.span()));
        self.push(Expr::new(ExprKind::Query(query, operands), info.ty, span));
        Some(())
    }

    pub(super) fn event(
        &mut self,
        kind: EventKind,
        at: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<()> {
        let operands = self.operands(kind.info().operands, at, findings)?;
        let span = operands
            .first()
            .map_or(at.span(), |first| first.span.to(at.span()));
        self.push(Expr::new(
            ExprKind::Event(kind, operands),
            Type::Event,
            span,
        ));
        Some(())
    }

    pub(super) fn in_area(
        &mut self,
        area: Area,
        at: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<()> {
        let mut who = self.operands(&[Operand::Who], at, findings)?;
        let who = who.pop()?;
        let span = who.span.to(at.span());
        self.push(Expr::new(
            ExprKind::InArea(Box::new(who), area),
            Type::Truth,
            span,
        ));
        Some(())
    }

    fn operands(
        &mut self,
        wanted: &[Operand],
        at: Piece<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<Expr>> {
        let operands = self.take_all(wanted.len(), at, findings)?;
        let pairs = operands.into_iter().zip(wanted);
        pairs
            .map(|(operand, wanted)| fitted(operand, *wanted, &at, at.text, findings))
            .collect()
    }

    /// The one value that is left.
    pub(super) fn finish(mut self, whole: Piece<'_>, findings: &mut Findings) -> Option<Expr> {
        let left = self.stack.len();
        if let (1, Some(expr)) = (left, self.stack.pop()) {
            return Some(expr);
        }
        let (what, help) = match left {
            0 => (
                "leaves no value".to_owned(),
                "remove `consume`, which takes the last value away",
            ),
            _ => (
                format!("leaves {left} values, and one is wanted"),
                "join them with an operator, such as `+` or `&`, or remove one with `consume`",
            ),
        };
        findings.error(Code::BadPostfix, &whole, what, help);
        None
    }
}
