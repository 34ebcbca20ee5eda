//! Raw tokens: what the lexer reads before it judges it.

use super::ast::CompareOp;
use super::token::TokenKind;
use winnow::combinator::{opt, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::take_while;

pub(super) type Input<'t> = LocatingSlice<&'t str>;
pub(super) type Lexed<T> = Result<T, EmptyError>;

/// A raw token, before it is checked.
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

pub(super) fn spaces<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    take_while(0.., char::is_whitespace).parse_next(input)
}

pub(super) fn digits<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)
}

/// `[Name]`. A name ends at the end of the line or at another bracket, in which case the closing
/// one is missing.
pub(super) fn bracketed<'t>(input: &mut Input<'t>, ends: impl Fn(char) -> bool) -> Lexed<Raw<'t>> {
    '['.parse_next(input)?;
    let name = take_while(0.., |c| !matches!(c, '[' | ']') && !ends(c)).parse_next(input)?;
    let closed = opt(']').parse_next(input)?.is_some();
    Ok(Raw::Named(name, closed))
}

/// `@name`, `@a.path` or `@{any name}`. None contains brackets, because the name is printed
/// between brackets.
pub(super) fn variable<'t>(input: &mut Input<'t>, ends: impl Fn(char) -> bool) -> Lexed<Raw<'t>> {
    '@'.parse_next(input)?;
    if opt('{').parse_next(input)?.is_some() {
        let in_name = |c| !matches!(c, '{' | '}' | '[' | ']') && !ends(c);
        let name = take_while(0.., in_name).parse_next(input)?;
        let closed = opt('}').parse_next(input)?.is_some();
        return Ok(Raw::Named(name, closed));
    }
    let name = path.parse_next(input)?;
    Ok(Raw::Named(name, true))
}

/// `name`, or `abilities.str.mod`.
fn path<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    let word = || take_while(1.., |c: char| c.is_alphanumeric() || c == '_');
    let parts: winnow::combinator::Repeat<_, _, _, (), _> = repeat(0.., ('.', word()));
    (word(), parts).take().parse_next(input)
}

/// `{1,1,2,3}` after a `d`.
pub(super) fn faces<'t>(input: &mut Input<'t>, ends: impl Fn(char) -> bool) -> Lexed<Raw<'t>> {
    '{'.parse_next(input)?;
    let _ = take_while(0.., |c| !matches!(c, '{' | '}') && !ends(c)).parse_next(input)?;
    let closed = opt('}').parse_next(input)?.is_some();
    Ok(Raw::Faces(closed))
}
