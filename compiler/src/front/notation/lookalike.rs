//! Notes on text that means something else in virtual tabletops.

use super::ast::{Ast, AstKind, CompareOp};
use super::pool::Modifier;
use crate::syntax::{Code, Diagnostic};

/// `10d10>=8`, written without blanks, counts dice in virtual tabletops; in the rule book's dialect it compares their
/// total (seed 002, 3.7). The check is valid, so this is a note.
pub fn success_count_lookalike(ast: &Ast, text: &str) -> Option<Diagnostic> {
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
    let elsewhere = if *op == CompareOp::NotEqual {
        "roll an extra die for each of these numbers".to_owned()
    } else {
        format!("count the dice that show {op} instead")
    };
    Some(
        Diagnostic::note(
            Code::OtherDialect,
            ast.span,
            "this compares the total of the dice",
        )
        .help(format!(
            "virtual tabletops would {elsewhere}; blanks around `{op}` say that the total is meant",
        )),
    )
}
