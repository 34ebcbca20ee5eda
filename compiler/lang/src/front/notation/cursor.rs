//! The parser's position in the tokens, and its diagnostics so far.

use super::lexer::Lexer;
use super::token::{Token, TokenKind};
use crate::syntax::{Diagnostic, Diagnostics};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use std::collections::VecDeque;

/// A run over the text reports at most this many findings: more would not help anyone.
const MAX_FINDINGS: usize = 20;

/// The tokens that the parser reads.
pub(super) struct Cursor<'t> {
    lexer: Lexer<'t>,
    /// Tokens that were looked at but not taken.
    ahead: VecDeque<Token>,
    /// The end of the last token that was taken; before that, the beginning of the text.
    end: u32,
    pub(super) text: &'t str,
    diagnostics: Diagnostics,
    /// Set once the rest of the text is not read any more: later findings would be consequences.
    silent: bool,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(lexer: Lexer<'t>, start: u32) -> Self {
        Self {
            text: lexer.text,
            lexer,
            ahead: VecDeque::new(),
            end: start,
            diagnostics: Diagnostics::new(),
            silent: false,
        }
    }

    /// The next token, left where it is.
    pub(super) fn peek(&mut self) -> Option<Token> {
        self.peek_at(0)
    }

    /// The kind of the next token.
    pub(super) fn peek_kind(&mut self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    /// The token after the next one.
    pub(super) fn peek_second_token(&mut self) -> Option<Token> {
        self.peek_at(1)
    }

    /// The kind of the token after the next one.
    pub(super) fn peek_second(&mut self) -> Option<TokenKind> {
        self.peek_second_token().map(|token| token.kind)
    }

    /// The token that is this number of tokens after the next one.
    pub(super) fn peek_at(&mut self, index: usize) -> Option<Token> {
        while self.ahead.len() <= index {
            let token = self.lexer.next()?;
            self.ahead.push_back(token);
        }
        self.ahead.get(index).copied()
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.ahead.pop_front();
        self.end = token.span.end;
        Some(token)
    }

    /// Takes the next token if it is of this kind.
    pub(super) fn take(&mut self, kind: TokenKind) -> Option<Token> {
        self.peek().filter(|token| token.kind == kind)?;
        self.bump()
    }

    /// The span of the next token, or the end of what is read.
    pub(super) fn here(&mut self) -> Span {
        self.peek().map_or_else(|| self.last(), |token| token.span)
    }

    /// The empty span at the end of what is read, once all of it is.
    fn last(&self) -> Span {
        let end = match self.lexer.reads_text() {
            true => self.text.trim_end().len() as u32,
            false => self.end,
        };
        Span::new(end, end)
    }

    /// Whether it reads a whole text, rather than dice in a script.
    pub(super) fn reads_text(&self) -> bool {
        self.lexer.reads_text()
    }

    /// The text after the last token that was taken.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.end as usize..).unwrap_or_default()
    }

    /// The text at `span`.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        let slice = self.text.get(span.range());
        slice.unwrap_or_else(|| bug!("{span:?} is not in the source").raise())
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        let found = self.lexer.diagnostics.len() + self.diagnostics.len();
        if !self.silent && found < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a finding that makes the rest meaningless, and skips to the end: that of the text,
    /// or that of the brackets around the dice.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.silent = true;
        while !self.lexer.is_outside() && self.bump().is_some() {}
    }

    /// Skips to the next token of these kinds outside of further parentheses and braces, or to the
    /// end.
    pub(super) fn skip_to(&mut self, kinds: impl Fn(TokenKind) -> bool) {
        let mut depth = 0_usize;
        while let Some(kind) = self.peek_kind() {
            if depth == 0 && kinds(kind) {
                return;
            }
            match kind {
                TokenKind::Open | TokenKind::OpenBrace => depth += 1,
                TokenKind::Close | TokenKind::CloseBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Takes the next token and the tokens of letters that directly follow it: one run of letters
    /// may be several tokens.
    pub(super) fn take_run(&mut self) -> Span {
        let mut span = self.here();
        self.bump();
        while let Some(token) = self.peek()
            && token.glued
            && token.kind.is_word()
        {
            span = span.to(token.span);
            self.bump();
        }
        span
    }

    /// The findings, and the end of what was read. Text after the dice does not belong to them, and
    /// neither do findings about it.
    pub(super) fn finish(self) -> (Diagnostics, u32) {
        let end = self.end;
        let is_read = |found: &Diagnostic| self.lexer.reads_text() || found.span.start < end;
        let mut diagnostics = Diagnostics::new();
        let lexed = self.lexer.diagnostics.iter().filter(|found| is_read(found));
        for found in lexed.chain(self.diagnostics.iter()) {
            diagnostics.push(found.clone());
        }
        diagnostics.sort();
        (diagnostics, end)
    }
}
