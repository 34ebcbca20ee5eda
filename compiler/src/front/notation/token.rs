//! The lexer: text to tokens with spans, on winnow.
//!
//! It never fails: what it cannot read becomes a diagnostic, and an [`TokenKind::Broken`] token where an operand
//! was meant, so that the parser goes on and finds the next error too.
//!
//! Signs that word processors and rule books print are read as what they stand for: `−` and `–` as minus, `×` and `÷`,
//! `≥`, `≤` and `≠`.

use super::ast::{BinaryOp, CompareOp};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use winnow::combinator::{alt, dispatch, empty, fail, opt, peek};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, literal, one_of, take_while};

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
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
    /// The `d` of dice.
    Dice,
    Resource(ResourceName),
    Binary(BinaryOp),
    Compare(CompareOp),
    Open,
    Close,
    /// The word `vs`.
    Versus,
    /// A word that the language does not know.
    Word,
    /// An operand that could not be read; already reported.
    Broken,
}

type Input<'t> = LocatingSlice<&'t str>;
type Lexed<T> = Result<T, EmptyError>;

/// All tokens of `text`, which is shorter than 4 GiB.
pub(super) fn tokens(text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut input = LocatingSlice::new(text);
    let mut tokens = Vec::new();
    loop {
        // Both parsers accept nothing at all, so they cannot fail.
        let _ = blanks(&mut input);
        let start = input.current_token_start();
        let Ok(raw) = raw_token.parse_next(&mut input) else {
            return tokens;
        };
        let span = span(start, input.current_token_start());
        if let Some(kind) = judge(raw, span, text, diagnostics) {
            tokens.push(Token { kind, span });
        }
    }
}

/// What stands in the text, before it is judged.
#[derive(Clone)]
enum Raw<'t> {
    Kind(TokenKind),
    Digits(&'t str),
    Word(&'t str),
    /// The name between brackets, and whether the closing one is there.
    Bracketed(&'t str, bool),
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
        take_while(1.., |c: char| c.is_ascii_digit()).map(Raw::Digits),
        take_while(1.., char::is_alphabetic).map(Raw::Word),
        bracketed,
        sign,
        any.void().map(|()| Raw::Stray),
    ))
    .parse_next(input)
}

/// `[Name]`. A name ends at the line's end or at another bracket: the closing one was forgotten then.
fn bracketed<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '['.parse_next(input)?;
    let name = take_while(0.., |c| !matches!(c, '[' | ']' | '\n')).parse_next(input)?;
    let closed = opt(']').parse_next(input)?.is_some();
    Ok(Raw::Bracketed(name, closed))
}

fn sign<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    use TokenKind::{Binary, Compare};
    let two = alt((
        literal("!=").value(Raw::Kind(Compare(CompareOp::NotEqual))),
        literal("<=").value(Raw::Kind(Compare(CompareOp::LessEqual))),
        literal(">=").value(Raw::Kind(Compare(CompareOp::GreaterEqual))),
        literal("==").value(Raw::Foreign(CompareOp::Equal)),
        literal("<>").value(Raw::Foreign(CompareOp::NotEqual)),
        literal("=>").value(Raw::Foreign(CompareOp::GreaterEqual)),
        literal("=<").value(Raw::Foreign(CompareOp::LessEqual)),
    ));
    let one = dispatch! {any;
        '+' => empty.value(Raw::Kind(Binary(BinaryOp::Add))),
        '-' | '−' | '–' => empty.value(Raw::Kind(Binary(BinaryOp::Sub))),
        '*' | '×' => empty.value(Raw::Kind(Binary(BinaryOp::Mul))),
        '/' | '÷' => empty.value(Raw::Kind(Binary(BinaryOp::Div))),
        '=' => empty.value(Raw::Kind(Compare(CompareOp::Equal))),
        '<' => empty.value(Raw::Kind(Compare(CompareOp::Less))),
        '>' => empty.value(Raw::Kind(Compare(CompareOp::Greater))),
        '≠' => empty.value(Raw::Kind(Compare(CompareOp::NotEqual))),
        '≤' => empty.value(Raw::Kind(Compare(CompareOp::LessEqual))),
        '≥' => empty.value(Raw::Kind(Compare(CompareOp::GreaterEqual))),
        '(' => empty.value(Raw::Kind(TokenKind::Open)),
        ')' => empty.value(Raw::Kind(TokenKind::Close)),
        ']' => empty.value(Raw::Unopened),
        _ => fail,
    };
    peek(one_of(|c: char| !c.is_alphanumeric())).parse_next(input)?;
    alt((two, one)).parse_next(input)
}

/// The token that `raw` is, if any; reports what is wrong with it.
fn judge(raw: Raw<'_>, span: Span, text: &str, diagnostics: &mut Diagnostics) -> Option<TokenKind> {
    match raw {
        Raw::Kind(kind) => Some(kind),
        Raw::Digits(digits) => Some(number(digits, span, diagnostics)),
        Raw::Word("d" | "D") => Some(TokenKind::Dice),
        Raw::Word("vs" | "VS" | "Vs") => Some(TokenKind::Versus),
        Raw::Word(_) => Some(TokenKind::Word),
        Raw::Bracketed(name, closed) => Some(resource(name, closed, span, diagnostics)),
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

fn resource(name: &str, closed: bool, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
    if !closed {
        let opener = Span::new(span.start, span.start + 1);
        diagnostics.push(
            Diagnostic::error(Code::Unclosed, opener, "this `[` is never closed")
                .help("put `]` behind the resource's name, as in `[Strength]`"),
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

/// Reports a stray character; characters that follow one another are one finding.
fn stray(span: Span, text: &str, diagnostics: &mut Diagnostics) {
    if let Some(last) = diagnostics.last_mut()
        && last.code == Code::StrayCharacter
        && last.span.end == span.start
    {
        last.span = last.span.to(span);
        "these characters mean nothing here".clone_into(&mut last.message);
        return;
    }
    let shown: String = text[span.range()]
        .chars()
        .flat_map(char::escape_debug)
        .collect();
    diagnostics.push(
        Diagnostic::error(
            Code::StrayCharacter,
            span,
            format!("the character `{shown}` means nothing here"),
        )
        .help("an expression is made of dice (2d6), numbers, [resources], + - * / and ( )"),
    );
}
