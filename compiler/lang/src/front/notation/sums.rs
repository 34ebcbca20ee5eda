//! Sums in groups of one: `{2d6+1d8+3}kh2` keeps among the dice of all its pools.

use super::ast::pool::{Group, Modifier};
use super::ast::{Ast, AstKind, BinaryOp};
use super::dialect::Dialect;
use dicec_runtime::span::Span;

/// A term of a chain of `+` and `-`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    /// It is subtracted.
    pub(super) minus: bool,
    /// The term.
    pub(super) ast: &'a Ast,
}

impl Term<'_> {
    /// Whether it gives dice to the group around it: dice, and in the notation dialect groups of
    /// one that are made of dice. Dice that are counted do so if the group counts them again.
    pub(super) fn gives_dice(self, dialect: Dialect, counts_again: bool) -> bool {
        let counted = |modifiers: &[Modifier]| modifiers.iter().any(Modifier::is_count);
        let counts_again = counts_again && dialect == Dialect::Notation;
        match &self.ast.kind {
            AstKind::Dice(dice) => counts_again || !counted(&dice.modifiers),
            AstKind::Group(group) if dialect == Dialect::Notation => {
                let counted = counted(&group.modifiers);
                (counts_again || !counted) && is_of_dice(group, counted)
            }
            _ => false,
        }
    }
}

/// Whether a group of one is made of dice, which are added.
fn is_of_dice(group: &Group, counts_again: bool) -> bool {
    let [member] = &group.members[..] else {
        return false;
    };
    let terms = terms(member, Dialect::Notation);
    let mut each = terms.iter();
    each.all(|term| !term.minus && term.gives_dice(Dialect::Notation, counts_again))
}

/// Whether this is a group of one or a sum, and made of dice that are added: in parentheses it is
/// what it is in braces.
pub(super) fn is_sum_of_dice(ast: &Ast) -> bool {
    let terms = terms(ast, Dialect::Notation);
    let mut each = terms.iter();
    each.all(|term| !term.minus && term.gives_dice(Dialect::Notation, false))
}

/// The terms of a chain, in written order; any other expression is a chain of one. In the notation
/// dialect, the members of a group that is at most sorted are terms.
pub(super) fn terms(ast: &Ast, dialect: Dialect) -> Vec<Term<'_>> {
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
            AstKind::Group(group)
                if dialect == Dialect::Notation && group.modifiers.iter().all(Modifier::sorts) =>
            {
                let members = group.members.iter().rev();
                open.extend(members.map(|ast| Term { minus, ast }));
            }
            _ => found.push(term),
        }
    }
    found
}

/// The span of dice that a chain subtracts, if it also adds dice: dice cannot be kept among both.
pub(super) fn subtracted_pool(ast: &Ast, dialect: Dialect) -> Option<Span> {
    let terms = terms(ast, dialect);
    let pools = || terms.iter().filter(|term| term.gives_dice(dialect, false));
    if pools().all(|term| term.minus) {
        return None;
    }
    pools().find(|term| term.minus).map(|term| term.ast.span)
}
