//! Labels of terms: `2d6[fire] + 1d8[cold]` has the value of `2d6 + 1d8`, and a name for each term.
//!
//! The subtotal of a label is the contribution of its terms to the total: signs and factors count,
//! so the fire of `(2d6[fire] + 3) * 2` is `2d6 * 2`, and the subtotals and the rest add up to the
//! total. So a label belongs to a term of a sum, which can be a factor; the checker of this file
//! refuses it elsewhere.

use super::ast::{Ast, AstKind, BinaryOp};
use dicec_runtime::span::Span;

/// A rule has at most this number of different labels: each is a rule of its own to every engine.
pub const MAX_LABELS: usize = 32;

/// An error in the labels of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// The label at this span is not at a term of the total.
    NotATerm(Span),
    /// This label is within another term with a label, or its factor has one, too.
    Twice(Span),
    /// The label at this span follows dice of a script or a compound rule, which can use them
    /// several times, or not at all.
    InScript(Span),
    /// This is one label too many.
    TooMany(Span),
}

/// The labels of a rule, each once, in written order.
pub fn labels(rule: &Ast) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    each_label(rule, &mut |label, _| {
        if !found.contains(&label) {
            found.push(label);
        }
    });
    found
}

/// Whether a part of a rule has labels.
pub(super) fn has_labels(part: &Ast) -> bool {
    let mut found = false;
    each_label(part, &mut |_, _| found = true);
    found
}

/// Which terms of a rule are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share<'l> {
    /// Those with this label.
    Of(&'l str),
    /// Those without a label.
    Rest,
}

/// The treatment of the other terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They are left out.
    Dropped,
    /// They are rolled and count nothing, so that the same faces are rolled as for the rule.
    Rolled,
}

/// The expression of the contribution of a share of the terms to the total of a rule, or of the
/// left side of a check; `None` if there is no such term.
pub fn share(rule: &Ast, share: Share<'_>, others: Others) -> Option<Ast> {
    let rule = rule.unwrapped();
    let whole = match &rule.kind {
        AstKind::Compare(_, left, _) | AstKind::Versus(_, left, _) => left,
        _ => rule,
    };
    Splitter { share, others }.part(whole)
}

struct Splitter<'l> {
    share: Share<'l>,
    others: Others,
}

impl Splitter<'_> {
    fn part(&self, part: &Ast) -> Option<Ast> {
        let part = part.unwrapped();
        if !has_labels(part) {
            return (self.share == Share::Rest).then(|| part.clone());
        }
        match &part.kind {
            AstKind::Labelled(label, term) => {
                (self.share == Share::Of(label)).then(|| Ast::clone(term))
            }
            AstKind::Negate(value) => self.part(value).map(|share| negated(share, part.span)),
            AstKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                self.sum(*op, left, right, part.span)
            }
            AstKind::Binary(BinaryOp::Mul, left, right) => {
                let (left, right) = match has_labels(left) {
                    true => (self.part(left)?, Ast::clone(right)),
                    false => (Ast::clone(left), self.part(right)?),
                };
                Some(binary(BinaryOp::Mul, left, right, part.span))
            }
            // No label is allowed within.
            _ => None,
        }
    }

    fn sum(&self, op: BinaryOp, left: &Ast, right: &Ast, span: Span) -> Option<Ast> {
        let (one, other) = match (self.part(left), self.part(right), self.others) {
            (None, None, _) => return None,
            (Some(left), None, Others::Dropped) => return Some(left),
            (None, Some(right), Others::Dropped) if op == BinaryOp::Add => return Some(right),
            (None, Some(right), Others::Dropped) => return Some(negated(right, span)),
            (one, other, _) => (one, other),
        };
        let left = one.unwrap_or_else(|| silent(left));
        let right = other.unwrap_or_else(|| silent(right));
        Some(binary(op, left, right, span))
    }
}

/// The part, rolled and times 0.
fn silent(part: &Ast) -> Ast {
    let start = Span::new(part.span.start, part.span.start);
    let zero = Ast::new(AstKind::Number(0), start);
    binary(BinaryOp::Mul, zero, part.clone(), part.span)
}

fn negated(value: Ast, span: Span) -> Ast {
    Ast::new(AstKind::Negate(Box::new(value)), span)
}

fn binary(op: BinaryOp, left: Ast, right: Ast, span: Span) -> Ast {
    Ast::new(AstKind::Binary(op, Box::new(left), Box::new(right)), span)
}

/// The error in the labels of a rule, if there is one.
pub(super) fn misplaced(rule: &Ast) -> Option<Misplaced> {
    let rule = rule.unwrapped();
    let sides = match &rule.kind {
        AstKind::Compare(_, left, right) | AstKind::Versus(_, left, right) => {
            terms_of(left).or_else(|| nowhere(right))
        }
        _ => terms_of(rule),
    };
    sides.or_else(|| {
        let mut seen: Vec<&str> = Vec::new();
        let mut one_more = None;
        each_label(rule, &mut |label, span| {
            if seen.len() < MAX_LABELS && !seen.contains(&label) {
                seen.push(label);
            } else if !seen.contains(&label) && one_more.is_none() {
                one_more = Some(Misplaced::TooMany(span));
            }
        });
        one_more
    })
}

/// The first misplaced label in a sum.
fn terms_of(part: &Ast) -> Option<Misplaced> {
    let part = part.unwrapped();
    match &part.kind {
        AstKind::Labelled(_, term) => first_label(term).map(Misplaced::Twice),
        AstKind::Negate(value) => terms_of(value),
        AstKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            terms_of(left).or_else(|| terms_of(right))
        }
        AstKind::Binary(BinaryOp::Mul, left, right) => {
            match (first_label(left), first_label(right)) {
                (Some(_), Some(second)) => Some(Misplaced::Twice(second)),
                (Some(_), None) => terms_of(left),
                (None, _) => terms_of(right),
            }
        }
        _ => nowhere(part),
    }
}

/// The first label in a part that cannot have any.
fn nowhere(part: &Ast) -> Option<Misplaced> {
    first_label(part).map(Misplaced::NotATerm)
}

fn first_label(part: &Ast) -> Option<Span> {
    let mut first = None;
    each_label(part, &mut |_, span| {
        first.get_or_insert(span);
    });
    first
}

/// Every label of a tree, in written order, with its span.
fn each_label<'a>(part: &'a Ast, found: &mut dyn FnMut(&'a str, Span)) {
    part.kind.each_part(&mut |below| each_label(below, found));
    if let AstKind::Labelled(label, term) = &part.kind {
        found(label, Span::new(term.span.end, part.span.end));
    }
}
