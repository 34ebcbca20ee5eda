//! Notes on rules that have a meaning, but perhaps not the one that was meant: text with another
//! meaning in other tools ([`lookalike`], [`strict`]), modifiers without effect ([`idle`]), and
//! the highest of a single value ([`single`]).

mod idle;
mod lookalike;
mod single;
mod strict;

use super::ast::pool::{Dice, Group, Modifier};
use super::ast::{Ast, AstKind};
use super::dialect::Dialect;
use crate::syntax::Diagnostics;
use dicec_runtime::span::Span;

/// The notes on a rule without errors, which is this `part` of a text.
pub fn notes(ast: &Ast, text: &str, part: Span, dialect: Dialect) -> Diagnostics {
    let source = Source {
        text,
        part,
        dialect,
    };
    let mut found = Diagnostics::new();
    match dialect {
        Dialect::Rulebook => found.extend(lookalike::success_count(ast, text)),
        Dialect::Notation => found.extend(strict::first(ast, source)),
    }
    single::report(ast, source, &mut found);
    each_pool(ast, &mut |pool| {
        if let Pool::Dice(dice, span) = pool {
            idle::report(dice, source, &mut found);
            found.extend(lookalike::digits(dice, span));
            if dialect == Dialect::Notation {
                found.extend(lookalike::marked(dice, span, ast, source));
            }
        }
    });
    found.sort();
    found
}

/// The text of a rule, and how it is read.
#[derive(Clone, Copy)]
struct Source<'t> {
    text: &'t str,
    part: Span,
    dialect: Dialect,
}

impl Source<'_> {
    /// The rule with `instead` in place of the text at a span.
    fn with(self, span: Span, instead: &str) -> String {
        let (part, span) = (self.part.range(), span.range());
        let before = &self.text[part.start..span.start];
        let after = &self.text[span.end..part.end];
        format!("{before}{instead}{after}").trim().to_owned()
    }
}

/// Dice or a group.
#[derive(Clone, Copy)]
enum Pool<'a> {
    Dice(&'a Dice, Span),
    Group(&'a Group),
}

impl<'a> Pool<'a> {
    fn modifiers(self) -> &'a [Modifier] {
        match self {
            Pool::Dice(dice, _) => &dice.modifiers,
            Pool::Group(group) => &group.modifiers,
        }
    }
}

/// Calls `see` with all dice and groups of a tree, in written order.
fn each_pool<'a>(ast: &'a Ast, see: &mut dyn FnMut(Pool<'a>)) {
    match &ast.kind {
        AstKind::Dice(dice) => see(Pool::Dice(dice, ast.span)),
        AstKind::Group(group) => see(Pool::Group(group)),
        _ => {}
    }
    ast.kind.each_part(&mut |part| each_pool(part, see));
}
