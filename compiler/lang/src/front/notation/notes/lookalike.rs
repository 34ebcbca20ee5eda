//! Notes on text with another meaning in virtual tabletops.

use super::Source;
use crate::front::notation::ast::pool::{Dice, Die, Modifier, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind, CompareOp};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::print::print;
use crate::syntax::{Advice, Code, Diagnostic};
use dicec_runtime::span::Span;

/// A note repeats a rule only up to this length.
const MAX_BYTES: usize = 60;

/// `10d10>=8`, written without spaces, counts dice in virtual tabletops; in the rule book's dialect
/// it compares their total (seed 002, 3.7). The check is valid, so this is a note.
pub(super) fn success_count(ast: &Ast, text: &str) -> Option<Diagnostic> {
    let AstKind::Compare(op, left, right) = &ast.kind else {
        return None;
    };
    let AstKind::Dice(dice) = &left.kind else {
        return None;
    };
    let count = dice.count.as_ref()?;
    let several = !matches!(count.kind, AstKind::Number(0 | 1));
    let counted = dice.modifiers.iter().any(Modifier::is_count);
    // `(10d10)>=8` compares the total everywhere.
    let parenthesised = left.span.start < count.span.start;
    let between = text.get(left.span.end as usize..right.span.start as usize)?;
    if !several || counted || parenthesised || between.contains(char::is_whitespace) {
        return None;
    }
    let note = Diagnostic::note(
        Code::OtherDialect,
        ast.span,
        "this compares the total of the dice",
    )
    .help(format!(
        "{}, or put spaces around `{op}` if you mean the total",
        instead(*op, left, right)
    ));
    // There, a calculation cannot follow a count.
    let is_value = matches!(right.kind, AstKind::Number(_) | AstKind::Resource(_));
    Some(match is_value {
        true => note.advise(Advice::UseNotation),
        false => note,
    })
}

/// `d66` is two dice of six sides, read as digits, in many games.
pub(super) fn digits(dice: &Dice, span: Span) -> Option<Diagnostic> {
    let Die::Sides(sides) = &dice.die else {
        return None;
    };
    let is_single = dice.count.is_none() && dice.modifiers.is_empty();
    let (sides, instead) = match sides.kind {
        AstKind::Number(66) => (66, "10 * d6 + d6"),
        AstKind::Number(666) => (666, "100 * d6 + 10 * d6 + d6"),
        _ => return None,
    };
    let message = format!("this is one die of {sides} sides");
    let help = format!("to read dice of six sides as its digits, write `{instead}`");
    is_single.then(|| Diagnostic::note(Code::OtherDialect, span, message).help(help))
}

/// `10d10cs>=8` counts dice in Foundry VTT and in the rule book's dialect; in the notation dialect
/// it highlights them, as in Roll20, and adds all of them up.
pub(super) fn marked(
    dice: &Dice,
    span: Span,
    rule: &Ast,
    source: Source<'_>,
) -> Option<Diagnostic> {
    let several = dice.count.as_ref()?;
    let is_mark = |modifier: &&Modifier| matches!(modifier.kind, ModifierKind::Critical(Some(_)));
    let mark = dice.modifiers.iter().find(is_mark)?;
    let others = |modifier: &Modifier| modifier.is_count() || modifier.kind.selects();
    if matches!(several.kind, AstKind::Number(0 | 1)) || dice.modifiers.iter().any(others) {
        return None;
    }
    let [condition] = mark.kind.conditions() else {
        return None;
    };
    let threshold = &source.text[condition.threshold.span.range()];
    let count = format!("count{}{threshold}", condition.op);
    let mut counted = source.text[span.range()].to_owned();
    let start = span.range().start;
    let at = mark.span.range();
    counted.replace_range(at.start - start..at.end - start, &count);
    if rule.span != span {
        counted = format!("{{{counted}}}");
    }
    let message = "this highlights dice, and the result is the total of all dice";
    let help = format!("to count them write `{}`", source.with(span, &counted));
    Some(Diagnostic::note(Code::OtherDialect, mark.span, message).help(help))
}

/// The spelling here for the meaning that the text has in virtual tabletops.
fn instead(op: CompareOp, dice: &Ast, right: &Ast) -> String {
    let dice = print(dice, Dialect::Rulebook);
    let number = print(right, Dialect::Rulebook);
    let (aim, modifier) = match op {
        CompareOp::NotEqual => (
            "roll one more die for each that shows".into(),
            "!==".to_owned(),
        ),
        CompareOp::Equal => ("count the dice that show".to_owned(), "count=".to_owned()),
        _ => (
            format!("count the dice that show {op}"),
            format!("count{op}"),
        ),
    };
    if dice.len() + number.len() > MAX_BYTES {
        return format!("to {aim} the number write `{modifier}` instead of `{op}`");
    }
    // Anything else stands in parentheses behind a modifier.
    let operand = match right.kind {
        AstKind::Number(_) | AstKind::Resource(_) => number.clone(),
        _ => format!("({number})"),
    };
    format!("to {aim} {number} write `{dice}{modifier}{operand}`")
}
