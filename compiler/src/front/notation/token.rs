//! The lexer: text to tokens with spans, on winnow.
//!
//! It never fails: what it cannot read becomes a diagnostic, and an [`TokenKind::Broken`] token where an operand
//! was meant, so that the parser goes on and finds the next error too.
//!
//! [`super::signs`] and [`super::words`] hold what the signs are, and how letters make words.

use super::ast::{BinaryOp, CompareOp, Float};
use super::pool::Explosion;
use super::signs::sign;
use super::words::{self, ModifierWord};
use crate::syntax::{self, Code, Diagnostic, Diagnostics};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use winnow::combinator::{alt, opt};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, take_while};

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// No blank stands before it.
    pub(super) glued: bool,
}

impl Location for Token {
    fn previous_token_end(&self) -> usize {
        self.span.end as usize
    }

    fn current_token_start(&self) -> usize {
        self.span.start as usize
    }
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number(i64),
    Float(Float),
    /// The `d` of dice.
    Dice,
    /// `dF`, whole.
    FateDice,
    /// What stands in braces behind a `d`, braces included; [`super::faces`] reads it.
    Faces,
    Resource(ResourceName),
    Binary(BinaryOp),
    Compare(CompareOp),
    /// `!`, `!!` or `!p`.
    Explode(Explosion),
    /// `!==`.
    ExplodeEqual,
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    Comma,
    /// The word `vs`.
    Versus,
    /// A word that can follow dice.
    Modifier(ModifierWord),
    /// Any other word: a function's name, or one that the language does not know.
    Word,
    /// An operand that could not be read; already reported.
    Broken,
}

impl TokenKind {
    /// Whether it is made of letters.
    pub(super) fn is_word(&self) -> bool {
        matches!(
            self,
            TokenKind::Word
                | TokenKind::Modifier(_)
                | TokenKind::Dice
                | TokenKind::FateDice
                | TokenKind::Versus
        )
    }
}

pub(super) type Input<'t> = LocatingSlice<&'t str>;
pub(super) type Lexed<T> = Result<T, EmptyError>;

/// All tokens of `text`, which is shorter than 4 GiB.
pub(super) fn tokens(text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut input = LocatingSlice::new(text);
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        let before = input.current_token_start();
        // Both parsers accept nothing at all, so they cannot fail.
        let _ = blanks(&mut input);
        let start = input.current_token_start();
        let behind_dice = tokens
            .last()
            .is_some_and(|token| token.kind == TokenKind::Dice);
        let raw = if behind_dice {
            alt((faces, raw_token)).parse_next(&mut input)
        } else {
            raw_token.parse_next(&mut input)
        };
        let Ok(raw) = raw else {
            return tokens;
        };
        let span = span(start, input.current_token_start());
        let glued = start == before;
        match raw {
            Raw::Word(word) => push_word(word, span, glued, &mut tokens),
            _ => tokens.extend(judge(raw, span, text, diagnostics).map(|kind| Token {
                kind,
                span,
                glued,
            })),
        }
    }
}

/// What stands in the text, before it is judged.
#[derive(Clone)]
pub(super) enum Raw<'t> {
    Kind(TokenKind),
    Digits(&'t str),
    Float(&'t str),
    Word(&'t str),
    /// The name of a resource between what opens and closes it, and whether it is closed.
    Named(&'t str, bool),
    /// Faces in braces, and whether they are closed.
    Faces(bool),
    /// A closing bracket without its opening one.
    Unopened,
    /// Two signs that other languages use for one of ours.
    Foreign(CompareOp),
    Stray,
}

fn span(start: usize, end: usize) -> Span {
    // The caller bounds the text below 4 GiB.
    Span::new(start as u32, end as u32)
}

fn blanks<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    take_while(0.., char::is_whitespace).parse_next(input)
}

fn raw_token<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    alt((
        (digits, '.', digits).take().map(Raw::Float),
        digits.map(Raw::Digits),
        take_while(1.., char::is_alphabetic).map(Raw::Word),
        bracketed,
        variable,
        sign,
        any.void().map(|()| Raw::Stray),
    ))
    .parse_next(input)
}

fn digits<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)
}

/// `[Name]`. A name ends at the line's end or at another bracket: the closing one was forgotten then.
fn bracketed<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '['.parse_next(input)?;
    let name = take_while(0.., |c| !matches!(c, '[' | ']' | '\n')).parse_next(input)?;
    let closed = opt(']').parse_next(input)?.is_some();
    Ok(Raw::Named(name, closed))
}

/// `@name` or `@{any name}`. Neither holds brackets: the same name has to stand between them when it is printed.
fn variable<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '@'.parse_next(input)?;
    if opt('{').parse_next(input)?.is_some() {
        let name =
            take_while(0.., |c| !matches!(c, '{' | '}' | '[' | ']' | '\n')).parse_next(input)?;
        let closed = opt('}').parse_next(input)?.is_some();
        return Ok(Raw::Named(name, closed));
    }
    let name = take_while(1.., |c: char| c.is_alphanumeric() || c == '_').parse_next(input)?;
    Ok(Raw::Named(name, true))
}

/// `{1,1,2,3}` behind a `d`.
fn faces<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '{'.parse_next(input)?;
    let _ = take_while(0.., |c| !matches!(c, '{' | '}' | '\n')).parse_next(input)?;
    let closed = opt('}').parse_next(input)?.is_some();
    Ok(Raw::Faces(closed))
}

/// Adds the tokens of a run of letters.
fn push_word(word: &str, span: Span, glued: bool, tokens: &mut Vec<Token>) {
    if word.eq_ignore_ascii_case("vs") {
        return tokens.push(Token {
            kind: TokenKind::Versus,
            span,
            glued,
        });
    }
    let pieces = words::split(word).unwrap_or_else(|| vec![(TokenKind::Word, word.len())]);
    let (mut start, mut glued) = (span.start, glued);
    for (kind, end) in pieces {
        let end = span.start + end as u32;
        let span = Span::new(start, end);
        tokens.push(Token { kind, span, glued });
        (start, glued) = (end, true);
    }
}

/// The token that `raw` is, if any; reports what is wrong with it.
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
                    .help("put `}` behind the last face, as in `d{1,1,2,3}`"),
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
                "put `{closer}` behind the resource's name, as in `{opener}Strength{closer}`"
            )),
        );
        return TokenKind::Broken;
    }
    let name = ResourceName::parse(name);
    if name.name().is_empty() {
        diagnostics.push(
            Diagnostic::error(Code::EmptyName, span, "a resource needs a name")
                .help("write its name between the brackets, as in `[Strength]`"),
        );
        return TokenKind::Broken;
    }
    TokenKind::Resource(name)
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
