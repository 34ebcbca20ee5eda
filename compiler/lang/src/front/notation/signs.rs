//! The signs of the notation, for the lexer.
//!
//! Typographic signs of word processors and rule books are accepted: `−` and `–` as minus, `×` and
//! `÷`, `≥`, `≤` and `≠`.

use super::ast::pool::Explosion;
use super::ast::{BinaryOp, CompareOp};
use super::raw::{Input, Lexed, Raw};
use super::token::TokenKind;
use winnow::combinator::{alt, dispatch, empty, fail, peek};
use winnow::prelude::*;
use winnow::token::{any, literal, one_of};

/// A sign, the longest one first.
pub(super) fn sign<'t>(input: &mut Input<'t>) -> Lexed<Raw<'t>> {
    use TokenKind::{Binary, Compare, Explode};
    let exclaimed = alt((
        literal("!==").value(Raw::Kind(TokenKind::ExplodeEqual)),
        literal("!!").value(Raw::Kind(Explode(Explosion::Compound))),
        alt((literal("!p"), literal("!P"))).value(Raw::Kind(Explode(Explosion::Penetrate))),
    ));
    let several = alt((
        literal("**").value(Raw::Kind(Binary(BinaryOp::Pow))),
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
        '%' => empty.value(Raw::Kind(Binary(BinaryOp::Rem))),
        '^' => empty.value(Raw::Kind(Binary(BinaryOp::Pow))),
        '=' => empty.value(Raw::Kind(Compare(CompareOp::Equal))),
        '<' => empty.value(Raw::Kind(Compare(CompareOp::Less))),
        '>' => empty.value(Raw::Kind(Compare(CompareOp::Greater))),
        '≠' => empty.value(Raw::Kind(Compare(CompareOp::NotEqual))),
        '≤' => empty.value(Raw::Kind(Compare(CompareOp::LessEqual))),
        '≥' => empty.value(Raw::Kind(Compare(CompareOp::GreaterEqual))),
        '!' => empty.value(Raw::Kind(Explode(Explosion::Extra))),
        '(' => empty.value(Raw::Kind(TokenKind::Open)),
        ')' => empty.value(Raw::Kind(TokenKind::Close)),
        '{' => empty.value(Raw::Kind(TokenKind::OpenBrace)),
        '}' => empty.value(Raw::Kind(TokenKind::CloseBrace)),
        ',' => empty.value(Raw::Kind(TokenKind::Comma)),
        ']' => empty.value(Raw::Unopened),
        _ => fail,
    };
    peek(one_of(|c: char| !c.is_alphanumeric())).parse_next(input)?;
    alt((exclaimed, several, one)).parse_next(input)
}
