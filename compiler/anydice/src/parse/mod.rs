//! The parser: tokens to the syntax tree, by recursive descent. It stops at the first mistake, as
//! the rest would be read wrongly.

mod expression;
mod hint;
mod name;
mod statement;

use crate::ast::{Block, Names};
use crate::token::{Sign, Token, TokenKind, tokens};
use dicec_lang::syntax::{Code, Diagnostic, SourceLimits};
use dicec_runtime::span::Span;

/// A parsed program.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) statements: Block,
    pub(crate) names: Names,
}

/// Parses a program.
///
/// # Errors
/// The first mistake.
pub(crate) fn parse(text: &str, limits: SourceLimits) -> Result<Parsed, Diagnostic> {
    let limits = limits.with_nesting(limits.nesting);
    if text.len() > limits.bytes as usize {
        let message = format!("the program is longer than {} bytes", limits.bytes);
        return Err(Diagnostic::error(
            Code::SourceTooLong,
            Span::default(),
            message,
        ));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        place: 0,
        end: text.len() as u32,
        names: Names::default(),
        expressions: 0,
        functions: 0,
        depth: 0,
        nesting: limits.nesting,
    };
    let statements = parser.program()?;
    Ok(Parsed {
        statements,
        names: parser.names,
    })
}

/// The place in the tokens, and the names so far.
struct Parser<'t> {
    tokens: &'t [Token<'t>],
    place: usize,
    /// The end of the text.
    end: u32,
    names: Names,
    expressions: u32,
    functions: u32,
    /// The nesting at the moment, of expressions and blocks.
    depth: u32,
    nesting: u32,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<TokenKind<'t>> {
        self.tokens.get(self.place).map(|token| token.kind)
    }

    fn peek_second(&self) -> Option<TokenKind<'t>> {
        self.tokens.get(self.place + 1).map(|token| token.kind)
    }

    /// The place of the next token, or the end of the text.
    fn here(&self) -> Span {
        let end = Span::new(self.end, self.end);
        self.tokens.get(self.place).map_or(end, |token| token.span)
    }

    /// The place of the last token that was taken.
    fn before(&self) -> Span {
        let last = self.place.checked_sub(1);
        let last = last.and_then(|place| self.tokens.get(place));
        last.map_or(Span::default(), |token| token.span)
    }

    fn bump(&mut self) -> Option<Token<'t>> {
        let token = self.tokens.get(self.place).copied();
        self.place += usize::from(token.is_some());
        token
    }

    fn take(&mut self, sign: Sign) -> bool {
        let is_next = self.peek() == Some(TokenKind::Sign(sign));
        self.place += usize::from(is_next);
        is_next
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(TokenKind::Word(word));
        self.place += usize::from(is_next);
        is_next
    }

    /// Goes one level deeper.
    ///
    /// # Errors
    /// It is too deep.
    fn nested<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        self.depth += 1;
        if self.depth > self.nesting {
            let message = format!("this is nested more than {} deep", self.nesting);
            return Err(Diagnostic::error(Code::NestedTooDeep, self.here(), message));
        }
        let found = inside(self);
        self.depth -= 1;
        found
    }

    /// The sign that ends what began at `open`.
    fn close(
        &mut self,
        sign: Sign,
        text: &str,
        open: Span,
        part: &str,
    ) -> Result<Span, Diagnostic> {
        if self.take(sign) {
            return Ok(self.before());
        }
        let message = format!("a `{text}` is missing, which ends this {part}");
        let found = Diagnostic::error(Code::AnyDiceUnclosed, self.here(), message);
        Err(found
            .label(open, format!("the {part} begins here"))
            .help(format!("add `{text}`")))
    }
}
