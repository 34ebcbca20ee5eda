//! A note on rules that compare the same dice with several numbers, `2d6 = 7 or 2d6 = 11`: each
//! time they are written, dice are rolled again. Two equal comparisons, such as those of two
//! attacks, have no note.

use super::ast::{BinaryOp, Expr, ExprKind, Item, ItemKind, Script, StmtKind};
use crate::front::frame::Frame;
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The note on the first such comparison of a compound rule without errors.
pub fn rolled_again(rule: &Script, text: &str) -> Option<Diagnostic> {
    let mut found = None;
    for Item { kind, .. } in &rule.items {
        let ItemKind::Roll(roll) = kind else { continue };
        for statement in &roll.body.kind {
            if let StmtKind::Return(Some(value)) = &statement.kind {
                found = found.or_else(|| note(value, text));
            }
        }
    }
    found
}

/// A comparison of dice.
struct Compared<'t> {
    dice: Span,
    /// The text of the dice.
    rolled: &'t str,
    /// The texts before and after them.
    around: [&'t str; 2],
}

fn note(value: &Expr, text: &str) -> Option<Diagnostic> {
    let mut all = Vec::new();
    conditions(value, text, &mut all);
    let (again, first) = all.iter().enumerate().find_map(|(place, again)| {
        let same =
            |first: &&Compared<'_>| first.rolled == again.rolled && first.around != again.around;
        Some((again, all[..place].iter().find(same)?))
    })?;
    let same = all
        .iter()
        .filter(|compared| compared.rolled == first.rolled);
    let spans: Vec<Span> = same.map(|compared| compared.dice).collect();
    let message = "these dice are rolled once more here: nothing says that it is the same roll";
    let note = Diagnostic::note(Code::RolledAgain, again.dice, message);
    Some(note.help(format!(
        "to compare one roll with both, name it: `{}`",
        named(text, first.rolled, &spans)
    )))
}

/// The rule with a name in place of the dice at these places, which are in written order.
fn named(text: &str, rolled: &str, spans: &[Span]) -> String {
    let rule = Frame::of(text).rule.range();
    let name = unused(&text[rule.clone()]);
    let mut written = format!("let {name} = {rolled}; ");
    let mut at = rule.end - text[rule.clone()].trim_start().len();
    for span in spans {
        written += &text[at..span.range().start];
        written += &name;
        at = span.range().end;
    }
    written + text[at..rule.end].trim_end()
}

/// A name that the rule does not use.
fn unused(rule: &str) -> String {
    let is_used = |name: &str| {
        let mut words = rule.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == name)
    };
    let (mut name, mut number) = ("r".to_owned(), 1);
    while is_used(&name) {
        number += 1;
        name = format!("r{number}");
    }
    name
}

/// The comparisons that decide about a value: both sides of `and` and `or`, and the conditions of a
/// chain of choices.
fn conditions<'t>(value: &Expr, text: &'t str, all: &mut Vec<Compared<'t>>) {
    match &value.kind {
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => conditions(inner, text, all),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            conditions(left, text, all);
            conditions(right, text, all);
        }
        ExprKind::Choose(parts) => {
            let [condition, _, otherwise] = &**parts;
            conditions(condition, text, all);
            conditions(otherwise, text, all);
        }
        ExprKind::Binary(BinaryOp::Compare(_), left, right) => {
            let side = match [left, right].map(|side| has_dice(side)) {
                [true, false] => left,
                [false, true] => right,
                // Naming one of two rolls would leave the other.
                _ => return,
            };
            let (whole, at) = (value.span.range(), side.span.range());
            all.push(Compared {
                dice: side.span,
                rolled: &text[at.clone()],
                around: [&text[whole.start..at.start], &text[at.end..whole.end]],
            });
        }
        _ => {}
    }
}

/// Whether it has dice, and no name: a name may stand for anything.
fn has_dice(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Dice(_) => true,
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => has_dice(inner),
        ExprKind::Binary(_, left, right) => {
            let is_plain = |side: &Expr| has_dice(side) || matches!(side.kind, ExprKind::Int(_));
            (has_dice(left) || has_dice(right)) && is_plain(left) && is_plain(right)
        }
        _ => false,
    }
}
