//! `max` and `min` of a single value, which are that value: `max(3d6)` is the total of three dice,
//! and not the highest of them.

use super::Source;
use crate::front::notation::ast::pool::{Modifier, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind, Function};
use crate::syntax::{Code, Diagnostic, Diagnostics};

/// Reports the calls in a rule.
pub(super) fn report(ast: &Ast, source: Source<'_>, found: &mut Diagnostics) {
    if let AstKind::Call(function @ (Function::Max | Function::Min), arguments) = &ast.kind
        && let [argument] = arguments.as_slice()
    {
        let which = match function {
            Function::Max => "highest",
            _ => "lowest",
        };
        let message = format!("the {which} of one value is that value");
        let note = Diagnostic::note(Code::Idle, ast.span, message);
        let text = &source.text[argument.span.range()];
        found.push(match keeps_one(*function, argument) {
            Some(keep) => {
                let rule = source.with(ast.span, &format!("{text}{keep}"));
                note.help(format!("for the {which} of these dice write `{rule}`"))
            }
            None => {
                let rule = source.with(ast.span, &format!("({text})"));
                note.help(format!("`{rule}` has the same odds"))
            }
        });
    }
    ast.kind.each_part(&mut |part| report(part, source, found));
}

/// The modifier that keeps the die that was perhaps meant; `None` for a single die, and for
/// dice of which some are kept or counted already.
fn keeps_one(function: Function, argument: &Ast) -> Option<&'static str> {
    let AstKind::Dice(dice) = &argument.kind else {
        return None;
    };
    let chooses = |modifier: &Modifier| {
        let kind = &modifier.kind;
        modifier.is_count() || matches!(kind, ModifierKind::Select(..) | ModifierKind::Middle(_))
    };
    let is_one = dice
        .count
        .as_ref()
        .is_none_or(|count| count.written() == Some(1));
    if is_one || dice.modifiers.iter().any(chooses) {
        return None;
    }
    Some(match function {
        Function::Max => "kh1",
        _ => "kl1",
    })
}
