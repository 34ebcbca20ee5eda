//! Groups that are rolled again: `{4d6kh3}r<8` rolls until the total is at least 8.
//!
//! A pool cannot express that, so a rule with such a group is a compound rule, which repeats the
//! roll. The total of the group is a number of its own: a term of arithmetic, or a side of a check.

use super::ast::pool::{Condition, Group, Modifier, ModifierKind};
use super::ast::{Ast, AstKind};
use dicec_runtime::span::Span;

/// A group that is rolled again, taken apart.
pub(in crate::front) struct Rerolled<'a> {
    /// The group as it is rolled once.
    pub(in crate::front) roll: Ast,
    /// When it is rolled again, in order, and whether only once.
    pub(in crate::front) rerolls: Vec<(bool, &'a Condition)>,
}

/// The parts of a group that is rolled again.
pub(in crate::front) fn rerolled(ast: &Ast) -> Option<Rerolled<'_>> {
    let group = group(ast)?;
    let rerolls = group.modifiers.iter().filter_map(|modifier| {
        let ModifierKind::Reroll { once, condition } = &modifier.kind else {
            return None;
        };
        Some((*once, condition))
    });
    let others = group
        .modifiers
        .iter()
        .filter(|modifier| !rerolls_total(modifier));
    let once = Group {
        members: group.members.clone(),
        modifiers: others.cloned().collect(),
        round: group.round,
    };
    Some(Rerolled {
        roll: Ast::new(AstKind::Group(Box::new(once)), ast.span),
        rerolls: rerolls.collect(),
    })
}

/// The group, if this is one that is rolled again.
fn group(ast: &Ast) -> Option<&Group> {
    match &ast.kind {
        AstKind::Group(group) if group.modifiers.iter().any(rerolls_total) => Some(group),
        _ => None,
    }
}

/// Whether a modifier of a group rolls it again.
pub(super) fn rerolls_total(modifier: &Modifier) -> bool {
    matches!(modifier.kind, ModifierKind::Reroll { .. })
}

/// Whether any group in a tree is rolled again.
pub fn rolls_again(ast: &Ast) -> bool {
    group(ast).is_some() || ast.kind.any_part(rolls_again)
}

/// The span of a group that is rolled again although its total is not a number of its own.
pub(super) fn misplaced(ast: &Ast) -> Option<Span> {
    match &ast.kind {
        AstKind::Negate(value) => misplaced(value),
        AstKind::Binary(_, left, right) | AstKind::Compare(_, left, right) => {
            misplaced(left).or_else(|| misplaced(right))
        }
        AstKind::Call(_, arguments) => arguments.iter().find_map(misplaced),
        _ => part_inside(ast),
    }
}

/// The span of the first such group below a node that cannot have any.
fn part_inside(ast: &Ast) -> Option<Span> {
    let mut found = None;
    ast.kind
        .each_part(&mut |part| found = found.or_else(|| inside(part)));
    found
}

/// The span of the first such group in a part that cannot have any.
fn inside(ast: &Ast) -> Option<Span> {
    if group(ast).is_some() {
        return Some(ast.span);
    }
    part_inside(ast)
}
