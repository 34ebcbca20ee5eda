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
    match &part.kind {
        AstKind::Number(_)
        | AstKind::Float(_)
        | AstKind::Resource(_)
        | AstKind::Hole(_)
        | AstKind::Error => None,
        AstKind::Negate(value) | AstKind::Labelled(_, value) => first(value),
        AstKind::Binary(_, left, right)
        | AstKind::Compare(_, left, right)
        | AstKind::Versus(left, right) => first(left).or_else(|| first(right)),
        AstKind::Call(_, arguments) => arguments.iter().find_map(first),
        AstKind::Dice(dice) => {
            let own = dice.count.iter().chain(selected(&dice.modifiers));
            negative(own).or_else(|| dice.parts().find_map(first))
        }
        AstKind::Group(group) => {
            let own = selected(&group.modifiers);
            negative(own).or_else(|| group.parts().find_map(first))
        }
    }
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
