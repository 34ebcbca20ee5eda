//! Written numbers of dice that are below 0: the rule book's dialect rolls none, virtual tabletops
//! refuse them.

use super::ast::{Ast, AstKind};
use super::dialect::Dialect;
use super::pool::{Modifier, ModifierKind};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The error of a rule that rolls, keeps or drops a written number of dice below 0, in the notation
/// dialect.
pub fn negative_count(rule: &Ast, dialect: Dialect) -> Option<Diagnostic> {
    if dialect == Dialect::Rulebook {
        return None;
    }
    let message = "a number of dice cannot be below 0";
    let found = Diagnostic::error(Code::NegativeCount, first(rule)?, message);
    Some(found.help("to roll, keep or drop none, write 0"))
}

/// The first such number.
fn first(part: &Ast) -> Option<Span> {
    let own = match &part.kind {
        AstKind::Dice(dice) => negative(dice.count.iter().chain(selected(&dice.modifiers))),
        AstKind::Group(group) => negative(selected(&group.modifiers)),
        _ => None,
    };
    let mut found = own;
    part.kind
        .each_part(&mut |below| found = found.or_else(|| first(below)));
    found
}

/// How many dice are kept or dropped.
fn selected(modifiers: &[Modifier]) -> impl Iterator<Item = &Ast> {
    modifiers
        .iter()
        .filter_map(|modifier| match &modifier.kind {
            ModifierKind::Select(_, count) => count.as_ref(),
            _ => None,
        })
}

fn negative<'a>(mut numbers: impl Iterator<Item = &'a Ast>) -> Option<Span> {
    let number = numbers.find(|number| number.written().is_some_and(|value| value < 0));
    number.map(|number| number.span)
}
