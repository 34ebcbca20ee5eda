//! The parser: a Pratt parser over winnow's token stream.
//!
//! ```text
//! source     = versus | check | expression
//! versus     = expression "vs" expression
//! check      = expression compare expression
//! expression = operand { operator operand }
//! operand    = [ "-" ] operand | dice | primary
//! dice       = [ primary ] "d" primary
//! primary    = number | "[" name "]" | "(" source ")"
//! name       = [ "Self" | "Target" ] text without brackets
//! operator   = "+" | "-" | "*" | "/"
//! compare    = "=" | "!=" | "<" | "<=" | ">" | ">="
//! ```
//!
//! | binds | operators | associates |
//! |---|---|---|
//! | loosest | `vs` | not at all |
//! | | `= != < <= > >=` | not at all |
//! | | `+ -` | left |
//! | | `* /` | left |
//! | | `-` before an operand | |
//! | tightest | `d` | not at all: `2d6d8` is refused |
//!
//! An error does not end the parse: it leaves an [`AstKind::Error`] in the tree and goes on behind it, so that one run
//! reports several. Nesting is bounded by [`SourceLimits`], and with it the recursion.

use super::ast::{Ast, AstKind, BinaryOp};
use super::cursor::Cursor;
use super::token::{TokenKind, tokens};
use crate::syntax::{Code, Diagnostic, Diagnostics, SourceLimits};
use dicec_runtime::span::Span;

/// What parsing gives: always a tree, and what was found on the way.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; it holds [`AstKind::Error`] only if there are errors.
    pub ast: Ast,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// How tightly operators bind; see the module's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    Versus,
    Compare,
    Sum,
    Product,
    Negate,
}

impl Power {
    fn of(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Add | BinaryOp::Sub => Power::Sum,
            _ => Power::Product,
        }
    }
}

/// An operand, and what the operators behind it need to know of it.
struct Operand {
    ast: Ast,
    /// It ends in dice that stand outside parentheses.
    open_dice: bool,
}

impl Operand {
    fn closed(ast: Ast) -> Self {
        Self {
            ast,
            open_dice: false,
        }
    }

    fn error(span: Span) -> Self {
        Self::closed(Ast::new(AstKind::Error, span))
    }
}

/// Parses `text`.
pub fn parse(text: &str, limits: SourceLimits) -> Parsed {
    if text.len() > limits.bytes as usize {
        return too_long(text, limits);
    }
    let mut diagnostics = Diagnostics::new();
    let tokens = tokens(text, &mut diagnostics);
    let mut parser = Parser {
        cursor: Cursor::new(text, &tokens, diagnostics),
        limits,
        nesting: 0,
    };
    let ast = parser.source(tokens.is_empty());
    let mut diagnostics = parser.cursor.into_diagnostics();
    diagnostics.sort();
    Parsed { ast, diagnostics }
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
            .help("shorten it, or raise the limit with --max-source")
            .into(),
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    limits: SourceLimits,
    nesting: u32,
}

impl Parser<'_> {
    /// The whole text. `is_empty`: it holds no token, be it that nothing is there or that nothing was readable.
    fn source(&mut self, is_empty: bool) -> Ast {
        if is_empty {
            let span = self.cursor.here();
            if self.cursor.text.trim().is_empty() {
                self.cursor.report(
                    Diagnostic::error(Code::Empty, span, "there is nothing to roll")
                        .help("try `2d6+3`, or `1d20 + [Attack] >= [Target Defense]`"),
                );
            }
            return Ast::new(AstKind::Error, span);
        }
        let mut left = self.operand();
        loop {
            left = self.operators(left, Power::Versus);
            let Some(token) = self.cursor.peek() else {
                return left.ast;
            };
            match token.kind {
                TokenKind::Close => {
                    self.unopened(token.span);
                    self.cursor.bump();
                }
                // What follows a word that is no operator belongs to it, so it is not judged.
                TokenKind::Word => {
                    self.unknown_word(token.span);
                    self.cursor.skip_to(|kind| *kind == TokenKind::Close);
                }
                _ => {
                    self.missing_operator(token.span);
                    left = self.operand();
                }
            }
        }
    }

    fn unopened(&mut self, span: Span) {
        self.cursor.report(
            Diagnostic::error(Code::Unopened, span, "this `)` closes nothing")
                .help("remove it, or put `(` where it should begin"),
        );
    }

    /// Something stands where an operator or the end should be.
    fn missing_operator(&mut self, span: Span) {
        let found = self.cursor.slice(span);
        self.cursor.report(
            Diagnostic::error(
                Code::Trailing,
                span,
                format!("an operator is missing before `{found}`"),
            )
            .help("put `+`, `-`, `*` or `/` between the two"),
        );
    }

    /// Reports a word, and what the user may have meant.
    fn unknown_word(&mut self, span: Span) {
        let word = self.cursor.slice(span);
        let help = match word {
            "x" | "X" => "to multiply, write `*`".to_owned(),
            "and" | "or" | "not" => "a check compares two expressions, once".to_owned(),
            _ => format!("a resource stands in brackets: `[{word}]`; dice are written `2d6`"),
        };
        self.cursor.report(
            Diagnostic::error(
                Code::UnknownWord,
                span,
                format!("the word `{word}` means nothing here"),
            )
            .help(help),
        );
    }

    /// An operand and all operators behind it that bind at least as tightly as `least`.
    fn expression(&mut self, least: Power) -> Operand {
        let first = self.operand();
        self.operators(first, least)
    }

    /// The operators behind `left` that bind at least as tightly as `least`, with their right sides.
    fn operators(&mut self, mut left: Operand, least: Power) -> Operand {
        while let Some(token) = self.cursor.peek() {
            left = match token.kind {
                TokenKind::Dice => self.dice(Some(left), token.span),
                TokenKind::Binary(op) if Power::of(op) >= least => {
                    self.cursor.bump();
                    // A right side takes only what binds tighter: operators associate to the left.
                    let right = match op {
                        BinaryOp::Add | BinaryOp::Sub => self.expression(Power::Product),
                        _ => self.expression(Power::Negate),
                    };
                    self.join(left, right, |l, r| AstKind::Binary(op, l, r))
                }
                TokenKind::Compare(op) if Power::Compare >= least => {
                    self.cursor.bump();
                    let right = self.expression(Power::Sum);
                    let middle = right.ast.span;
                    let check = self.join(left, right, |l, r| AstKind::Compare(op, l, r));
                    self.refuse_chain(check.ast.span, token.span, middle);
                    check
                }
                TokenKind::Versus if Power::Versus >= least => {
                    self.cursor.bump();
                    let right = self.expression(Power::Sum);
                    let versus = self.join(left, right, AstKind::Versus);
                    self.refuse_second_versus(token.span);
                    versus
                }
                _ => break,
            };
        }
        left
    }

    /// Joins two operands, or gives up if the tree grows too high.
    fn join(
        &mut self,
        left: Operand,
        right: Operand,
        kind: impl FnOnce(Box<Ast>, Box<Ast>) -> AstKind,
    ) -> Operand {
        let span = left.ast.span.to(right.ast.span);
        let ast = Ast::new(kind(Box::new(left.ast), Box::new(right.ast)), span);
        if ast.height() > SourceLimits::HEIGHT {
            let message = format!(
                "more than {} operators follow one another here",
                SourceLimits::HEIGHT - 1
            );
            self.cursor.give_up(
                Diagnostic::error(Code::ChainTooLong, span, message).help(
                    "group parts of it with parentheses, or add equal dice up: 1d6+1d6 is 2d6",
                ),
            );
            return Operand::error(span);
        }
        Operand::closed(ast)
    }

    /// A comparison behind the `check` just parsed is an error; the rest belongs to it. `first` is the check's operator, `middle` its
    /// right side.
    fn refuse_chain(&mut self, check: Span, first: Span, middle: Span) {
        if let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Compare(_))
        {
            let help = format!(
                "make two checks of it: `{}` and `{} {} ...`",
                self.cursor.slice(check),
                self.cursor.slice(middle),
                self.cursor.slice(token.span),
            );
            self.cursor.give_up(
                Diagnostic::error(
                    Code::ChainedComparison,
                    token.span,
                    "a check compares two expressions only",
                )
                .label(first, "the first comparison")
                .help(help),
            );
        }
    }

    /// A `vs` behind a `vs` is an error; the rest belongs to it.
    fn refuse_second_versus(&mut self, first: Span) {
        if let Some(token) = self.cursor.peek()
            && token.kind == TokenKind::Versus
        {
            self.cursor.give_up(
                Diagnostic::error(
                    Code::NestedVersus,
                    token.span,
                    "a roll is held against one class only",
                )
                .label(first, "the first `vs`")
                .help("roll once against each class"),
            );
        }
    }

    /// A sign, dice or a primary.
    fn operand(&mut self) -> Operand {
        match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Binary(BinaryOp::Sub) => {
                self.cursor.bump();
                self.nested(token.span, |parser| parser.negation(token.span))
            }
            Some(token) if token.kind == TokenKind::Dice => self.dice(None, token.span),
            _ => {
                let primary = self.primary("a number, dice or a [resource] is missing here");
                self.tight_dice(primary)
            }
        }
    }

    fn negation(&mut self, sign: Span) -> Operand {
        let value = self.expression(Power::Negate).ast;
        let span = sign.to(value.span);
        Operand::closed(Ast::new(AstKind::Negate(Box::new(value)), span))
    }

    /// The dice that `count` counts, if a `d` follows at once.
    fn tight_dice(&mut self, count: Operand) -> Operand {
        match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Dice => self.dice(Some(count), token.span),
            _ => count,
        }
    }

    /// `d` and its sides, behind an optional count.
    fn dice(&mut self, count: Option<Operand>, letter: Span) -> Operand {
        self.cursor.bump();
        let sides = self.primary("a die needs its sides, as in `d20`").ast;
        let start = count.as_ref().map_or(letter, |count| count.ast.span);
        let span = start.to(sides.span);
        if let Some(count) = &count
            && count.open_dice
        {
            let (first, rest) = (self.cursor.slice(count.ast.span), letter.to(sides.span));
            let help = format!(
                "write `({first}){}` to roll as many dice as the first ones show",
                self.cursor.slice(rest)
            );
            self.cursor.report(
                Diagnostic::error(Code::AmbiguousDice, span, "these dice follow one another")
                    .help(help),
            );
        }
        let count = count.map(|count| Box::new(count.ast));
        Operand {
            ast: Ast::new(AstKind::Dice(count, Box::new(sides)), span),
            open_dice: true,
        }
    }

    /// A number, a resource or something in parentheses. `missing` says what to report if there is none.
    fn primary(&mut self, missing: &str) -> Operand {
        let Some(token) = self.cursor.peek() else {
            return self.missing_operand(missing);
        };
        let kind = match &token.kind {
            TokenKind::Number(value) => AstKind::Number(*value),
            TokenKind::Resource(name) => AstKind::Resource(name.clone()),
            TokenKind::Broken => AstKind::Error,
            TokenKind::Word => {
                self.unknown_word(token.span);
                AstKind::Error
            }
            TokenKind::Open => {
                self.cursor.bump();
                return self.nested(token.span, |parser| parser.parenthesis(token.span));
            }
            _ => return self.missing_operand(missing),
        };
        self.cursor.bump();
        Operand::closed(Ast::new(kind, token.span))
    }

    fn missing_operand(&mut self, missing: &str) -> Operand {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::ExpectedOperand, span, missing)
                .help("every operator needs something on both sides: `2d6 + 3`"),
        );
        Operand::error(span)
    }

    /// What follows an opening parenthesis, to its closing one.
    fn parenthesis(&mut self, opener: Span) -> Operand {
        let mut inner = self.expression(Power::Versus).ast;
        if let Some(token) = self.cursor.peek()
            && token.kind != TokenKind::Close
        {
            match token.kind {
                TokenKind::Word => self.unknown_word(token.span),
                _ => self.missing_operator(token.span),
            }
            self.cursor.skip_to(|kind| *kind == TokenKind::Close);
        }
        match self.cursor.take(&TokenKind::Close) {
            Some(closer) => inner.span = opener.to(closer.span),
            None => self.cursor.report(
                Diagnostic::error(Code::Unclosed, opener, "this `(` is never closed")
                    .help("put `)` where it should end"),
            ),
        }
        Operand::closed(inner)
    }

    /// Runs `inner` one level deeper, or gives up at the limit.
    fn nested(&mut self, opener: Span, inner: impl FnOnce(&mut Self) -> Operand) -> Operand {
        if self.nesting == self.limits.nesting {
            let message = format!("nested deeper than {} levels", self.limits.nesting);
            let help = if self.limits.nesting < SourceLimits::NESTING_CEILING {
                "simplify the expression, or raise the limit with --max-nesting"
            } else {
                "simplify the expression"
            };
            self.cursor
                .give_up(Diagnostic::error(Code::NestedTooDeep, opener, message).help(help));
            return Operand::error(opener);
        }
        self.nesting += 1;
        let operand = inner(self);
        self.nesting -= 1;
        operand
    }
}
