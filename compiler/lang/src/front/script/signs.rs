//! The signs of a script, for the lexer.
//!
//! Signs that word processors substitute are accepted, as in the notation: `−` and `×`, `≥`, `≠`.

use dicec_runtime::compare::CompareOp;
use winnow::combinator::{alt, dispatch, empty, fail};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, literal};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Semicolon,
    Colon,
    Question,
    Dot,
    DotDot,
    Assign,
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    Increment,
    Decrement,
    Plus,
    Minus,
    /// `–` or `—`: a minus, or what word processors turn `--` into.
    Dash,
    Star,
    Slash,
    Percent,
    Not,
    And,
    Or,
    Compare(CompareOp),
}

/// A sign, the longest one first.
pub(super) fn sign(input: &mut LocatingSlice<&str>) -> Result<Sign, EmptyError> {
    let several = alt((
        alt((
            literal("&&").value(Sign::And),
            literal("||").value(Sign::Or),
            literal("==").value(Sign::Compare(CompareOp::Equal)),
            literal("!=").value(Sign::Compare(CompareOp::NotEqual)),
            literal("<=").value(Sign::Compare(CompareOp::LessEqual)),
            literal(">=").value(Sign::Compare(CompareOp::GreaterEqual)),
        )),
        literal("..").value(Sign::DotDot),
        literal("+=").value(Sign::AddAssign),
        literal("-=").value(Sign::SubAssign),
        literal("*=").value(Sign::MulAssign),
        literal("/=").value(Sign::DivAssign),
        literal("++").value(Sign::Increment),
        alt((literal("--"), literal("––"))).value(Sign::Decrement),
    ));
    let one = dispatch! {any;
        '(' => empty.value(Sign::Open),
        ')' => empty.value(Sign::Close),
        '{' => empty.value(Sign::OpenBrace),
        '}' => empty.value(Sign::CloseBrace),
        '[' => empty.value(Sign::OpenBracket),
        ']' => empty.value(Sign::CloseBracket),
        ',' => empty.value(Sign::Comma),
        ';' => empty.value(Sign::Semicolon),
        ':' => empty.value(Sign::Colon),
        '?' => empty.value(Sign::Question),
        '.' => empty.value(Sign::Dot),
        '=' => empty.value(Sign::Assign),
        '+' => empty.value(Sign::Plus),
        '-' | '−' => empty.value(Sign::Minus),
        '–' | '—' => empty.value(Sign::Dash),
        '*' | '×' => empty.value(Sign::Star),
        '/' | '÷' => empty.value(Sign::Slash),
        '%' => empty.value(Sign::Percent),
        '!' => empty.value(Sign::Not),
        '<' => empty.value(Sign::Compare(CompareOp::Less)),
        '>' => empty.value(Sign::Compare(CompareOp::Greater)),
        '≤' => empty.value(Sign::Compare(CompareOp::LessEqual)),
        '≥' => empty.value(Sign::Compare(CompareOp::GreaterEqual)),
        '≠' => empty.value(Sign::Compare(CompareOp::NotEqual)),
        _ => fail,
    };
    alt((several, one)).parse_next(input)
}
