//! The lexer of AnyDice programs: text to tokens with spans, on winnow.

use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;
use winnow::ascii::{digit1, multispace1};
use winnow::combinator::alt;
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stream};
use winnow::token::{any, take_while};

/// A token and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind<'t>,
    pub(crate) span: Span,
}

/// The kinds of token. A change of letter case ends one: `NdX` is three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'t> {
    Number(i64),
    /// Capitals and underscores.
    Variable(&'t str),
    /// Small letters; `d` and keywords are words.
    Word(&'t str),
    /// The text between double quotes.
    Text(&'t str),
    Sign(Sign),
}

/// Signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    At,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Not,
    Length,
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    Dot,
    Question,
}

type Input<'t> = LocatingSlice<&'t str>;
type Lexed<T> = Result<T, EmptyError>;

/// All tokens of a text that is shorter than 4 GiB.
///
/// # Errors
/// A comment or a text without an end, a number that does not fit, or a character without a
/// meaning.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut input = LocatingSlice::new(text);
    let mut tokens = Vec::new();
    loop {
        skip(&mut input, text)?;
        let start = input.current_token_start();
        let Some(first) = text[start..].chars().next() else {
            return Ok(tokens);
        };
        let kind = match first {
            '"' => string(&mut input, text)?,
            '0'..='9' => number(&mut input)?,
            _ => {
                let kind: Lexed<TokenKind<'_>> = alt((word, variable, sign)).parse_next(&mut input);
                kind.map_err(|_| stray(start, first))?
            }
        };
        let span = span(start, input.current_token_start());
        tokens.push(Token { kind, span });
    }
}

/// Skips white space and comments, from a backslash to the next one.
fn skip(input: &mut Input<'_>, text: &str) -> Result<(), Diagnostic> {
    loop {
        let space: Lexed<&str> = multispace1.parse_next(input);
        if space.is_ok() {
            continue;
        }
        let start = input.current_token_start();
        if !text[start..].starts_with('\\') {
            return Ok(());
        }
        let Some(length) = text[start + 1..].find('\\') else {
            let message = "this comment has no end";
            let found = Diagnostic::error(Code::AnyDiceUnclosed, span(start, start + 1), message);
            return Err(found.help("end it with another backslash: \\ a comment \\"));
        };
        let _ = input.next_slice(length + 2);
    }
}

fn string<'t>(input: &mut Input<'t>, text: &'t str) -> Result<TokenKind<'t>, Diagnostic> {
    let start = input.current_token_start();
    let inside = &text[start + 1..];
    let Some(length) = inside.find('"') else {
        let found = Diagnostic::error(
            Code::AnyDiceUnclosed,
            span(start, start + 1),
            "this text has no end",
        );
        return Err(found.help("end it with another double quote"));
    };
    let _ = input.next_slice(length + 2);
    Ok(TokenKind::Text(&inside[..length]))
}

fn number<'t>(input: &mut Input<'t>) -> Result<TokenKind<'t>, Diagnostic> {
    let start = input.current_token_start();
    let digits: Lexed<&str> = digit1.parse_next(input);
    let value = digits.ok().and_then(|digits| digits.parse().ok());
    value.map(TokenKind::Number).ok_or_else(|| {
        let span = span(start, input.current_token_start());
        let found = Diagnostic::error(Code::NumberTooLarge, span, "this number is too large");
        found.help(format!("the greatest number is {}", i64::MAX))
    })
}

fn word<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let letters = take_while(1.., |c: char| c.is_ascii_lowercase());
    letters.map(TokenKind::Word).parse_next(input)
}

fn variable<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let letters = take_while(1.., |c: char| c.is_ascii_uppercase() || c == '_');
    letters.map(TokenKind::Variable).parse_next(input)
}

fn sign<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let double = alt((
        "!=".value(Sign::NotEqual),
        "<=".value(Sign::LessEqual),
        ">=".value(Sign::GreaterEqual),
    ));
    let single = any.verify_map(|c: char| {
        Some(match c {
            '+' => Sign::Plus,
            '-' => Sign::Minus,
            '*' => Sign::Star,
            '/' => Sign::Slash,
            '^' => Sign::Caret,
            '@' => Sign::At,
            '=' => Sign::Equal,
            '<' => Sign::Less,
            '>' => Sign::Greater,
            '&' => Sign::And,
            '|' => Sign::Or,
            '!' => Sign::Not,
            '#' => Sign::Length,
            '(' => Sign::OpenParen,
            ')' => Sign::CloseParen,
            '{' => Sign::OpenBrace,
            '}' => Sign::CloseBrace,
            '[' => Sign::OpenBracket,
            ']' => Sign::CloseBracket,
            ',' => Sign::Comma,
            ':' => Sign::Colon,
            '.' => Sign::Dot,
            '?' => Sign::Question,
            _ => return None,
        })
    });
    alt((double, single)).map(TokenKind::Sign).parse_next(input)
}

fn stray(start: usize, found: char) -> Diagnostic {
    let span = span(start, start + found.len_utf8());
    let message = format!("AnyDice has no sign `{found}`");
    let help = match found {
        ';' => "leave it out: nothing separates statements",
        '\'' => "texts stand between double quotes",
        '%' => "a d100 is d100; AnyDice has no percent sign",
        '×' => "write *",
        '÷' => "write /",
        '−' | '–' => "write -",
        '≥' => "write >=",
        '≤' => "write <=",
        '≠' => "write !=",
        '“' | '”' | '„' => "write the plain sign: \"",
        _ => "leave it out, or put it into a comment between backslashes",
    };
    Diagnostic::error(Code::StrayCharacter, span, message).help(help)
}

pub(crate) fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}
