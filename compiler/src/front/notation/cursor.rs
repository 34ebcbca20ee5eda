//! The parser's place in the tokens, and what it has reported so far.

use super::token::{Token, TokenKind};
use crate::syntax::{Diagnostic, Diagnostics};
use dicec_runtime::span::Span;
use winnow::combinator::{opt, peek};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{Stream, TokenSlice};
use winnow::token::{any, one_of};

/// A run over the text reports at most this many findings: past that they tell nobody anything.
const MOST_FINDINGS: usize = 20;

/// Where the parser stands.
pub(super) struct Cursor<'t> {
    tokens: TokenSlice<'t, Token>,
    /// The empty span at the end of what is read.
    end: Span,
    pub(super) text: &'t str,
    diagnostics: Diagnostics,
    /// Set once the rest of the text is not worth reading: later findings would be consequences.
    silent: bool,
}

impl<'t> Cursor<'t> {
    /// At the beginning of `part` of the text, which holds these tokens.
    pub(super) fn new(
        text: &'t str,
        part: Span,
        tokens: &'t [Token],
        diagnostics: Diagnostics,
    ) -> Self {
        let end = part.start + text[part.range()].trim_end().len() as u32;
        Self {
            tokens: TokenSlice::new(tokens),
            end: Span::new(end, end),
            text,
            diagnostics,
            silent: false,
        }
    }

    /// The next token, left where it is.
    pub(super) fn peek(&mut self) -> Option<&'t Token> {
        opt(peek(any::<_, EmptyError>))
            .parse_next(&mut self.tokens)
            .ok()
            .flatten()
    }

    /// The kind of the next token.
    pub(super) fn peek_kind(&mut self) -> Option<&'t TokenKind> {
        self.peek().map(|token| &token.kind)
    }

    /// The kind of the token behind the next one.
    pub(super) fn peek_second(&self) -> Option<&'t TokenKind> {
        let (_, token) = self.tokens.iter_offsets().nth(1)?;
        Some(&token.kind)
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) -> Option<&'t Token> {
        opt(any::<_, EmptyError>)
            .parse_next(&mut self.tokens)
            .ok()
            .flatten()
    }

    /// Takes the next token if it is of this kind.
    pub(super) fn take(&mut self, kind: &TokenKind) -> Option<&'t Token> {
        let wanted = |token: &Token| token.kind == *kind;
        opt(one_of::<_, _, EmptyError>(wanted))
            .parse_next(&mut self.tokens)
            .ok()
            .flatten()
    }

    /// The span of the next token, or the end of the text.
    pub(super) fn here(&mut self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    /// The text at `span`.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.silent && self.diagnostics.len() < MOST_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a finding that makes the rest of the text meaningless, and goes to its end.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.silent = true;
        self.tokens.finish();
    }

    /// Skips to the next token of these kinds that stands in no parentheses or braces of its own, or to the end.
    pub(super) fn skip_to(&mut self, kinds: impl Fn(&TokenKind) -> bool) {
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

    /// Takes the next token and what is glued to it, as long as it is made of letters: one run of letters may be several
    /// tokens.
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

    /// What was found.
    pub(super) fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }
}
