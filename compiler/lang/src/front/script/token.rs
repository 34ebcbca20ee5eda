//! The lexer of scripts: text to tokens with spans, on winnow; comments are kept apart.
//!
//! It never fails: unreadable text becomes a diagnostic, and a [`TokenKind::Broken`] token where an
//! operand was meant. The previous token determines three things: whether `[` begins a resource or
//! an index, `{` a group or a block, and whether a `d` after a parenthesis begins dice. Dice are
//! read by the notation's parser, from the token at which they begin.

use super::ast::BinaryOp;
use super::signs::{Sign, sign};
use super::words::{Keyword, begins_parts};
use crate::front::notation::{self, Dialect, begins_counted_dice, begins_dice, parse_dice};
use crate::hir::Float;
use crate::syntax::{self, Code, Diagnostic, Diagnostics, SourceLimits};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use winnow::ascii::digit1;
use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stream};
use winnow::token::{any, literal, none_of, one_of, take_until, take_while};

/// A token and its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// It is the first on its line.
    pub(super) first_on_line: bool,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Int(i64),
    /// A number with decimals: `1.5`.
    Float(Float),
    Text(String),
    Word,
    Keyword(Keyword),
    Resource(ResourceName),
    /// Dice or a group with all their modifiers: an index in [`Lexemes::dice`]. `counted`: they
    /// begin with their `d`, and the parentheses before them are their count.
    Dice {
        index: usize,
        counted: bool,
    },
    Sign(Sign),
    /// An operand that could not be read; already reported.
    Broken,
}

pub(super) type Input<'t> = LocatingSlice<&'t str>;
pub(super) type Lexed<T> = Result<T, EmptyError>;

/// The parts of a text.
pub(super) struct Lexemes {
    pub(super) tokens: Vec<Token>,
    /// The dice, as the notation's parser reads them.
    pub(super) dice: Vec<notation::Parsed>,
    /// The spans of the comments, in order.
    pub(super) comments: Vec<Span>,
}

/// All tokens and comments of the file at `part` of `text`, which is shorter than 4 GiB, or of the
/// rule there, whose dice are in a dialect.
pub(super) fn tokens(
    text: &str,
    part: Span,
    rule: Option<Dialect>,
    limits: SourceLimits,
    diagnostics: &mut Diagnostics,
) -> Lexemes {
    let text = &text[..part.range().end];
    let mut input = LocatingSlice::new(text);
    let _ = input.next_slice(part.range().start);
    let mut lexemes = Lexemes {
        tokens: Vec::new(),
        dice: Vec::new(),
        comments: Vec::new(),
    };
    loop {
        let before = input.current_token_start();
        skip_blanks(&mut input, &mut lexemes.comments, text, diagnostics);
        let start = input.current_token_start();
        let last = before_next(&lexemes.tokens, text);
        let first_on_line = last.is_none() || text[before..start].contains('\n');
        // A rule has no blocks, and begins with an operand; so does what follows its names.
        let begins_value =
            rule.is_some() && last.is_none_or(|last| *last == TokenKind::Sign(Sign::Semicolon));
        let last = if begins_value { Some(&OPERAND) } else { last };
        let kind = if let Some(counted) = dice_begin(*input, last, start == before) {
            let dialect = rule.unwrap_or_default();
            let (parsed, end) = parse_dice(text, start as u32, dialect, limits);
            let _ = input.next_slice(end as usize - start);
            lexemes.dice.push(parsed);
            let index = lexemes.dice.len() - 1;
            Some(TokenKind::Dice { index, counted })
        } else if let Ok(raw) = raw_token(&mut input, last) {
            let span = span(start, input.current_token_start());
            judge(raw, span, text, diagnostics)
        } else {
            return lexemes;
        };
        let span = span(start, input.current_token_start());
        lexemes.tokens.extend(kind.map(|kind| Token {
            kind,
            span,
            first_on_line,
        }));
    }
}

/// A token that an operand follows.
const OPERAND: TokenKind = TokenKind::Sign(Sign::And);

/// The kind of the last token. A word that is an operator counts as its sign, so that what follows
/// it is an operand.
fn before_next<'k>(tokens: &'k [Token], text: &str) -> Option<&'k TokenKind> {
    let (last, before) = tokens.split_last()?;
    let word = &text[last.span.range()];
    let joins = last.kind == TokenKind::Word
        && (BinaryOp::of_word(word).is_some() || word == "by")
        && ends_operand(before);
    Some(if joins { &OPERAND } else { &last.kind })
}

/// Whether the last of these tokens ends an operand, after which no name can follow.
fn ends_operand(tokens: &[Token]) -> bool {
    match tokens {
        // The label of a roll, before its name.
        [.., before, last] if matches!(last.kind, TokenKind::Text(_)) => {
            before.kind != TokenKind::Keyword(Keyword::Defroll)
        }
        [.., last] => match &last.kind {
            TokenKind::Dice { .. } | TokenKind::Keyword(Keyword::True | Keyword::False) => true,
            kind => is_value(kind),
        },
        [] => false,
    }
}

/// Whether dice or a group begin here, after `last`; and then whether the token before is their
/// count.
fn dice_begin(rest: &str, last: Option<&TokenKind>, glued: bool) -> Option<bool> {
    let after_parenthesis = glued && last == Some(&TokenKind::Sign(Sign::Close));
    if after_parenthesis && begins_counted_dice(rest) {
        return Some(true);
    }
    let begins = match rest.as_bytes().first()? {
        // A block may follow the colon of an arm.
        b'{' if last == Some(&TokenKind::Sign(Sign::Colon)) && is_block(rest) => false,
        b'{' if begins_parts(rest) => false,
        b'{' => last.is_some_and(opens_operand) && is_closed(rest),
        b'[' => !last.is_some_and(is_value) && begins_dice(rest),
        _ => begins_dice(rest),
    };
    begins.then_some(false)
}

/// Whether the braces that a text begins with are empty or begin with a statement that needs no
/// semicolon, which [`is_closed`] finds in all other blocks.
fn is_block(rest: &str) -> bool {
    let inside = rest[1..].trim_start();
    let word = inside.split(|c: char| !c.is_alphanumeric()).next();
    inside.starts_with('}')
        || ["if", "for", "while", "repeat", "match"].contains(&word.unwrap_or_default())
}

/// Whether the bracket that a text begins with is closed before the statement ends: a block holds
/// statements.
fn is_closed(rest: &str) -> bool {
    let mut depth = 0_usize;
    for c in rest.chars() {
        match c {
            // Deeper than anything may nest: many that are not closed cost little.
            '(' | '{' | '[' if depth == 256 => return false,
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ';' | '"' => return false,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
    }
    false
}

fn span(start: usize, end: usize) -> Span {
    // The caller bounds the text below 4 GiB.
    Span::new(start as u32, end as u32)
}

/// Skips spaces and comments, and records the spans of comments.
fn skip_blanks(
    input: &mut Input<'_>,
    comments: &mut Vec<Span>,
    text: &str,
    diagnostics: &mut Diagnostics,
) {
    loop {
        // It accepts nothing at all, so it cannot fail.
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        let _: Lexed<&str> = take_while(0.., blank).parse_next(input);
        let start = input.current_token_start();
        let Ok(closed) = comment(input) else {
            return;
        };
        let written = &text[start..input.current_token_start()];
        comments.push(span(start, start + written.trim_end().len()));
        if !closed {
            diagnostics.push(
                Diagnostic::error(
                    Code::EndlessText,
                    span(start, start + 2),
                    "this comment never ends",
                )
                .help("put `*/` after it"),
            );
        }
    }
}

/// A comment; returns whether it is closed.
fn comment(input: &mut Input<'_>) -> Lexed<bool> {
    let line = (literal("//"), take_while(0.., |c| c != '\n')).value(true);
    let closed = (take_until(0.., "*/"), literal("*/")).value(true);
    let rest = take_while(0.., |_: char| true).value(false);
    alt((line, preceded(literal("/*"), alt((closed, rest))))).parse_next(input)
}

/// A raw token, before it is checked.
#[derive(Clone)]
enum Raw<'t> {
    Kind(TokenKind),
    Digits(&'t str),
    Float(&'t str),
    Word(&'t str),
    /// A text with its escapes, and whether it is closed.
    Text(&'t str, bool),
    /// The name of a resource, and whether it is closed.
    Resource(&'t str, bool),
    Stray,
}

fn raw_token<'t>(input: &mut Input<'t>, last: Option<&TokenKind>) -> Lexed<Raw<'t>> {
    if !last.is_some_and(is_value)
        && !begins_list(input)
        && let Some(resource) = opt(resource).parse_next(input)?
    {
        return Ok(resource);
    }
    alt((
        variable,
        (digit1, '.', digit1).take().map(Raw::Float),
        digit1.map(Raw::Digits),
        word.map(Raw::Word),
        text,
        sign.map(TokenKind::Sign).map(Raw::Kind),
        any.value(Raw::Stray),
    ))
    .parse_next(input)
}

/// Whether a token ends a value, so that `[` after it begins an index.
fn is_value(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Word
            | TokenKind::Text(_)
            | TokenKind::Int(_)
            | TokenKind::Float(_)
            | TokenKind::Resource(_)
            | TokenKind::Sign(Sign::Close | Sign::CloseBracket)
    )
}

/// Whether an operand follows a token, so that `{` there begins a group.
fn opens_operand(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Keyword(keyword) => *keyword == Keyword::Return,
        TokenKind::Sign(sign) => !matches!(
            sign,
            Sign::Close
                | Sign::OpenBrace
                | Sign::CloseBrace
                | Sign::CloseBracket
                | Sign::Semicolon
                | Sign::Increment
                | Sign::Decrement
        ),
        _ => false,
    }
}

/// Whether a bracket before an operand begins a list rather than a resource: one that is empty,
/// that has a comma directly inside or `for` with a variable, or that holds what no resource's name
/// can, which is another bracket, or a text or a line break at its beginning.
fn begins_list(rest: &str) -> bool {
    let Some(inside) = rest.strip_prefix('[') else {
        return false;
    };
    let mut depth = 0_usize;
    let mut text = false;
    let first = inside.trim_start();
    if inside[..inside.len() - first.len()].contains('\n') || first.starts_with('"') {
        return true;
    }
    for (at, c) in first.char_indices() {
        match c {
            '"' => text = !text,
            '\n' => return false,
            _ if text => {}
            ';' => return depth == 0 && closes_soon(&first[at + 1..]),
            ',' if depth == 0 => return true,
            '[' => return true,
            ']' => return first.starts_with(']'),
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && begins_for(&first[at..]) => return true,
            _ => {}
        }
    }
    false
}

/// Whether a bracket is closed before a statement ends.
fn closes_soon(rest: &str) -> bool {
    let end = rest.find([']', '[', ';', '=', '{', '}', '\n']);
    end.is_some_and(|end| rest[end..].starts_with([']', '[']))
}

/// Whether ` for name :` follows.
fn begins_for(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(" for ") else {
        return false;
    };
    let name = |c: char| c.is_alphanumeric() || c == '_';
    rest.trim_start()
        .trim_start_matches(name)
        .trim_start()
        .starts_with(':')
}

pub(super) fn word<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    let first = one_of(|c: char| c.is_alphabetic() || c == '_');
    let rest = take_while(0.., |c: char| c.is_alphanumeric() || c == '_');
    (first, rest).take().parse_next(input)
}

/// `[Name]`. A name ends at the end of the line or at another bracket, in which case the closing
/// one is missing.
fn resource<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '['.parse_next(input)?;
    let name = take_while(0.., |c| !matches!(c, '[' | ']' | '\n' | ';')).parse_next(input)?;
    let closed = opt(']').parse_next(input)?.is_some();
    Ok(Raw::Resource(name, closed))
}

/// `@name`, `@a.path` or `@{any name}`, as virtual tabletops write resources.
fn variable<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    '@'.parse_next(input)?;
    if opt('{').parse_next(input)?.is_some() {
        let in_name = |c| !matches!(c, '{' | '}' | '[' | ']' | '\n' | ';');
        let name = take_while(0.., in_name).parse_next(input)?;
        let closed = opt('}').parse_next(input)?.is_some();
        return Ok(Raw::Resource(name, closed));
    }
    let more = |input: &mut Input<'t>| repeat::<_, _, (), _, _>(0.., ('.', word)).parse_next(input);
    let name = (word, more).take().parse_next(input)?;
    Ok(Raw::Resource(name, true))
}

/// A text. One that begins with a typographic quote ends with any quote; one that begins with `"`
/// may hold typographic ones.
fn text<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    let quote = one_of(['"', '“', '”', '„']).parse_next(input)?;
    let ends = move |c: char| c == '"' || (quote != '"' && matches!(c, '“' | '”'));
    let escaped = ('\\', none_of('\n')).void();
    let plain = none_of(move |c: char| ends(c) || c == '\n').void();
    let mut inside = repeat::<_, _, (), _, _>(0.., alt((escaped, plain))).take();
    let written = inside.parse_next(input)?;
    let closed = opt(one_of(ends)).parse_next(input)?.is_some();
    Ok(Raw::Text(written, closed))
}

/// The token of `raw`, if it is one; reports its errors.
fn judge(raw: Raw<'_>, span: Span, text: &str, diagnostics: &mut Diagnostics) -> Option<TokenKind> {
    let wrong = match raw {
        Raw::Kind(kind) => return Some(kind),
        Raw::Word(word) => return Some(keyword(word, span, diagnostics)),
        Raw::Digits(digits) => match digits.parse() {
            Ok(value) => return Some(TokenKind::Int(value)),
            Err(_) => Diagnostic::error(Code::NumberTooLarge, span, "this number is too large")
                .help(format!("the largest whole number is {}", i64::MAX)),
        },
        Raw::Float(digits) => match digits.parse().ok().and_then(Float::new) {
            Some(value) => return Some(TokenKind::Float(value)),
            None => Diagnostic::error(Code::NumberTooLarge, span, "this number is too large")
                .help("the largest float has 309 digits before its point"),
        },
        Raw::Text(written, true) => {
            return Some(TokenKind::Text(unescape(written, span, text, diagnostics)));
        }
        Raw::Text(_, false) => Diagnostic::error(
            Code::EndlessText,
            span,
            "this text does not end on its line",
        )
        .help("put `\"` after it; a new line inside a text is written `\\n`"),
        Raw::Resource(name, closed) => {
            let name = ResourceName::parse(name);
            if closed && !name.name().is_empty() {
                return Some(TokenKind::Resource(name));
            }
            wrong_resource(closed, span)
        }
        Raw::Stray => {
            stray(span, text, diagnostics);
            return None;
        }
    };
    diagnostics.push(wrong);
    Some(TokenKind::Broken)
}

fn wrong_resource(closed: bool, span: Span) -> Diagnostic {
    if closed {
        return Diagnostic::error(Code::EmptyName, span, "a resource needs a name")
            .help("write its name between the brackets, as in `[Strength]`");
    }
    let opener = Span::new(span.start, span.start + 1);
    Diagnostic::error(Code::Unclosed, opener, "this `[` is never closed")
        .help("put `]` after the resource's name, as in `[Strength]`")
}

/// A word, be it a name or a keyword; one with wrong capitals is reported.
fn keyword(word: &str, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
    let Some(keyword) = Keyword::of(word) else {
        return TokenKind::Word;
    };
    let right = keyword.as_str();
    if word != right {
        diagnostics.push(
            Diagnostic::error(
                Code::Misspelt,
                span,
                format!("`{word}` is written in small letters"),
            )
            .help(format!("write `{right}`")),
        );
    }
    TokenKind::Keyword(keyword)
}

/// A text without its escapes; reports those that mean nothing.
fn unescape(written: &str, span: Span, text: &str, diagnostics: &mut Diagnostics) -> String {
    let quote = text[span.range()].chars().next().map_or(1, char::len_utf8);
    let begin = span.start as usize + quote;
    let mut plain = String::with_capacity(written.len());
    let mut rest = written.char_indices();
    while let Some((at, c)) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next().map(|(_, escaped)| escaped) {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some(c @ ('\\' | '"' | '“' | '”')) => plain.push(c),
            other => {
                let length = 1 + other.map_or(0, char::len_utf8);
                let place = self::span(begin + at, begin + at + length);
                let shown: String = other.into_iter().flat_map(char::escape_debug).collect();
                diagnostics.push(
                    Diagnostic::error(
                        Code::UnknownEscape,
                        place,
                        format!("`\\{shown}` means nothing in a text"),
                    )
                    .help("a backslash is written `\\\\`; there are also `\\\"`, `\\n` and `\\t`"),
                );
            }
        }
    }
    plain
}

/// Reports a stray character.
fn stray(span: Span, text: &str, diagnostics: &mut Diagnostics) {
    let help = match &text[span.range()] {
        "'" | "‘" | "’" => "write texts in double quotes: `\"Hit\"`",
        "&" => "write `and` or `&&`",
        "|" => "write `or` or `||`",
        _ => "remove it, or put it into a text or a comment",
    };
    syntax::stray(span, text, help, diagnostics);
}
