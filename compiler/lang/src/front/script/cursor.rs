//! The script parser's position in the tokens, and its diagnostics so far.

use super::ast::BinaryOp;
use super::signs::Sign;
use super::token::{Token, TokenKind};
use super::words::Keyword;
use crate::syntax::{Diagnostic, Diagnostics};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// A run over a script reports at most this many findings: more would not help anyone.
const MAX_FINDINGS: usize = 100;

/// The parser's position.
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
    text: &'t str,
    diagnostics: Diagnostics,
    /// Set once the rest of the text is not read any more: later findings would be consequences.
    silent: bool,
}

/// The span of tokens that follow one another.
fn whole(tokens: &[Token]) -> Option<Span> {
    Some(tokens.first()?.span.to(tokens.last()?.span))
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t [Token], diagnostics: Diagnostics) -> Self {
        Self {
            tokens,
            at: 0,
            text,
            diagnostics,
            silent: false,
        }
    }

    /// The text at `span`.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        let slice = self.text.get(span.range());
        slice.unwrap_or_else(|| bug!("{span:?} is not in the source").raise())
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Takes the tokens that begin before an offset.
    pub(super) fn skip_before(&mut self, end: u32) {
        while self.peek().is_some_and(|token| token.span.start < end) {
            self.bump();
        }
    }

    /// The number of tokens that were taken: a loop that does not change it would never end.
    pub(super) fn taken(&self) -> usize {
        self.at
    }

    /// The next token, left where it is.
    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    /// The kind of the next token.
    pub(super) fn kind(&self) -> Option<&'t TokenKind> {
        self.peek().map(|token| &token.kind)
    }

    /// Whether the next token is this sign.
    pub(super) fn is(&self, sign: Sign) -> bool {
        self.kind() == Some(&TokenKind::Sign(sign))
    }

    /// Whether the token after the next one is this sign.
    pub(super) fn second_is(&self, sign: Sign) -> bool {
        let second = self.tokens.get(self.at + 1);
        second.is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }

    /// The word that is this number of tokens after the next one, if it can be a name.
    pub(super) fn word_at(&self, after: usize) -> Option<&'t str> {
        let token = self.tokens.get(self.at + after)?;
        (token.kind == TokenKind::Word).then(|| self.slice(token.span))
    }

    /// The sign that is this number of tokens after the next one.
    pub(super) fn sign_at(&self, after: usize) -> Option<Sign> {
        match self.tokens.get(self.at + after)?.kind {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// The tokens up to the closing parenthesis of the open one.
    fn in_parenthesis(&self) -> &'t [Token] {
        let tokens = &self.tokens[self.at..];
        let mut depth = 0_usize;
        let end = tokens.iter().position(|token| match token.kind {
            TokenKind::Sign(Sign::OpenBrace | Sign::CloseBrace) => true,
            TokenKind::Sign(Sign::Close) if depth == 0 => true,
            TokenKind::Sign(Sign::Open) => {
                depth += 1;
                false
            }
            TokenKind::Sign(Sign::Close) => {
                depth -= 1;
                false
            }
            _ => false,
        });
        &tokens[..end.unwrap_or(0)]
    }

    /// The text up to the closing parenthesis of the open one.
    pub(super) fn rest_of_parenthesis(&self) -> Span {
        whole(self.in_parenthesis()).unwrap_or(self.behind())
    }

    /// The three parts between semicolons in the open parenthesis, if these are its parts.
    pub(super) fn parts_of_parenthesis(&self) -> Option<[Span; 3]> {
        let is_semicolon = |token: &Token| token.kind == TokenKind::Sign(Sign::Semicolon);
        let parts = self.in_parenthesis().split(is_semicolon);
        let parts: Option<Vec<Span>> = parts.map(whole).collect();
        parts?.try_into().ok()
    }

    /// Takes the rest of the open parenthesis and its closing one. Returns the text from `first`
    /// on.
    pub(super) fn skip_parenthesis(&mut self, first: Span) -> Span {
        self.at += self.in_parenthesis().len();
        let whole = first.to(self.last());
        self.take(Sign::Close);
        whole
    }

    /// Whether the token after the next one begins a value on the same line.
    pub(super) fn second_begins_value(&self) -> bool {
        let second = self.tokens.get(self.at + 1);
        second.is_some_and(|token| {
            let operator = BinaryOp::of_word(self.slice(token.span)).is_some();
            let sign = matches!(token.kind, TokenKind::Sign(_));
            !sign && !operator && !token.first_on_line
        })
    }

    /// Whether the parenthesis after the next token is closed on its line, and a brace follows it.
    pub(super) fn block_follows_parenthesis(&self) -> bool {
        let mut depth = 0_usize;
        let mut rest = self.tokens.iter().skip(self.at + 1);
        for token in rest.by_ref().take_while(|token| !token.first_on_line) {
            match token.kind {
                TokenKind::Sign(Sign::Open) => depth += 1,
                TokenKind::Sign(Sign::Close) if depth == 1 => break,
                TokenKind::Sign(Sign::Close) => depth -= 1,
                _ => {}
            }
        }
        rest.next()
            .is_some_and(|token| token.kind == TokenKind::Sign(Sign::OpenBrace))
    }

    /// The next token's keyword.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        match self.kind() {
            Some(TokenKind::Keyword(keyword)) => Some(*keyword),
            _ => None,
        }
    }

    /// Whether a definition begins here. A word that is not reserved begins one if a name and a
    /// brace or a colon follow, which no statement has.
    pub(super) fn begins_item(&self) -> bool {
        let Some([first, name, brace]) = self.tokens.get(self.at..self.at + 3) else {
            return self.keyword().is_some_and(Keyword::is_item);
        };
        let is_word = |token: &Token| token.kind == TokenKind::Word;
        let by_word = first.first_on_line
            && is_word(first)
            && Keyword::item(self.slice(first.span)).is_some()
            && is_word(name)
            && [Sign::OpenBrace, Sign::Colon]
                .map(TokenKind::Sign)
                .contains(&brace.kind);
        by_word || self.keyword().is_some_and(Keyword::is_item)
    }

    /// The next token's word, if it can be a name.
    pub(super) fn word(&self) -> Option<&'t str> {
        let token = self.peek()?;
        (token.kind == TokenKind::Word).then(|| self.slice(token.span))
    }

    /// Whether the next token is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// Whether the next token is this word, ignoring capitals, and what follows it could not follow
    /// a name: a name, a number, a text or dice.
    pub(super) fn is_word_before_operand(&self, word: &str) -> bool {
        let Some([first, second]) = self.tokens.get(self.at..self.at + 2) else {
            return false;
        };
        let is_word = first.kind == TokenKind::Word;
        is_word
            && self.slice(first.span).eq_ignore_ascii_case(word)
            && match &second.kind {
                TokenKind::Word => BinaryOp::of_word(self.slice(second.span)).is_none(),
                TokenKind::Keyword(keyword) => keyword.is_value(),
                TokenKind::Sign(sign) => *sign == Sign::Not,
                _ => true,
            }
    }

    /// Whether a space stands between the next token and a parenthesis after it.
    pub(super) fn parenthesis_after_space(&self) -> bool {
        let next = self.tokens.get(self.at..self.at + 2);
        next.is_some_and(|next| {
            next[1].kind == TokenKind::Sign(Sign::Open) && next[0].span.end < next[1].span.start
        })
    }

    /// Whether the text defines a function of this name.
    pub(super) fn defines_function(&self, name: &str) -> bool {
        let mut pairs = self.tokens.windows(2);
        pairs.any(|pair| {
            pair[0].kind == TokenKind::Keyword(Keyword::Deffun) && self.slice(pair[1].span) == name
        })
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    /// Takes the next token if it is this sign; returns its span.
    pub(super) fn take(&mut self, sign: Sign) -> Option<Span> {
        let span = self.peek()?.span;
        self.is(sign).then(|| {
            self.bump();
            span
        })
    }

    /// The span of the next token, or the end of the last one.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or(self.behind(), |token| token.span)
    }

    /// The span of the last token that was taken.
    pub(super) fn last(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(Span::default(), |token| token.span)
    }

    /// Whether the last token could not be read: it may contain the missing text.
    pub(super) fn last_is_broken(&self) -> bool {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.is_some_and(|token| token.kind == TokenKind::Broken)
    }

    /// The empty span after the last token that was taken.
    pub(super) fn behind(&self) -> Span {
        let end = self.last().end;
        Span::new(end, end)
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.silent && self.diagnostics.len() < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a finding that makes the rest of the text meaningless, and skips to its end.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.silent = true;
        self.at = self.tokens.len();
    }

    /// The diagnostics, in reading order.
    pub(super) fn into_diagnostics(mut self) -> Diagnostics {
        self.diagnostics.sort();
        self.diagnostics.dedup();
        self.diagnostics
    }
}
