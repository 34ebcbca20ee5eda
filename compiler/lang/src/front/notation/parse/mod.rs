//! The parser: a Pratt parser over winnow's token stream. One grammar serves both dialects.
//!
//! ```text
//! source     = versus | check | expression
//! versus     = expression "vs" expression
//! check      = expression compare expression
//! expression = operand { operator operand }
//! operand    = "-" operand | ( dice | group | primary ) [ label, without a space before it ]
//! dice       = [ primary ] ( "d" ( primary | "%" | faces ) | "dF" ) { modifier }
//! group      = "{" list "}" { modifier }
//! primary    = number | decimal (N) | resource | call | "(" source ")"
//! call       = function "(" list ")"
//! list       = source { "," source }
//! faces      = "{" face { "," face } "}"
//! face       = ( integer [ ".." integer ] | words ) [ ":" number ]
//! integer    = [ "-" ] number
//! label      = "[" text without brackets "]", not after a resource, and not in a script
//! resource   = "[" name "]" | "@" word { "." word } | "@{" name "}"
//! name       = [ "Self" | "Target" ] text without brackets
//! function   = "floor" | "ceil" | "round" | "abs" | "max" | "min" | "sqrt" (N) | "pow" (N)
//! operator   = "+" | "-" | "*" | "/" | "%" (N) | "**" (N) | "^" (N)
//! compare    = "=" | "!=" | "<" | "<=" | ">" | ">="
//!
//! modifier   = ( "k" | "kh" | "kl" | "dh" | "dl" ) [ value ]
//!            | "km" [ value ] | "keep" "middle" [ value ]
//!            | ( "keep" | "drop" ) ( ( "highest" | "lowest" ) [ value ] | value )
//!            | "adv" | "dis" | "advantage" | "disadvantage"
//!            | ( "!" | "!!" | "!p" ) [ condition, without a space before it ]
//!            | ( "!==" | "!=" (N) ) value
//!            | ( "r" | "ro" ) condition
//!            | ( "min" | "max" ) value
//!            | "count" counted | counted (N) | "cs" (R) ( counted | value )
//!            | ( "double" | "fail" | "f" ) ( counted | value )
//!            | ( "cs" | "cf" ) (N) [ compare ] written number
//!            | "s" | "sa" | "sd"
//! condition  = compare value
//! counted    = condition { "," number } | "=" "{" value { "," value } "}"
//! value      = number | resource | "(" source ")"
//! ```
//!
//! (N): the notation dialect only. (R): the rule book's only. So in the notation dialect, a
//! comparison directly after dice or a group counts; any other comparison is a check, in both
//! dialects. One with dice on its right is a check, too, if it has spaces around it or a
//! calculation on its left: it compares two totals. In a list, and in a script, commas do not
//! separate counted numbers. Words may be in capitals, and modifiers may run together.
//!
//! | binds | operators | associates |
//! |---|---|---|
//! | loosest | `vs` | not at all |
//! | | `= != < <= > >=` | not at all |
//! | | `+ -` | left |
//! | | `* / %` | left |
//! | | `-` before an operand | |
//! | | `** ^` | right; a `-` may precede the right side |
//! | tightest | `d` with its modifiers, `{ }` with its modifiers | not at all: `2d6d8` is refused |
//!
//! In the notation dialect, a count of successes (`10d10>=6`) can only be an operand in parentheses
//! or braces.
//!
//! An error does not end the parse: it leaves an [`AstKind::Error`] in the tree, and parsing
//! continues after it, so that one run reports several. Nesting is bounded by [`SourceLimits`], and
//! with it the recursion; so is the height of the tree.
//!
//! `expression` holds operators and operands, `primary` operands without operators, `pool` dice and
//! groups, `modifier` what follows them, `condition` comparisons after them, `judge` which
//! modifiers go together, `complain` the longer messages.

mod complain;
mod condition;
mod expression;
mod judge;
mod modifier;
mod pool;
mod primary;

use super::ast::{Ast, AstKind};
use super::cursor::Cursor;
use super::dialect::Dialect;
use super::foreign::explained;
use super::lexer::Lexer;
use super::rerolled;
use super::subtotals::{Misplaced, misplaced};
use super::token::TokenKind;
use crate::front::frame::Frame;
use crate::syntax::{Advice, Code, Diagnostic, Diagnostics, Limit, SourceLimits};
use dicec_runtime::span::Span;
use expression::Power;

pub(in crate::front) use complain::wrong_arguments;

/// The result of parsing: always a tree, and the findings.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; it holds [`AstKind::Error`] only if there are errors.
    pub ast: Ast,
    /// The findings.
    pub diagnostics: Diagnostics,
}

/// Parses `text`, without what [stands around](Frame) the rule in it.
pub fn parse(text: &str, dialect: Dialect, limits: SourceLimits) -> Parsed {
    if text.len() > limits.bytes as usize {
        return too_long(text, limits);
    }
    let rule = Frame::of(text).rule;
    let lexer = Lexer::of_text(&text[..rule.range().end], rule.start as usize, &[]);
    let cursor = Cursor::new(lexer, rule.start);
    let mut parsed = Parser::new(cursor, dialect, limits).with_labels().parsed();
    if !parsed.diagnostics.has_errors() {
        let label = misplaced(&parsed.ast).map(complain::misplaced_label);
        let reroll = rerolled::misplaced(&parsed.ast).map(complain::misplaced_reroll);
        parsed.diagnostics.extend(label.or(reroll));
    }
    parsed
}

/// Parses a text of the rule book's dialect that a script puts together. These parts of it, from
/// left to right, are holes, whose values are computed.
pub(in crate::front) fn parse_with_holes(
    text: &str,
    holes: &[Span],
    limits: SourceLimits,
) -> Parsed {
    let cursor = Cursor::new(Lexer::of_text(text, 0, holes), 0);
    Parser::new(cursor, Dialect::Rulebook, limits).parsed()
}

/// Parses the dice or the group that begin at `start` in a script or a compound rule, with all
/// their modifiers. Also returns their end: on the same line, unless brackets are open, and in any
/// case within the statement.
pub(in crate::front) fn parse_dice(
    text: &str,
    start: u32,
    dialect: Dialect,
    limits: SourceLimits,
) -> (Parsed, u32) {
    let cursor = Cursor::new(Lexer::of_dice(text, start as usize), start);
    let mut parser = Parser::new(cursor, dialect, limits);
    let ast = parser.dice_alone();
    let (mut diagnostics, end) = parser.cursor.finish();
    if !diagnostics.has_errors() {
        diagnostics.extend(rerolled::misplaced(&ast).map(complain::misplaced_reroll));
    }
    let diagnostics = explained(text, Span::new(start, end), diagnostics);
    (Parsed { ast, diagnostics }, end)
}

/// Parses the modifiers that begin at `start` after dice that a script rolls by a call: dice whose
/// count and sides are the first and the second hole. Also returns their end.
pub(in crate::front) fn parse_modifiers(
    text: &str,
    start: u32,
    dialect: Dialect,
    limits: SourceLimits,
) -> (Parsed, u32) {
    let cursor = Cursor::new(Lexer::of_dice(text, start as usize), start);
    let mut parser = Parser::new(cursor, dialect, limits);
    let ast = parser.modifiers_of_call(Span::new(start, start));
    let (diagnostics, end) = parser.cursor.finish();
    (Parsed { ast, diagnostics }, end)
}

fn too_long(text: &str, limits: SourceLimits) -> Parsed {
    let span = Span::new(limits.bytes, limits.bytes);
    let message = format!(
        "this expression has {} bytes; the limit is {}",
        text.len(),
        limits.bytes
    );
    Parsed {
        ast: Ast::new(AstKind::Error, span),
        diagnostics: Diagnostic::error(Code::SourceTooLong, span, message)
            .help("shorten it")
            .advise(Advice::RaiseLimit(Limit::Source))
            .into(),
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    dialect: Dialect,
    limits: SourceLimits,
    nesting: u32,
    /// Whether terms may have labels: in a rule, but not in dice of a script.
    takes_labels: bool,
    /// Whether a comma ends an item of a list.
    in_list: bool,
    /// Whether an operator precedes, outside of brackets.
    in_calculation: bool,
}

impl<'t> Parser<'t> {
    fn new(cursor: Cursor<'t>, dialect: Dialect, limits: SourceLimits) -> Self {
        Self {
            cursor,
            dialect,
            limits,
            nesting: 0,
            takes_labels: false,
            in_list: false,
            in_calculation: false,
        }
    }

    fn with_labels(self) -> Self {
        Self {
            takes_labels: true,
            ..self
        }
    }

    /// The tree of the whole text.
    fn parsed(mut self) -> Parsed {
        let ast = self.source();
        let (diagnostics, _) = self.cursor.finish();
        Parsed { ast, diagnostics }
    }
}

impl Parser<'_> {
    /// Dice or a group, and everything that can only be a part of them.
    fn dice_alone(&mut self) -> Ast {
        let mut dice = self.operand();
        while let Some(token) = self.cursor.peek().filter(|token| token.glued) {
            match token.kind {
                TokenKind::Dice | TokenKind::FateDice => dice = self.dice(Some(dice)),
                TokenKind::Word => {
                    self.cursor.bump();
                    self.unknown_word(token.span);
                }
                TokenKind::Resource => {
                    self.cursor.bump();
                    let misplaced = complain::misplaced_label(Misplaced::InScript(token.span));
                    self.cursor.report(misplaced);
                }
                _ => break,
            }
        }
        dice.ast
    }

    /// The whole text.
    fn source(&mut self) -> Ast {
        // Nothing is there, or nothing is readable.
        if self.cursor.peek().is_none() {
            let span = self.cursor.here();
            if self.cursor.rest().trim().is_empty() {
                self.cursor.report(
                    Diagnostic::error(Code::Empty, span, "there is nothing to roll")
                        .help("try `2d6+3`, or `1d20 + [Attack] >= [Target Defense]`"),
                );
            }
            return Ast::new(AstKind::Error, span);
        }
        let mut left = self.first_operand();
        loop {
            left = self.operators(left, Power::Versus);
            let Some(token) = self.cursor.peek() else {
                return left.ast;
            };
            self.stray(token);
            match token.kind {
                TokenKind::Close | TokenKind::CloseBrace => {
                    self.cursor.bump();
                }
                TokenKind::Comma => {
                    self.cursor.bump();
                    if self.cursor.peek().is_some() {
                        left = self.operand();
                    }
                }
                // What follows a word that is not an operator belongs to it, so it is not judged.
                TokenKind::Word => self
                    .cursor
                    .skip_to(|kind| matches!(kind, TokenKind::Close | TokenKind::CloseBrace)),
                // Faces whose `d` belongs to an unknown word.
                TokenKind::Faces => {
                    self.cursor.bump();
                }
                _ => left = self.operand(),
            }
            // No text may hold the parser up: what is left has to get shorter.
            if self.cursor.here() == token.span {
                self.cursor.bump();
            }
        }
    }

    /// Runs `inner` one level deeper, or gives up at the limit.
    fn nested<T>(&mut self, opener: Span, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.nesting == self.limits.nesting {
            self.nested_too_deep(opener);
            return None;
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        Some(result)
    }

    /// A node of this kind, or an error if the tree grows too high with it.
    fn node(&mut self, kind: AstKind, span: Span) -> Ast {
        let ast = Ast::new(kind, span);
        if ast.height() > SourceLimits::HEIGHT {
            self.too_high(span);
            return Ast::new(AstKind::Error, span);
        }
        ast
    }
}
