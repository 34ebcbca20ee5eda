//! Notes on text that means something else in virtual tabletops.

use super::ast::{Ast, AstKind};
use crate::syntax::{Code, Diagnostic};

/// `10d10>=8`, written without blanks, counts dice in virtual tabletops; in the rule book's dialect it compares their
/// total (seed 002, 3.7). The check is valid, so this is a note.
pub fn success_count_lookalike(ast: &Ast, text: &str) -> Option<Diagnostic> {
    let AstKind::Compare(op, left, right) = &ast.kind else {
        return None;
    };
    let AstKind::Dice(Some(count), _) = &left.kind else {
        return None;
    };
    let several = !matches!(count.kind, AstKind::Number(0 | 1));
    let between = text.get(left.span.end as usize..right.span.start as usize)?;
    if !several || between.contains(char::is_whitespace) {
        return None;
    }
    Some(
        Diagnostic::note(
            Code::OtherDialect,
            ast.span,
            "this compares the total of the dice",
        )
        .help(format!(
            "virtual tabletops would count the dice that show {op} instead; blanks around `{op}` say that the total is meant",
        )),
    )
}
