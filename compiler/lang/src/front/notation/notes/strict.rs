//! `10d10>8` in the notation dialect: Roll20 counts the 8 as well, all others do not.

use super::{Source, each_pool};
use crate::front::notation::ast::pool::Condition;
use crate::front::notation::ast::{Ast, AstKind, CompareOp};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// A note on the first such comparison. With spaces in it, it is not one that was copied.
pub(super) fn first(ast: &Ast, source: Source<'_>) -> Option<Diagnostic> {
    let mut found = None;
    each_pool(ast, &mut |pool| {
        let modifiers = pool.modifiers().iter();
        let mut conditions = modifiers.flat_map(|modifier| modifier.kind.conditions());
        if found.is_none() {
            found = conditions.find_map(|condition| note(condition, source));
        }
    });
    found
}

fn note(condition: &Condition, source: Source<'_>) -> Option<Diagnostic> {
    let AstKind::Number(number) = condition.threshold.kind else {
        return None;
    };
    let (sign, more) = match condition.op {
        CompareOp::Less => ('<', "less"),
        CompareOp::Greater => ('>', "more"),
        _ => return None,
    };
    let threshold = condition.threshold.span;
    let before = source.text.get(..threshold.range().start)?;
    let is_glued = before
        .strip_suffix(sign)?
        .ends_with(|c: char| !c.is_whitespace());
    let span = Span::new(threshold.start - 1, threshold.end);
    let message = format!("the {number} itself is left out here; Roll20 includes it");
    is_glued.then(|| {
        Diagnostic::note(Code::OtherDialect, span, message)
            .help(format!("for {number} or {more} write `{sign}={number}`"))
    })
}
