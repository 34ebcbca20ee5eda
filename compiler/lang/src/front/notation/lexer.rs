//! The lexer: text to tokens with spans, on winnow. The parser pulls them one by one.
//!
//! It never fails: unreadable text becomes a diagnostic, and a [`TokenKind::Broken`] token if an
//! operand was probably meant, so that the parser continues and finds later errors.
//!
//! A rule is a text of its own. Dice in a script end with their statement or line, or at a
//! character that cannot belong to dice; nothing after them is read, so a script's dice are lexed
//! once. A text with holes has a [`TokenKind::Hole`] at each.
//!
//! [`super::signs`] has the signs, [`super::words`] the words.

use super::ast::Float;
use super::raw::{Input, Lexed, Raw, bracketed, digits, faces, spaces, variable};
use super::signs::sign;
use super::token::{Token, TokenKind};
use super::words;
use crate::syntax::{self, Code, Diagnostic, Diagnostics};
use dicec_runtime::against::Against;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use std::collections::VecDeque;
use winnow::combinator::{alt, opt};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stream};
use winnow::token::{any, take_while};

/// The lexer of a whole text, or of the dice that begin at its current position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Text,
    Dice,
}

/// The tokens of a text that is shorter than 4 GiB.
pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    /// The text before the next hole.
    input: Input<'t>,
    /// The holes that follow, and the index of the first of them.
    holes: (&'t [Span], u32),
    extent: Extent,
    /// The closing brackets of those that are open.
    open: Vec<TokenKind>,
    /// The last token was the `d` of dice.
    after_die: bool,
    /// The rest of a run of letters that is several tokens.
    run: VecDeque<Token>,
    ended: bool,
    pub(super) diagnostics: Diagnostics,
}

impl<'t> Lexer<'t> {
    /// The tokens of a text from `start` on, of which these parts, from left to right, are holes.
    pub(super) fn of_text(text: &'t str, start: usize, holes: &'t [Span]) -> Self {
        Self::new(text, start, holes, Extent::Text)
    }

    /// The tokens of the dice that begin at `start`.
    pub(super) fn of_dice(text: &'t str, start: usize) -> Self {
        Self::new(text, start, &[], Extent::Dice)
    }

    fn new(text: &'t str, start: usize, holes: &'t [Span], extent: Extent) -> Self {
        Self {
            text,
            input: input(text, start, holes),
            holes: (holes, 0),
            extent,
            open: Vec::new(),
            after_die: false,
            run: VecDeque::new(),
            ended: false,
            diagnostics: Diagnostics::new(),
        }
    }

    /// Whether it reads dice, and is outside of all brackets.
    pub(super) fn is_outside(&self) -> bool {
        self.extent == Extent::Dice && self.open.is_empty()
    }

    /// Whether it reads a whole text.
    pub(super) fn reads_text(&self) -> bool {
        self.extent == Extent::Text
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Token> {
        let token = if self.ended { None } else { self.read() };
        self.ended = token.is_none();
        self.after_die = token.is_some_and(|token| token.kind == TokenKind::Dice);
        token
    }

    fn read(&mut self) -> Option<Token> {
        if let Some(token) = self.run.pop_front() {
            return Some(token);
        }
        let token = loop {
            let before = self.input.current_token_start();
            // It accepts nothing at all, so it cannot fail.
            let _ = spaces(&mut self.input);
            let start = self.input.current_token_start();
            if self.input.is_empty() {
                break self.hole(start == before)?;
            }
            if self.ends_before(&self.text[before..start]) {
                return None;
            }
            let raw = self.raw_token().ok()?;
            let span = span(start, self.input.current_token_start());
            let glued = start == before;
            if let Raw::Word(word) = raw {
                self.run.extend(word_tokens(word, span, glued));
                break self.run.pop_front()?;
            }
            if self.is_outside() && matches!(raw, Raw::Stray | Raw::Unopened) {
                return None;
            }
            if let Some(kind) = judge(raw, span, self.text, &mut self.diagnostics) {
                break Token { kind, span, glued };
            }
        };
        self.bracket(token.kind).then_some(token)
    }

    /// The hole that begins where the input ends.
    fn hole(&mut self, glued: bool) -> Option<Token> {
        let (holes, index) = self.holes;
        let (&span, rest) = holes.split_first()?;
        self.holes = (rest, index + 1);
        self.input = input(self.text, span.end as usize, rest);
        let kind = TokenKind::Hole(index);
        Some(Token { kind, span, glued })
    }

    /// Whether dice end here, after these spaces.
    fn ends_before(&self, spaces: &str) -> bool {
        let ends = |c| matches!(c, ';' | '"' | '“' | '”' | '„');
        self.extent == Extent::Dice
            && (self.open.is_empty() && spaces.contains('\n') || self.input.starts_with(ends))
    }

    /// Notes a bracket. Whether the token belongs to what is read: dice hold no bracket that closes
    /// something else.
    fn bracket(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Open => self.open.push(TokenKind::Close),
            TokenKind::OpenBrace => self.open.push(TokenKind::CloseBrace),
            TokenKind::Close | TokenKind::CloseBrace => {
                let closed = self.open.pop();
                return self.extent == Extent::Text || closed == Some(kind);
            }
            _ => {}
        }
        true
    }

    fn raw_token(&mut self) -> Lexed<Raw<'t>> {
        let in_statement = self.extent == Extent::Dice;
        let ends = move |c| c == '\n' || (in_statement && c == ';');
        if self.after_die
            && let Some(faces) =
                opt(|input: &mut _| faces(input, ends)).parse_next(&mut self.input)?
        {
            return Ok(faces);
        }
        alt((
            (digits, '.', digits).take().map(Raw::Float),
            digits.map(Raw::Digits),
            take_while(1.., char::is_alphabetic).map(Raw::Word),
            |input: &mut _| bracketed(input, ends),
            |input: &mut _| variable(input, ends),
            sign,
            any.void().map(|()| Raw::Stray),
        ))
        .parse_next(&mut self.input)
    }
}

/// The text from `start` up to the first of these holes.
fn input<'t>(text: &'t str, start: usize, holes: &[Span]) -> Input<'t> {
    let end = holes.first().map_or(text.len(), |hole| hole.start as usize);
    let mut input = LocatingSlice::new(&text[..end]);
    let _ = input.next_slice(start);
    input
}

fn span(start: usize, end: usize) -> Span {
    // The caller bounds the text below 4 GiB.
    Span::new(start as u32, end as u32)
}

/// The tokens of a run of letters.
fn word_tokens(word: &str, span: Span, glued: bool) -> impl Iterator<Item = Token> {
    let pieces = match Against::of_word(word) {
        Some(against) => vec![(TokenKind::Versus(against), word.len())],
        None => words::split(word).unwrap_or_else(|| vec![(TokenKind::Word, word.len())]),
    };
    let mut start = span.start;
    pieces.into_iter().map(move |(kind, end)| {
        let glued = glued || start > span.start;
        let piece = Span::new(start, span.start + end as u32);
        start = piece.end;
        Token {
            kind,
            span: piece,
            glued,
        }
    })
}

/// The token of `raw`, if it is one; reports its errors.
fn judge(raw: Raw<'_>, span: Span, text: &str, diagnostics: &mut Diagnostics) -> Option<TokenKind> {
    match raw {
        Raw::Kind(kind) => Some(kind),
        Raw::Digits(digits) => Some(number(digits, span, diagnostics)),
        Raw::Float(digits) => Some(decimal(digits, span, diagnostics)),
        Raw::Word(_) => Some(TokenKind::Word),
        Raw::Named(name, closed) => Some(resource(name, closed, span, text, diagnostics)),
        Raw::Faces(true) => Some(TokenKind::Faces),
        Raw::Faces(false) => {
            let opener = Span::new(span.start, span.start + 1);
            diagnostics.push(
                Diagnostic::error(Code::Unclosed, opener, "this `{` is never closed")
                    .help("put `}` after the last face, as in `d{1,1,2,3}`"),
            );
            Some(TokenKind::Broken)
        }
        Raw::Unopened => {
            diagnostics.push(
                Diagnostic::error(Code::Unopened, span, "this `]` closes nothing")
                    .help("remove it, or put `[` before the resource's name"),
            );
            None
        }
        Raw::Foreign(op) => {
            let found = &text[span.range()];
            diagnostics.push(
                Diagnostic::error(
                    Code::StrayCharacter,
                    span,
                    format!("`{found}` is not a comparison here"),
                )
                .help(format!("write `{op}`")),
            );
            Some(TokenKind::Compare(op))
        }
        Raw::Stray => {
            stray(span, text, diagnostics);
            None
        }
    }
}

fn number(digits: &str, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
    match digits.parse() {
        Ok(value) => TokenKind::Number(value),
        Err(_) => {
            diagnostics.push(
                Diagnostic::error(Code::NumberTooLarge, span, "this number is too large")
                    .help(format!("the largest whole number is {}", i64::MAX)),
            );
            TokenKind::Broken
        }
    }
}

fn decimal(digits: &str, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
    match digits.parse().ok().and_then(Float::new) {
        Some(value) => TokenKind::Float(value),
        None => {
            diagnostics.push(
                Diagnostic::error(Code::NumberTooLarge, span, "this number is too large")
                    .help("a decimal has at most about 300 digits before its point"),
            );
            TokenKind::Broken
        }
    }
}

fn resource(
    name: &str,
    closed: bool,
    span: Span,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> TokenKind {
    if !closed {
        let (opener, closer, length) = if text[span.range()].starts_with('@') {
            ("@{", '}', 2)
        } else {
            ("[", ']', 1)
        };
        diagnostics.push(
            Diagnostic::error(
                Code::Unclosed,
                Span::new(span.start, span.start + length),
                format!("this `{opener}` is never closed"),
            )
            .help(format!(
                "put `{closer}` after the resource's name, as in `{opener}Strength{closer}`"
            )),
        );
        return TokenKind::Broken;
    }
    if ResourceName::parse(name).name().is_empty() {
        diagnostics.push(
            Diagnostic::error(Code::EmptyName, span, "a resource needs a name")
                .help("write its name between the brackets, as in `[Strength]`"),
        );
        return TokenKind::Broken;
    }
    TokenKind::Resource
}

/// Reports a stray character.
fn stray(span: Span, text: &str, diagnostics: &mut Diagnostics) {
    let help = if &text[span.range()] == "." {
        "a decimal has digits on both sides of its point: `0.5`"
    } else {
        "an expression is made of dice (2d6), numbers, [resources], + - * / and ( )"
    };
    syntax::stray(span, text, help, diagnostics);
}
