//! The smallest parts of the textual IR that several of its parsers read: line ends, comments,
//! numbers and the names of entities.

use crate::ir::{Field, ListKind};
use winnow::ascii::{dec_uint, line_ending, space0};
use winnow::combinator::{alt, eof, opt, preceded, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::take_while;

/// The result of a parser. The remaining text shows where it failed.
pub(super) type Read<T> = Result<T, EmptyError>;

/// The rest of a line, and all empty lines after it.
pub(super) fn ends(input: &mut &str) -> Read<()> {
    let end = alt((line_ending.void(), eof.void()));
    (space0, opt(comment), end).parse_next(input)?;
    blank_lines(input)
}

fn comment(input: &mut &str) -> Read<()> {
    (';', take_while(0.., |c| c != '\n'))
        .void()
        .parse_next(input)
}

pub(super) fn blank_lines(input: &mut &str) -> Read<()> {
    let spaces = take_while(1.., char::is_whitespace).void();
    repeat(0.., alt((spaces, comment))).parse_next(input)
}

pub(super) fn unsigned(input: &mut &str) -> Read<u32> {
    dec_uint.parse_next(input)
}

pub(super) fn field(input: &mut &str) -> Read<Field> {
    preceded("field", unsigned)
        .map(Field::from_u32)
        .parse_next(input)
}

pub(super) fn kind(input: &mut &str) -> Read<ListKind> {
    preceded("kind", unsigned)
        .map(ListKind::from_u32)
        .parse_next(input)
}
