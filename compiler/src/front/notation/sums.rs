//! Sums in groups of one: `{2d6+1d8+3}kh2` keeps among the dice of all its pools.

use super::ast::{Ast, AstKind, BinaryOp};
use super::pool::{Dice, Modifier};
use dicec_runtime::span::Span;

/// A term of a chain of `+` and `-`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    /// It is subtracted.
    pub(super) minus: bool,
    /// The term.
    pub(super) ast: &'a Ast,
}

impl<'a> Term<'a> {
    /// Its dice, if it is dice that are not counted.
    pub(super) fn dice(self) -> Option<&'a Dice> {
        match &self.ast.kind {
            AstKind::Dice(dice) if !dice.modifiers.iter().any(Modifier::is_count) => Some(dice),
            _ => None,
        }
    }
}

/// The terms of a chain, in written order; any other expression is a chain of one.
pub(super) fn terms(ast: &Ast) -> Vec<Term<'_>> {
    let mut found = Vec::new();
    let mut open = vec![Term { minus: false, ast }];
    while let Some(term) = open.pop() {
        let Term { minus, ast } = term;
        match &ast.kind {
            AstKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let flips = *op == BinaryOp::Sub;
                open.push(Term {
                    minus: minus != flips,
                    ast: right,
                });
                open.push(Term { minus, ast: left });
            }
            AstKind::Negate(value) => open.push(Term {
                minus: !minus,
                ast: value,
            }),
            AstKind::Group(_) if !std::ptr::eq(ast, ast.unwrapped()) => open.push(Term {
                minus,
                ast: ast.unwrapped(),
            }),
            _ => found.push(term),
        }
    }
    found
}

/// The span of dice that a chain subtracts, if it also adds dice: dice cannot be kept among both.
pub(super) fn subtracted_pool(ast: &Ast) -> Option<Span> {
    let terms = terms(ast);
    let pools = || terms.iter().filter(|term| term.dice().is_some());
    if pools().all(|term| term.minus) {
        return None;
    }
    pools().find(|term| term.minus).map(|term| term.ast.span)
}
